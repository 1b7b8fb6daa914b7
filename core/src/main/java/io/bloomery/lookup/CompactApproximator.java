package io.bloomery.lookup;

import io.bloomery.CardinalityFilter;
import io.bloomery.FilterKind;
import io.bloomery.Mergeable;
import io.bloomery.QueryCost;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
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
 * An upper bound on the value of a key. The answer is never below the value that was put for a key,
 * and it is above it for a share of at most {@link #falsePositiveRate} of the keys. Keys are put
 * one at a time; a key with several values has their join.
 *
 * <p>"Below" is that of numbers, whose join is the larger one, or that of {@linkplain
 * ApproximatorShape#withSets() sets}, whose join is the union. Every finite distributive lattice is
 * isomorphic to one of sets (Birkhoff), so these suffice. A put joins the value into k cells; a
 * query takes the meet of the k cells, the smallest number or the intersection. Value 0, the least
 * one, means no value: a key without a value, or only with 0, is {@link #ABSENT} or, as a false
 * positive, has a value. With values of one bit this is the Bloom filter with {@link
 * IndexScheme#INDEPENDENT}, bit for bit.
 *
 * <p>Threads: lock-free. Any number of threads may put, merge and query; a value whose {@code put}
 * returned is part of every answer that happens after that return.
 *
 * <p>Boldi and Vigna 2004, "Compact Approximation of Lattice Functions with Applications to
 * Large-Alphabet Text Search". Deviation: values are numbers of up to 63 bits, so that they can be
 * stored; {@link LatticeApproximator} takes any lattice but exists only in memory.
 */
public final class CompactApproximator extends ShapedFilter<ApproximatorShape>
    implements PuttableFilter, CardinalityFilter, Mergeable<CompactApproximator>, QueryCost {

  private static final int VALUE_BITS = ApproximatorShape.PLANNED_VALUE_BITS;

  public static final FilterKind<CompactApproximator> KIND =
      Kind.of(54, "compact-approximator", CompactApproximator.class)
          .question("which value does x have, at most? a Bloom filter of numbers or sets")
          .codec(CompactApproximator::encode, CompactApproximator::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("compact-approximator", ApproximatorShape.class)
                          .meets(Need.VALUES)
                          .onlyFor(Need.VALUES)
                          .forKeys((n, p) -> ApproximatorShape.forKeys(n, p, VALUE_BITS))
                          .forBudget((n, bits) -> ApproximatorShape.forBudget(n, bits, VALUE_BITS))
                          .reads(ApproximatorShape::hashesPerKey)
                          .why(
                              "Takes keys with their values one by one; values may rise and are"
                                  + " never reported too low; sized for values of "
                                  + VALUE_BITS
                                  + " bits")
                          .needsMore("needs a value for each key")
                          .mergesExactly()
                          .creates(CompactApproximator::create)));

  /** The number of elements up to which the rate of sets is exact. */
  private static final int FEW_ELEMENTS = 12;

  private final boolean sets;
  private final Modulus modulus;
  private final int hashesPerKey;
  private final Counters cells;

  private CompactApproximator(ApproximatorShape shape, Hasher hasher, Counters cells) {
    super(shape, hasher);
    this.sets = shape.sets();
    this.modulus = new Modulus(shape.cells());
    this.hashesPerKey = shape.hashesPerKey();
    this.cells = cells;
  }

  /**
   * An approximator of a given shape.
   *
   * @param shape cells, hashes per key, and the kind of values
   * @return an empty approximator
   */
  public static CompactApproximator create(ApproximatorShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * An approximator of a given shape and hasher.
   *
   * @param shape cells, hashes per key, and the kind of values
   * @param hasher turns keys into hashes
   * @return an empty approximator
   */
  public static CompactApproximator create(ApproximatorShape shape, Hasher hasher) {
    return new CompactApproximator(
        shape, hasher, Counters.allocate(shape.cells(), shape.cellBits(), false, true));
  }

  /** The fields of a file: those of the shape, with the number of a lattice. */
  private record Header(
      @FieldName("cells") long cells,
      @FieldName("probes") int hashesPerKey,
      @FieldName("cell bits") int cellBits,
      @FieldName("lattice") int lattice) {

    private static final int MAXIMUM = 1;
    private static final int UNION = 2;

    Header {
      Arguments.inRange("lattice", lattice, MAXIMUM, UNION);
    }
  }

  private Frame encode() {
    ApproximatorShape shape = shape();
    int lattice = shape.sets() ? Header.UNION : Header.MAXIMUM;
    return Frame.of(hasher())
        .put(new Header(shape.cells(), shape.hashesPerKey(), shape.cellBits(), lattice))
        .section(cells.words());
  }

  private static CompactApproximator decode(Frame frame) throws IOException {
    Header header = frame.shape(Header.class);
    ApproximatorShape shape =
        frame.make(
            () ->
                new ApproximatorShape(
                    header.cells,
                    header.hashesPerKey,
                    header.cellBits,
                    header.lattice == Header.UNION));
    return new CompactApproximator(
        shape, frame.hasher(), frame.counters(0, shape.cells(), shape.cellBits(), false));
  }

  @Override
  public FilterKind<CompactApproximator> kind() {
    return KIND;
  }

  /**
   * The highest value, or the set of all elements.
   *
   * @return 2^valueBits - 1
   */
  public long maxValue() {
    return cells.max();
  }

  /**
   * {@inheritDoc}
   *
   * @return a value that is not below the one put for the key, or {@link #ABSENT}
   */
  @Override
  public long getHash(long hash) {
    long meet = cells.max();
    for (int i = 0; i < hashesPerKey; i++) {
      long cell = cells.get(Draws.index(hash, i, modulus));
      meet = sets ? meet & cell : Math.min(meet, cell);
      if (meet == 0) {
        return ABSENT;
      }
    }
    return meet;
  }

  /**
   * {@inheritDoc}
   *
   * @param value 0 … {@link #maxValue()}; 0 changes nothing
   */
  @Override
  public boolean putHash(long hash, long value) {
    Arguments.inRange("value", value, 0, cells.max());
    cells.words().writable();
    boolean changed = false;
    for (int i = 0; i < hashesPerKey; i++) {
      changed |= join(Draws.index(hash, i, modulus), value);
    }
    return changed;
  }

  private boolean join(long cell, long value) {
    while (true) {
      long old = cells.get(cell);
      long next = sets ? old | value : Math.max(old, value);
      if (next == old) {
        return false;
      }
      if (cells.replace(cell, old, next)) {
        return true;
      }
    }
  }

  @Override
  public double fillRatio() {
    return (double) cells.nonZero() / shape().cells();
  }

  /** {@inheritDoc} Here: of keys with a value, −(m/k)·ln(1 − X/m) for X cells in use. */
  @Override
  public double cardinality() {
    return Estimates.cardinality(shape().cells(), hashesPerKey, cells.nonZero());
  }

  /**
   * {@inheritDoc} Here: the probability that a key without a value gets one, from the cells in use.
   * For sets of more than 12 elements it is a bound, the sum of the rates of the elements.
   */
  @Override
  public double falsePositiveRate() {
    if (!sets) {
      return Math.pow(fillRatio(), hashesPerKey);
    }
    return shape().cellBits() <= FEW_ELEMENTS ? commonElementRate() : elementRates();
  }

  @Override
  public int hashBits() {
    return shape().hashBits();
  }

  @Override
  public int memoryAccesses() {
    return shape().memoryAccesses();
  }

  /** The sum over all elements of the probability that k cells have it. */
  private double elementRates() {
    long[] having = new long[shape().cellBits()];
    for (long i = 0; i < shape().cells(); i++) {
      for (long left = cells.get(i); left != 0; left &= left - 1) {
        having[Long.numberOfTrailingZeros(left)]++;
      }
    }
    double sum = 0;
    for (long count : having) {
      sum += Math.pow((double) count / shape().cells(), hashesPerKey);
    }
    return Math.min(1, sum);
  }

  /**
   * The probability that k cells have an element in common: by inclusion and exclusion over all
   * sets of elements, from the number of cells that hold each set or a superset.
   */
  private double commonElementRate() {
    int size = 1 << shape().cellBits();
    double[] holding = new double[size];
    for (long i = 0; i < shape().cells(); i++) {
      holding[(int) cells.get(i)]++;
    }
    for (int bit = 1; bit < size; bit <<= 1) {
      for (int set = 0; set < size; set++) {
        holding[set] += (set & bit) == 0 ? holding[set | bit] : 0;
      }
    }
    double rate = 0;
    for (int set = 1; set < size; set++) {
      double all = Math.pow(holding[set] / shape().cells(), hashesPerKey);
      rate += (Integer.bitCount(set) & 1) != 0 ? all : -all;
    }
    return Math.max(0, Math.min(1, rate));
  }

  @Override
  public boolean isCompatible(CompactApproximator other) {
    return fits(other);
  }

  /** {@inheritDoc} The result is cell for cell that of all puts to both. */
  @Override
  public void merge(CompactApproximator other) {
    requireFits(other);
    cells.words().writable();
    for (long i = 0; i < shape().cells(); i++) {
      join(i, other.cells.get(i));
    }
  }

  /**
   * A copy in heap memory that shares nothing with this one.
   *
   * @return an approximator with the same values, writable even if this one is mapped
   */
  public CompactApproximator copy() {
    return new CompactApproximator(shape(), hasher(), cells.copy());
  }
}
