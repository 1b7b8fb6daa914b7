package io.bloomery.lookup;

import io.bloomery.FrequencyFilter;
import io.bloomery.LookupFilter;
import io.bloomery.RemovableFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.check.Arguments;
import java.util.Objects;

/**
 * Stores values in any counting filter: the value of a key is how often it was added. An answer is
 * never below the value that was put if the filter's counts are never too low; it is too high as
 * often as the filter's counts are, and then by other keys' values.
 *
 * <p>Use it for small values that change often and may be slightly too high, such as priorities or
 * lengths. {@link BloomierMap} returns exact values of a fixed set in a fraction of the memory;
 * {@link CompactApproximator} returns upper bounds in one pass. A value v takes v additions, which
 * a counter performs at once.
 *
 * <p>It is a view: to save it, save the filter. Threads: as the filter, but {@link #removeHash}
 * needs a lock.
 *
 * <p>Tarkoma, Rothenberg and Lagerspetz 2012, sec. III-X: variants with counts "can also be used to
 * probabilistically encode arbitrary functions".
 */
public final class CountedFunction implements LookupFilter {

  private final FrequencyFilter counts;

  /**
   * A function in a filter.
   *
   * @param counts keeps the values; not copied
   */
  public CountedFunction(FrequencyFilter counts) {
    this.counts = Objects.requireNonNull(counts, "counts");
  }

  /**
   * The filter that keeps the values.
   *
   * @return the filter, not a copy
   */
  public FrequencyFilter counts() {
    return counts;
  }

  /**
   * Gives a key without a value a value, by its hash. Values of a key that is put again add up, so
   * {@link #removeHash} the old one first.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @param value 1 … the highest count of the filter
   * @throws IllegalArgumentException if the value is outside its range
   */
  public void putHash(long hash, long value) {
    Arguments.inRange("value", value, 1, counts.maxCount());
    counts.addHash(hash, value);
  }

  /**
   * Gives a text key without a value a value.
   *
   * @param key the key
   * @param value 1 … the highest count of the filter
   */
  public void put(CharSequence key, long value) {
    putHash(hasher().hash(key), value);
  }

  /**
   * Gives a number without a value a value.
   *
   * @param key the key
   * @param value 1 … the highest count of the filter
   */
  public void put(long key, long value) {
    putHash(hasher().hash(key), value);
  }

  /**
   * Gives a character without a value a value.
   *
   * @param key the key, which counts as text
   * @param value 1 … the highest count of the filter
   */
  public void put(char key, long value) {
    putHash(hasher().hash(key), value);
  }

  /**
   * Removes the value of a key, by the key's hash.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @param value the value that was put, 1 … the highest count of the filter
   * @return whether it was removed; {@code false}: the key certainly does not have it, or the
   *     filter has no deletes
   */
  public boolean removeHash(long hash, long value) {
    Arguments.inRange("value", value, 1, counts.maxCount());
    RemovableFilter removable = counts.removable().orElse(null);
    if (removable == null || counts.countHash(hash) < value) {
      return false;
    }
    for (long i = 0; i < value; i++) {
      removable.removeHash(hash);
    }
    return true;
  }

  @Override
  public Hasher hasher() {
    return counts.hasher();
  }

  /**
   * {@inheritDoc}
   *
   * @return the count: the key's value or more, or {@link #ABSENT} if it is 0
   */
  @Override
  public long getHash(long hash) {
    long count = counts.countHash(hash);
    return count == 0 ? ABSENT : count;
  }

  @Override
  public double falsePositiveRate() {
    return counts.falsePositiveRate();
  }

  @Override
  public long sizeInBits() {
    return counts.sizeInBits();
  }

  @Override
  public String toString() {
    return "CountedFunction[" + counts + "]";
  }
}
