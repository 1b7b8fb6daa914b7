package io.bloomery.tools.input;

/** The mark that text in UTF-8 may begin with. */
final class ByteOrderMark {

  /** Its length in bytes. */
  static final int LENGTH = 3;

  private ByteOrderMark() {}

  /** How many of the first {@code length} bytes are the mark: all of it, or 0. */
  static int length(byte[] bytes, int length) {
    return length >= LENGTH
            && bytes[0] == (byte) 0xEF
            && bytes[1] == (byte) 0xBB
            && bytes[2] == (byte) 0xBF
        ? LENGTH
        : 0;
  }
}
