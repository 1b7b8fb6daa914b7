package io.bloomery.deletable;

import io.bloomery.CardinalityFilter;
import io.bloomery.FilterKind;
import io.bloomery.Mergeable;
import io.bloomery.QueryCost;
import io.bloomery.RemovableFilter;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.variant.EarlyExit;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.membership.BloomFilter;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * A Bloom filter from which most keys can be removed, at the cost of one collision bit per region
 * of its bits. It never reports an added key absent, as long as only added keys are removed; its
 * false-positive rate is that of the {@link BloomFilter} of its bits.
 *
 * <p>A region in which a bit is set a second time is marked permanently. A removal clears those
 * bits of the key that lie in unmarked regions, which belong to it alone. A key without such bits
 * cannot be removed: {@code remove} returns false and {@code mightContain} still reports it
 * present, whereas it reports the key absent if {@code remove} returned false because the key is
 * certainly absent. The share of keys that can be removed is {@link DeletableShape#deletability}:
 * nine in ten by default, which takes regions of 3 bits at a rate of 1 %; about a quarter with
 * regions of 15 bits. Marks are never cleared, bits in marked regions stay set when their key is
 * removed, and a key that is added a second time marks all its regions; so it suits few deletes,
 * not repeated inserts and deletes.
 *
 * <p>Removing a key that was never added but is reported present clears bits of other keys: each of
 * its k bits in an unmarked region costs at most one key, so at most k keys are lost.
 *
 * <p>Threads: any number may add and query without a lock; once {@code add} has returned, every
 * query that happens after it finds the key. {@code remove} requires that no other thread adds or
 * removes at the same time, since a bit must not be set while it is being cleared; queries may run
 * concurrently.
 *
 * <p>Rothenberg, Macapuna, Verdi and Magalhães 2010, "The Deletable Bloom filter". Deviation:
 * collision bits are stored beside the array, not in its first bits.
 */
public final class DeletableBloomFilter extends ShapedFilter<DeletableShape>
    implements RemovableFilter, CardinalityFilter, QueryCost, Mergeable<DeletableBloomFilter> {

  public static final FilterKind<DeletableBloomFilter> KIND =
      Kind.of(19, "deletable", DeletableBloomFilter.class)
          .question("is x in the set, with some deletes? a collision bit per region")
          .codec(DeletableBloomFilter::encode, DeletableBloomFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("deletable", DeletableShape.class)
                          .meetsPartly(Need.DELETES, "a tenth of the keys cannot be deleted")
                          .onlyFor(Need.DELETES)
                          .forKeys(DeletableShape::forKeys)
                          .searchBudget()
                          .reads(shape -> shape.array().hashesPerKey())
                          .works(shape -> EarlyExit.work(shape.array().hashesPerKey()))
                          .absentByThree(
                              shape -> shape.array().hashesPerKey(),
                              shape -> 1.2 + 0.4 * EarlyExit.byThree(shape.array().hashesPerKey()))
                          .falseDeletion("loses at most k other keys")
                          .why(
                              "For few deletes: a plain Bloom filter and a bit per region; nine of"
                                  + " ten keys can be deleted, the others stay")
                          .mergesExactly()
                          .storesDuplicates()
                          .creates(DeletableBloomFilter::create)));

  private final BloomBits bits;
  private final Words collisions;
  private final long regionBits;

  private DeletableBloomFilter(DeletableShape shape, BloomBits bits, Words collisions) {
    super(shape, bits.filter.hasher());
    this.bits = bits;
    this.collisions = collisions;
    this.regionBits = shape.regionBits();
  }

  /**
   * A filter for a number of keys and a rate from which nine of ten keys can be removed.
   *
   * @param expectedKeys how many distinct keys will be added, 0 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static DeletableBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return create(DeletableShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape the Bloom filter and the number of regions
   * @return an empty filter
   */
  public static DeletableBloomFilter create(DeletableShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape the Bloom filter and the number of regions
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static DeletableBloomFilter create(DeletableShape shape, Hasher hasher) {
    Objects.requireNonNull(shape, "shape");
    BloomBits bits = BloomBits.of(BloomFilter.create(shape.array(), hasher));
    return new DeletableBloomFilter(shape, bits, Words.forBits(shape.regions(), true));
  }

  private Frame encode() {
    return bits.encode().put(shape()).section(collisions);
  }

  private static DeletableBloomFilter decode(Frame frame) throws IOException {
    DeletableShape shape = frame.shape(DeletableShape.class);
    BloomBits bits = BloomBits.decode(frame);
    return new DeletableBloomFilter(shape, bits, frame.bits(1, shape.regions()));
  }

  @Override
  public FilterKind<DeletableBloomFilter> kind() {
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

  @Override
  public boolean addHash(long hash) {
    boolean changed = false;
    for (long position : bits.positions(hash)) {
      if (bits.words.setBit(position)) {
        changed = true;
      } else {
        collisions.setBit(position / regionBits);
      }
    }
    return changed;
  }

  /**
   * Whether a key is reported present and can be removed.
   *
   * @param hash the key's hash, computed by {@link #hasher()}
   * @return whether {@link #removeHash} would return true
   */
  public boolean isRemovable(long hash) {
    if (!mightContainHash(hash)) {
      return false;
    }
    for (long position : bits.positions(hash)) {
      if (!collisions.getBit(position / regionBits)) {
        return true;
      }
    }
    return false;
  }

  /**
   * {@inheritDoc} A key that was removed is reported absent until it is added again. After {@code
   * false}, a lookup shows whether the key is certainly absent or still reported present because
   * all its bits lie in regions with collisions.
   */
  @Override
  public boolean removeHash(long hash) {
    bits.words.writable();
    if (!mightContainHash(hash)) {
      return false;
    }
    boolean removed = false;
    for (long position : bits.positions(hash)) {
      if (!collisions.getBit(position / regionBits)) {
        bits.words.clearBit(position);
        removed = true;
      }
    }
    return removed;
  }

  /** {@inheritDoc} Here: that of the {@link BloomFilter} of the same bits. */
  @Override
  public double falsePositiveRate() {
    return bits.filter.falsePositiveRate();
  }

  @Override
  public double fillRatio() {
    return bits.filter.fillRatio();
  }

  /**
   * {@inheritDoc} Here: that of the {@link BloomFilter} of the same bits, too high after removals,
   * which leave bits behind.
   */
  @Override
  public double cardinality() {
    return bits.filter.cardinality();
  }

  /** {@inheritDoc} Here: that of the {@link BloomFilter} of the same bits. */
  @Override
  public int hashBits() {
    return bits.filter.hashBits();
  }

  /** {@inheritDoc} Here: k; collision bits are read only by adds and removals. */
  @Override
  public int memoryAccesses() {
    return bits.filter.memoryAccesses();
  }

  /**
   * The number of regions with collisions, whose bits are never cleared. Reads all collision bits.
   *
   * @return 0 … the number of regions
   */
  public long collidedRegions() {
    return collisions.bitCount();
  }

  @Override
  public boolean isCompatible(DeletableBloomFilter other) {
    return fits(other);
  }

  /**
   * {@inheritDoc} A bit that both have set marks its region, so that no key is lost, and keys in
   * both filters can no longer be removed. No other thread may add to this filter or remove from
   * either.
   */
  @Override
  public void merge(DeletableBloomFilter other) {
    requireFits(other);
    bits.words.writable();
    if (other == this) {
      return;
    }
    for (long i = 0; i < bits.words.length(); i++) {
      long both = bits.words.get(i) & other.bits.words.get(i);
      for (; both != 0; both &= both - 1) {
        collisions.setBit(((i << 6) + Long.numberOfTrailingZeros(both)) / regionBits);
      }
    }
    collisions.orAll(other.collisions);
    bits.words.orAll(other.bits.words);
  }

  /**
   * The plain Bloom filter of the same keys, without the regions.
   *
   * @return a copy of the bits
   */
  public BloomFilter toBloomFilter() {
    return bits.filter.copy();
  }

  /**
   * A copy in heap memory that shares nothing with this filter. It holds every key added before the
   * call began; no thread may remove during the call.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public DeletableBloomFilter copy() {
    // Copy bits before collisions: a concurrent add may then mark one region too many, never too
    // few.
    BloomBits copy = bits.copy();
    return new DeletableBloomFilter(shape(), copy, collisions.copy());
  }
}
