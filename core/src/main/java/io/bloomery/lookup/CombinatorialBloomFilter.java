package io.bloomery.lookup;

import io.bloomery.CardinalityFilter;
import io.bloomery.FilterKind;
import io.bloomery.Mergeable;
import io.bloomery.QueryCost;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.SetCode;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Modulus;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import io.bloomery.theory.Estimates;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * Which set is x in, with one bit array for sets of any size? Each set has a code of w of F groups
 * of hash functions, and a key sets the k bits of each group of its set's code. A query finds the
 * groups whose bits are all set: if there are fewer than w, the key is in no set; if exactly w,
 * they are the code of its set; if more, every code among them is a candidate, including the right
 * one. So for a key of one set, {@link #getOnlyHash} never returns a wrong set.
 *
 * <p>The sizes of sets need not be known, because they share all bits. The filter takes about one
 * and a half times the memory of a {@link FilterBank} of sets of the same size (30.2 instead of
 * 20.9 bits per key for 120 sets at 1 %), or twice as much with codes of higher weight.
 *
 * <p>Threads: lock-free. Any number of threads may add, merge and query; a key whose {@code add}
 * returned is found by every query that happens after that return. A copy or a save holds every key
 * added before the call began.
 *
 * <p>Hao, Kodialam, Lakshman and Song 2009, "Fast Multiset Membership Testing Using Combinatorial
 * Bloom Filters". Deviation: all F·k positions are drawn from one 64-bit hash, a group is abandoned
 * at its first 0, and a query ends as soon as too few groups remain for a code.
 */
public final class CombinatorialBloomFilter extends ShapedFilter<CombinatorialShape>
    implements ManySetsFilter, CardinalityFilter, Mergeable<CombinatorialBloomFilter>, QueryCost {

  private static final int SETS = CombinatorialShape.PLANNED_SETS;

  public static final FilterKind<CombinatorialBloomFilter> KIND =
      Kind.of(53, "combinatorial", CombinatorialBloomFilter.class)
          .question("which set is x in? one array of bits for sets of any size")
          .codec(CombinatorialBloomFilter::encode, CombinatorialBloomFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("combinatorial", CombinatorialShape.class)
                          .meets(Need.MANY_SETS, Need.VALUES)
                          .onlyFor(Need.MANY_SETS, Need.VALUES)
                          .forKeys((n, p) -> CombinatorialShape.forKeys(n, p, SETS))
                          .forBudget((n, bits) -> CombinatorialShape.forBudget(n, bits, SETS))
                          .reads(shape -> shape.hashesPerKey() * shape.groups())
                          .why(
                              "Sets of any size share one array, and an ambiguous answer shows;"
                                  + " sized for "
                                  + SETS
                                  + " sets")
                          .needsMore("holds many sets and needs the set of each key")
                          .mergesExactly()
                          .creates(CombinatorialBloomFilter::create)));

  private final SetCode code;
  private final Modulus modulus;
  private final int hashesPerKey;
  private final int groups;
  private final int weight;
  private final Words words;

  private CombinatorialBloomFilter(CombinatorialShape shape, Hasher hasher, Words words) {
    super(shape, hasher);
    this.code = new SetCode(shape.sets(), shape.groups(), shape.weight());
    this.modulus = new Modulus(shape.bits());
    this.hashesPerKey = shape.hashesPerKey();
    this.groups = shape.groups();
    this.weight = shape.weight();
    this.words = words;
  }

  /**
   * A filter of a given shape.
   *
   * @param shape bits, hashes per key and the codes of the sets
   * @return an empty filter
   */
  public static CombinatorialBloomFilter create(CombinatorialShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape bits, hashes per key and the codes of the sets
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static CombinatorialBloomFilter create(CombinatorialShape shape, Hasher hasher) {
    return new CombinatorialBloomFilter(shape, hasher, Words.forBits(shape.bits(), true));
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape()).section(words);
  }

  private static CombinatorialBloomFilter decode(Frame frame) throws IOException {
    CombinatorialShape shape = frame.shape(CombinatorialShape.class);
    return new CombinatorialBloomFilter(shape, frame.hasher(), frame.bits(0, shape.bits()));
  }

  @Override
  public FilterKind<CombinatorialBloomFilter> kind() {
    return KIND;
  }

  @Override
  public int sets() {
    return shape().sets();
  }

  @Override
  public int setsOfHash(long hash, long[] hits) {
    Objects.requireNonNull(hits, "hits");
    int needed = (shape().sets() + Long.SIZE - 1) / Long.SIZE;
    if (hits.length < needed) {
      throw new IndexOutOfBoundsException(
          "hits has " + hits.length + " words; " + shape().sets() + " sets need " + needed);
    }
    return code.all(groups(hash), hits);
  }

  @Override
  public long getHash(long hash) {
    return code.first(groups(hash));
  }

  @Override
  public long getOnlyHash(long hash) {
    return code.only(groups(hash));
  }

  /** The groups whose bits are all set, or any mask with too few ones if there are too few. */
  private long groups(long hash) {
    int hashesPerKey = this.hashesPerKey;
    int groups = this.groups;
    int missing = weight;
    long found = 0;
    for (int group = 0; group < groups && missing <= groups - group; group++) {
      int first = group * hashesPerKey;
      int i = 0;
      while (i < hashesPerKey && words.getBit(Draws.index(hash, first + i, modulus))) {
        i++;
      }
      if (i == hashesPerKey) {
        found |= 1L << group;
        missing--;
      }
    }
    return found;
  }

  @Override
  public boolean addHash(long hash, int set) {
    Arguments.inRange("set", set, 0, shape().sets() - 1);
    words.writable();
    boolean changed = false;
    for (long left = code.code(set); left != 0; left &= left - 1) {
      int first = Long.numberOfTrailingZeros(left) * hashesPerKey;
      for (int i = 0; i < hashesPerKey; i++) {
        changed |= words.setBit(Draws.index(hash, first + i, modulus));
      }
    }
    return changed;
  }

  @Override
  public double fillRatio() {
    return (double) words.bitCount() / shape().bits();
  }

  /** {@inheritDoc} Here: of all sets together, −m/(k·w)·ln(1 − X/m) for X set bits. */
  @Override
  public double cardinality() {
    return Estimates.cardinality(shape().bits(), 1, words.bitCount())
        / ((double) hashesPerKey * weight);
  }

  /** {@inheritDoc} Here: the probability that a key of no set has an answer. */
  @Override
  public double falsePositiveRate() {
    return shape().coveredRate(Math.pow(fillRatio(), hashesPerKey));
  }

  @Override
  public int hashBits() {
    return shape().hashBits();
  }

  @Override
  public int memoryAccesses() {
    return shape().memoryAccesses();
  }

  /**
   * The probability that a query for a key of one set finds more groups than those of its code, at
   * the current fill. Reads the whole filter.
   *
   * @return a probability
   */
  public double ambiguousRate() {
    double group = Math.pow(fillRatio(), hashesPerKey);
    return -Math.expm1((groups - weight) * Math.log1p(-group));
  }

  @Override
  public boolean isCompatible(CombinatorialBloomFilter other) {
    return fits(other);
  }

  /** {@inheritDoc} The result is bit for bit the filter of all keys of both. */
  @Override
  public void merge(CombinatorialBloomFilter other) {
    requireFits(other);
    words.orAll(other.words);
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public CombinatorialBloomFilter copy() {
    return new CombinatorialBloomFilter(shape(), hasher(), words.copy());
  }
}
