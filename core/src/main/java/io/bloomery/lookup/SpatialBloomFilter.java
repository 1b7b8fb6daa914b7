package io.bloomery.lookup;

import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.LookupFilter;
import io.bloomery.Mergeable;
import io.bloomery.SizedBuilder;
import io.bloomery.Storable;
import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Compatibility;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Modulus;
import java.io.IOException;
import java.util.Objects;

/**
 * In which area is x, when areas have priorities? Cells hold the label of the highest area that has
 * a key there, and the area of a key is the lowest label of its k cells. A key that was added is
 * never answered absent and never given an area below its own; it is given a higher one with the
 * rate {@link #interSetErrorRate}, and a key that was not added any area with {@link
 * #falsePositiveRate(int)}. Both are least for the highest areas, and keys of the highest are never
 * misplaced: put there what matters most.
 *
 * <p>Areas are numbered from 0, the lowest priority, and are disjoint; a key that is added to
 * several is in the highest. Keys may come in any order, because labels only rise.
 *
 * <p>Threads: lock-free. Any number of threads may add, merge and query; a key whose {@code add}
 * returned is found by every later query of a thread that can see that return.
 *
 * <p>Palmieri, Calderoni and Maio 2014, "Spatial Bloom Filters: Enabling Privacy in Location-Aware
 * Applications"; Calderoni, Palmieri and Maio 2018, "Probabilistic Properties of the Spatial Bloom
 * Filters". Deviation: areas are counted from 0 and cells keep the highest label, which is what the
 * paper's order of construction leaves there. The paper's encrypted queries are not part of it.
 */
public final class SpatialBloomFilter
    implements LookupFilter, Mergeable<SpatialBloomFilter>, Storable {

  /** How files name this kind. */
  public static final FilterKind<SpatialBloomFilter> KIND =
      new FilterKind<>(
          52,
          "spatial",
          "which area is x in? never a lower one than its own",
          SpatialBloomFilter.class,
          SpatialBloomFilter::encode,
          SpatialBloomFilter::decode,
          () -> FilterRecipe.none("needs a value for each key"));

  private final Hasher hasher;
  private final SpatialShape shape;
  private final Modulus modulus;
  private final Counters labels;

  private SpatialBloomFilter(Hasher hasher, SpatialShape shape, Counters labels) {
    this.hasher = hasher;
    this.shape = shape;
    this.modulus = new Modulus(shape.cells());
    this.labels = labels;
  }

  /**
   * The smallest filter for a number of keys and a rate.
   *
   * @param areas number of areas, 1…65 535
   * @param expectedKeys how many different keys all areas together will have, 1 or more
   * @param falsePositiveRate how often a key of no area may be given one, above 0, below 1
   * @return an empty filter
   */
  public static SpatialBloomFilter create(int areas, long expectedKeys, double falsePositiveRate) {
    return builder()
        .areas(areas)
        .expectedKeys(expectedKeys)
        .falsePositiveRate(falsePositiveRate)
        .build();
  }

  /**
   * A filter whose size is given, as papers do.
   *
   * @param areas number of areas, 1…65 535
   * @param cells m, 2 or more
   * @param probes k, 1…255
   * @return an empty filter
   */
  public static SpatialBloomFilter ofCells(int areas, long cells, int probes) {
    return builder().shape(new SpatialShape(cells, probes, areas)).build();
  }

  /**
   * All options.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  private Frame encode() {
    return Frame.of(hasher)
        .put("cells", shape.cells())
        .put("probes", shape.probes())
        .put("areas", shape.areas())
        .section(labels.words());
  }

  private static SpatialBloomFilter decode(Frame frame) throws IOException {
    long cells = frame.number("cells", 2, Long.MAX_VALUE);
    int probes = (int) frame.number("probes", 1, SpatialShape.MAX_PROBES);
    int areas = (int) frame.number("areas", 1, SpatialShape.MAX_AREAS);
    SpatialShape shape;
    try {
      shape = new SpatialShape(cells, probes, areas);
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    return new SpatialBloomFilter(
        frame.hasher(), shape, frame.counters(0, cells, shape.cellBits(), false));
  }

  @Override
  public FilterKind<SpatialBloomFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * Number of cells, probes and areas.
   *
   * @return the shape, with its rates
   */
  public SpatialShape shape() {
    return shape;
  }

  /**
   * {@inheritDoc}
   *
   * @return the key's area or a higher one; of a key that was not added {@link #ABSENT} or,
   *     wrongly, an area
   */
  @Override
  public long getHash(long hash) {
    long lowest = shape.areas();
    for (int i = 0; i < shape.probes() && lowest != 0; i++) {
      lowest = Math.min(lowest, labels.get(Draws.index(hash, i, modulus)));
    }
    return lowest - 1;
  }

  /**
   * Adds a key to an area by its hash.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @param area 0 … areas - 1
   * @return {@code true}: the filter changed, so the key was certainly not in this area or a higher
   *     one; {@code false}: it was probably there before
   * @throws IllegalStateException if the filter is a read-only view of a mapped file
   */
  public boolean addHash(long hash, int area) {
    Arguments.inRange("area", area, 0, shape.areas() - 1);
    labels.words().writable();
    boolean changed = false;
    for (int i = 0; i < shape.probes(); i++) {
      long cell = Draws.index(hash, i, modulus);
      changed |= labels.get(cell) <= area;
      labels.raise(cell, area + 1L);
    }
    return changed;
  }

  /**
   * Adds a text key to an area.
   *
   * @param key the key
   * @param area 0 … areas - 1
   * @return {@code true}: certainly new there; {@code false}: probably there before
   */
  public boolean add(CharSequence key, int area) {
    return addHash(hasher.hash(key), area);
  }

  /**
   * Adds a byte-string key to an area.
   *
   * @param key the key
   * @param area 0 … areas - 1
   * @return {@code true}: certainly new there; {@code false}: probably there before
   */
  public boolean add(byte[] key, int area) {
    return addHash(hasher.hash(key), area);
  }

  /**
   * Adds a number to an area.
   *
   * @param key the key
   * @param area 0 … areas - 1
   * @return {@code true}: certainly new there; {@code false}: probably there before
   */
  public boolean add(long key, int area) {
    return addHash(hasher.hash(key), area);
  }

  /**
   * Adds an object to an area.
   *
   * @param key the object
   * @param area 0 … areas - 1
   * @param funnel writes the object's fields
   * @param <T> the object's type
   * @return {@code true}: certainly new there; {@code false}: probably there before
   */
  public <T> boolean add(T key, int area, Funnel<? super T> funnel) {
    return addHash(hasher.hash(key, funnel), area);
  }

  /** {@inheritDoc} Here: the k-th power of the share of cells that have a label. */
  @Override
  public double falsePositiveRate() {
    return from(0);
  }

  /**
   * The probability that a key of no area is said to be in an area, at the present labels. Reads
   * every cell.
   *
   * @param area 0 … areas - 1
   * @return the rate; over all areas they sum up to {@link #falsePositiveRate()}
   */
  public double falsePositiveRate(int area) {
    Arguments.inRange("area", area, 0, shape.areas() - 1);
    return from(area) - from(area + 1);
  }

  /**
   * The probability that a key of an area is said to be in a higher one, at the present labels.
   * Reads every cell.
   *
   * @param area 0 … areas - 1
   * @return the rate, 0 for the highest area
   */
  public double interSetErrorRate(int area) {
    Arguments.inRange("area", area, 0, shape.areas() - 1);
    return from(area + 1);
  }

  /** The k-th power of the share of cells that have the label of an area or a higher one. */
  private double from(int area) {
    long high = 0;
    for (long i = 0; i < shape.cells(); i++) {
      high += labels.get(i) > area ? 1 : 0;
    }
    return Math.pow((double) high / shape.cells(), shape.probes());
  }

  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  @Override
  public boolean isCompatible(SpatialBloomFilter other) {
    Objects.requireNonNull(other, "other");
    return Compatibility.equal(hasher, other.hasher, shape, other.shape);
  }

  /** {@inheritDoc} The result is cell for cell the filter of all keys of both. */
  @Override
  public void merge(SpatialBloomFilter other) {
    Objects.requireNonNull(other, "other");
    Compatibility.require(hasher, other.hasher, shape, other.shape);
    labels.words().writable();
    for (long i = 0; i < shape.cells(); i++) {
      labels.raise(i, other.labels.get(i));
    }
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public SpatialBloomFilter copy() {
    return new SpatialBloomFilter(hasher, shape, labels.copy());
  }

  @Override
  public String toString() {
    return "SpatialBloomFilter[" + shape + ", " + hasher + "]";
  }

  /** Options of a filter: areas, expected keys and rate, or a shape. */
  public static final class Builder extends SizedBuilder<Builder> {
    private int areas;
    private SpatialShape shape;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * How many areas there are.
     *
     * @param areas 1…65 535
     * @return this
     */
    public Builder areas(int areas) {
      this.areas = Arguments.inRange("areas", areas, 1, SpatialShape.MAX_AREAS);
      return this;
    }

    /**
     * The whole shape, instead of everything else.
     *
     * @param shape the shape
     * @return this
     */
    public Builder shape(SpatialShape shape) {
      this.shape = Objects.requireNonNull(shape, "shape");
      return this;
    }

    /**
     * Makes the filter.
     *
     * @return an empty filter
     * @throws IllegalArgumentException if the size is given in two ways or in none
     */
    public SpatialBloomFilter build() {
      if (shape != null && (areas != 0 || expectedKeys != 0 || falsePositiveRate != 0)) {
        throw new IllegalArgumentException("a shape and other sizes exclude each other");
      }
      SpatialShape chosen =
          shape == null ? SpatialShape.forKeys(expectedKeys, falsePositiveRate, areas) : shape;
      return new SpatialBloomFilter(
          hasher, chosen, Counters.allocate(chosen.cells(), chosen.cellBits(), false, true));
    }
  }
}
