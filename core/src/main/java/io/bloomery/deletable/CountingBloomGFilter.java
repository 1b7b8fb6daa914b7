package io.bloomery.deletable;

import io.bloomery.FilterKind;
import io.bloomery.HashedFilter;
import io.bloomery.QueryCost;
import io.bloomery.Writers;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.GroupProbes;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import io.bloomery.theory.Estimates;
import io.bloomery.theory.HashBits;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * A counting filter that keeps the counters of a key in g words, so that a query reads at most g
 * words and an update reads and writes g. It never reports a stored key absent, as long as only
 * stored keys are removed: saturated counters are never lowered. It lies between {@link
 * OneWordCountingFilter}, which is faster and larger, and {@link CountingBloomFilter}: for 1 % it
 * takes 39.5 bits per key with two words of 512 bits, where those take 43.4 and 38.4.
 *
 * <p>Removing a key that is certainly absent changes nothing and returns false. Removing a key that
 * was never added but is reported present leaves at most {@code k} counters one too low, and so
 * loses at most {@code k} other keys at a time.
 *
 * <p>Threads: lock-free, with the guarantees of {@link CountingBloomFilter}: counters change by
 * atomic replacements, and a key whose {@code add} returned is found as long as its removal has not
 * begun; a key's removal must follow its addition. {@link #clear} requires that no other thread
 * writes.
 *
 * <p>Qiao, Li and Chen, "Fast Bloom Filters and Their Generalization", sec. 5, who propose it for
 * one word, without details. Each word of a key is used like the single word of {@link
 * OneWordCountingFilter}, with its own hash; with one word the two are the same filter. It is a
 * separate kind because the fields of that filter's files are fixed.
 */
public final class CountingBloomGFilter
    extends CounterFilter<CountingWordShape, CountingBloomGFilter> implements QueryCost {

  public static final FilterKind<CountingBloomGFilter> KIND =
      Kind.of(71, "counting-bloom-g", CountingBloomGFilter.class)
          .question("is x in the set, with deletes? k counters in g words")
          .codec(CountingBloomGFilter::encode, CountingBloomGFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("counting-bloom-g", CountingWordShape.class)
                          .meets(Need.DELETES)
                          .onlyFor(Need.DELETES)
                          .forKeys(CountingWordShape::forKeys)
                          .forBudget(CountingWordShape::forBudget)
                          .reads(CountingWordShape::groups, CountingWordShape::hashesPerKey)
                          .works(shape -> 1.35 * shape.hashesPerKey())
                          .absent(shape -> 1.1, shape -> 3.5)
                          .falseDeletion("loses at most k other keys")
                          .why("Counters of 4 bits, all of a key in two cache lines")
                          .mergesExactly()
                          .storesDuplicates()
                          .createsFor(CountingBloomGFilter::create)));

  /** The distance between the streams of a key's words, each of which takes fewer outputs. */
  private static final int STREAM = 64;

  private final int groups;
  private final int larger;
  private final GroupProbes more;
  private final GroupProbes fewer;

  private CountingBloomGFilter(CountingWordShape shape, Hasher hasher, Counters counters) {
    super(shape, hasher, counters);
    this.groups = shape.groups();
    this.larger = shape.hashesPerKey() % groups;
    this.more = probes(shape, shape.share(0));
    this.fewer = probes(shape, shape.share(groups - 1));
  }

  private static GroupProbes probes(CountingWordShape shape, int count) {
    return new GroupProbes(shape.words(), shape.wordBits(), shape.counterBits(), count);
  }

  /**
   * The smallest filter of two 512-bit words per key with 4-bit counters for a number of keys and a
   * rate.
   *
   * @param expectedKeys how many distinct keys it will hold at a time, 0 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static CountingBloomGFilter create(long expectedKeys, double falsePositiveRate) {
    return create(CountingWordShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape number and width of words, width of counters, words and hashes per key
   * @return an empty filter
   */
  public static CountingBloomGFilter create(CountingWordShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape number and width of words, width of counters, words and hashes per key
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static CountingBloomGFilter create(CountingWordShape shape, Hasher hasher) {
    return create(shape, hasher, Writers.MANY);
  }

  /**
   * A filter of a given shape and hasher, for one writer or many.
   *
   * @param shape number and width of words, width of counters, words and hashes per key
   * @param hasher turns keys into hashes
   * @param writers how many threads may add and remove at the same time
   * @return an empty filter
   */
  public static CountingBloomGFilter create(
      CountingWordShape shape, Hasher hasher, Writers writers) {
    Objects.requireNonNull(shape, "shape");
    Counters counters =
        Counters.allocate(shape.counters(), shape.counterBits(), true, writers == Writers.MANY);
    return new CountingBloomGFilter(shape, hasher, counters);
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape()).section(counters.words());
  }

  private static CountingBloomGFilter decode(Frame frame) throws IOException {
    CountingWordShape shape = frame.shape(CountingWordShape.class);
    Counters counters = frame.counters(0, shape.counters(), shape.counterBits(), true);
    return new CountingBloomGFilter(shape, frame.hasher(), counters);
  }

  @Override
  public FilterKind<CountingBloomGFilter> kind() {
    return KIND;
  }

  /** {@inheritDoc} Stops at the first word that has a counter of 0. */
  @Override
  public boolean mightContainHash(long hash) {
    return isInFrom(0, hash);
  }

  private boolean isInFrom(int first, long hash) {
    for (int group = first; group < groups; group++) {
      if (!probes(group).allPositive(groupHash(hash, group), counters)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean mightContain(long key) {
    return mightContainHash(hash(key));
  }

  /**
   * {@inheritDoc} For every 64 hashes, tests the first words of all keys, then the further words of
   * those that remain.
   */
  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    HashedFilter.checkBatch(hashes, from, to, hits);
    int total = 0;
    for (int start = from, at = 0; start < to; start += Long.SIZE, at++) {
      more.allPositive(hashes, start, Math.min(start + Long.SIZE, to), hits, at, counters);
      long answers = hits[at];
      for (long left = answers; left != 0; left &= left - 1) {
        int i = Long.numberOfTrailingZeros(left);
        if (!isInFrom(1, hashes[start + i])) {
          answers &= ~(1L << i);
        }
      }
      hits[at] = answers;
      total += Long.bitCount(answers);
    }
    return total;
  }

  @Override
  public boolean addHash(long hash) {
    counters.words().writable();
    boolean wasZero = false;
    for (int group = 0; group < groups; group++) {
      wasZero |= probes(group).increment(groupHash(hash, group), counters);
    }
    return wasZero;
  }

  @Override
  public boolean add(long key) {
    return addHash(hash(key));
  }

  /** {@inheritDoc} Here {@code false} means certainly absent. */
  @Override
  public boolean removeHash(long hash) {
    counters.words().writable();
    if (!mightContainHash(hash)) {
      return false;
    }
    for (int group = 0; group < groups; group++) {
      probes(group).decrement(groupHash(hash, group), counters);
    }
    return true;
  }

  private GroupProbes probes(int group) {
    return group < larger ? more : fewer;
  }

  /** The hash that chooses a word of a key and the counters in it. */
  private static long groupHash(long hash, int group) {
    return group == 0 ? hash : Mix.stream(hash, STREAM * group);
  }

  /** {@inheritDoc} Here: g·log2 of the words, and k·log2 of the counters of a word. */
  @Override
  public int hashBits() {
    int counters = shape().wordBits() / shape().counterBits();
    return HashBits.bloomG(shape().words(), counters, shape().groups(), shape().hashesPerKey());
  }

  /** {@inheritDoc} Here: g. */
  @Override
  public int memoryAccesses() {
    return shape().groups();
  }

  /**
   * {@inheritDoc} Here: the product over a key's words of the mean, over all words, of their fill
   * to the power of the counters that the key has there.
   */
  @Override
  public double falsePositiveRate() {
    return Math.pow(more.coveredShare(counters), larger)
        * Math.pow(fewer.coveredShare(counters), groups - larger);
  }

  /**
   * {@inheritDoc} Here: from the share of counters above 0, and the probability that a key raises a
   * given counter.
   */
  @Override
  public double cardinality() {
    double logZero = 0;
    for (int group = 0; group < groups; group++) {
      double inWord =
          -Math.expm1(shape().share(group) * Math.log1p(-1.0 / shape().countersPerWord()));
      logZero += Math.log1p(-inWord / shape().words());
    }
    return Estimates.cardinalityByHitRate(
        counters.count(), -Math.expm1(logZero), counters.nonZero());
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public CountingBloomGFilter copy() {
    return new CountingBloomGFilter(shape(), hasher(), counters.copy());
  }
}
