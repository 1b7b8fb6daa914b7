package io.bloomery.deletable;

import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.Mergeable;
import io.bloomery.RemovableFilter;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Compatibility;
import io.bloomery.internal.frame.Frame;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import java.io.IOException;
import java.util.Objects;

/**
 * A Bloom filter from which some of the keys can leave again, for one collision bit a region of its
 * bits. It never reports an added key absent, as long as only added keys are removed; it reports
 * keys present as often as the {@link BloomFilter} of its bits does.
 *
 * <p>A region where a bit was set that was set already is marked for ever. A removal clears those
 * bits of the key that lie in unmarked regions, which are its own. A key that has none cannot
 * leave: {@code remove} returns false and the key is still reported present. What share of the keys
 * can leave is {@link DeletableShape#deletability}: about a quarter with the default of 15 bits a
 * region, nine in ten with 4. Marks are never taken back, bits in marked regions stay set when
 * their key leaves, and a key that is added a second time marks all its regions; so this is for few
 * removals, and not for keys that come and go for ever.
 *
 * <p>Removing a key that was never added but is answered "probably present" clears bits of others:
 * each unmarked region of its k bits costs at most one key, so at most k keys are lost.
 *
 * <p>Threads: any number may add and query without a lock; a key whose {@code add} returned is
 * found by every later query of a thread that can see that return. {@code remove} needs that no
 * other thread adds or removes meanwhile, since a bit must not be set while it is being cleared;
 * queries may go on.
 *
 * <p>Rothenberg, Macapuna, Verdi and Magalhães 2010, "The Deletable Bloom filter". Deviation:
 * regions are counted beside the array and not from its first bits.
 */
public final class DeletableBloomFilter
    implements RemovableFilter, Mergeable<DeletableBloomFilter>, Storable {

  /** How files name this kind. */
  public static final FilterKind<DeletableBloomFilter> KIND =
      new FilterKind<>(
          19,
          "deletable",
          "is x in the set? some keys may leave, for a bit a region",
          DeletableBloomFilter.class,
          DeletableBloomFilter::encode,
          DeletableBloomFilter::decode,
          () ->
              FilterRecipe.lockFree(
                  DeletableShape.class,
                  DeletableShape::forKeys,
                  DeletableShape::forBudget,
                  DeletableBloomFilter::made));

  private final BloomBits bits;
  private final DeletableShape shape;
  private final Words collisions;
  private final long regionBits;

  private DeletableBloomFilter(BloomBits bits, DeletableShape shape, Words collisions) {
    this.bits = bits;
    this.shape = shape;
    this.collisions = collisions;
    this.regionBits = shape.regionBits();
  }

  /**
   * The smallest filter for a number of keys and a rate, with 15 bits a region.
   *
   * @param expectedKeys how many different keys will be added, 1 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static DeletableBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return builder().expectedKeys(expectedKeys).falsePositiveRate(falsePositiveRate).build();
  }

  /**
   * A filter whose size is given, as papers do.
   *
   * @param bits all bits, those of the array and those of the regions
   * @param probes k, 1…255
   * @param regions r, 1 … half of {@code bits}
   * @return an empty filter
   */
  public static DeletableBloomFilter ofBits(long bits, int probes, long regions) {
    Arguments.inRange("regions", regions, 1, bits / 2);
    return builder().bits(bits - regions).probes(probes).regions(regions).build();
  }

  /**
   * All options.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  private static DeletableBloomFilter made(FilterRecipe.Order<DeletableShape> order) {
    DeletableShape shape = order.shape();
    return builder().sized(shape.array(), order).regions(shape.regions()).build();
  }

  private Frame encode() {
    return bits.encode().put("regions", shape.regions()).section(collisions);
  }

  private static DeletableBloomFilter decode(Frame frame) throws IOException {
    BloomBits bits = BloomBits.decode(frame);
    long regions = frame.number("regions", 1, bits.size());
    DeletableShape shape;
    try {
      shape = new DeletableShape(bits.filter.shape(), regions);
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    return new DeletableBloomFilter(bits, shape, frame.bits(1, regions));
  }

  @Override
  public FilterKind<DeletableBloomFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return bits.filter.hasher();
  }

  /**
   * The fixed parameters.
   *
   * @return the array and the number of regions
   */
  public DeletableShape shape() {
    return shape;
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
   * Whether a key is reported present and can leave.
   *
   * @param hash the key's hash by {@link #hasher()}
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
   * {@inheritDoc}
   *
   * @return {@code false}: nothing changed, because the key was certainly absent or because all its
   *     bits lie in regions with collisions, and then it is still reported present; {@code true}:
   *     removed, and from now on reported absent until added again
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
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  /**
   * How many regions have collisions, so that no bit of theirs is ever cleared. Reads all collision
   * bits.
   *
   * @return 0 … the number of regions
   */
  public long collidedRegions() {
    return collisions.bitCount();
  }

  @Override
  public boolean isCompatible(DeletableBloomFilter other) {
    Objects.requireNonNull(other, "other");
    return bits.filter.isCompatible(other.bits.filter) && shape.equals(other.shape);
  }

  /**
   * {@inheritDoc} A bit that both have set marks its region, so keys of both stay, and those that
   * are in both can no longer leave. No other thread may add to this filter or remove from either.
   */
  @Override
  public void merge(DeletableBloomFilter other) {
    Objects.requireNonNull(other, "other");
    Compatibility.require(hasher(), other.hasher(), layout(), other.layout());
    bits.words.writable();
    for (long i = 0; i < bits.words.length(); i++) {
      long both = bits.words.get(i) & other.bits.words.get(i);
      for (; both != 0; both &= both - 1) {
        collisions.setBit(((i << 6) + Long.numberOfTrailingZeros(both)) / regionBits);
      }
    }
    collisions.orAll(other.collisions);
    bits.words.orAll(other.bits.words);
  }

  private Layout layout() {
    return new Layout(shape, bits.filter.scheme());
  }

  private record Layout(DeletableShape shape, IndexScheme scheme) {}

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
   * call began; no thread may remove meanwhile.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public DeletableBloomFilter copy() {
    // Bits before collisions: an add that comes between marks a region too many, never too few.
    BloomBits copy = bits.copy();
    return new DeletableBloomFilter(copy, shape, collisions.copy());
  }

  @Override
  public String toString() {
    return "DeletableBloomFilter[" + layout() + ", " + hasher() + "]";
  }

  /** Options of a filter: those of a Bloom filter, and the regions in one of three ways. */
  public static final class Builder extends BloomBitsBuilder<Builder> {
    private long regions;
    private long regionBits = DeletableShape.DEFAULT_REGION_BITS;
    private double deletability;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    @Override
    BloomShape smallest(long keys, double rate) {
      return BloomShape.forKeys(keys, rate);
    }

    /**
     * How many regions there are.
     *
     * @param regions 1 … the number of bits
     * @return this builder
     */
    public Builder regions(long regions) {
      this.regions = Arguments.inRange("regions", regions, 1, DeletableShape.MAX_BITS);
      this.deletability = 0;
      return this;
    }

    /**
     * How many bits a region has.
     *
     * @param regionBits 1 or more; 15 if nothing is said
     * @return this builder
     */
    public Builder regionBits(long regionBits) {
      this.regionBits = Arguments.inRange("regionBits", regionBits, 1, Long.MAX_VALUE);
      this.regions = 0;
      this.deletability = 0;
      return this;
    }

    /**
     * Which share of the expected keys can leave; the regions are made as large as it allows.
     *
     * @param deletability above 0, below 1
     * @return this builder
     */
    public Builder deletability(double deletability) {
      this.deletability = Arguments.rate("deletability", deletability);
      return this;
    }

    /**
     * Makes the filter.
     *
     * @return an empty filter
     */
    public DeletableBloomFilter build() {
      BloomBits bits = bloomBits(true);
      DeletableShape shape = shape(bits);
      return new DeletableBloomFilter(bits, shape, Words.forBits(shape.regions(), true));
    }

    private DeletableShape shape(BloomBits bits) {
      if (deletability != 0) {
        return DeletableShape.withDeletability(bits.filter.shape(), expectedKeys, deletability);
      }
      return regions == 0
          ? DeletableShape.ofRegionBits(bits.filter.shape(), regionBits)
          : new DeletableShape(bits.filter.shape(), regions);
    }
  }
}
