package io.bloomery.tools.problem;

import java.io.IOException;

/** A file is intact, as far as was seen, but of a format that is not read. */
public final class UnreadFormatException extends IOException {

  private static final long serialVersionUID = 1L;

  /** Says what the file is and which program reads it. */
  public UnreadFormatException(String message) {
    super(message);
  }
}
