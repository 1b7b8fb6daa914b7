package io.bloomery.sync;

import io.bloomery.Writers;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.theory.Estimates;
import java.util.Arrays;
import java.util.Objects;

/**
 * Approximate reconciliation by one Bloom filter: B sends a filter of its set, and A sends back
 * every key of its own that the filter does not have, which B certainly lacks. A share f of the
 * keys that B lacks, the filter's false-positive rate, is not sent: 2.16 % at 8 bits per key.
 *
 * <p>The size of the filter depends on the set, not on the difference. It pays off where much of a
 * set differs, or where most of the difference suffices, as for encoded content; {@link
 * SetReconciliation} compares it with the exact methods.
 *
 * <p>Two filters of equal shape also yield the number of differing keys: {@link #difference}.
 * {@code CountingBloomFilter.symmetricDifferenceCardinality} estimates it from counters, more
 * accurately.
 *
 * <p>Broder and Mitzenmacher 2004, sec. 5.2, whose last paragraph swaps the sets: A computes S_A −
 * S_B; Tarkoma, Rothenberg and Lagerspetz 2012, sec. IV-B.
 */
public final class FilterExchange {

  /** Bits per key of {@link #summary}. */
  public static final int BITS_PER_KEY = 8;

  private static final long LEAST_BITS = 64;

  private FilterExchange() {}

  /**
   * What B sends: a filter of its keys at {@value #BITS_PER_KEY} bits per key.
   *
   * @param hashes the distinct keys' hashes
   * @param hasher the same on both sides
   * @return the filter
   */
  public static BloomFilter summary(long[] hashes, Hasher hasher) {
    BloomFilter filter =
        BloomFilter.create(shape(hashes.length), Objects.requireNonNull(hasher), Writers.ONE);
    filter.addHashes(hashes, 0, hashes.length);
    return filter;
  }

  /**
   * The shape of {@link #summary}, for a filter that will be compared with another one.
   *
   * @param keys distinct keys, 0 or more
   * @return {@value #BITS_PER_KEY} bits per key with the best number of hashes
   */
  public static BloomShape shape(long keys) {
    long most = Math.max(1, keys);
    return BloomShape.forBudget(most, Math.max(LEAST_BITS, BITS_PER_KEY * most));
  }

  /**
   * What A sends back: its keys that the filter does not have.
   *
   * @param hashes the hashes of A's keys, by the filter's hasher; not modified
   * @param peer B's filter
   * @return the hashes of keys that B certainly lacks, in their order
   */
  public static long[] missing(long[] hashes, BloomFilter peer) {
    long[] missing = new long[hashes.length];
    int count = 0;
    for (long hash : hashes) {
      if (!peer.mightContainHash(hash)) {
        missing[count++] = hash;
      }
    }
    return Arrays.copyOf(missing, count);
  }

  /**
   * The number of keys that only one of two sets has, estimated from a filter of each: 2·n*(A ∪ B)
   * − n*(A) − n*(B). Its error grows with the sets, not with the difference.
   *
   * @param here a filter of one set
   * @param there a filter of the other, of equal shape and hasher
   * @return the estimate with its standard deviation
   * @throws io.bloomery.IncompatibleFiltersException if shapes or hashers differ
   */
  public static Estimate difference(BloomFilter here, BloomFilter there) {
    double a = here.cardinality();
    double b = there.cardinality();
    double union = Math.min(a + b, Math.max(Math.max(a, b), here.unionCardinality(there)));
    double deviation =
        Estimates.symmetricDifferenceStandardDeviation(
            here.shape().bits(), here.shape().hashesPerKey(), a, b, union);
    return new Estimate(Estimates.symmetricDifference(a, b, union), deviation);
  }

  /**
   * An estimated number of keys that only one of two sets has.
   *
   * @param keyCount the estimate, 0 or more
   * @param deviation its standard deviation, in keys
   */
  public record Estimate(double keyCount, double deviation) {

    /**
     * A number that the difference rarely exceeds.
     *
     * @param deviations how many standard deviations above the estimate
     * @return a whole number of keys
     */
    public long atMost(double deviations) {
      return (long) Math.ceil(keyCount + deviations * deviation);
    }
  }
}
