package io.bloomery.sync;

import io.bloomery.internal.check.Arguments;

/**
 * How keys are stored whole: all of one length, or of any length up to a limit, which costs one
 * byte more per cell.
 *
 * @param keyBytes the length of keys, or of the longest, 1 … {@value #MAX_BYTES}
 * @param variableLength whether keys may be shorter
 */
public record KeyFormat(int keyBytes, boolean variableLength) {

  /** The longest key. */
  public static final int MAX_BYTES = 64;

  /** Keys of 8 bytes: numbers, or the 64-bit hashes of longer keys. The fastest. */
  public static final KeyFormat LONGS = new KeyFormat(Long.BYTES, false);

  public KeyFormat {
    Arguments.inRange("keyBytes", keyBytes, 1, MAX_BYTES);
  }

  /**
   * Keys of one length.
   *
   * @param keyBytes their length, 1 … {@value #MAX_BYTES}
   * @return the format
   */
  public static KeyFormat fixed(int keyBytes) {
    return new KeyFormat(keyBytes, false);
  }

  /**
   * Keys of 0 … {@code keyBytes} bytes.
   *
   * @param keyBytes the length of the longest, 1 … {@value #MAX_BYTES}
   * @return the format
   */
  public static KeyFormat upTo(int keyBytes) {
    return new KeyFormat(keyBytes, true);
  }
}
