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
import io.bloomery.internal.probe.SplitBlock;
import io.bloomery.theory.Estimates;
import java.io.IOException;
import java.util.Objects;

/**
 * A blocked filter in the layout of Parquet and Impala: a key sets one bit in each of the eight
 * 32-bit lanes of one 256-bit block. It never reports an added key absent.
 *
 * <p>Every query reads 32 consecutive bytes and computes its mask without a branch, which suits
 * batches. The eight bits per key are fixed: at 1 % it takes 10.5 bits per key where the best
 * filter of 512-bit blocks takes 10.0, and far from 1 % it falls behind; below about 8 bits per key
 * use {@link BloomGFilter} or the classic filter. The position within the block comes from 32 hash
 * bits, so no size brings the rate below about 1e-9.
 *
 * <p>Source: Apache Parquet format, BloomFilter.md. Same bits for the same 64-bit hashes, and the
 * payload of a file is Parquet's bitset byte for byte; the number of blocks may be any, not only a
 * power of two. Deviation: keys are hashed by {@link #hasher()}, not by XXH64 of their plain
 * encoding, so filters of Parquet files need their hashes from {@code addHash}'s caller.
 *
 * <p>Threads: any number may add, merge into and query one filter at the same time without a lock.
 * A key whose add returned is found by every later query of a thread that can see that return.
 * {@link Builder#shared shared(false)} trades that for faster adds.
 */
public final class SplitBlockBloomFilter
    implements AddableFilter, Intersectable<SplitBlockBloomFilter>, Storable {

  /** How files name this kind. */
  public static final FilterKind<SplitBlockBloomFilter> KIND =
      new FilterKind<>(
          3,
          "split-block",
          "is x in the set? in Parquet's layout",
          SplitBlockBloomFilter.class,
          SplitBlockBloomFilter::encode,
          SplitBlockBloomFilter::decode,
          () ->
              FilterRecipe.lockFree(
                  SplitBlockShape.class,
                  SplitBlockShape::forKeys,
                  (keys, bits) -> SplitBlockShape.forBudget(bits),
                  order ->
                      builder().blocks(order.shape().blocks()).hasher(order.hasher()).build()));

  private static final long MAX_BLOCKS = Words.MAX_WORDS / SplitBlock.WORDS;
  private static final int LANES = 8;
  private static final int LANE_BITS = 32;

  private final Hasher hasher;
  private final SplitBlockShape shape;
  private final Words words;

  private SplitBlockBloomFilter(Hasher hasher, SplitBlockShape shape, Words words) {
    this.hasher = hasher;
    this.shape = shape;
    this.words = words;
  }

  /**
   * An empty filter whose expected rate at {@code expectedKeys} keys is at most {@code
   * falsePositiveRate}, of the least number of blocks.
   *
   * @param expectedKeys distinct keys to hold, 1…2^36
   * @param falsePositiveRate the rate, within (0, 1)
   * @return the filter, with the default hasher
   * @throws IllegalArgumentException if an argument is outside of its range or no size that fits
   *     into memory reaches the rate
   */
  public static SplitBlockBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return builder().expectedKeys(expectedKeys).falsePositiveRate(falsePositiveRate).build();
  }

  /**
   * An empty filter of a given size.
   *
   * @param blocks the number of 256-bit blocks, 1…2^29-4
   * @return the filter, with the default hasher
   * @throws IllegalArgumentException if {@code blocks} is outside of its range
   */
  public static SplitBlockBloomFilter ofBlocks(long blocks) {
    return builder().blocks(blocks).build();
  }

  /**
   * Starts a filter.
   *
   * @return a builder that needs either the expected keys and the rate, or the blocks
   */
  public static Builder builder() {
    return new Builder();
  }

  private Frame encode() {
    return Frame.of(hasher).put("blocks", shape.blocks()).section(words);
  }

  private static SplitBlockBloomFilter decode(Frame frame) throws IOException {
    long blocks = frame.number("blocks", 1, MAX_BLOCKS);
    Words words = frame.section(0, blocks * SplitBlock.WORDS);
    return new SplitBlockBloomFilter(frame.hasher(), new SplitBlockShape(blocks), words);
  }

  /** The words, for tests that compare them with another implementation's. */
  Words words() {
    return words;
  }

  @Override
  public FilterKind<SplitBlockBloomFilter> kind() {
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
  public SplitBlockShape shape() {
    return shape;
  }

  @Override
  public boolean mightContainHash(long hash) {
    long[] heap = words.heap();
    long blocks = shape.blocks();
    return (heap != null
            ? SplitBlock.test(hash, heap, blocks)
            : SplitBlock.test(hash, words, blocks))
        != 0;
  }

  @Override
  public boolean mightContain(long key) {
    return mightContainHash(hasher.hash(key));
  }

  /** {@inheritDoc} Takes no branch on an answer, so that the reads of many keys overlap. */
  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    long[] heap = words.heap();
    if (heap == null) {
      return AddableFilter.super.mightContainHashes(hashes, from, to, hits);
    }
    HashedFilter.checkBatch(hashes, from, to, hits);
    long blocks = shape.blocks();
    int total = 0;
    for (int start = from, word = 0; start < to; word++) {
      int end = (int) Math.min((long) start + Long.SIZE, to);
      long answers = 0;
      for (int i = start; i < end; i++) {
        answers |= SplitBlock.test(hashes[i], heap, blocks) << (i - start);
      }
      hits[word] = answers;
      total += Long.bitCount(answers);
      start = end;
    }
    return total;
  }

  @Override
  public boolean addHash(long hash) {
    return SplitBlock.set(hash, words, shape.blocks());
  }

  @Override
  public boolean add(long key) {
    return addHash(hasher.hash(key));
  }

  /**
   * The mean over the blocks of the product of their lanes' fill ratios: what a new key meets,
   * given the bits that are set now.
   */
  @Override
  public double falsePositiveRate() {
    double sum = 0;
    for (long at = 0; at < words.length(); at += SplitBlock.WORDS) {
      double product = 1;
      for (int i = 0; i < SplitBlock.WORDS; i++) {
        long word = words.get(at + i);
        product *= Integer.bitCount((int) word) * (double) Long.bitCount(word >>> LANE_BITS);
      }
      sum += product;
    }
    return sum / shape.blocks() * Math.pow(LANE_BITS, -LANES);
  }

  @Override
  public double fillRatio() {
    return (double) words.bitCount() / sizeInBits();
  }

  /** {@inheritDoc} Here: ln(1 − X/m) / ln(1 − 8/m), for the X of m bits that are set. */
  @Override
  public double cardinality() {
    return Estimates.cardinality(sizeInBits(), words.bitCount(), (double) LANES / sizeInBits());
  }

  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  /**
   * How many hash bits a query uses: those that choose the block, and 32 for the bits within.
   *
   * @return log2 of the number of blocks, rounded up, plus 32
   */
  public int hashBits() {
    return Long.SIZE - Long.numberOfLeadingZeros(shape.blocks() - 1) + Integer.SIZE;
  }

  /**
   * How many blocks a query reads, each 32 consecutive bytes.
   *
   * @return 1
   */
  public int memoryAccesses() {
    return 1;
  }

  @Override
  public boolean isCompatible(SplitBlockBloomFilter other) {
    Objects.requireNonNull(other, "other");
    return Compatibility.equal(hasher, other.hasher, shape, other.shape);
  }

  @Override
  public void merge(SplitBlockBloomFilter other) {
    Objects.requireNonNull(other, "other");
    Compatibility.require(hasher, other.hasher, shape, other.shape);
    words.orAll(other.words);
  }

  @Override
  public void intersect(SplitBlockBloomFilter other) {
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
  public SplitBlockBloomFilter copy() {
    return new SplitBlockBloomFilter(hasher, shape, words.copy());
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
  public boolean sameBits(SplitBlockBloomFilter other) {
    return isCompatible(other) && words.sameBits(other.words);
  }

  @Override
  public String toString() {
    return "SplitBlockBloomFilter[blocks=" + shape.blocks() + ", hasher=" + hasher + "]";
  }

  /** Collects the parameters of a filter. Arguments outside of their ranges are refused. */
  public static final class Builder extends BitFilterBuilder<Builder> {

    private long blocks;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * Sets the size itself; expected keys and rate are then not used.
     *
     * @param blocks the number of 256-bit blocks, 1…2^29-4
     * @return this builder
     */
    public Builder blocks(long blocks) {
      this.blocks = Arguments.inRange("blocks", blocks, 1, MAX_BLOCKS);
      return this;
    }

    /**
     * Makes the filter.
     *
     * @return an empty filter
     * @throws IllegalArgumentException if expected keys or rate are needed and outside of their
     *     ranges
     */
    public SplitBlockBloomFilter build() {
      SplitBlockShape shape =
          blocks > 0
              ? new SplitBlockShape(blocks)
              : SplitBlockShape.forKeys(expectedKeys, falsePositiveRate);
      Words words = Words.allocate(shape.blocks() * SplitBlock.WORDS, shared);
      return new SplitBlockBloomFilter(hasher, shape, words);
    }
  }
}
