package io.bloomery.membership;

import io.bloomery.FilterKind;
import io.bloomery.Halvable;
import io.bloomery.HashedFilter;
import io.bloomery.Writers;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.SplitBlock;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.theory.Estimates;
import io.bloomery.theory.HashBits;
import java.io.IOException;
import java.util.List;

/**
 * A blocked filter in the layout of Parquet and Impala: a key sets one bit in each of the eight
 * 32-bit lanes of one 256-bit block. It never reports an added key absent.
 *
 * <p>Every query reads 32 consecutive bytes and computes its mask without a branch, which suits
 * batches. The eight hashes per key are fixed: at 1 % it takes 10.5 bits per key where the best
 * filter of 512-bit blocks takes 10.0, and far from 1 % it falls behind; below about 8 bits per key
 * use {@link BloomGFilter} or the classic filter. The position within the block comes from 32 hash
 * bits, so the rate cannot fall below about 1e-9.
 *
 * <p>Source: Apache Parquet format, BloomFilter.md. Same bits for the same 64-bit hashes, and the
 * payload of a file is Parquet's bitset byte for byte; any number of blocks is allowed, not only a
 * power of two. Deviation: keys are hashed by {@link #hasher()}, not by XXH64 of their plain
 * encoding, so for filters of Parquet files the caller must pass Parquet's hashes to {@code
 * addHash}.
 *
 * <p>Threads: any number may add, merge into and query one filter at the same time without a lock.
 * Once {@code add} has returned, every query that happens after it finds the key. {@link
 * Writers#ONE} gives up this guarantee for faster adds.
 */
public final class SplitBlockBloomFilter extends BitFilter<SplitBlockShape, SplitBlockBloomFilter>
    implements Halvable<SplitBlockBloomFilter> {

  public static final FilterKind<SplitBlockBloomFilter> KIND =
      Kind.of(3, "split-block", SplitBlockBloomFilter.class)
          .question("is x in the set? in Parquet's layout")
          .codec(SplitBlockBloomFilter::encode, SplitBlockBloomFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("split-block", SplitBlockShape.class)
                          .forKeys(SplitBlockShape::forKeys)
                          .forBudget(SplitBlockShape::forBudget)
                          .reads(shape -> 1, shape -> SplitBlock.WORDS)
                          .works(shape -> 4)
                          .why("One cache line per query, in the layout of Parquet and Impala")
                          .mergesExactly()
                          .createsFor(SplitBlockBloomFilter::create)));

  private static final int LANES = 8;
  private static final int LANE_BITS = 32;

  private SplitBlockBloomFilter(SplitBlockShape shape, Hasher hasher, Words words) {
    super(shape, hasher, words);
  }

  /**
   * The smallest filter for a number of keys and a rate.
   *
   * @param expectedKeys how many distinct keys will be added, 0 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static SplitBlockBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return create(SplitBlockShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape how many blocks
   * @return an empty filter
   */
  public static SplitBlockBloomFilter create(SplitBlockShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape how many blocks
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static SplitBlockBloomFilter create(SplitBlockShape shape, Hasher hasher) {
    return create(shape, hasher, Writers.MANY);
  }

  /**
   * A filter of a given shape and hasher, for one writer or many.
   *
   * @param shape how many blocks
   * @param hasher turns keys into hashes
   * @param writers how many threads may add at the same time
   * @return an empty filter
   */
  public static SplitBlockBloomFilter create(
      SplitBlockShape shape, Hasher hasher, Writers writers) {
    Words words = Words.allocate(shape.blocks() * SplitBlock.WORDS, writers == Writers.MANY);
    return new SplitBlockBloomFilter(shape, hasher, words);
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape()).section(words);
  }

  private static SplitBlockBloomFilter decode(Frame frame) throws IOException {
    SplitBlockShape shape = frame.shape(SplitBlockShape.class);
    Words words = frame.section(0, shape.blocks() * SplitBlock.WORDS);
    return new SplitBlockBloomFilter(shape, frame.hasher(), words);
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
  public boolean mightContainHash(long hash) {
    long[] heap = words.heap();
    long blocks = shape().blocks();
    return (heap != null
            ? SplitBlock.test(hash, heap, blocks)
            : SplitBlock.test(hash, words, blocks))
        != 0;
  }

  @Override
  public boolean mightContain(long key) {
    return mightContainHash(hash(key));
  }

  /** {@inheritDoc} Does not branch on an answer, so that the reads of many keys overlap. */
  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    long[] heap = words.heap();
    if (heap == null) {
      return super.mightContainHashes(hashes, from, to, hits);
    }
    HashedFilter.checkBatch(hashes, from, to, hits);
    long blocks = shape().blocks();
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
    return SplitBlock.set(hash, words, shape().blocks());
  }

  @Override
  public boolean add(long key) {
    return addHash(hash(key));
  }

  /**
   * The mean over the blocks of the product of their lanes' fill ratios: the rate for a new key,
   * given the bits currently set.
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
    return sum / shape().blocks() * Math.pow(LANE_BITS, -LANES);
  }

  /** {@inheritDoc} Here: ln(1 − X/m) / ln(1 − 8/m), for the X of m bits that are set. */
  @Override
  double cardinality(Words bits) {
    return Estimates.cardinalityByHitRate(
        sizeInBits(), (double) LANES / sizeInBits(), bits.bitCount());
  }

  /** {@inheritDoc} Here: log2 of the number of blocks, and 32 for the bits within. */
  @Override
  public int hashBits() {
    return HashBits.choice(shape().blocks()) + Integer.SIZE;
  }

  /** {@inheritDoc} Here: 1, a block of 32 consecutive bytes. */
  @Override
  public int memoryAccesses() {
    return 1;
  }

  /** {@inheritDoc} Here: of an even number of blocks. */
  @Override
  public boolean canHalve() {
    return shape().blocks() % 2 == 0;
  }

  /** {@inheritDoc} Neighbouring blocks are joined: half of a high product is that of half. */
  @Override
  public SplitBlockBloomFilter halve() {
    if (!canHalve()) {
      throw new IllegalStateException(shape().blocks() + " blocks cannot be halved");
    }
    SplitBlockBloomFilter halved =
        create(
            new SplitBlockShape(shape().blocks() / 2),
            hasher(),
            words.isShared() ? Writers.MANY : Writers.ONE);
    for (long i = 0; i < words.length(); i++) {
      halved.words.or(
          i / (2 * SplitBlock.WORDS) * SplitBlock.WORDS + i % SplitBlock.WORDS, words.get(i));
    }
    return halved;
  }

  @Override
  public SplitBlockBloomFilter copy() {
    return new SplitBlockBloomFilter(shape(), hasher(), words.copy());
  }
}
