package io.bloomery;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Objects;

/**
 * A filter of ordered keys that also answers for ranges: is any key between two bounds in it?
 *
 * <p>Keys are either 64-bit numbers in their signed order, or byte strings in the order of their
 * unsigned bytes, as the filter's shape says. To a filter of numbers a byte string is the number
 * whose 8 bytes little-endian it is, as everywhere; one of another length is no number, and absent.
 * Bounds of the wrong sort have no place in the order and are refused.
 */
public interface RangeFilter extends Filter, Storable {

  /**
   * Whether any key of a range is present.
   *
   * @param from the smallest key of the range
   * @param to the largest key of the range, at least {@code from}
   * @return {@code false}: certainly none; {@code true}: probably some
   * @throws IllegalArgumentException if {@code from} is above {@code to}, or the filter holds byte
   *     strings
   */
  boolean mightContainRange(long from, long to);

  /**
   * Whether any key of a range is present.
   *
   * @param from the smallest key of the range
   * @param to the largest key of the range, at least {@code from}
   * @return {@code false}: certainly none; {@code true}: probably some
   * @throws IllegalArgumentException if {@code from} is above {@code to}, or a bound is not 8 bytes
   *     long and the filter holds numbers
   */
  boolean mightContainRange(byte[] from, byte[] to);

  /**
   * Whether any key of a range is present.
   *
   * @param from the smallest key of the range, as its UTF-8 bytes
   * @param to the largest key of the range, at least {@code from}
   * @return {@code false}: certainly none; {@code true}: probably some
   * @throws IllegalArgumentException as {@link #mightContainRange(byte[], byte[])}
   */
  default boolean mightContainRange(CharSequence from, CharSequence to) {
    return mightContainRange(
        Objects.requireNonNull(from, "from").toString().getBytes(UTF_8),
        Objects.requireNonNull(to, "to").toString().getBytes(UTF_8));
  }

  /**
   * The longest range for which the filter was sized; the rate of a longer one is higher.
   *
   * @return a number of keys, 1 or more
   */
  long longestRange();

  /**
   * The expected false-positive rate of ranges at the current fill: the probability that a range
   * without a key is reported to hold one, by the kind's own formula. Reads the whole filter.
   *
   * @param length how many possible keys the range has, 1 or more
   * @return a probability, 0 for an empty filter
   */
  double falsePositiveRate(long length);
}
