package io.bloomery.membership;

import io.bloomery.AddableFilter;
import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.HashedFilter;
import io.bloomery.Intersectable;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Compatibility;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.numeric.SizeSearch;
import io.bloomery.internal.probe.WordProbes;
import io.bloomery.plan.Shape;
import io.bloomery.theory.Estimates;
import java.io.IOException;
import java.util.Objects;

/**
 * Bloom-1 and Bloom-g: a key sets its k bits in one word, or in g words, of 64 to 512 bits, so that
 * a query takes at most g memory accesses. It never reports an added key absent.
 *
 * <p>With one group it is Bloom-1 (and, with 512-bit words, the classic blocked filter): one access
 * for more memory. Each further group takes one more access and brings the size nearer to the
 * classic filter's. Use {@link BloomFilter} where memory matters more than accesses.
 *
 * <p>Source: Qiao, Li and Chen, "Fast Bloom Filters and Their Generalization", sections 2 and 3.
 * The first k mod g words of a key take ceil(k/g) bits, the others floor(k/g); words and bits are
 * drawn with replacement. Deviations: the number of words may be any, not only a power of two; the
 * rates are exact ({@link WordShape}), where the paper's equations 7 to 9 have a misplaced exponent
 * and all of them neglect that the bits within one word are not independent.
 *
 * <p>Threads: any number may add, merge into and query one filter at the same time without a lock.
 * A key whose add returned is found by every later query of a thread that can see that return.
 * {@link Builder#shared shared(false)} trades that for faster adds.
 */
public final class BloomGFilter implements AddableFilter, Intersectable<BloomGFilter>, Storable {

  /** How files name this kind. */
  public static final FilterKind<BloomGFilter> KIND =
      new FilterKind<>(
          4,
          "bloom-g",
          "is x in the set? one word, or g words, for all bits of a key",
          BloomGFilter.class,
          BloomGFilter::encode,
          BloomGFilter::decode,
          () ->
              FilterRecipe.lockFree(
                  WordShape.class,
                  (keys, rate) -> WordShape.forKeys(keys, rate, 64, 2),
                  (keys, bits) -> WordShape.forBudget(keys, bits, 64, 2),
                  order -> empty(order.hasher(), order.shape(), true)));

  private final Hasher hasher;
  private final WordShape shape;
  private final WordProbes probes;
  private final Words words;

  private BloomGFilter(Hasher hasher, WordShape shape, WordProbes probes, Words words) {
    this.hasher = hasher;
    this.shape = shape;
    this.probes = probes;
    this.words = words;
  }

  /**
   * An empty filter of two 64-bit words per key whose expected rate at {@code expectedKeys} keys is
   * at most {@code falsePositiveRate}, of the least number of words.
   *
   * @param expectedKeys distinct keys to hold, 1…2^36
   * @param falsePositiveRate the rate, within (0, 1)
   * @return the filter, with the default hasher
   * @throws IllegalArgumentException if an argument is outside of its range or the filter would not
   *     fit into memory
   */
  public static BloomGFilter create(long expectedKeys, double falsePositiveRate) {
    return builder().expectedKeys(expectedKeys).falsePositiveRate(falsePositiveRate).build();
  }

  /**
   * An empty filter of given parameters.
   *
   * @param words the number of words l, at least 1
   * @param wordBits the bits of a word w: 64, 128, … 512
   * @param groups the words of a key g, 1…8
   * @param probes the bits of a key k, {@code groups}…255
   * @return the filter, with the default hasher
   * @throws IllegalArgumentException if an argument is outside of its range
   */
  public static BloomGFilter ofWords(long words, int wordBits, int groups, int probes) {
    return builder().words(words).wordBits(wordBits).groups(groups).probes(probes).build();
  }

  /**
   * Starts a filter.
   *
   * @return a builder that needs the expected keys and the rate, or the words and the probes
   */
  public static Builder builder() {
    return new Builder();
  }

  private static BloomGFilter empty(Hasher hasher, WordShape shape, boolean shared) {
    WordProbes probes = probes(shape);
    return new BloomGFilter(hasher, shape, probes, Words.allocate(probes.length(), shared));
  }

  private static WordProbes probes(WordShape shape) {
    return new WordProbes(
        shape.words(), shape.wordBits(), shape.wordBits(), shape.groups(), shape.probes());
  }

  private Frame encode() {
    return Frame.of(hasher)
        .put("words", shape.words())
        .put("word bits", shape.wordBits())
        .put("groups", shape.groups())
        .put("probes", shape.probes())
        .section(words);
  }

  private static BloomGFilter decode(Frame frame) throws IOException {
    long words = frame.number("words", 1, Words.MAX_WORDS);
    int wordBits = (int) frame.number("word bits", Long.SIZE, WordProbes.MAX_WORD_BITS);
    int groups = (int) frame.number("groups", 1, WordProbes.MAX_GROUPS);
    int count = (int) frame.number("probes", groups, WordProbes.MAX_PROBES);
    WordShape shape;
    WordProbes probes;
    try {
      shape = new WordShape(words, wordBits, groups, count);
      probes = probes(shape);
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    return new BloomGFilter(frame.hasher(), shape, probes, frame.section(0, probes.length()));
  }

  /** The words, for tests. */
  Words words() {
    return words;
  }

  @Override
  public FilterKind<BloomGFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * The filter's fixed parameters.
   *
   * @return the shape, which also predicts the rate for any number of keys
   */
  public WordShape shape() {
    return shape;
  }

  /** {@inheritDoc} Reads no further word once one lacks a bit. */
  @Override
  public boolean mightContainHash(long hash) {
    return probes.test(hash, words) != 0;
  }

  /**
   * {@inheritDoc} Takes no branch on a bit of the first word, so that the reads of many keys
   * overlap.
   */
  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    HashedFilter.checkBatch(hashes, from, to, hits);
    int total = 0;
    for (int start = from, word = 0; start < to; word++) {
      int end = (int) Math.min((long) start + Long.SIZE, to);
      long answers = 0;
      for (int i = start; i < end; i++) {
        answers |= probes.test(hashes[i], words) << (i - start);
      }
      hits[word] = answers;
      total += Long.bitCount(answers);
      start = end;
    }
    return total;
  }

  @Override
  public boolean addHash(long hash) {
    return probes.setAll(hash, words);
  }

  /**
   * The product over a key's words of the mean of (bits set / w)^share: exact for a key that was
   * never added, given the bits that are set now.
   */
  @Override
  public double falsePositiveRate() {
    long[] histogram = probes.histogram(words);
    double rate = 1;
    for (int j = 0; j < shape.groups(); j++) {
      rate *= probes.sumOfPowers(histogram, probes.share(j)) / shape.words();
    }
    return rate;
  }

  @Override
  public double fillRatio() {
    return (double) words.bitCount() / sizeInBits();
  }

  /**
   * {@inheritDoc} Here: ln(1 − X/m) / ln q, for the X of m bits that are set and the probability q
   * that a key does not set a given bit.
   */
  @Override
  public double cardinality() {
    double logClear = 0;
    for (int j = 0; j < shape.groups(); j++) {
      double hit = 1 - Math.pow(1 - 1.0 / shape.wordBits(), probes.share(j));
      logClear += Math.log1p(-hit / shape.words());
    }
    return Estimates.cardinality(sizeInBits(), words.bitCount(), -Math.expm1(logClear));
  }

  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  /**
   * How many hash bits a query uses, g·log2 l + k·log2 w, each logarithm rounded up.
   *
   * @return bits
   */
  public int hashBits() {
    return probes.hashBits();
  }

  /**
   * How many words a query reads at most.
   *
   * @return g
   */
  public int memoryAccesses() {
    return shape.groups();
  }

  @Override
  public boolean isCompatible(BloomGFilter other) {
    Objects.requireNonNull(other, "other");
    return Compatibility.equal(hasher, other.hasher, shape, other.shape);
  }

  @Override
  public void merge(BloomGFilter other) {
    Objects.requireNonNull(other, "other");
    Compatibility.require(hasher, other.hasher, shape, other.shape);
    words.orAll(other.words);
  }

  @Override
  public void intersect(BloomGFilter other) {
    Objects.requireNonNull(other, "other");
    Compatibility.require(hasher, other.hasher, shape, other.shape);
    words.andAll(other.words);
  }

  /**
   * An independent filter with the same keys, on the heap even if this one is mapped. Taken while
   * other threads add, it holds every key whose add returned before the call began.
   *
   * @return the copy
   */
  public BloomGFilter copy() {
    return new BloomGFilter(hasher, shape, probes, words.copy());
  }

  /** Removes every key. No other thread may write meanwhile. */
  public void clear() {
    words.clear();
  }

  /**
   * Whether two filters have equal shapes, hashers and bits.
   *
   * @param other another filter
   * @return true if they answer alike for ever
   */
  public boolean sameBits(BloomGFilter other) {
    return isCompatible(other) && words.sameBits(other.words);
  }

  @Override
  public String toString() {
    return "BloomGFilter[words="
        + shape.words()
        + ", wordBits="
        + shape.wordBits()
        + ", groups="
        + shape.groups()
        + ", probes="
        + shape.probes()
        + ", hasher="
        + hasher
        + "]";
  }

  /** Collects the parameters of a filter. Arguments outside of their ranges are refused. */
  public static final class Builder extends BitFilterBuilder<Builder> {

    private long words;
    private int wordBits = Long.SIZE;
    private int groups = 2;
    private int probes;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * Sets the number of words itself; the rate is then not used, and the expected keys only to
     * choose the probes if they are not set.
     *
     * @param words at least 1
     * @return this builder
     */
    public Builder words(long words) {
      this.words = Arguments.inRange("words", words, 1, Words.MAX_WORDS);
      return this;
    }

    /**
     * Sets the bits of a word; 64 if never called.
     *
     * @param wordBits 64, 128, … 512
     * @return this builder
     */
    public Builder wordBits(int wordBits) {
      this.wordBits = wordBits;
      return this;
    }

    /**
     * Sets how many words a key has; 2 if never called.
     *
     * @param groups 1…8
     * @return this builder
     */
    public Builder groups(int groups) {
      this.groups = groups;
      return this;
    }

    /**
     * Sets how many bits a key has; the best number if never called.
     *
     * @param probes at least the groups, at most 255
     * @return this builder
     */
    public Builder probes(int probes) {
      this.probes = Arguments.inRange("probes", probes, 1, WordProbes.MAX_PROBES);
      return this;
    }

    /**
     * Makes the filter.
     *
     * @return an empty filter
     * @throws IllegalArgumentException if a parameter that is needed is outside of its range
     */
    public BloomGFilter build() {
      return empty(hasher, shape(), shared);
    }

    private WordShape shape() {
      if (words > 0) {
        int k =
            probes > 0 ? probes : WordShape.optimalProbes(expectedKeys, words, wordBits, groups);
        return new WordShape(words, wordBits, groups, k);
      }
      WordShape best = WordShape.forKeys(expectedKeys, falsePositiveRate, wordBits, groups);
      if (probes == 0 || probes == best.probes()) {
        return best;
      }
      long smallest =
          SizeSearch.smallest(
              size -> new WordShape(size, wordBits, groups, probes).falsePositiveRate(expectedKeys),
              falsePositiveRate,
              best.words(),
              Shape.MAX_BITS / wordBits);
      return new WordShape(
          Arguments.inRange("words", smallest, 1, Shape.MAX_BITS / wordBits),
          wordBits,
          groups,
          probes);
    }
  }
}
