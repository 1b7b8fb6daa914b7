package io.bloomery.lookup;

import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.LookupFilter;
import io.bloomery.Mergeable;
import io.bloomery.SizedBuilder;
import io.bloomery.Storable;
import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Compatibility;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Modulus;
import java.io.IOException;
import java.util.Objects;

/**
 * Which value has a key, at most? What is answered is never below the value that a key was given,
 * and it is above it for a share of at most {@link #falsePositiveRate} of the keys. Keys come one
 * by one, and a key may be given values again and again: it has their join.
 *
 * <p>"Below" is that of a {@link StoredLattice}: of numbers, whose join is the larger one, or of
 * sets, whose join is the union. Every finite distributive lattice is one of sets (Birkhoff), so
 * these are enough. An addition joins the value into k cells; a query takes the meet of the k
 * cells, the smallest number or the intersection. Value 0, the least one, is no value: a key that
 * was given none, or only 0, is {@link #ABSENT} or wrongly has a value. With values of one bit this
 * is the Bloom filter with {@link IndexScheme#INDEPENDENT}, bit for bit.
 *
 * <p>Threads: lock-free. Any number may put and query; a value whose {@code put} returned is part
 * of what every later query of a thread answers that can see that return.
 *
 * <p>Boldi and Vigna 2004, "Compact Approximation of Lattice Functions with Applications to
 * Large-Alphabet Text Search". Deviation: values are numbers of up to 63 bits, so that they can be
 * stored; {@link LatticeApproximator} takes any lattice and lives in memory.
 */
public final class CompactApproximator
    implements LookupFilter, Mergeable<CompactApproximator>, Storable {

  /** How files name this kind. */
  public static final FilterKind<CompactApproximator> KIND =
      new FilterKind<>(
          54,
          "compact-approximator",
          "which value has x, at most? a Bloom filter of numbers or sets",
          CompactApproximator.class,
          CompactApproximator::encode,
          CompactApproximator::decode,
          () -> FilterRecipe.none("needs a value for each key"));

  /** What values are, and which of two is below the other. */
  public enum StoredLattice {
    /** Numbers: the join is the larger one, the meet the smaller one. */
    MAXIMUM(1),
    /** Sets, one bit for each element: the join is the union, the meet the intersection. */
    UNION(2);

    private final int wireId;

    StoredLattice(int wireId) {
      this.wireId = wireId;
    }

    /**
     * The number that files name it by.
     *
     * @return 1 or 2
     */
    public int wireId() {
      return wireId;
    }

    private long join(long a, long b) {
      return this == UNION ? a | b : Math.max(a, b);
    }
  }

  /** Up to how many bits the exact rate of sets is computed for. */
  private static final int FEW_ELEMENTS = 12;

  private final Hasher hasher;
  private final ApproximatorShape shape;
  private final StoredLattice lattice;
  private final boolean sets;
  private final Modulus modulus;
  private final int probes;
  private final Counters cells;

  private CompactApproximator(
      Hasher hasher, ApproximatorShape shape, StoredLattice lattice, Counters cells) {
    this.hasher = hasher;
    this.shape = shape;
    this.lattice = lattice;
    this.sets = lattice == StoredLattice.UNION;
    this.modulus = new Modulus(shape.cells());
    this.probes = shape.probes();
    this.cells = cells;
  }

  /**
   * The smallest approximator of numbers for a number of keys and a rate.
   *
   * @param expectedKeys how many different keys will get a value, 1 or more
   * @param falsePositiveRate how often a value may be too high at that number of keys, above 0,
   *     below 1
   * @param valueBits bits of the largest value, 1 … 63
   * @return an empty approximator
   */
  public static CompactApproximator create(
      long expectedKeys, double falsePositiveRate, int valueBits) {
    return builder()
        .expectedKeys(expectedKeys)
        .falsePositiveRate(falsePositiveRate)
        .valueBits(valueBits)
        .build();
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
        .put("cell bits", shape.cellBits())
        .put("lattice", lattice.wireId())
        .section(cells.words());
  }

  private static CompactApproximator decode(Frame frame) throws IOException {
    long cells = frame.number("cells", 2, Long.MAX_VALUE);
    int probes = (int) frame.number("probes", 1, ApproximatorShape.MAX_PROBES);
    int cellBits = (int) frame.number("cell bits", 1, 63);
    StoredLattice lattice =
        frame.number("lattice", 1, 2) == StoredLattice.UNION.wireId
            ? StoredLattice.UNION
            : StoredLattice.MAXIMUM;
    ApproximatorShape shape;
    try {
      shape = new ApproximatorShape(cells, probes, cellBits);
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    return new CompactApproximator(
        frame.hasher(), shape, lattice, frame.counters(0, cells, cellBits, false));
  }

  @Override
  public FilterKind<CompactApproximator> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * Cells, probes and the width of a value.
   *
   * @return the shape, with its rate formula
   */
  public ApproximatorShape shape() {
    return shape;
  }

  /**
   * What values are.
   *
   * @return the lattice
   */
  public StoredLattice lattice() {
    return lattice;
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
   * @return a value that is not below the one that the key was given, or {@link #ABSENT}
   */
  @Override
  public long getHash(long hash) {
    long meet = cells.max();
    for (int i = 0; i < probes; i++) {
      long cell = cells.get(Draws.index(hash, i, modulus));
      meet = sets ? meet & cell : Math.min(meet, cell);
      if (meet == 0) {
        return ABSENT;
      }
    }
    return meet;
  }

  /**
   * Gives a key a value, joined with those that it has.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @param value 0 … {@link #maxValue()}; 0 changes nothing
   * @return true: what is answered for the key may have been below the value before; false: it was
   *     not, and nothing changed
   * @throws IllegalArgumentException if the value is outside of its range
   * @throws IllegalStateException if this is a read-only view of a mapped file
   */
  public boolean putHash(long hash, long value) {
    Arguments.inRange("value", value, 0, cells.max());
    cells.words().writable();
    boolean changed = false;
    for (int i = 0; i < probes; i++) {
      changed |= join(Draws.index(hash, i, modulus), value);
    }
    return changed;
  }

  private boolean join(long cell, long value) {
    while (true) {
      long old = cells.get(cell);
      long next = lattice.join(old, value);
      if (next == old) {
        return false;
      }
      if (cells.replace(cell, old, next)) {
        return true;
      }
    }
  }

  /**
   * Gives a text key a value.
   *
   * @param key the key
   * @param value 0 … {@link #maxValue()}
   * @return as {@link #putHash}
   */
  public boolean put(CharSequence key, long value) {
    return putHash(hasher.hash(key), value);
  }

  /**
   * Gives a byte-string key a value.
   *
   * @param key the key
   * @param value 0 … {@link #maxValue()}
   * @return as {@link #putHash}
   */
  public boolean put(byte[] key, long value) {
    return putHash(hasher.hash(key), value);
  }

  /**
   * Gives a number a value.
   *
   * @param key the key
   * @param value 0 … {@link #maxValue()}
   * @return as {@link #putHash}
   */
  public boolean put(long key, long value) {
    return putHash(hasher.hash(key), value);
  }

  /**
   * Gives an object a value.
   *
   * @param key the object
   * @param funnel writes its fields
   * @param value 0 … {@link #maxValue()}
   * @param <T> the object's type
   * @return as {@link #putHash}
   */
  public <T> boolean put(T key, Funnel<? super T> funnel, long value) {
    return putHash(hasher.hash(key, funnel), value);
  }

  /**
   * {@inheritDoc} Here: that a key without a value gets one, from the cells in use. For sets of
   * more than 12 elements it is a bound, the sum of the rates of the elements.
   */
  @Override
  public double falsePositiveRate() {
    if (!sets) {
      return Math.pow((double) cells.nonZero() / shape.cells(), probes);
    }
    return shape.cellBits() <= FEW_ELEMENTS ? commonElementRate() : elementRates();
  }

  /** The sum over all elements of the probability that k cells have it. */
  private double elementRates() {
    long[] having = new long[shape.cellBits()];
    for (long i = 0; i < shape.cells(); i++) {
      for (long left = cells.get(i); left != 0; left &= left - 1) {
        having[Long.numberOfTrailingZeros(left)]++;
      }
    }
    double sum = 0;
    for (long count : having) {
      sum += Math.pow((double) count / shape.cells(), probes);
    }
    return Math.min(1, sum);
  }

  /**
   * The probability that k cells have an element in common: by inclusion and exclusion over all
   * sets of elements, from how many cells hold each set and more.
   */
  private double commonElementRate() {
    int size = 1 << shape.cellBits();
    double[] holding = new double[size];
    for (long i = 0; i < shape.cells(); i++) {
      holding[(int) cells.get(i)]++;
    }
    for (int bit = 1; bit < size; bit <<= 1) {
      for (int set = 0; set < size; set++) {
        holding[set] += (set & bit) == 0 ? holding[set | bit] : 0;
      }
    }
    double rate = 0;
    for (int set = 1; set < size; set++) {
      double all = Math.pow(holding[set] / shape.cells(), probes);
      rate += (Integer.bitCount(set) & 1) != 0 ? all : -all;
    }
    return Math.max(0, Math.min(1, rate));
  }

  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  @Override
  public boolean isCompatible(CompactApproximator other) {
    Objects.requireNonNull(other, "other");
    return Compatibility.equal(hasher, other.hasher, layout(), other.layout());
  }

  private Layout layout() {
    return new Layout(shape.cells(), shape.probes(), shape.cellBits(), lattice);
  }

  private record Layout(long cells, int probes, int cellBits, StoredLattice lattice) {}

  /** {@inheritDoc} The result is that of all puts to both, cell for cell. */
  @Override
  public void merge(CompactApproximator other) {
    Objects.requireNonNull(other, "other");
    Compatibility.require(hasher, other.hasher, layout(), other.layout());
    cells.words().writable();
    for (long i = 0; i < shape.cells(); i++) {
      join(i, other.cells.get(i));
    }
  }

  /**
   * A copy in heap memory that shares nothing with this one.
   *
   * @return an approximator with the same values, writable even if this one is mapped
   */
  public CompactApproximator copy() {
    return new CompactApproximator(hasher, shape, lattice, cells.copy());
  }

  @Override
  public String toString() {
    return "CompactApproximator[" + layout() + ", " + hasher + "]";
  }

  /** Options: keys and rate or a shape, the lattice and the width of its values. */
  public static final class Builder extends SizedBuilder<Builder> {
    private ApproximatorShape shape;
    private StoredLattice lattice = StoredLattice.MAXIMUM;
    private int valueBits = 1;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * What values are.
     *
     * @param lattice {@link StoredLattice#MAXIMUM} if never called
     * @return this builder
     */
    public Builder lattice(StoredLattice lattice) {
      this.lattice = Objects.requireNonNull(lattice, "lattice");
      return this;
    }

    /**
     * Bits of the largest number, or how many elements sets may have.
     *
     * @param bits 1 … 63; 1 if never called, which makes a Bloom filter
     * @return this builder
     */
    public Builder valueBits(int bits) {
      this.valueBits = Arguments.inRange("valueBits", bits, 1, 63);
      return this;
    }

    /**
     * All sizes, instead of keys, rate and value bits.
     *
     * @param shape cells, probes and width
     * @return this builder
     */
    public Builder shape(ApproximatorShape shape) {
      this.shape = Objects.requireNonNull(shape, "shape");
      return this;
    }

    /**
     * Makes the approximator.
     *
     * @return an empty one
     */
    public CompactApproximator build() {
      if (shape != null && falsePositiveRate != 0) {
        throw new IllegalArgumentException("shape and falsePositiveRate exclude each other");
      }
      ApproximatorShape sized =
          shape != null
              ? shape
              : ApproximatorShape.forKeys(expectedKeys, falsePositiveRate, valueBits);
      Counters cells = Counters.allocate(sized.cells(), sized.cellBits(), false, true);
      return new CompactApproximator(hasher, sized, lattice, cells);
    }
  }
}
