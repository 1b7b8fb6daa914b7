package io.bloomery.similarity;

import io.bloomery.IncompatibleFiltersException;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.WordAccess;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.theory.BloomMath;
import java.util.Objects;

/**
 * Is any set of a collection close to this one? The sets are given as Bloom filters of one shape,
 * which are bit vectors: two sets that share most of their keys differ in few bits. One {@link
 * DistanceSensitiveFilter} of these vectors answers for the whole collection, whose filters need
 * not be kept.
 *
 * <p>Not a kind of its own: {@link #filter()} is what is stored.
 *
 * <p>Threads: as {@link DistanceSensitiveFilter}.
 *
 * <p>Kirsch and Mitzenmacher 2006, as Tarkoma, Rothenberg and Lagerspetz 2012, sec. III-S, report
 * it ("Are there any sets in the collection very close to this query set?").
 */
public final class CloseSets {

  private final BloomShape sets;
  private final Hasher hasher;
  private final DistanceSensitiveFilter filter;

  private CloseSets(BloomShape sets, Hasher hasher, DistanceSensitiveFilter filter) {
    this.sets = sets;
    this.hasher = hasher;
    this.filter = filter;
  }

  /**
   * A collection over a filter of vectors.
   *
   * @param sets the shape of the Bloom filters of the sets
   * @param hasher their hasher
   * @param filter an empty filter, or that of an earlier collection; of {@link
   *     DistanceShape.Distance#HAMMING} and with as many dimensions as the sets have bits
   * @return the collection
   * @throws IllegalArgumentException if the filter has another distance or dimension
   */
  public static CloseSets of(BloomShape sets, Hasher hasher, DistanceSensitiveFilter filter) {
    Objects.requireNonNull(sets, "sets");
    Objects.requireNonNull(hasher, "hasher");
    Arguments.inRange("dimension", filter.shape().dimension(), sets.bits(), sets.bits());
    return new CloseSets(sets, hasher, filter);
  }

  /**
   * The expected share of bits in which the Bloom filters of two sets differ.
   *
   * @param sets the shape of the filters
   * @param first the number of keys of one set
   * @param second the number of keys of the other
   * @param common the number of keys that both have
   * @return {@code q^a + q^b - 2·q^(a + b - c)}, q the probability that a key leaves a bit clear
   */
  public static double distance(BloomShape sets, long first, long second, long common) {
    Arguments.inRange("common", common, 0, Math.min(first, second));
    return clear(sets, first) + clear(sets, second) - 2 * clear(sets, first + second - common);
  }

  private static double clear(BloomShape sets, long keys) {
    return BloomMath.zeroBitProbability(sets.bits(), keys, sets.hashesPerKey());
  }

  /**
   * Adds a set.
   *
   * @param set its Bloom filter
   * @return true: no equal filter was there before; false: one probably was
   * @throws IncompatibleFiltersException if it has another shape or hasher
   */
  public boolean add(BloomFilter set) {
    return filter.add(vector(set));
  }

  /**
   * Whether a set is close to one of the collection.
   *
   * @param set its Bloom filter
   * @return true for every set that was added, and with the rates of the filter's shape for others
   * @throws IncompatibleFiltersException if it has another shape or hasher
   */
  public boolean mightContainCloseTo(BloomFilter set) {
    return filter.score(vector(set)) >= filter.shape().threshold();
  }

  /**
   * How many of the hash functions agree with some set of the collection.
   *
   * @param set its Bloom filter
   * @return the filter's score
   * @throws IncompatibleFiltersException if it has another shape or hasher
   */
  public int score(BloomFilter set) {
    return filter.score(vector(set));
  }

  /**
   * The filter of all sets.
   *
   * @return the filter that this collection was made over
   */
  public DistanceSensitiveFilter filter() {
    return filter;
  }

  private byte[] vector(BloomFilter set) {
    if (!set.hasher().equals(hasher)) {
      throw new IncompatibleFiltersException("hasher " + hasher + " != " + set.hasher());
    }
    if (!set.shape().equals(sets)) {
      throw new IncompatibleFiltersException("shape " + sets + " != " + set.shape());
    }
    Words words = WordAccess.of(set, BloomFilter.KIND);
    byte[] vector = new byte[(int) ((sets.bits() + 7) / 8)];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = (byte) (words.get(i >>> 3) >>> (8 * (i & 7)));
    }
    return vector;
  }
}
