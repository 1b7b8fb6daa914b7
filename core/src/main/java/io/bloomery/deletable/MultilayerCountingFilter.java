package io.bloomery.deletable;

import io.bloomery.CardinalityFilter;
import io.bloomery.FilterFullException;
import io.bloomery.FilterKind;
import io.bloomery.Mergeable;
import io.bloomery.QueryCost;
import io.bloomery.RemovableFilter;
import io.bloomery.ShapedFilter;
import io.bloomery.Writers;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.UnaryLayers;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.membership.BloomFilter;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * A counting Bloom filter whose counters never overflow and take half the memory of 4-bit ones: m
 * bits, plus one for each of the k positions of each key in it. Concurrent changes need a lock. It
 * never reports a stored key absent, as long as only stored keys are removed; its queries have the
 * same rate and speed as those of the {@link BloomFilter} of the same m, which is its lowest layer.
 *
 * <p>A counter is stored in unary code over the layers, so an addition costs a few hundred
 * nanoseconds, and a key that is added thousands of times takes that many bits of a file for each
 * of its positions; in memory, counts above 256 are stored as numbers.
 *
 * <p>Removing a key that is certainly absent changes nothing and returns false; so does removing a
 * key that is reported present but has a repeated position whose counter is 1. Removing another key
 * that was never added lowers k counters that other keys need, so that each of these is one too
 * low: one other key is lost for each counter that falls to 0, at once or when other keys of that
 * counter are removed, and never more than k at a time.
 *
 * <p>Threads: any number may query while one adds, removes or merges, and once {@code add} has
 * returned, every query that happens after it finds the key. Concurrent changes need a lock, as do
 * {@link #countHash}, {@link #copy} and saving during a change.
 *
 * <p>Ficara, Giordano, Procissi and Vitucci 2008, "MultiLayer Compressed Counting Bloom Filters".
 * Deviation: up to a load of ln 2, the Huffman code of the counters is the unary code, which is
 * stored at any load; the layers are cut into chunks of 1024 positions, so that ranks and shifts
 * stay within a dozen words.
 */
public final class MultilayerCountingFilter extends ShapedFilter<MultilayerShape>
    implements RemovableFilter, CardinalityFilter, Mergeable<MultilayerCountingFilter>, QueryCost {

  public static final FilterKind<MultilayerCountingFilter> KIND =
      Kind.of(17, "multilayer", MultilayerCountingFilter.class)
          .question("is x in the set, with deletes? counters without limit in unary code")
          .codec(MultilayerCountingFilter::encode, MultilayerCountingFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("multilayer", MultilayerShape.class)
                          .meets(Need.DELETES)
                          .onlyFor(Need.DELETES)
                          .forKeys(MultilayerShape::forKeys)
                          .forBudget(MultilayerShape::forBudget)
                          .reads(shape -> shape.base().hashesPerKey())
                          .works(shape -> 0.75 * shape.base().hashesPerKey())
                          .absentByThree(shape -> shape.base().hashesPerKey(), shape -> 2.2)
                          .falseDeletion("loses at most k other keys")
                          .why(
                              "Counters that never overflow and the queries of a plain Bloom"
                                  + " filter; adds and deletes are slower, by one thread at a time")
                          .oneWriter()
                          .mergesExactly()
                          .storesDuplicates()
                          .creates(MultilayerCountingFilter::create)));

  private final BloomBits bits;
  private final UnaryLayers layers;

  private MultilayerCountingFilter(MultilayerShape shape, BloomBits bits, UnaryLayers layers) {
    super(shape, bits.filter.hasher());
    this.bits = bits;
    this.layers = layers;
  }

  /**
   * The smallest filter for a number of keys and a rate.
   *
   * @param expectedKeys how many distinct keys it will hold at a time, 0 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static MultilayerCountingFilter create(long expectedKeys, double falsePositiveRate) {
    return create(MultilayerShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape the lowest layer
   * @return an empty filter
   */
  public static MultilayerCountingFilter create(MultilayerShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape the lowest layer
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static MultilayerCountingFilter create(MultilayerShape shape, Hasher hasher) {
    Objects.requireNonNull(shape, "shape");
    BloomBits bits = BloomBits.of(BloomFilter.create(shape.base(), hasher, Writers.ONE));
    return new MultilayerCountingFilter(shape, bits, new UnaryLayers(bits.words));
  }

  private Frame encode() {
    Words strings = layers.strings();
    return bits.encode()
        .put("sum", layers.total())
        .put("words", strings.length())
        .section(layers.directory())
        .section(strings);
  }

  /** The expected number of keys is not stored: an opened filter is sized for the keys it holds. */
  private static MultilayerCountingFilter decode(Frame frame) throws IOException {
    BloomBits bits = BloomBits.decode(frame);
    long sum = frame.number("sum", 0, Words.MAX_WORDS * Long.SIZE);
    long length = frame.number("words", 0, Words.MAX_WORDS);
    Words directory = frame.section(1, UnaryLayers.chunksOf(bits.words));
    Words strings = frame.section(2, length);
    long keys = Math.min(MultilayerShape.MAX_KEYS, sum / bits.probes.count());
    MultilayerShape shape = new MultilayerShape(bits.filter.shape(), keys);
    if (!bits.words.isReadOnly()) {
      return new MultilayerCountingFilter(
          shape, bits, frame.make(() -> UnaryLayers.checked(bits.words, directory, strings, sum)));
    }
    UnaryLayers layers = UnaryLayers.mapped(bits.words, directory, strings, sum);
    if (frame.isThorough()) {
      layers.check();
    }
    return new MultilayerCountingFilter(shape, bits, layers);
  }

  @Override
  public FilterKind<MultilayerCountingFilter> kind() {
    return KIND;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return bits.filter.mightContainHash(hash);
  }

  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    return bits.filter.mightContainHashes(hashes, from, to, hits);
  }

  /**
   * An upper bound on a key's additions minus removals: the lowest of its counters.
   *
   * @param hash the key's hash, computed by {@link #hasher()}
   * @return never too low, as long as only keys that are in the filter are removed
   */
  public long countHash(long hash) {
    long lowest = Long.MAX_VALUE;
    for (long position : bits.positions(hash)) {
      lowest = Math.min(lowest, layers.get(position));
    }
    return lowest;
  }

  /**
   * {@inheritDoc}
   *
   * @throws FilterFullException if the counters of 1024 neighbours have a sum near 2^31; nothing
   *     has changed
   */
  @Override
  public boolean addHash(long hash) {
    bits.words.writable();
    requireRoom(bits.probes.count());
    boolean wasAbsent = false;
    for (long position : bits.positions(hash)) {
      wasAbsent |= layers.increment(position);
    }
    return wasAbsent;
  }

  private void requireRoom(long increments) {
    if (layers.longest() > UnaryLayers.MAX_STRING_BITS - increments) {
      throw new FilterFullException(
          "the counters of "
              + UnaryLayers.CHUNK_BITS
              + " neighbours have the sum "
              + layers.longest());
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>A repeated position of a key is lowered once per occurrence.
   */
  @Override
  public boolean removeHash(long hash) {
    bits.words.writable();
    if (!mightContainHash(hash)) {
      return false;
    }
    long[] positions = bits.positions(hash);
    for (int i = 1; i < positions.length; i++) {
      int before = 0;
      for (int j = 0; j < i; j++) {
        before += positions[j] == positions[i] ? 1 : 0;
      }
      if (before > 0 && layers.get(positions[i]) <= before) {
        return false;
      }
    }
    for (long position : positions) {
      layers.decrement(position);
    }
    return true;
  }

  /** {@inheritDoc} Here: that of the {@link BloomFilter} of the lowest layer. */
  @Override
  public double falsePositiveRate() {
    return bits.filter.falsePositiveRate();
  }

  /** {@inheritDoc} Here: that of the bits; counters are read to change and to count. */
  @Override
  public int hashBits() {
    return shape().base().hashBits();
  }

  /** {@inheritDoc} Here: that of the bits. */
  @Override
  public int memoryAccesses() {
    return shape().base().memoryAccesses();
  }

  /** {@inheritDoc} Here: exactly m plus the sum of all counters, which is k for each key. */
  @Override
  public long sizeInBits() {
    return bits.size() + layers.total();
  }

  /**
   * The memory held for these bits, including lengths, free words and array headers.
   *
   * @return about a tenth of m more than {@link #sizeInBits()}
   */
  public long heldBits() {
    return layers.heldBits();
  }

  /**
   * The number of keys in the filter, counting repetitions.
   *
   * @return additions minus removals
   */
  public long keyCount() {
    return layers.total() / bits.probes.count();
  }

  @Override
  public double fillRatio() {
    return bits.filter.fillRatio();
  }

  /** {@inheritDoc} Here: that of the {@link BloomFilter} of the lowest layer. */
  @Override
  public double cardinality() {
    return bits.filter.cardinality();
  }

  /**
   * Filters can be merged if their counters have the same layout, whatever number of keys they were
   * sized for.
   */
  @Override
  protected Object layout() {
    return shape().base();
  }

  @Override
  public boolean isCompatible(MultilayerCountingFilter other) {
    return fits(other);
  }

  /**
   * {@inheritDoc} Counters are added, so the count of a key that both hold is the sum of its two
   * counts, and it must be removed that many times.
   *
   * @throws FilterFullException if the sum of the counters of 1024 neighbours could exceed 2^31;
   *     nothing has changed
   */
  @Override
  public void merge(MultilayerCountingFilter other) {
    requireFits(other);
    bits.words.writable();
    if (other == this) {
      return;
    }
    requireRoom(other.layers.total());
    Words present = other.bits.words;
    for (long i = 0; i < present.length(); i++) {
      for (long left = present.get(i); left != 0; left &= left - 1) {
        long position = (i << 6) + Long.numberOfTrailingZeros(left);
        for (long count = other.layers.get(position); count > 0; count--) {
          layers.increment(position);
        }
      }
    }
  }

  /**
   * The plain Bloom filter of the same keys.
   *
   * @return a copy of the lowest layer
   */
  public BloomFilter toBloomFilter() {
    return bits.filter.copy();
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public MultilayerCountingFilter copy() {
    BloomBits copy = bits.copy();
    return new MultilayerCountingFilter(shape(), copy, layers.copy(copy.words));
  }
}
