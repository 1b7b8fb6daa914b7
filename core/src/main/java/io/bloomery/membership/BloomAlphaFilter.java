package io.bloomery.membership;

import io.bloomery.AddableFilter;
import io.bloomery.FilterKind;
import io.bloomery.HashedFilter;
import io.bloomery.QueryCost;
import io.bloomery.ShapedFilter;
import io.bloomery.Writers;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.probe.WordProbes;
import io.bloomery.internal.probe.WordSplit;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * Bloom-α: one memory access for most queries, and nearly the accuracy of two. It is built from a
 * known set of keys: the words that would hold the most keys are split, and keys of a split word
 * keep half of their bits in a second word. It never reports an added key absent.
 *
 * <p>A larger α, the share of keys in split words, lowers the rate and raises the number of
 * accesses: 1 + α on average at most, and for absent keys hardly above 1, since most of their
 * queries stop at the first word. Keys may be added after the build; they use the existing split
 * words, so the rate rises faster than if the filter had been built with them. For a set that is
 * not known in advance use {@link BloomGFilter}.
 *
 * <p>Source: Qiao, Li and Chen, "Fast Bloom Filters and Their Generalization", section 4. The last
 * bit of a word is its split flag and holds no key. Deviations: any number of words is allowed;
 * words of equal load are split in the order of their index; the rate has a formula ({@link
 * AlphaShape}).
 *
 * <p>Not mergeable: where one filter has split a word and the other has not, the union of the bits
 * would lose keys. Build from the union of the hashes instead.
 *
 * <p>Threads: any number may add to and query one filter at the same time without a lock. Once
 * {@code add} has returned, every query that happens after it finds the key. {@link Writers#ONE}
 * gives up this guarantee for faster adds.
 */
public final class BloomAlphaFilter extends ShapedFilter<AlphaShape>
    implements AddableFilter, QueryCost {

  public static final FilterKind<BloomAlphaFilter> KIND =
      Kind.of(5, "bloom-alpha", BloomAlphaFilter.class)
          .question("is x in the set? hardly more than one word read, built from the whole set")
          .codec(BloomAlphaFilter::encode, BloomAlphaFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("bloom-alpha", AlphaShape.class)
                          .onlyFor(Need.FROZEN_SET)
                          .forKeys(AlphaShape::forKeys)
                          .forBudget(AlphaShape::forBudget)
                          .reads(shape -> 2)
                          .works(shape -> 11)
                          .absent(shape -> 1.1, shape -> 6)
                          .why(
                              "Hardly more than one word per lookup of an absent key, and still"
                                  + " takes keys after the build")
                          .buildsOf(
                              (shape, hasher, hashes) ->
                                  BloomAlphaFilter.ofHashes(hashes, shape, hasher))));

  private static final int FIRST = 0;
  private static final int SECOND = 1;

  private final WordProbes probes;
  private final Words words;

  private BloomAlphaFilter(AlphaShape shape, Hasher hasher, WordProbes probes, Words words) {
    super(shape, hasher);
    this.probes = probes;
    this.words = words;
  }

  /**
   * The smallest filter of 64-bit words with α = 0.5 that holds the given keys at a rate.
   *
   * @param hashes the hashes of distinct keys, computed by {@link Hasher#xxh3()}; not kept
   * @param falsePositiveRate the highest acceptable rate, above 0, below 1
   * @return the filter with all these keys
   */
  public static BloomAlphaFilter ofHashes(long[] hashes, double falsePositiveRate) {
    int keys = Math.max(1, Objects.requireNonNull(hashes, "hashes").length);
    return ofHashes(hashes, AlphaShape.forKeys(keys, falsePositiveRate));
  }

  /**
   * The smallest filter of 64-bit words with α = 0.5 that holds the given numbers at a rate.
   *
   * @param keys distinct keys; each is hashed by {@link Hasher#xxh3()}
   * @param falsePositiveRate the highest acceptable rate, above 0, below 1
   * @return the filter with all these keys
   */
  public static BloomAlphaFilter ofKeys(long[] keys, double falsePositiveRate) {
    return ofHashes(Hasher.xxh3().hashAll(keys), falsePositiveRate);
  }

  /**
   * A filter of a given shape that holds the given keys.
   *
   * @param hashes the hashes of distinct keys, computed by {@link Hasher#xxh3()}; not kept
   * @param shape words, their width, hashes per key and α
   * @return the filter with all these keys
   */
  public static BloomAlphaFilter ofHashes(long[] hashes, AlphaShape shape) {
    return ofHashes(hashes, shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher that holds the given keys.
   *
   * @param hashes the hashes of distinct keys, computed by {@code hasher}; not kept
   * @param shape words, their width, hashes per key and α
   * @param hasher turns keys into hashes
   * @return the filter with all these keys
   */
  public static BloomAlphaFilter ofHashes(long[] hashes, AlphaShape shape, Hasher hasher) {
    return ofHashes(hashes, shape, hasher, Writers.MANY);
  }

  /**
   * A filter of a given shape and hasher that holds the given keys, for one later writer or many.
   * Built in two passes over the hashes; takes 4 bytes per word beside the filter, and time in
   * proportion to keys and words.
   *
   * @param hashes the hashes of distinct keys, computed by {@code hasher}; not kept. A repeated
   *     hash counts as two keys when the words to split are chosen and has no other effect
   * @param shape words, their width, hashes per key and α
   * @param hasher turns keys into hashes
   * @param writers how many threads may add at the same time after the build
   * @return the filter with all these keys
   */
  public static BloomAlphaFilter ofHashes(
      long[] hashes, AlphaShape shape, Hasher hasher, Writers writers) {
    Objects.requireNonNull(hashes, "hashes");
    WordProbes probes = probes(shape);
    Words words = Words.forBits(probes.bits(), writers == Writers.MANY);
    WordSplit.splitHeaviest(hashes, shape.alpha(), probes, words);
    BloomAlphaFilter filter = new BloomAlphaFilter(shape, hasher, probes, words);
    filter.addHashes(hashes, 0, hashes.length);
    return filter;
  }

  private static WordProbes probes(AlphaShape shape) {
    return new WordProbes(
        shape.words(), shape.wordBits(), shape.wordBits() - 1, SECOND + 1, shape.hashesPerKey());
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape()).section(words);
  }

  private static BloomAlphaFilter decode(Frame frame) throws IOException {
    AlphaShape shape = frame.shape(AlphaShape.class);
    WordProbes probes = probes(shape);
    return new BloomAlphaFilter(shape, frame.hasher(), probes, frame.bits(0, probes.bits()));
  }

  /** The words, for tests. */
  Words words() {
    return words;
  }

  @Override
  public FilterKind<BloomAlphaFilter> kind() {
    return KIND;
  }

  /** {@inheritDoc} Reads a second word only if the first is split and has its bits set. */
  @Override
  public boolean mightContainHash(long hash) {
    return test(hash) != 0;
  }

  /**
   * {@inheritDoc} Does not branch on a bit of the first half, so that the reads of many keys
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
    long split = WordSplit.flag(first, probes.wordBits(), words);
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
   * The share of absent keys that are reported present, exact for the bits currently set: the mean
   * over unsplit words of (bits set / (w-1))^k, plus that over split words with ceil(k/2) times
   * that over all words with floor(k/2).
   */
  @Override
  public double falsePositiveRate() {
    long[] unsplit = WordSplit.histogram(0, probes, words);
    long[] split = WordSplit.histogram(1, probes, words);
    int rest = probes.share(SECOND);
    double l = shape().words();
    double second = probes.sumOfPowers(unsplit, rest) + probes.sumOfPowers(split, rest);
    return probes.sumOfPowers(unsplit, shape().hashesPerKey()) / l
        + probes.sumOfPowers(split, probes.share(FIRST)) / l * (second / l);
  }

  /** {@inheritDoc} Here: 2·log2 l + k·log2 (w − 1). */
  @Override
  public int hashBits() {
    return probes.hashBits();
  }

  /** {@inheritDoc} Here: 2; {@link #expectedAccesses()} is the mean. */
  @Override
  public int memoryAccesses() {
    return 2;
  }

  /**
   * The mean number of words that a query for an absent key reads, exact for the bits currently
   * set. Reads the whole filter.
   *
   * @return 1 plus the share of queries that meet a split word and find their bits in it
   */
  public double expectedAccesses() {
    long[] split = WordSplit.histogram(1, probes, words);
    return 1 + probes.sumOfPowers(split, probes.share(FIRST)) / shape().words();
  }

  /**
   * The number of words that the query for a key reads.
   *
   * @param hash the key's hash, computed by {@link #hasher()}
   * @return 2 if its first word is split and has the first half of its bits set, otherwise 1
   */
  public int wordAccesses(long hash) {
    long first = probes.word(hash, FIRST);
    long further =
        probes.test(hash, FIRST, first, words) & WordSplit.flag(first, probes.wordBits(), words);
    return 1 + (int) further;
  }

  /**
   * The number of split words. Reads the whole filter.
   *
   * @return 0…l
   */
  public long splitWords() {
    long count = 0;
    for (long word = 0; word < shape().words(); word++) {
      count += WordSplit.flag(word, probes.wordBits(), words);
    }
    return count;
  }

  /**
   * An independent filter with the same keys, on the heap even if this one is mapped. Taken while
   * other threads add, it holds every key whose {@code add} returned before the call began.
   *
   * @return the copy
   */
  public BloomAlphaFilter copy() {
    return new BloomAlphaFilter(shape(), hasher(), probes, words.copy());
  }
}
