package io.bloomery.weighted;

import io.bloomery.AddableFilter;
import io.bloomery.FilterKind;
import io.bloomery.QueryCost;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.frame.WordAccess;
import io.bloomery.internal.numeric.Occupancy;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.probe.Probes;
import io.bloomery.internal.variant.EarlyExit;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Need;
import io.bloomery.plan.Shape;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.LongUnaryOperator;

/**
 * A Bloom filter from which bits are cleared to remove known expensive false positives, at the
 * price of a few false negatives. Until the first clearing it never reports an added key absent;
 * each clearing may lose some of the keys added before it, at {@link #falseNegativeRate}.
 *
 * <p>Fill it, {@link #retouch} it with the troublesome false positives, and deploy it, as it is or
 * as a {@link #toBloomFilter plain Bloom filter} of the same bits. Every troublesome key is then
 * reported absent, and so are many other false positives, because fewer bits are set. {@link
 * Clearing#RATIO} loses the fewest members; it needs a list of them, or a counting filter's
 * counters, with which it loses a few more. To remove 400 false positives from a filter of 2,000
 * keys in 2^14 bits with k = 5, it loses 12.7 % of the keys, and {@link Clearing#RANDOM} 21.4 %. A
 * key added later may set a cleared bit again, which can restore a lost key or a troublesome one,
 * so retouch last.
 *
 * <p>{@link #clearRandomly} clears random bits. That is a neutral trade-off: it removes the same
 * share of false positives as of members, 1 − (1 − s/ones)^k for s cleared bits.
 *
 * <p>Threads: any number may add and query; a clearing requires that no other thread adds or
 * clears.
 *
 * <p>Donnet, Baynat and Friedman 2006, "Retouched Bloom Filters: Allowing Networked Applications to
 * Trade Off Selected False Positives Against False Negatives". Deviations: the counters of members
 * per bit may be built for one clearing from the list of members and only for the bits of
 * troublesome keys, and then a member that is lost is no longer counted at its other bits;
 * troublesome keys are processed in the order of their hashes, so that equal sets give equal
 * filters.
 */
public final class RetouchedBloomFilter extends ShapedFilter<BloomShape>
    implements AddableFilter, QueryCost {

  public static final FilterKind<RetouchedBloomFilter> KIND =
      Kind.of(58, "retouched", RetouchedBloomFilter.class)
          .question("is x in the set? named false positives removed, for a few false negatives")
          .codec(RetouchedBloomFilter::encode, RetouchedBloomFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("retouched", BloomShape.class)
                          .onlyFor(Need.FALSE_NEGATIVES)
                          .forKeys(BloomShape::forKeys)
                          .forBudget(BloomShape::forBudget)
                          .reads(BloomShape::hashesPerKey)
                          .works(shape -> EarlyExit.work(shape.hashesPerKey()))
                          .absentByThree(
                              shape -> shape.hashesPerKey(),
                              shape -> 1.2 + 0.4 * EarlyExit.byThree(shape.hashesPerKey()))
                          .misses("a clearing loses some of the keys added before it")
                          .why(
                              "A Bloom filter from which false positives that are known can be"
                                  + " removed later, at the price of a few false negatives")
                          .creates(RetouchedBloomFilter::create)));

  private final BloomFilter filter;
  private final Words words;
  private final Probes probes;
  private long cleared;
  private double survival;

  private RetouchedBloomFilter(BloomFilter filter, long cleared, double survival) {
    super(filter.shape(), filter.hasher());
    this.filter = filter;
    this.words = WordAccess.of(filter, BloomFilter.KIND);
    this.probes = new Probes(filter.scheme(), filter.shape().bits(), filter.shape().hashesPerKey());
    this.cleared = cleared;
    this.survival = survival;
  }

  /**
   * The smallest filter for a number of keys and a rate before any clearing.
   *
   * @param expectedKeys how many distinct keys will be added, 0 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static RetouchedBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return create(BloomShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape bits, hashes per key and index scheme
   * @return an empty filter
   */
  public static RetouchedBloomFilter create(BloomShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape bits, hashes per key and index scheme
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static RetouchedBloomFilter create(BloomShape shape, Hasher hasher) {
    return new RetouchedBloomFilter(BloomFilter.create(shape, hasher), 0, 1);
  }

  /**
   * A filter with the bits of a Bloom filter, to be retouched.
   *
   * @param filter the Bloom filter; it is copied and stays as it is
   * @return a filter that answers as the Bloom filter does
   */
  public static RetouchedBloomFilter of(BloomFilter filter) {
    return new RetouchedBloomFilter(filter.copy(), 0, 1);
  }

  private Frame encode() {
    return Frame.encode(filter).put("cleared", cleared).put("survival", survival);
  }

  private static RetouchedBloomFilter decode(Frame frame) throws IOException {
    BloomFilter filter = frame.decodeAs(BloomFilter.KIND);
    long cleared = frame.number("cleared", 0, Shape.MAX_LOAD);
    double survival = frame.real("survival", 0, 1);
    return new RetouchedBloomFilter(filter, cleared, survival);
  }

  @Override
  public FilterKind<RetouchedBloomFilter> kind() {
    return KIND;
  }

  /**
   * {@inheritDoc} Here {@code false} is certain only before the first clearing.
   *
   * @return {@code false}: absent, or lost by a clearing; {@code true}: probably present
   */
  @Override
  public boolean mightContainHash(long hash) {
    return filter.mightContainHash(hash);
  }

  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    return filter.mightContainHashes(hashes, from, to, hits);
  }

  @Override
  public boolean addHash(long hash) {
    return filter.addHash(hash);
  }

  /** {@inheritDoc} Here: that of the {@link BloomFilter} of the same bits. */
  @Override
  public int hashBits() {
    return filter.hashBits();
  }

  /** {@inheritDoc} Here: k. */
  @Override
  public int memoryAccesses() {
    return filter.memoryAccesses();
  }

  /** {@inheritDoc} Here: that of the {@link BloomFilter} of the same bits. */
  @Override
  public double falsePositiveRate() {
    return filter.falsePositiveRate();
  }

  /**
   * The expected share of the keys added before the last clearing that are reported absent. After a
   * clearing with a list of members it is exactly the share of that list; random clearings and
   * clearings by counts add their expected share. Keys added later are not counted.
   *
   * @return 0 … 1; 0 before the first clearing
   */
  public double falseNegativeRate() {
    return 1 - survival;
  }

  /**
   * How many bits were cleared, by all clearings.
   *
   * @return 0 or more
   */
  public long clearedBits() {
    return cleared;
  }

  /**
   * The share of bits that are set. Reads the whole filter.
   *
   * @return 0 … 1
   */
  public double fillRatio() {
    return filter.fillRatio();
  }

  /**
   * Clears bits that are drawn from those that are set.
   *
   * @param bits how many, 0 … the number of bits that are set
   * @param seed the seed of the draw: the same seed clears the same bits of equal filters
   * @throws IllegalArgumentException if fewer bits are set
   * @throws IllegalStateException if the filter is a read-only view of a mapped file
   */
  public void clearRandomly(long bits, long seed) {
    words.writable();
    long ones = words.bitCount();
    Arguments.inRange("bits", bits, 0, ones);
    forget(ones, bits);
    // Selection sampling (Knuth, vol. 2, algorithm S): exactly this many, every choice equally
    // likely.
    long seen = 0;
    long wanted = bits;
    for (long i = 0; i < words.length() && wanted > 0; i++) {
      for (long left = words.get(i); left != 0; left &= left - 1) {
        if (Mix.reduce(Mix.mix(seed + (seen + 1) * Mix.GOLDEN), ones - seen) < wanted) {
          words.clearBit((i << 6) + Long.numberOfTrailingZeros(left));
          wanted--;
        }
        seen++;
      }
    }
  }

  /**
   * Counts bits that are cleared at random: a key keeps its d bits as C(ones − d, s)/C(ones, s).
   */
  private void forget(long ones, long bits) {
    double[] distinct = Occupancy.distinct(shape().bits(), shape().hashesPerKey());
    double kept = 1;
    double all = 0;
    for (int d = 1; d < distinct.length; d++) {
      double rest = ones - d + 1.0;
      kept *= rest > bits ? 1 - bits / rest : 0;
      all += distinct[d] * kept;
    }
    log(bits);
    survival *= bits == 0 ? 1 : all;
  }

  private void log(long bits) {
    cleared = Math.min(Shape.MAX_LOAD, cleared + bits);
  }

  /**
   * Makes the filter report some keys absent, by clearing one bit of each that is reported present.
   *
   * @param troublesome keys that must not be reported present
   * @param clearing which bit is cleared
   * @param members the keys that were added, at best all of them; used by {@link Clearing#MIN_FN}
   *     and {@link Clearing#RATIO}, and always for the false-negative rate
   * @return how many different troublesome keys were reported present and no longer are; {@link
   *     #clearedBits}, {@link #falseNegativeRate} and {@link #falsePositiveRate} say what it cost
   * @throws IllegalArgumentException if the clearing needs members and there are none
   * @throws IllegalStateException if the filter is a read-only view of a mapped file
   */
  public long retouch(
      Iterable<? extends CharSequence> troublesome,
      Clearing clearing,
      Iterable<? extends CharSequence> members) {
    return retouchHashes(hashes("troublesome", troublesome), clearing, hashes("members", members));
  }

  private long[] hashes(String name, Iterable<? extends CharSequence> keys) {
    long[] hashes = new long[16];
    int count = 0;
    for (CharSequence key : Objects.requireNonNull(keys, name)) {
      if (count == hashes.length) {
        hashes = Arrays.copyOf(hashes, 2 * count);
      }
      hashes[count++] = hasher().hash(key);
    }
    return Arrays.copyOf(hashes, count);
  }

  /**
   * Makes the filter report some keys absent, by clearing one bit of each that is reported present.
   *
   * @param troublesome hashes of keys that must not be reported present, by {@link #hasher()}
   * @param clearing which bit is cleared
   * @param members hashes of the keys that were added, at best all of them; used by {@link
   *     Clearing#MIN_FN} and {@link Clearing#RATIO}, and always for the false-negative rate.
   *     Without members, the rate is that of random clearing
   * @return how many different troublesome keys were reported present and no longer are; {@link
   *     #clearedBits}, {@link #falseNegativeRate} and {@link #falsePositiveRate} say what it cost
   * @throws IllegalArgumentException if the clearing needs members and there are none
   * @throws IllegalStateException if the filter is a read-only view of a mapped file
   */
  public long retouchHashes(long[] troublesome, Clearing clearing, long[] members) {
    Objects.requireNonNull(troublesome, "troublesome");
    Objects.requireNonNull(clearing, "clearing");
    Objects.requireNonNull(members, "members");
    boolean decide = clearing == Clearing.MIN_FN || clearing == Clearing.RATIO;
    Arguments.inRange("members", members.length, decide ? 1 : 0, Integer.MAX_VALUE);
    words.writable();
    long ones = words.bitCount();
    long[] named = Retouching.distinct(members);
    Retouching retouching = Retouching.of(probes, words, Retouching.distinct(troublesome), named);
    long bits = retouching.clear(clearing);
    if (named.length == 0) {
      forget(ones, bits);
    } else {
      log(bits);
      survival = (double) retouching.kept() / named.length;
    }
    return retouching.removed();
  }

  /**
   * Makes the filter report some keys absent, by clearing one bit of each that is reported present;
   * the members are given as the number of them that use each bit, such as the counters of a
   * counting Bloom filter:
   *
   * <pre>{@code
   * RetouchedBloomFilter filter = RetouchedBloomFilter.of(counting.toBloomFilter());
   * filter.retouchHashes(troublesome, Clearing.RATIO, counting::counter);
   * }</pre>
   *
   * <p>Counters do not show which members are lost, so the false-negative rate is an expected
   * value: if the set bits are used u times in all, clearing one with counter c loses k·c/u of the
   * members that are left.
   *
   * @param troublesome hashes of keys that must not be reported present, by {@link #hasher()}
   * @param clearing which bit is cleared
   * @param membersOfBit how many of the keys that were added use the bit at a position; at least 1
   *     where a bit is set
   * @return how many different troublesome keys were reported present and no longer are
   * @throws IllegalArgumentException if a set bit is used by no member, so that the counts belong
   *     to another filter
   * @throws IllegalStateException if the filter is a read-only view of a mapped file
   */
  public long retouchHashes(long[] troublesome, Clearing clearing, LongUnaryOperator membersOfBit) {
    Objects.requireNonNull(troublesome, "troublesome");
    Objects.requireNonNull(clearing, "clearing");
    Objects.requireNonNull(membersOfBit, "membersOfBit");
    words.writable();
    double uses = uses(membersOfBit);
    Retouching retouching =
        Retouching.of(probes, words, Retouching.distinct(troublesome), membersOfBit, uses);
    long bits = retouching.clear(clearing);
    log(bits);
    survival *= retouching.survival();
    return retouching.removed();
  }

  /** How many times members use the bits that are set. */
  private double uses(LongUnaryOperator membersOfBit) {
    double uses = 0;
    for (long bit = 0; bit < shape().bits(); bit++) {
      if (words.getBit(bit)) {
        long count = membersOfBit.applyAsLong(bit);
        if (count < 1) {
          throw new IllegalArgumentException(
              "membersOfBit(" + bit + ") = " + count + ", but the bit is set");
        }
        uses += count;
      }
    }
    return uses;
  }

  /**
   * The plain Bloom filter of the same bits, for readers that support no other kind.
   *
   * @return a copy, which gives the same answers
   */
  public BloomFilter toBloomFilter() {
    return filter.copy();
  }

  /**
   * A copy in heap memory that shares nothing with this filter. Taken while other threads add, it
   * holds every key whose {@code add} returned before the call began.
   *
   * @return a filter with the same bits, writable even if this one is mapped
   */
  public RetouchedBloomFilter copy() {
    return new RetouchedBloomFilter(filter.copy(), cleared, survival);
  }

  /**
   * Which bit of a troublesome key a {@link RetouchedBloomFilter} clears: the four algorithms of
   * Donnet, Baynat and Friedman 2006, "Retouched Bloom Filters: Allowing Networked Applications to
   * Trade Off Selected False Positives Against False Negatives", sec. 5. Ties go to the lowest
   * position.
   */
  public enum Clearing {

    /** Any of the key's bits, drawn from its hash. */
    RANDOM,

    /** The bit used by the fewest members: fewest members lost for this key. */
    MIN_FN,

    /** The bit used by the most troublesome keys that are still to be removed. */
    MAX_FP,

    /** The bit with the fewest members per troublesome key: fewest members lost for all of them. */
    RATIO
  }
}
