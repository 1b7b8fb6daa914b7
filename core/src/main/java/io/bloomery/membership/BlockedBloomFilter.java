package io.bloomery.membership;

import io.bloomery.FilterKind;
import io.bloomery.Halvable;
import io.bloomery.HashedFilter;
import io.bloomery.Variant;
import io.bloomery.Writers;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.BlockProbes;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.theory.Estimates;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collector;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter that keeps all bits of a key in one block of 64 to 512 bits, so that a query costs
 * one cache miss. It never reports an added key absent. The library's default filter: {@link
 * #create} chooses the block width.
 *
 * <p>Blocks of 64 bits are fastest, wider ones smaller: 1 % takes 11.9 bits per key with 64-bit
 * blocks, 10.8 with 128, 10.4 with 256 and 10.2 with 512, against 9.6 for {@link BloomFilter}. Not
 * for rates far below 0.01 %, where blocks need ever more extra memory (14 % at 0.01 % with 512
 * bits).
 *
 * <p>Threads: lock-free. Any number of threads may add and query; once {@code add} has returned,
 * every query that happens after it finds the key. If several threads add the same new key at the
 * same time, {@code add} returns true to one of them with blocks of 64 bits, and perhaps to several
 * with wider ones ({@link io.bloomery.Filters#oneWinner}). {@link #copy} and saving hold every key
 * added before the call began. {@link #clear} requires that no other thread writes. {@link
 * Writers#ONE} gives up this guarantee for faster adds.
 *
 * <p>Putze, Sanders and Singler 2007, "Cache-, Hash- and Space-Efficient Bloom Filters", the
 * pattern variant. Deviations: patterns are rotated, and lie in a few words of the block instead of
 * anywhere in it, so that a query loads two words of a 512-bit block instead of eight.
 */
public final class BlockedBloomFilter extends BitFilter<BlockShape, BlockedBloomFilter>
    implements Halvable<BlockedBloomFilter> {

  public static final FilterKind<BlockedBloomFilter> KIND =
      Kind.of(2, "blocked", BlockedBloomFilter.class)
          .question("is x in the set? one cache line: the fastest")
          .codec(BlockedBloomFilter::encode, BlockedBloomFilter::decode)
          .sharesWords(filter -> filter.words, BlockShape.class, BlockedBloomFilter::new)
          .variants(() -> List.of(variant(64), variant(128), variant(256), variant(512)));

  private final BlockProbes probes;

  /** The words; null if they are mapped. */
  private final long @Nullable [] heap;

  /** The words if adds are plain stores, otherwise null. */
  private final long @Nullable [] unsharedWords;

  private BlockedBloomFilter(BlockShape shape, Hasher hasher, Words words) {
    super(shape, hasher, words);
    this.probes =
        new BlockProbes(
            shape.blocks(),
            shape.blockBits() / Long.SIZE,
            shape.wordsPerKey(),
            shape.bitsPerWord());
    this.heap = words.heap();
    this.unsharedWords = probes.unsharedWords(words);
  }

  private static Variant variant(int blockBits) {
    return VariantBuilder.of("blocked-" + blockBits, BlockShape.class)
        .forKeys((keys, rate) -> BlockShape.forKeys(keys, rate, blockBits))
        .forBudget((keys, bits) -> BlockShape.cheapest(keys, bits, blockBits))
        .reads(shape -> 1, BlockShape::wordsPerKey)
        .works(shape -> shape.work(true))
        .absent(shape -> 1, shape -> shape.work(false))
        .why(
            "One cache line per query, with all bits of a key in a block of " + blockBits + " bits")
        .mergesExactly()
        .createsFor(BlockedBloomFilter::create);
  }

  /**
   * A filter for a number of keys and a rate, with the block width that {@link BlockShape#forKeys}
   * chooses.
   *
   * @param expectedKeys how many distinct keys will be added, 0 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static BlockedBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return create(BlockShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * Collects a stream of texts in a filter made by {@link #create(long, double)}. A parallel stream
   * fills several filters, which are then merged. {@code Filters.collector} supports other key
   * types, shapes and hashers.
   *
   * @param expectedKeys how many distinct keys the stream has, 0 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return a collector
   */
  public static Collector<CharSequence, ?, BlockedBloomFilter> collector(
      long expectedKeys, double falsePositiveRate) {
    BlockShape shape = BlockShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate);
    return Collector.of(
        () -> create(shape),
        (filter, key) -> filter.add(key),
        (one, other) -> {
          one.merge(other);
          return one;
        },
        Collector.Characteristics.UNORDERED);
  }

  /**
   * A filter of a given shape.
   *
   * @param shape blocks, their width, and how many bits a key sets in how many words
   * @return an empty filter
   */
  public static BlockedBloomFilter create(BlockShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape blocks, their width, and how many bits a key sets in how many words
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static BlockedBloomFilter create(BlockShape shape, Hasher hasher) {
    return create(shape, hasher, Writers.MANY);
  }

  /**
   * A filter of a given shape and hasher, for one writer or many.
   *
   * @param shape blocks, their width, and how many bits a key sets in how many words
   * @param hasher turns keys into hashes
   * @param writers how many threads may add at the same time
   * @return an empty filter
   */
  public static BlockedBloomFilter create(BlockShape shape, Hasher hasher, Writers writers) {
    Words words = Words.allocate(shape.sizeInBits() / Long.SIZE, writers == Writers.MANY);
    return new BlockedBloomFilter(shape, hasher, words);
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape()).section(words);
  }

  private static BlockedBloomFilter decode(Frame frame) throws IOException {
    BlockShape shape = frame.shape(BlockShape.class);
    return new BlockedBloomFilter(
        shape, frame.hasher(), frame.section(0, shape.sizeInBits() / Long.SIZE));
  }

  @Override
  public FilterKind<BlockedBloomFilter> kind() {
    return KIND;
  }

  @Override
  public boolean mightContainHash(long hash) {
    long[] array = heap;
    return array != null ? probes.allSet(hash, array) : probes.mappedAllSet(hash, words);
  }

  @Override
  public boolean mightContain(long key) {
    return mightContainHash(hash(key));
  }

  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    HashedFilter.checkBatch(hashes, from, to, hits);
    return probes.allSet(hashes, from, to, hits, words);
  }

  @Override
  public boolean addHash(long hash) {
    long[] array = unsharedWords;
    return array != null ? probes.setAlone(hash, array) : probes.setAll(hash, words);
  }

  @Override
  public boolean add(long key) {
    return addHash(hash(key));
  }

  /**
   * {@inheritDoc} With {@link Writers#ONE}, a filter above 32 MB takes 2^18 hashes or more part by
   * part, for which the call takes another 4 MB.
   */
  @Override
  public void addHashes(long[] hashes, int from, int to) {
    Objects.requireNonNull(hashes, "hashes");
    Objects.checkFromToIndex(from, to, hashes.length);
    probes.setAll(hashes, from, to, words);
  }

  /**
   * {@inheritDoc} Here: the share of masks that are covered, or those of a key, averaged over all
   * blocks. The number of keys is estimated from the number of bits.
   */
  @Override
  public double falsePositiveRate() {
    return probes.coveredShare(words);
  }

  /** {@inheritDoc} Here: ln(1 − X/m) / ln(1 − k/m), for the X of m bits that are set. */
  @Override
  double cardinality(Words bits) {
    return Estimates.cardinalityByHitRate(
        sizeInBits(), (double) shape().hashesPerKey() / sizeInBits(), bits.bitCount());
  }

  /**
   * {@inheritDoc} Here: of an even number of 64-bit blocks. In wider blocks the words of a key
   * depend on the number of blocks.
   */
  @Override
  public boolean canHalve() {
    return shape().blockBits() == Long.SIZE && shape().blocks() % 2 == 0;
  }

  /** {@inheritDoc} Neighbouring blocks are joined: half of a high product is that of half. */
  @Override
  public BlockedBloomFilter halve() {
    if (!canHalve()) {
      throw new IllegalStateException(
          "%d blocks of %d bits cannot be halved".formatted(shape().blocks(), shape().blockBits()));
    }
    BlockedBloomFilter halved =
        create(
            new BlockShape(
                shape().blocks() / 2,
                shape().blockBits(),
                shape().wordsPerKey(),
                shape().hashesPerKey()),
            hasher(),
            words.isShared() ? Writers.MANY : Writers.ONE);
    for (long i = 0; i < words.length(); i++) {
      halved.words.or(i / 2, words.get(i));
    }
    return halved;
  }

  @Override
  public BlockedBloomFilter copy() {
    return new BlockedBloomFilter(shape(), hasher(), words.copy());
  }

  @Override
  public int hashBits() {
    return shape().hashBits();
  }

  @Override
  public int memoryAccesses() {
    return shape().memoryAccesses();
  }
}
