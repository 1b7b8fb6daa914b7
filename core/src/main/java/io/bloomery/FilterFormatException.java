package io.bloomery;

import java.io.IOException;

/** A file or stream is not a valid filter; the message says where and what was expected. */
public final class FilterFormatException extends IOException {

  private static final long serialVersionUID = 1L;

  /** The file's name or a description of the stream. */
  private final String source;

  /** The byte offset from the start of the frame. */
  private final long offset;

  /**
   * Creates the exception.
   *
   * @param source the file's name or a description of the stream
   * @param offset the byte offset of the defect
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
   * @return the file's name or a description of the stream
   */
  public String source() {
    return source;
  }

  /**
   * Where the defect was found.
   *
   * @return a byte offset from the start of the frame
   */
  public long offset() {
    return offset;
  }
}
