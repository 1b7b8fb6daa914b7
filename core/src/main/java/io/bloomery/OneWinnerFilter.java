package io.bloomery;

import io.bloomery.hash.Hasher;
import java.util.Arrays;
import java.util.Objects;

/**
 * A view that adds each key under one of many locks, chosen by the key's hash: adds of the same key
 * happen one after another, and adds of other keys rarely wait.
 */
final class OneWinnerFilter implements AddableFilter {

  private static final int STRIPES_LOG = 10;

  /** An odd number without pattern: neighbouring hashes have different locks. */
  private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

  private final AddableFilter filter;
  private final Object[] locks = new Object[1 << STRIPES_LOG];

  OneWinnerFilter(AddableFilter filter) {
    this.filter = Objects.requireNonNull(filter, "filter");
    Arrays.setAll(locks, i -> new Object());
  }

  @Override
  public boolean addHash(long hash) {
    synchronized (locks[(int) ((hash * MULTIPLIER) >>> -STRIPES_LOG)]) {
      return filter.addHash(hash);
    }
  }

  @Override
  public Hasher hasher() {
    return filter.hasher();
  }

  @Override
  public boolean mightContainHash(long hash) {
    return filter.mightContainHash(hash);
  }

  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    return filter.mightContainHashes(hashes, from, to, hits);
  }

  @Override
  public double falsePositiveRate() {
    return filter.falsePositiveRate();
  }

  @Override
  public long sizeInBits() {
    return filter.sizeInBits();
  }

  @Override
  public String toString() {
    return "one winner of " + filter;
  }
}
