package io.bloomery.lookup;

import io.bloomery.CardinalityFilter;
import io.bloomery.FilterKind;
import io.bloomery.Mergeable;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Modulus;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import io.bloomery.theory.Estimates;
import java.io.IOException;
import java.util.List;

/**
 * In which area is x, when areas have priorities? A cell holds the label of the highest area that
 * has a key there, and the area of a key is the lowest label of its k cells. A key that was put is
 * never reported absent and never in an area below its own; it is reported in a higher one at the
 * rate {@link #interSetErrorRate}, and a key of no area is reported in an area at {@link
 * #falsePositiveRate(int)}. Both rates are lowest for the highest areas, and keys of the highest
 * area are never misplaced: use the highest areas for the most important keys.
 *
 * <p>The value of a key is its area. Areas are numbered from 0, the lowest priority, and are
 * disjoint; a key that is put in several is in the highest. Keys may come in any order, because
 * labels only rise.
 *
 * <p>Threads: lock-free. Any number of threads may put, merge and query; a key whose {@code put}
 * returned is found by every query that happens after that return.
 *
 * <p>Palmieri, Calderoni and Maio 2014, "Spatial Bloom Filters: Enabling Privacy in Location-Aware
 * Applications"; Calderoni, Palmieri and Maio 2018, "Probabilistic Properties of the Spatial Bloom
 * Filters". Deviation: areas are counted from 0 and cells keep the highest label, which is the
 * result of the paper's construction order. The paper's encrypted queries are not implemented.
 */
public final class SpatialBloomFilter extends ShapedFilter<SpatialShape>
    implements PuttableFilter, CardinalityFilter, Mergeable<SpatialBloomFilter> {

  private static final int AREAS = SpatialShape.PLANNED_AREAS;

  public static final FilterKind<SpatialBloomFilter> KIND =
      Kind.of(52, "spatial", SpatialBloomFilter.class)
          .question("which area is x in? never a lower one than its own")
          .codec(SpatialBloomFilter::encode, SpatialBloomFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("spatial", SpatialShape.class)
                          .meets(Need.VALUES)
                          .onlyFor(Need.VALUES)
                          .forKeys((n, p) -> SpatialShape.forKeys(n, p, AREAS))
                          .forBudget((n, bits) -> SpatialShape.forBudget(n, bits, AREAS))
                          .reads(SpatialShape::hashesPerKey)
                          .why(
                              "Values are priorities: a key never gets a lower one than its own,"
                                  + " and the highest are hardly ever wrong; sized for "
                                  + AREAS
                                  + " values")
                          .needsMore("needs a value for each key")
                          .mergesExactly()
                          .creates(SpatialBloomFilter::create)));

  private final Modulus modulus;
  private final int hashesPerKey;
  private final int areas;
  private final Counters labels;

  private SpatialBloomFilter(SpatialShape shape, Hasher hasher, Counters labels) {
    super(shape, hasher);
    this.modulus = new Modulus(shape.cells());
    this.hashesPerKey = shape.hashesPerKey();
    this.areas = shape.areas();
    this.labels = labels;
  }

  /**
   * A filter of a given shape.
   *
   * @param shape cells, hashes per key and areas
   * @return an empty filter
   */
  public static SpatialBloomFilter create(SpatialShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape cells, hashes per key and areas
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static SpatialBloomFilter create(SpatialShape shape, Hasher hasher) {
    return new SpatialBloomFilter(
        shape, hasher, Counters.allocate(shape.cells(), shape.cellBits(), false, true));
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape()).section(labels.words());
  }

  private static SpatialBloomFilter decode(Frame frame) throws IOException {
    SpatialShape shape = frame.shape(SpatialShape.class);
    return new SpatialBloomFilter(
        shape, frame.hasher(), frame.counters(0, shape.cells(), shape.cellBits(), false));
  }

  @Override
  public FilterKind<SpatialBloomFilter> kind() {
    return KIND;
  }

  /**
   * {@inheritDoc}
   *
   * @return the key's area or a higher one; for a key that was not put, {@link #ABSENT} or, as a
   *     false positive, an area
   */
  @Override
  public long getHash(long hash) {
    long lowest = areas;
    for (int i = 0; i < hashesPerKey && lowest != 0; i++) {
      lowest = Math.min(lowest, labels.get(Draws.index(hash, i, modulus)));
    }
    return lowest - 1;
  }

  /**
   * {@inheritDoc}
   *
   * @param value the key's area, 0 … areas - 1
   */
  @Override
  public boolean putHash(long hash, long value) {
    Arguments.inRange("area", value, 0, areas - 1L);
    labels.words().writable();
    boolean changed = false;
    for (int i = 0; i < hashesPerKey; i++) {
      long cell = Draws.index(hash, i, modulus);
      changed |= labels.get(cell) <= value;
      labels.raise(cell, value + 1);
    }
    return changed;
  }

  @Override
  public double fillRatio() {
    return (double) labels.nonZero() / shape().cells();
  }

  /** {@inheritDoc} Here: of all areas together, −(m/k)·ln(1 − X/m) for X labelled cells. */
  @Override
  public double cardinality() {
    return Estimates.cardinality(shape().cells(), hashesPerKey, labels.nonZero());
  }

  /** {@inheritDoc} Here: the k-th power of the share of cells that have a label. */
  @Override
  public double falsePositiveRate() {
    return from(0);
  }

  /**
   * The probability that a key of no area is reported in an area, given the current labels. Reads
   * every cell.
   *
   * @param area 0 … areas - 1
   * @return the rate; the rates of all areas add up to {@link #falsePositiveRate()}
   */
  public double falsePositiveRate(int area) {
    Arguments.inRange("area", area, 0, areas - 1);
    return from(area) - from(area + 1);
  }

  /**
   * The probability that a key of an area is reported in a higher one, given the current labels.
   * Reads every cell.
   *
   * @param area 0 … areas - 1
   * @return the rate, 0 for the highest area
   */
  public double interSetErrorRate(int area) {
    Arguments.inRange("area", area, 0, areas - 1);
    return from(area + 1);
  }

  /** The k-th power of the share of cells that have the label of an area or a higher one. */
  private double from(int area) {
    long high = 0;
    long cells = shape().cells();
    for (long i = 0; i < cells; i++) {
      high += labels.get(i) > area ? 1 : 0;
    }
    return Math.pow((double) high / cells, hashesPerKey);
  }

  @Override
  public boolean isCompatible(SpatialBloomFilter other) {
    return fits(other);
  }

  /** {@inheritDoc} The result is cell for cell the filter of all keys of both. */
  @Override
  public void merge(SpatialBloomFilter other) {
    requireFits(other);
    labels.words().writable();
    for (long i = 0; i < shape().cells(); i++) {
      labels.raise(i, other.labels.get(i));
    }
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public SpatialBloomFilter copy() {
    return new SpatialBloomFilter(shape(), hasher(), labels.copy());
  }
}
