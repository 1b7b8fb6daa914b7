package io.bloomery.membership;

import io.bloomery.AddableFilter;
import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.HashedFilter;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.numeric.SizeSearch;
import io.bloomery.internal.probe.WordProbes;
import io.bloomery.internal.probe.WordSplit;
import io.bloomery.plan.Shape;
import java.io.IOException;
import java.util.Objects;

/**
 * Bloom-α: one memory access for most queries, and nearly the accuracy of two. It is built from a
 * known set of keys: the words that would hold most of them are split, and keys of a split word
 * keep half of their bits in a second word. It never reports an added key absent.
 *
 * <p>A larger α, the share of keys in split words, lowers the rate and raises the accesses: 1 + α
 * on average at most, and for absent keys hardly above 1, since most stop at the first word. Keys
 * may be added after the build; they follow the split words as they are, so the rate rises faster
 * than if the filter had been built with them. For a set that is not known when the filter is made
 * use {@link BloomGFilter}.
 *
 * <p>Source: Qiao, Li and Chen, "Fast Bloom Filters and Their Generalization", section 4. The last
 * bit of a word is its split flag and holds no key. Deviations: the number of words may be any;
 * words of equal load are split in the order of their index; the rate has a formula ({@link
 * AlphaShape}).
 *
 * <p>Not mergeable: where one filter has split a word and the other has not, the union of the bits
 * would lose keys. Build from the union of the hashes instead.
 *
 * <p>Threads: any number may add to and query one filter at the same time without a lock. A key
 * whose add returned is found by every later query of a thread that can see that return. {@link
 * Builder#shared shared(false)} trades that for faster adds.
 */
public final class BloomAlphaFilter implements AddableFilter, Storable {

  /** How files name this kind. */
  public static final FilterKind<BloomAlphaFilter> KIND =
      new FilterKind<>(
          5,
          "bloom-alpha",
          "is x in the set? hardly more than one word read, built from the whole set",
          BloomAlphaFilter.class,
          BloomAlphaFilter::encode,
          BloomAlphaFilter::decode,
          () ->
              FilterRecipe.ofArray(
                  AlphaShape.class,
                  BloomAlphaFilter::shapeFor,
                  FilterRecipe.byRate(BloomAlphaFilter::shapeFor),
                  BloomAlphaFilter::made));

  private static final int FIRST = 0;
  private static final int SECOND = 1;

  private final Hasher hasher;
  private final AlphaShape shape;
  private final WordProbes probes;
  private final Words words;

  private BloomAlphaFilter(Hasher hasher, AlphaShape shape, WordProbes probes, Words words) {
    this.hasher = hasher;
    this.shape = shape;
    this.probes = probes;
    this.words = words;
  }

  /**
   * A filter of 64-bit words with α = 0.5 that holds the given keys, of the least number of words
   * whose expected rate is at most {@code falsePositiveRate}.
   *
   * @param hashes distinct keys' hashes by {@link Hasher#xxh3()}; not kept
   * @param falsePositiveRate the rate, within (0, 1)
   * @return the filter
   * @throws IllegalArgumentException if the rate is outside of its range or the filter would not
   *     fit into memory
   */
  public static BloomAlphaFilter build(long[] hashes, double falsePositiveRate) {
    return builder().falsePositiveRate(falsePositiveRate).build(hashes);
  }

  /**
   * A filter of given parameters that holds the given keys.
   *
   * @param words the number of words l, at least 1
   * @param wordBits the bits of a word w, with its flag: 64, 128, … 512
   * @param probes the bits of a key k, 2…255
   * @param alpha the least share of keys in split words, 0…1
   * @param hashes distinct keys' hashes by {@link Hasher#xxh3()}; not kept
   * @return the filter
   * @throws IllegalArgumentException if an argument is outside of its range
   */
  public static BloomAlphaFilter ofWords(
      long words, int wordBits, int probes, double alpha, long[] hashes) {
    return builder().words(words).wordBits(wordBits).probes(probes).alpha(alpha).build(hashes);
  }

  /**
   * Starts a filter.
   *
   * @return a builder that needs the rate, or the words and the probes
   */
  public static Builder builder() {
    return new Builder();
  }

  private static WordProbes probes(AlphaShape shape) {
    return new WordProbes(
        shape.words(), shape.wordBits(), shape.wordBits() - 1, SECOND + 1, shape.probes());
  }

  private static AlphaShape shapeFor(long keys, double rate) {
    return AlphaShape.forKeys(keys, rate, Long.SIZE, Builder.DEFAULT_ALPHA);
  }

  private static BloomAlphaFilter made(FilterRecipe.Order<AlphaShape> order, long[] hashes) {
    AlphaShape shape = order.shape();
    return builder()
        .words(shape.words())
        .wordBits(shape.wordBits())
        .probes(shape.probes())
        .alpha(shape.alpha())
        .hasher(order.hasher())
        .build(hashes);
  }

  private Frame encode() {
    return Frame.of(hasher)
        .put("words", shape.words())
        .put("word bits", shape.wordBits())
        .put("probes", shape.probes())
        .put("alpha", shape.alpha())
        .section(words);
  }

  private static BloomAlphaFilter decode(Frame frame) throws IOException {
    long words = frame.number("words", 1, Words.MAX_WORDS);
    int wordBits = (int) frame.number("word bits", Long.SIZE, WordProbes.MAX_WORD_BITS);
    int count = (int) frame.number("probes", 2, WordProbes.MAX_PROBES);
    double alpha = frame.real("alpha", 0, 1);
    AlphaShape shape;
    WordProbes probes;
    try {
      shape = new AlphaShape(words, wordBits, count, alpha);
      probes = probes(shape);
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    return new BloomAlphaFilter(frame.hasher(), shape, probes, frame.section(0, probes.length()));
  }

  /** The words, for tests. */
  Words words() {
    return words;
  }

  @Override
  public FilterKind<BloomAlphaFilter> kind() {
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
  public AlphaShape shape() {
    return shape;
  }

  /** {@inheritDoc} Reads a second word only if the first is split and has its bits set. */
  @Override
  public boolean mightContainHash(long hash) {
    return test(hash) != 0;
  }

  /**
   * {@inheritDoc} Takes no branch on a bit of the first half, so that the reads of many keys
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
        answers |= test(hashes[i]) << (i - start);
      }
      hits[word] = answers;
      total += Long.bitCount(answers);
      start = end;
    }
    return total;
  }

  private long test(long hash) {
    long first = probes.word(hash, FIRST);
    long all = probes.test(hash, FIRST, first, words);
    return all == 0 ? 0 : probes.test(hash, SECOND, second(hash, first), words);
  }

  /** The word of the second half: the first word unless that is split. */
  private long second(long hash, long first) {
    long split = WordSplit.flag(first, probes.longs(), words);
    return first + ((probes.word(hash, SECOND) - first) & -split);
  }

  /** {@inheritDoc} A key whose word is split writes to two words; no word is split by adding. */
  @Override
  public boolean addHash(long hash) {
    long first = probes.word(hash, FIRST);
    boolean changed = probes.set(hash, FIRST, first, words);
    changed |= probes.set(hash, SECOND, second(hash, first), words);
    return changed;
  }

  /**
   * The share of keys never added that are answered {@code true}, exact given the bits that are set
   * now: the mean over unsplit words of (bits set / (w-1))^k, plus that over split words with
   * ceil(k/2) times that over all words with floor(k/2).
   */
  @Override
  public double falsePositiveRate() {
    long[] unsplit = WordSplit.histogram(0, probes.longs(), words);
    long[] split = WordSplit.histogram(1, probes.longs(), words);
    int rest = probes.share(SECOND);
    double l = shape.words();
    double second = probes.sumOfPowers(unsplit, rest) + probes.sumOfPowers(split, rest);
    return probes.sumOfPowers(unsplit, shape.probes()) / l
        + probes.sumOfPowers(split, probes.share(FIRST)) / l * (second / l);
  }

  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  /**
   * How many hash bits a query uses, 2·log2 l + k·log2 w, each logarithm rounded up.
   *
   * @return bits
   */
  public int hashBits() {
    return probes.hashBits();
  }

  /**
   * How many words a query reads at most; {@link #expectedAccesses()} is the mean.
   *
   * @return 2
   */
  public int memoryAccesses() {
    return 2;
  }

  /**
   * How many words a query for a key that was never added reads on average, exact given the bits
   * that are set now. Reads the whole filter.
   *
   * @return 1 plus the share of queries that meet a split word and find their bits in it
   */
  public double expectedAccesses() {
    long[] split = WordSplit.histogram(1, probes.longs(), words);
    return 1 + probes.sumOfPowers(split, probes.share(FIRST)) / shape.words();
  }

  /**
   * How many words the query for one key reads.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @return 2 if its first word is split and has the first half of its bits set, otherwise 1
   */
  public int wordAccesses(long hash) {
    long first = probes.word(hash, FIRST);
    long further =
        probes.test(hash, FIRST, first, words) & WordSplit.flag(first, probes.longs(), words);
    return 1 + (int) further;
  }

  /**
   * How many words are split. Reads the whole filter.
   *
   * @return 0…l
   */
  public long splitWords() {
    long count = 0;
    for (long word = 0; word < shape.words(); word++) {
      count += WordSplit.flag(word, probes.longs(), words);
    }
    return count;
  }

  /**
   * An independent filter with the same keys, on the heap even if this one is mapped. Taken while
   * other threads add, it holds every key whose add returned before the call began.
   *
   * @return the copy
   */
  public BloomAlphaFilter copy() {
    return new BloomAlphaFilter(hasher, shape, probes, words.copy());
  }

  /**
   * Whether two filters have equal shapes, hashers and bits.
   *
   * @param other another filter
   * @return true if they answer alike for ever
   */
  public boolean sameBits(BloomAlphaFilter other) {
    return hasher.equals(other.hasher) && shape.equals(other.shape) && words.sameBits(other.words);
  }

  @Override
  public String toString() {
    return "BloomAlphaFilter[words="
        + shape.words()
        + ", wordBits="
        + shape.wordBits()
        + ", probes="
        + shape.probes()
        + ", alpha="
        + shape.alpha()
        + ", hasher="
        + hasher
        + "]";
  }

  /** Collects the parameters of a filter. Arguments outside of their ranges are refused. */
  public static final class Builder extends BitFilterBuilder<Builder> {

    private static final double DEFAULT_ALPHA = 0.5;

    private long words;
    private int wordBits = Long.SIZE;
    private int probes;
    private double alpha = DEFAULT_ALPHA;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * Sets the number of words itself; the rate is then not used.
     *
     * @param words at least 1
     * @return this builder
     */
    public Builder words(long words) {
      this.words = Arguments.inRange("words", words, 1, Words.MAX_WORDS);
      return this;
    }

    /**
     * Sets the bits of a word with its flag; 64 if never called.
     *
     * @param wordBits 64, 128, … 512
     * @return this builder
     */
    public Builder wordBits(int wordBits) {
      this.wordBits = wordBits;
      return this;
    }

    /**
     * Sets how many bits a key has; the best number if never called.
     *
     * @param probes 2…255
     * @return this builder
     */
    public Builder probes(int probes) {
      this.probes = Arguments.inRange("probes", probes, 2, WordProbes.MAX_PROBES);
      return this;
    }

    /**
     * Sets the least share of keys in split words; 0.5 if never called. With 0 the filter is
     * Bloom-1 on one bit less per word.
     *
     * @param alpha 0…1
     * @return this builder
     */
    public Builder alpha(double alpha) {
      this.alpha = Arguments.inRange("alpha", alpha, 0, 1);
      return this;
    }

    /**
     * Makes the filter in two passes over the hashes. Takes 4 bytes per word beside the filter, and
     * time in proportion to keys and words.
     *
     * @param hashes distinct keys' hashes by the hasher; not kept. A hash that is there twice
     *     counts as two keys when words are chosen and does no other harm
     * @return the filter with all these keys
     * @throws IllegalArgumentException if a parameter that is needed is outside of its range
     */
    public BloomAlphaFilter build(long[] hashes) {
      Objects.requireNonNull(hashes, "hashes");
      AlphaShape shape = shape(Math.max(1, Math.max(expectedKeys, hashes.length)));
      WordProbes kernel = BloomAlphaFilter.probes(shape);
      Words table = Words.allocate(kernel.length(), shared);
      WordSplit.splitHeaviest(hashes, shape.words(), shape.alpha(), kernel, table);
      BloomAlphaFilter filter = new BloomAlphaFilter(hasher, shape, kernel, table);
      filter.addHashes(hashes, 0, hashes.length);
      return filter;
    }

    private AlphaShape shape(long keys) {
      if (words > 0) {
        int k = probes > 0 ? probes : AlphaShape.optimalProbes(keys, words, wordBits, alpha);
        return new AlphaShape(words, wordBits, k, alpha);
      }
      AlphaShape best = AlphaShape.forKeys(keys, falsePositiveRate, wordBits, alpha);
      if (probes == 0 || probes == best.probes()) {
        return best;
      }
      long most = Shape.MAX_BITS / wordBits;
      long smallest =
          SizeSearch.smallest(
              size -> new AlphaShape(size, wordBits, probes, alpha).falsePositiveRate(keys),
              falsePositiveRate,
              best.words(),
              most);
      return new AlphaShape(Arguments.inRange("words", smallest, 1, most), wordBits, probes, alpha);
    }
  }
}
