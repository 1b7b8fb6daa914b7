package io.bloomery.find.text;

import io.bloomery.hash.Hasher;
import io.bloomery.tools.name.Octets;

/**
 * Splits text into tokens. A token is a run of letters, digits, {@code _}, bytes from 0x80 on and
 * <em>joints</em>, without leading and trailing joints. Anything else separates tokens. With the
 * joints {@code -} and {@code .}, an address, an ID, a version, a host name and a file name are one
 * token each, and the full stop after a word is not part of it.
 */
public final class Tokens {

  private static final byte SEPARATOR = 0;
  private static final byte JOINT = 1;
  private static final byte WORD = 2;

  private final byte[] kinds = new byte[256];

  /** Takes the joints, which must be ASCII characters other than line ends. */
  public Tokens(String joints) {
    for (int i = 0; i < kinds.length; i++) {
      boolean word = i >= 0x80 || i == '_' || Character.isLetterOrDigit(i);
      kinds[i] = word ? WORD : SEPARATOR;
    }
    for (byte joint : Octets.bytes(joints)) {
      if (kinds[joint & 0xFF] == SEPARATOR) {
        kinds[joint & 0xFF] = JOINT;
      }
    }
  }

  /** Adds the hash of every token in a range of bytes. */
  public void hash(byte[] bytes, int from, int to, Hasher hasher, DistinctHashes hashes) {
    byte[] kinds = this.kinds;
    int at = from;
    while (at < to) {
      while (at < to && kinds[bytes[at] & 0xFF] != WORD) {
        at++;
      }
      int start = at;
      int end = at;
      while (at < to && kinds[bytes[at] & 0xFF] != SEPARATOR) {
        if (kinds[bytes[at++] & 0xFF] == WORD) {
          end = at;
        }
      }
      if (end > start) {
        hashes.add(hasher.hash(bytes, start, end - start));
      }
    }
  }

  /** Where the first token starts, or the length if there is none. */
  public int first(byte[] bytes) {
    int at = 0;
    while (at < bytes.length && kinds[bytes[at] & 0xFF] != WORD) {
      at++;
    }
    return at;
  }

  /** One past the end of the last token, or 0 if there is none. */
  public int last(byte[] bytes) {
    int at = bytes.length;
    while (at > 0 && kinds[bytes[at - 1] & 0xFF] != WORD) {
      at--;
    }
    return at;
  }

  /**
   * Whether a token starts at {@code start} and a token ends at {@code end}; both must be word
   * boundaries. Line ends are separators, so the array need not start with the line, nor end at
   * {@code to} with it.
   */
  public boolean standsAlone(byte[] bytes, int to, int start, int end) {
    int before = start;
    while (before > 0 && kinds[bytes[before - 1] & 0xFF] == JOINT) {
      before--;
    }
    int after = end;
    while (after < to && kinds[bytes[after] & 0xFF] == JOINT) {
      after++;
    }
    return (before == 0 || kinds[bytes[before - 1] & 0xFF] == SEPARATOR)
        && (after == to || kinds[bytes[after] & 0xFF] == SEPARATOR);
  }
}
