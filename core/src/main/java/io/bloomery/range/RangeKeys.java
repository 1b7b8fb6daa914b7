package io.bloomery.range;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.code.Numbers;
import io.bloomery.plan.Needs;
import java.util.Objects;

/**
 * Which keys a range filter holds, and in which order.
 *
 * @param order numbers or byte strings
 * @param bytes how many bytes of a key count: 8 for numbers, 1 … 255 for byte strings. A shorter
 *     byte string is filled up with zeros, and of a longer one the rest does not count: byte
 *     strings that differ only there are one key. A range has as many keys as there are strings of
 *     that length between its bounds, so keys whose last bytes matter should have that length.
 */
public record RangeKeys(@FieldName("key order") Order order, @FieldName("key bytes") int bytes) {

  /** The most bytes of a key that count. */
  public static final int MAX_BYTES = 255;

  private static final RangeKeys NUMBERS = new RangeKeys(Order.NUMBERS, Long.BYTES);

  /** What keys are compared by. */
  public enum Order {
    /** 64-bit numbers, signed. */
    NUMBERS(1),
    /** Byte strings, by their unsigned bytes from the first on. */
    BYTES(2);

    private final int wireId;

    Order(int wireId) {
      this.wireId = wireId;
    }

    /**
     * The number of this order in files.
     *
     * @return 1 or 2
     */
    public int wireId() {
      return wireId;
    }
  }

  public RangeKeys {
    Objects.requireNonNull(order, "order");
    if (order == Order.NUMBERS) {
      Arguments.inRange("bytes", bytes, Long.BYTES, Long.BYTES);
    } else {
      Arguments.inRange("bytes", bytes, 1, MAX_BYTES);
    }
  }

  /**
   * 64-bit numbers in their signed order.
   *
   * @return the keys
   */
  public static RangeKeys numbers() {
    return NUMBERS;
  }

  /**
   * Byte strings in the order of their unsigned bytes.
   *
   * @param bytes how many bytes of a key count, 1 … 255
   * @return the keys
   */
  public static RangeKeys bytes(int bytes) {
    return new RangeKeys(Order.BYTES, bytes);
  }

  static RangeKeys of(Needs needs) {
    return needs.keyBytes().isPresent() ? bytes(needs.keyBytes().getAsInt()) : numbers();
  }

  boolean areNumbers() {
    return order == Order.NUMBERS;
  }

  void requireNumbers() {
    if (!areNumbers()) {
      throw new IllegalArgumentException(
          "the filter holds byte strings: a number has no place in their order");
    }
  }

  /** The number whose 8 bytes little-endian these are. */
  static long number(byte[] bytes, int offset, int length) {
    if (length != Long.BYTES) {
      throw new IllegalArgumentException(
          "the filter holds numbers, which have 8 bytes, not " + length);
    }
    return Numbers.of(bytes, offset, length);
  }
}
