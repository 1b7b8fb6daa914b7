package io.bloomery.membership;

import io.bloomery.AddableFilter;
import io.bloomery.HashedFilter;
import io.bloomery.Intersectable;
import io.bloomery.Storable;
import io.bloomery.format.FilterKind;
import io.bloomery.format.FilterRecipe;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.Compatibility;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.probe.BlockProbes;
import io.bloomery.plan.BlockShape;
import io.bloomery.plan.Estimates;
import java.io.IOException;
import java.util.Objects;

/**
 * A Bloom filter that keeps all bits of a key in one block of 64 to 512 bits, so that a query costs
 * one cache miss. It never reports an added key absent. The library's default filter: {@link
 * #create} chooses the block width.
 *
 * <p>Blocks of 64 bits are fastest, wider ones smaller; at 1 % a key costs 11.9 bits with 64-bit
 * blocks, 10.8 with 128, 10.4 with 256 and 10.2 with 512, against 9.6 of {@link BloomFilter}. Not
 * for rates far below 0.01 %, where blocks need more and more extra memory (14 % at 0.01 % with 512
 * bits).
 *
 * <p>Threads: lock-free. Any number of threads may add and query; a key whose {@code add} returned
 * is found by every later query of a thread that can see that return. {@link #copy} and saving hold
 * every key added before the call began. {@link #clear} needs that no other thread writes. {@link
 * Builder#shared shared(false)} trades that for faster adds.
 *
 * <p>Putze, Sanders and Singler 2007, "Cache-, Hash- and Space-Efficient Bloom Filters", the
 * pattern variant. Deviations: patterns are rotated, and lie in a few words of the block instead of
 * anywhere in it, so that a query loads two words of a 512-bit block instead of eight.
 */
public final class BlockedBloomFilter
    implements AddableFilter, Intersectable<BlockedBloomFilter>, Storable {

  /** How files name this kind. */
  public static final FilterKind<BlockedBloomFilter> KIND =
      new FilterKind<>(
          2,
          "blocked",
          "is x in the set? one cache line: the fastest",
          BlockedBloomFilter.class,
          BlockedBloomFilter::encode,
          BlockedBloomFilter::decode,
          () ->
              FilterRecipe.lockFree(
                  BlockShape.class,
                  BlockShape::forKeys,
                  BlockedBloomFilter::shapeWithin,
                  order -> builder().shape(order.shape()).hasher(order.hasher()).build()));

  private final Hasher hasher;
  private final BlockShape shape;
  private final BlockProbes probes;
  private final Words words;

  private BlockedBloomFilter(Hasher hasher, BlockShape shape, Words words) {
    this.hasher = hasher;
    this.shape = shape;
    this.words = words;
    this.probes =
        new BlockProbes(
            shape.blocks(),
            shape.blockBits() / Long.SIZE,
            shape.wordsPerKey(),
            shape.bitsPerWord());
  }

  /**
   * A filter for a number of keys and a rate, with the block width that the planner chooses: the
   * fewest words per key within 4 % of the smallest size, and of these the smallest.
   *
   * @param expectedKeys how many different keys will be added, 1 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static BlockedBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return builder().expectedKeys(expectedKeys).falsePositiveRate(falsePositiveRate).build();
  }

  /**
   * A filter of a given shape.
   *
   * @param shape blocks, their width, and how many bits a key sets in how many words
   * @return an empty filter
   */
  public static BlockedBloomFilter ofShape(BlockShape shape) {
    return builder().shape(shape).build();
  }

  /**
   * All options.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /** The widest blocks have the lowest rate. */
  private static BlockShape shapeWithin(long keys, long bits) {
    return BlockShape.forBudget(keys, bits, bits < 512 ? 64 : 512);
  }

  private Frame encode() {
    return Frame.of(hasher)
        .put("blocks", shape.blocks())
        .put("block bits", shape.blockBits())
        .put("words per key", shape.wordsPerKey())
        .put("probes", shape.probes())
        .section(words);
  }

  private static BlockedBloomFilter decode(Frame frame) throws IOException {
    BlockShape shape;
    try {
      shape =
          new BlockShape(
              frame.number("blocks", 1, Words.MAX_WORDS),
              (int) frame.number("block bits", 64, 512),
              (int) frame.number("words per key", 1, 8),
              (int) frame.number("probes", 1, 128));
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    return new BlockedBloomFilter(
        frame.hasher(), shape, frame.section(0, shape.sizeInBits() / Long.SIZE));
  }

  @Override
  public FilterKind<BlockedBloomFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * Number and width of the blocks, and what a key sets in one.
   *
   * @return the shape, with its rate formula
   */
  public BlockShape shape() {
    return shape;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return probes.allSet(hash, words);
  }

  @Override
  public boolean mightContain(long key) {
    return mightContainHash(hasher.hash(key));
  }

  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    HashedFilter.checkBatch(hashes, from, to, hits);
    return probes.allSet(hashes, from, to, hits, words);
  }

  @Override
  public boolean addHash(long hash) {
    return probes.setAll(hash, words);
  }

  @Override
  public boolean add(long key) {
    return addHash(hasher.hash(key));
  }

  @Override
  public void addHashes(long[] hashes, int from, int to) {
    Objects.requireNonNull(hashes, "hashes");
    Objects.checkFromToIndex(from, to, hashes.length);
    probes.setAll(hashes, from, to, words);
  }

  /** {@inheritDoc} Here: the mean over all blocks of the share of masks that are covered. */
  @Override
  public double falsePositiveRate() {
    return probes.coveredShare(words);
  }

  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  @Override
  public double fillRatio() {
    return (double) words.bitCount() / sizeInBits();
  }

  /** {@inheritDoc} Here: ln(1 − X/m) / ln(1 − k/m), for the X of m bits that are set. */
  @Override
  public double cardinality() {
    return Estimates.cardinality(
        sizeInBits(), words.bitCount(), (double) shape.probes() / sizeInBits());
  }

  @Override
  public boolean isCompatible(BlockedBloomFilter other) {
    Objects.requireNonNull(other, "other");
    return Compatibility.equal(hasher, other.hasher, shape, other.shape);
  }

  /** {@inheritDoc} The result is bit for bit the filter of the union of both key sets. */
  @Override
  public void merge(BlockedBloomFilter other) {
    Objects.requireNonNull(other, "other");
    Compatibility.require(hasher, other.hasher, shape, other.shape);
    words.orAll(other.words);
  }

  @Override
  public void intersect(BlockedBloomFilter other) {
    Objects.requireNonNull(other, "other");
    Compatibility.require(hasher, other.hasher, shape, other.shape);
    words.andAll(other.words);
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public BlockedBloomFilter copy() {
    return new BlockedBloomFilter(hasher, shape, words.copy());
  }

  /** Removes every key. */
  public void clear() {
    words.clear();
  }

  /**
   * Whether two filters have equal shapes, hashers and bits.
   *
   * @param other another filter
   * @return true if they answer alike for ever
   */
  public boolean sameBits(BlockedBloomFilter other) {
    return isCompatible(other) && words.sameBits(other.words);
  }

  /**
   * Words that one query reads at most, all in one cache line.
   *
   * @return 1, 2, 4 or 8
   */
  public int memoryAccesses() {
    return shape.wordsPerKey();
  }

  @Override
  public String toString() {
    return "BlockedBloomFilter[" + shape + ", " + hasher + "]";
  }

  /** Options of a filter: expected keys with a rate or a size, or a shape. */
  public static final class Builder extends BitFilterBuilder<Builder> {
    private long bits;
    private int blockBits;
    private BlockShape shape;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * The size at most, instead of a rate.
     *
     * @param bits a block or more
     * @return this
     */
    public Builder bits(long bits) {
      this.bits = bits;
      return this;
    }

    /**
     * The width of a block. Without it the planner chooses, or 512 if {@link #bits} is given.
     *
     * @param blockBits 64, 128, 256 or 512
     * @return this
     */
    public Builder blockBits(int blockBits) {
      this.blockBits = blockBits;
      return this;
    }

    /**
     * The whole shape, instead of keys, rate, size and width.
     *
     * @param shape the shape
     * @return this
     */
    public Builder shape(BlockShape shape) {
      this.shape = Objects.requireNonNull(shape, "shape");
      return this;
    }

    /**
     * Makes the filter.
     *
     * @return an empty filter
     */
    public BlockedBloomFilter build() {
      BlockShape chosen = chosenShape();
      return new BlockedBloomFilter(
          hasher, chosen, Words.allocate(chosen.sizeInBits() / Long.SIZE, shared));
    }

    private BlockShape chosenShape() {
      int given = (shape != null ? 1 : 0) + (falsePositiveRate != 0 ? 1 : 0) + (bits != 0 ? 1 : 0);
      if (given != 1) {
        throw new IllegalArgumentException(
            "exactly one of shape, falsePositiveRate and bits must be given, not " + given);
      }
      if (shape != null) {
        return shape;
      }
      if (bits != 0) {
        return BlockShape.forBudget(expectedKeys, bits, blockBits == 0 ? 512 : blockBits);
      }
      return blockBits == 0
          ? BlockShape.forKeys(expectedKeys, falsePositiveRate)
          : BlockShape.forKeys(expectedKeys, falsePositiveRate, blockBits);
    }
  }
}
