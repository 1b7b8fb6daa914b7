package io.bloomery.membership;

import io.bloomery.AddableFilter;
import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.Mergeable;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Compatibility;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.probe.Modulus;
import io.bloomery.internal.probe.Probes;
import java.io.IOException;
import java.util.Objects;

/**
 * A Bloom filter in which each key may choose between two groups of k positions and sets the group
 * that needs fewer new bits, so that fewer bits are set; it never reports an added key absent.
 *
 * <p>A query answers yes if either group is completely set, so the rate is 1 − (1 − fill^k)². That
 * doubles what the lower fill saves: the filter needs more memory than {@link BloomFilter} below
 * about 11 bits per key and gains above (at 24 bits per key 0.7 times its rate, at 32 bits 0.6
 * times), at twice the memory accesses for absent keys. The state depends on the order of the adds.
 *
 * <p>Source: Lumetta and Mitzenmacher, "Using the Power of Two Choices to Improve Bloom Filters",
 * Internet Mathematics 4(1), 2007, sec. 2. Deviations: ties go to the first group; a key of which
 * one group is completely set already sets nothing; a position that a group has twice counts twice
 * when groups are compared. Positions within a group follow {@link IndexScheme#INDEPENDENT}.
 *
 * <p>Threads: any number may add and query without a lock. An add that another thread overtakes may
 * choose the group that was cheaper a moment ago, which costs a few bits; but it always sets the
 * chosen group completely with atomic operations and no bit is ever cleared, so a key whose {@code
 * add} returned is found by every later query of a thread that can see that return.
 */
public final class TwoChoiceBloomFilter
    implements AddableFilter, Mergeable<TwoChoiceBloomFilter>, Storable {

  /** How files name this kind. */
  public static final FilterKind<TwoChoiceBloomFilter> KIND =
      new FilterKind<>(
          6,
          "two-choice",
          "is x in the set? (fewer ones by a choice of two groups)",
          TwoChoiceBloomFilter.class,
          TwoChoiceBloomFilter::encode,
          TwoChoiceBloomFilter::decode,
          () ->
              FilterRecipe.lockFree(
                  TwoChoiceShape.class,
                  TwoChoiceShape::forKeys,
                  TwoChoiceShape::forBudget,
                  order -> of(order.shape(), order.hasher())));

  private static final int SECOND_GROUP = -1;

  private final Hasher hasher;
  private final TwoChoiceShape shape;
  private final Probes probes;
  private final Modulus modulus;
  private final Words words;

  private TwoChoiceBloomFilter(Hasher hasher, TwoChoiceShape shape, Words words) {
    this.hasher = hasher;
    this.shape = shape;
    this.probes = new Probes(IndexScheme.INDEPENDENT, shape.bits(), shape.probes());
    this.modulus = new Modulus(shape.bits());
    this.words = words;
  }

  /**
   * The smallest filter for a number of keys and a rate.
   *
   * @param expectedKeys distinct keys to hold, at least 1
   * @param falsePositiveRate the rate at that many keys, within (0, 1)
   * @return an empty filter
   */
  public static TwoChoiceBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return of(TwoChoiceShape.forKeys(expectedKeys, falsePositiveRate), Hasher.xxh3());
  }

  /**
   * A filter of a given size.
   *
   * @param bits m, at least 2
   * @param probes k, the positions per group, 1…255
   * @return an empty filter
   */
  public static TwoChoiceBloomFilter ofBits(long bits, int probes) {
    return of(new TwoChoiceShape(bits, probes), Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape m and k
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static TwoChoiceBloomFilter of(TwoChoiceShape shape, Hasher hasher) {
    Objects.requireNonNull(hasher, "hasher");
    return new TwoChoiceBloomFilter(hasher, shape, Words.forBits(shape.bits(), true));
  }

  private Frame encode() {
    return Frame.of(hasher).put("bits", shape.bits()).put("probes", shape.probes()).section(words);
  }

  private static TwoChoiceBloomFilter decode(Frame frame) throws IOException {
    long bits = frame.number("bits", 2, TwoChoiceShape.MAX_BITS);
    int count = (int) frame.number("probes", 1, Math.min(TwoChoiceShape.MAX_PROBES, bits));
    TwoChoiceShape shape = new TwoChoiceShape(bits, count);
    return new TwoChoiceBloomFilter(frame.hasher(), shape, frame.bits(0, bits));
  }

  @Override
  public FilterKind<TwoChoiceBloomFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * The fixed parameters.
   *
   * @return m and k
   */
  public TwoChoiceShape shape() {
    return shape;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return probes.allSet(hash, words) || probes.allSet(second(hash), words);
  }

  @Override
  public boolean addHash(long hash) {
    long second = second(hash);
    int newOfFirst = Draws.zeros(hash, shape.probes(), modulus, words);
    int newOfSecond = Draws.zeros(second, shape.probes(), modulus, words);
    return probes.setAll(newOfFirst <= newOfSecond ? hash : second, words);
  }

  private static long second(long hash) {
    return Mix.stream(hash, SECOND_GROUP);
  }

  @Override
  public double falsePositiveRate() {
    double group = Math.pow(fillRatio(), shape.probes());
    return -Math.expm1(2 * Math.log1p(-group));
  }

  /**
   * The share of bits that are set. Reads the whole filter.
   *
   * @return 0…1
   */
  public double fillRatio() {
    return (double) words.bitCount() / shape.bits();
  }

  @Override
  public long sizeInBits() {
    return shape.bits();
  }

  @Override
  public boolean isCompatible(TwoChoiceBloomFilter other) {
    Objects.requireNonNull(other, "other");
    return Compatibility.equal(hasher, other.hasher, shape, other.shape);
  }

  /**
   * {@inheritDoc} The result may be fuller than a filter that chose with both sets of keys in view.
   */
  @Override
  public void merge(TwoChoiceBloomFilter other) {
    Objects.requireNonNull(other, "other");
    Compatibility.require(hasher, other.hasher, shape, other.shape);
    words.orAll(other.words);
  }

  /**
   * An independent heap copy. It holds every key whose add returned before the call; of keys added
   * meanwhile it may hold some.
   *
   * @return a filter with the same keys
   */
  public TwoChoiceBloomFilter copy() {
    return new TwoChoiceBloomFilter(hasher, shape, words.copy());
  }
}
