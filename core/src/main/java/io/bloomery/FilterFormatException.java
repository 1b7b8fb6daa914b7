package io.bloomery;

import java.io.IOException;

/** A file or stream is not a sound filter; says where and what was expected. */
public final class FilterFormatException extends IOException {

  private static final long serialVersionUID = 1L;

  /** The file's name or a word for the stream. */
  private final String source;

  /** Bytes from the beginning of the frame. */
  private final long offset;

  /**
   * Makes the exception.
   *
   * @param source the file's name or a word for the stream
   * @param offset the byte at which the defect shows
   * @param problem what was expected and what was found
   */
  public FilterFormatException(String source, long offset, String problem) {
    super(source + ", byte " + offset + ": " + problem);
    this.source = source;
    this.offset = offset;
  }

  /**
   * Where the bytes came from.
   *
   * @return the file's name or a word for the stream
   */
  public String source() {
    return source;
  }

  /**
   * Where the defect shows.
   *
   * @return a byte offset from the frame's beginning
   */
  public long offset() {
    return offset;
  }
}
