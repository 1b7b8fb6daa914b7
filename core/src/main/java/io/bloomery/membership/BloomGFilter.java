package io.bloomery.membership;

import io.bloomery.FilterKind;
import io.bloomery.HashedFilter;
import io.bloomery.Writers;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.WordProbes;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.theory.Estimates;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * Bloom-1 and Bloom-g: a key sets its k bits in one word, or in g words, of 32 to 512 bits, so that
 * a query takes at most g memory accesses. It never reports an added key absent.
 *
 * <p>With one group it is Bloom-1 (and, with 512-bit words, the classic blocked filter): one access
 * for more memory. Each further group takes one more access and brings the size nearer to the
 * classic filter's. Use {@link BloomFilter} where memory matters more than accesses.
 *
 * <p>Source: Qiao, Li and Chen, "Fast Bloom Filters and Their Generalization", sections 2 and 3.
 * The first k mod g words of a key take ceil(k/g) bits, the others floor(k/g); words and bits are
 * drawn with replacement. Deviations: any number of words is allowed, not only a power of two; the
 * rates are exact ({@link WordShape}), where the paper's equations 7 to 9 have a misplaced exponent
 * and all of them neglect the fact that the bits within one word are not independent.
 *
 * <p>Threads: any number may add, merge into and query one filter at the same time without a lock.
 * Once {@code add} has returned, every query that happens after it finds the key. {@link
 * Writers#ONE} gives up this guarantee for faster adds.
 */
public final class BloomGFilter extends BitFilter<WordShape, BloomGFilter> {

  public static final FilterKind<BloomGFilter> KIND =
      Kind.of(4, "bloom-g", BloomGFilter.class)
          .question("is x in the set? one word, or g words, for all bits of a key")
          .codec(BloomGFilter::encode, BloomGFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("bloom-g", WordShape.class)
                          .forKeys(WordShape::forKeys)
                          .forBudget(WordShape::forBudget)
                          .reads(WordShape::groups)
                          .works(shape -> 1.5 + 0.9 * shape.hashesPerKey())
                          .absent(shape -> 1.1, shape -> 5)
                          .why("Two words per query, nearly as small as a standard Bloom filter")
                          .mergesExactly()
                          .createsFor(BloomGFilter::create)));

  private final WordProbes probes;

  private BloomGFilter(WordShape shape, Hasher hasher, WordProbes probes, Words words) {
    super(shape, hasher, words);
    this.probes = probes;
  }

  /**
   * The smallest filter of two 64-bit words per key for a number of keys and a rate.
   *
   * @param expectedKeys how many distinct keys will be added, 0 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static BloomGFilter create(long expectedKeys, double falsePositiveRate) {
    return create(WordShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape words, their width, words per key and hashes per key; words of 32, 40, … 512 bits
   * @return an empty filter
   */
  public static BloomGFilter create(WordShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape words, their width, words per key and hashes per key; words of 32, 40, … 512 bits
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static BloomGFilter create(WordShape shape, Hasher hasher) {
    return create(shape, hasher, Writers.MANY);
  }

  /**
   * A filter of a given shape and hasher, for one writer or many.
   *
   * @param shape words, their width, words per key and hashes per key; words of 32, 40, … 512 bits
   * @param hasher turns keys into hashes
   * @param writers how many threads may add at the same time
   * @return an empty filter
   */
  public static BloomGFilter create(WordShape shape, Hasher hasher, Writers writers) {
    WordProbes probes = probes(shape);
    Words words = Words.forBits(probes.bits(), writers == Writers.MANY);
    return new BloomGFilter(shape, hasher, probes, words);
  }

  private static WordProbes probes(WordShape shape) {
    return new WordProbes(
        shape.words(), shape.wordBits(), shape.wordBits(), shape.groups(), shape.hashesPerKey());
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape()).section(words);
  }

  private static BloomGFilter decode(Frame frame) throws IOException {
    WordShape shape = frame.shape(WordShape.class);
    frame.require(
        shape.wordBits() >= WordProbes.MIN_WORD_BITS
            && shape.wordBits() % WordProbes.WORD_UNIT == 0,
        "word bits is " + shape.wordBits() + "; it must be a multiple of 8, 32 or more");
    WordProbes probes = probes(shape);
    return new BloomGFilter(shape, frame.hasher(), probes, frame.bits(0, probes.bits()));
  }

  /** The words, for tests. */
  Words words() {
    return words;
  }

  @Override
  public FilterKind<BloomGFilter> kind() {
    return KIND;
  }

  /** {@inheritDoc} Stops at the first word that lacks a bit. */
  @Override
  public boolean mightContainHash(long hash) {
    return probes.test(hash, words) != 0;
  }

  /**
   * {@inheritDoc} Does not branch on a bit of the first word, so that the reads of many keys
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
   * never added and the bits currently set.
   */
  @Override
  public double falsePositiveRate() {
    long[] histogram = probes.histogram(words);
    double rate = 1;
    for (int j = 0; j < shape().groups(); j++) {
      rate *= probes.sumOfPowers(histogram, probes.share(j)) / shape().words();
    }
    return rate;
  }

  /**
   * {@inheritDoc} Here: ln(1 − X/m) / ln q, for the X of m bits that are set and the probability q
   * that a key does not set a given bit.
   */
  @Override
  double cardinality(Words bits) {
    double logClear = 0;
    for (int j = 0; j < shape().groups(); j++) {
      double hit = 1 - Math.pow(1 - 1.0 / shape().wordBits(), probes.share(j));
      logClear += Math.log1p(-hit / shape().words());
    }
    return Estimates.cardinalityByHitRate(sizeInBits(), -Math.expm1(logClear), bits.bitCount());
  }

  /** {@inheritDoc} Here: g·log2 l + k·log2 w. */
  @Override
  public int hashBits() {
    return probes.hashBits();
  }

  /** {@inheritDoc} Here: g. */
  @Override
  public int memoryAccesses() {
    return shape().groups();
  }

  /**
   * A larger filter of the given keys, for a set that has outgrown this one ({@link
   * #isOverfull()}): its number of words is this filter's, doubled until the keys are at most half
   * of {@link #MAX_LOAD_FACTOR}, so that as many keys again can be added. Word width, groups,
   * hashes per key and hasher are those of this filter, which does not change.
   *
   * @param hashes the hashes of all distinct keys to hold, computed by {@link #hasher()}
   * @return a new filter
   */
  public BloomGFilter rebuild(long[] hashes) {
    Objects.requireNonNull(hashes, "hashes");
    WordShape larger = shape().doubledFor(hashes.length, MAX_LOAD_FACTOR / 2);
    WordProbes probes = probes(larger);
    Words bits = Words.forBits(probes.bits(), words.isShared() || words.isReadOnly());
    BloomGFilter filter = new BloomGFilter(larger, hasher(), probes, bits);
    filter.addHashes(hashes, 0, hashes.length);
    return filter;
  }

  @Override
  public BloomGFilter copy() {
    return new BloomGFilter(shape(), hasher(), probes, words.copy());
  }
}
