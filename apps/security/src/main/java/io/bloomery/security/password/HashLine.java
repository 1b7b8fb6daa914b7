package io.bloomery.security.password;

import org.jspecify.annotations.Nullable;

/** A line of a published list: a digest in hexadecimal, and a count after a colon. */
final class HashLine {

  /** The count of a line without one. */
  static final long NO_COUNT = -1;

  private static final int MOST_DIGITS = 18;

  private final int digestBytes;
  private long count;

  HashLine(PasswordDigest digest) {
    this.digestBytes = digest.length();
  }

  /** The count of the line that was read last. */
  long count() {
    return count;
  }

  /**
   * Reads a line.
   *
   * @param out gets the digest
   * @return what is wrong with the line, without repeating it, since it may be a password; null if
   *     it is good
   */
  @Nullable String read(byte[] bytes, int from, int to, byte[] out) {
    int end = to;
    while (end > from && bytes[end - 1] == ' ') {
      end--;
    }
    int digits = 2 * digestBytes;
    if (end - from < digits) {
      return "shorter than " + digits + " hexadecimal digits";
    }
    for (int i = 0; i < digestBytes; i++) {
      int high = hex(bytes[from + 2 * i]);
      int low = hex(bytes[from + 2 * i + 1]);
      if ((high | low) < 0) {
        return "does not begin with " + digits + " hexadecimal digits";
      }
      out[i] = (byte) ((high << 4) | low);
    }
    return readCount(bytes, from + digits, end);
  }

  /** Whether a line begins as one of a list of digests does, whatever follows. */
  boolean isOfDigest(byte[] bytes, int from, int to) {
    int end = from;
    while (end < to && hex(bytes[end]) >= 0) {
      end++;
    }
    return end - from == 2 * digestBytes && (end == to || !isLetter(bytes[end]));
  }

  private static boolean isLetter(byte next) {
    return next < 0 || Character.isLetterOrDigit(next);
  }

  private @Nullable String readCount(byte[] bytes, int from, int end) {
    count = NO_COUNT;
    if (from == end) {
      return null;
    }
    if (bytes[from] != ':' || end - from < 2 || end - from > 1 + MOST_DIGITS) {
      return "the digest is not followed by a colon and a count";
    }
    long number = 0;
    for (int i = from + 1; i < end; i++) {
      if (bytes[i] < '0' || bytes[i] > '9') {
        return "the count is not a number";
      }
      number = 10 * number + bytes[i] - '0';
    }
    count = number;
    return number == 0 ? "the count is 0" : null;
  }

  /** The value of a digit, negative for what is none. */
  private static int hex(byte digit) {
    return Character.digit(digit, 16);
  }
}
