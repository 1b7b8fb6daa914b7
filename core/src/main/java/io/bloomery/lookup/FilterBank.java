package io.bloomery.lookup;

import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.Mergeable;
import io.bloomery.SizedBuilder;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Compatibility;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.numeric.MaskRates;
import io.bloomery.internal.numeric.Occupancy;
import io.bloomery.internal.numeric.SetCode;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Modulus;
import java.io.IOException;
import java.util.Objects;

/**
 * Which of a thousand sets hold x? One Bloom filter for each set, all with the same positions, laid
 * out by position: a query reads k rows of a bit for each set and takes what they have in common,
 * instead of asking each filter. A set that a key was added to is always among the answers; each
 * other set is with the rate f of one filter, so that of g sets a wrong one answers with 1 - (1 -
 * f)^(g - 1).
 *
 * <p>Where each key has one set only, which is then its class or action, sets may have codes
 * ({@link Builder#binary}, {@link Builder#constantWeight}): set s is a mask of ones among few
 * filters, and a key is added to those. Rows are then short, and sets of any size share filters;
 * but a key is in several, which takes about twice the memory of sets of one size. A wrong filter
 * then gives a wrong code. Of binary codes some of these are codes of no set, and all codes of the
 * wrong weight are, so that an error shows: {@link #getOnlyHash} has no answer, {@link #setsOfHash}
 * the sets whose codes are covered. {@link CountingFilterBank} lets keys leave or change their set.
 *
 * <p>Without codes, sets of very different size waste memory: all filters are as large as that of
 * the largest.
 *
 * <p>Threads: lock-free. Any number of threads may add, merge and query; a key whose {@code add}
 * returned is found by every later query of a thread that can see that return. A copy or a save
 * holds every key added before the call began.
 *
 * <p>Tarkoma, Rothenberg and Lagerspetz 2012, "Theory and Practice of Bloom Filters for Distributed
 * Systems", sec. III-M and IV-C; Broder and Mitzenmacher 2004, sec. 7.3, on Grönvall's multicast
 * forwarding. Deviation: code 0 means "in no set", so that binary codes of |S| sets take ⌈log2(|S|
 * + 1)⌉ filters, not ⌈log2 |S|⌉.
 */
public final class FilterBank implements ManySetsFilter, Mergeable<FilterBank>, Storable {

  /** How files name this kind. */
  public static final FilterKind<FilterBank> KIND =
      new FilterKind<>(
          51,
          "filter-bank",
          "which of many sets hold x? one pass over k rows",
          FilterBank.class,
          FilterBank::encode,
          FilterBank::decode,
          () -> FilterRecipe.none("holds many sets and needs the set of each key"));

  /*
   * Row r has the bit of every filter at position r. Up to 64 columns a row is bits r·columns … of
   * the words, without gaps, and may straddle two words; wider rows are whole words, so that rows
   * are added word by word, and bits beyond the last column are never set by us and never believed.
   */

  private static final int BLOCK = 4;

  private final Hasher hasher;
  private final BankShape shape;
  private final SetCode code;
  private final Modulus modulus;
  private final Words words;
  private final int columns;
  private final int rowWords;
  private final long lastWord;

  FilterBank(Hasher hasher, BankShape shape, Words words) {
    this.hasher = hasher;
    this.shape = shape;
    this.code = SetCode.of(shape.sets(), shape.weight());
    this.modulus = new Modulus(shape.rows());
    this.words = words;
    this.columns = code.columns();
    this.rowWords = (columns + Long.SIZE - 1) / Long.SIZE;
    this.lastWord = -1L >>> -columns;
  }

  /**
   * The smallest bank with one filter for each set.
   *
   * @param sets number of sets, 1 or more
   * @param keysPerSet how many different keys the largest set will have, 1 or more
   * @param falsePositiveRate the rate of each filter at that number of keys, above 0, below 1
   * @return an empty bank
   */
  public static FilterBank create(int sets, long keysPerSet, double falsePositiveRate) {
    return builder().sets(sets).keysPerSet(keysPerSet).falsePositiveRate(falsePositiveRate).build();
  }

  /**
   * All options.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  Frame encode() {
    return Frame.of(hasher)
        .put("sets", shape.sets())
        .put("weight", shape.weight())
        .put("rows", shape.rows())
        .put("probes", shape.probes())
        .section(words);
  }

  static FilterBank decode(Frame frame) throws IOException {
    int sets = (int) frame.number("sets", 1, BankShape.MAX_SETS);
    int weight = (int) frame.number("weight", 0, 31);
    long rows = frame.number("rows", 2, BankShape.MAX_BITS);
    int probes = (int) frame.number("probes", 1, BankShape.MAX_PROBES);
    BankShape shape;
    try {
      shape = new BankShape(rows, probes, sets, weight);
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    return new FilterBank(frame.hasher(), shape, frame.bits(0, shape.sizeInBits()));
  }

  @Override
  public FilterKind<FilterBank> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * Size, sets and codes.
   *
   * @return the shape, with its rates
   */
  public BankShape shape() {
    return shape;
  }

  @Override
  public int sets() {
    return shape.sets();
  }

  @Override
  public int setsOfHash(long hash, long[] hits) {
    Objects.requireNonNull(hits, "hits");
    int needed = (shape.sets() + Long.SIZE - 1) / Long.SIZE;
    if (hits.length < needed) {
      throw new IndexOutOfBoundsException(
          "hits has " + hits.length + " words; " + shape.sets() + " sets need " + needed);
    }
    return columns <= Long.SIZE ? code.all(common(hash), hits) : commonTo(hash, hits);
  }

  /**
   * {@inheritDoc}
   *
   * @return of binary codes the set whose code was found if there is one, otherwise the lowest of
   *     the sets that may hold the key; or {@link #ABSENT}
   */
  @Override
  public long getHash(long hash) {
    return columns <= Long.SIZE ? code.first(common(hash)) : firstOf(hash, false);
  }

  @Override
  public long getOnlyHash(long hash) {
    return columns <= Long.SIZE ? code.only(common(hash)) : firstOf(hash, true);
  }

  /** The columns, at most 64, whose bits are set in all rows of a hash. */
  long common(long hash) {
    int probes = shape.probes();
    long all = lastWord;
    for (int i = 0; i < probes && all != 0; i++) {
      all &= row(Draws.index(hash, i, modulus));
    }
    return all;
  }

  private long row(long row) {
    long bit = row * columns;
    int shift = (int) bit & 63;
    long value = words.get(bit >>> 6) >>> shift;
    return shift + columns > Long.SIZE ? value | words.get((bit >>> 6) + 1) << -shift : value;
  }

  /** The same for more columns, into {@code hits}; how many. */
  private int commonTo(long hash, long[] hits) {
    int probes = shape.probes();
    int width = rowWords;
    long[] heap = words.heap();
    for (int i = 0; i < probes; i++) {
      long start = Draws.index(hash, i, modulus) * width;
      if (heap == null) {
        for (int j = 0; j < width; j++) {
          hits[j] = (i == 0 ? -1 : hits[j]) & words.get(start + j);
        }
      } else if (i == 0) {
        System.arraycopy(heap, Words.BASE + (int) start, hits, 0, width);
      } else {
        int base = Words.BASE + (int) start;
        for (int j = 0; j < width; j++) {
          hits[j] &= heap[base + j];
        }
      }
    }
    hits[width - 1] &= lastWord;
    int count = 0;
    for (int j = 0; j < width; j++) {
      count += Long.bitCount(hits[j]);
    }
    return count;
  }

  /** The first common column, for which no array is needed; or the only one. */
  private long firstOf(long hash, boolean only) {
    long first = ABSENT;
    for (int start = 0; start < rowWords; start += BLOCK) {
      long a = -1;
      long b = -1;
      long c = -1;
      long d = -1;
      for (int i = 0; i < shape.probes() && (a | b | c | d) != 0; i++) {
        long at = Draws.index(hash, i, modulus) * rowWords + start;
        a &= word(at, start);
        b &= word(at + 1, start + 1);
        c &= word(at + 2, start + 2);
        d &= word(at + 3, start + 3);
      }
      if ((a | b | c | d) != 0) {
        int more = Long.bitCount(a) + Long.bitCount(b) + Long.bitCount(c) + Long.bitCount(d);
        if (only && (first != ABSENT || more > 1)) {
          return ABSENT;
        }
        first = (long) start * Long.SIZE + lowest(a, b, c, d);
        if (!only) {
          return first;
        }
      }
    }
    return first;
  }

  private static int lowest(long a, long b, long c, long d) {
    if (a != 0) {
      return Long.numberOfTrailingZeros(a);
    }
    if (b != 0) {
      return Long.SIZE + Long.numberOfTrailingZeros(b);
    }
    return c != 0
        ? 2 * Long.SIZE + Long.numberOfTrailingZeros(c)
        : 3 * Long.SIZE + Long.numberOfTrailingZeros(d);
  }

  /** Word {@code j} of a row, at {@code at}; zero beyond the row and its columns. */
  private long word(long at, int j) {
    if (j >= rowWords) {
      return 0;
    }
    return j == rowWords - 1 ? words.get(at) & lastWord : words.get(at);
  }

  @Override
  public boolean addHash(long hash, int set) {
    requireSet(set);
    words.writable();
    boolean changed = false;
    if (columns > Long.SIZE) {
      for (int i = 0; i < shape.probes(); i++) {
        changed |= words.or(index(hash, i) * rowWords + (set >>> 6), 1L << set);
      }
      return changed;
    }
    long mask = code.code(set);
    for (int i = 0; i < shape.probes(); i++) {
      changed |= orRow(index(hash, i), mask);
    }
    return changed;
  }

  private boolean orRow(long row, long mask) {
    long bit = row * columns;
    int shift = (int) bit & 63;
    boolean changed = words.or(bit >>> 6, mask << shift);
    if (shift + columns > Long.SIZE) {
      changed |= words.or((bit >>> 6) + 1, mask >>> -shift);
    }
    return changed;
  }

  /** Row {@code i} of a hash. */
  long index(long hash, int i) {
    return Draws.index(hash, i, modulus);
  }

  /** The columns of a set, one after the other: the first at or after {@code from}, or -1. */
  int column(int set, int from) {
    if (shape.weight() == BankShape.ONE_HOT) {
      return from <= set ? set : -1;
    }
    long left = from >= columns ? 0 : code.code(set) & -1L << from;
    return left == 0 ? -1 : Long.numberOfTrailingZeros(left);
  }

  /** Where the bit of a column and a row is. */
  long bit(long row, int column) {
    return row * (columns <= Long.SIZE ? columns : (long) rowWords * Long.SIZE) + column;
  }

  Words words() {
    return words;
  }

  /**
   * Whether a set may hold a key.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @param set 0 … {@link #sets} - 1
   * @return {@code false}: certainly not; {@code true}: all filters of the set's code have the key
   */
  public boolean mightContainHash(long hash, int set) {
    requireSet(set);
    for (int column = column(set, 0); column >= 0; column = column(set, column + 1)) {
      for (int i = 0; i < shape.probes(); i++) {
        if (!words.getBit(bit(index(hash, i), column))) {
          return false;
        }
      }
    }
    return true;
  }

  private void requireSet(int set) {
    Arguments.inRange("set", set, 0, shape.sets() - 1);
  }

  /**
   * {@inheritDoc} Here: that some set answers. With 12 filters or fewer it is exact for the bits as
   * they are; with more, the filters are taken as independent but for rows that a key has twice.
   */
  @Override
  public double falsePositiveRate() {
    if (columns <= MaskRates.MAX_COLUMNS) {
      double[] rates = new double[1 << columns];
      for (long r = 0; r < shape.rows(); r++) {
        rates[(int) (row(r) & lastWord)]++;
      }
      MaskRates.sumOfSupersets(rates);
      for (int mask = 0; mask < rates.length; mask++) {
        rates[mask] = Math.pow(rates[mask] / shape.rows(), shape.probes());
      }
      return MaskRates.answered(rates, code);
    }
    double[] ones = filterOnes();
    double[] distinct = Occupancy.distinct(shape.rows(), shape.probes());
    double[] rates = new double[columns];
    double sum = 0;
    for (int d = 1; d < distinct.length; d++) {
      for (int j = 0; j < columns; j++) {
        double left = Math.max(0, ones[j] - d + 1) / (shape.rows() - d + 1);
        rates[j] = (d == 1 ? 1 : rates[j]) * left;
      }
      sum += distinct[d] * MaskRates.atLeast(rates, Math.max(1, shape.weight()));
    }
    return sum;
  }

  private double[] filterOnes() {
    double[] ones = new double[columns];
    for (long r = 0; r < shape.rows(); r++) {
      for (int j = 0; j < rowWords; j++) {
        long left = columns <= Long.SIZE ? row(r) & lastWord : word(r * rowWords + j, j);
        for (; left != 0; left &= left - 1) {
          ones[j * Long.SIZE + Long.numberOfTrailingZeros(left)]++;
        }
      }
    }
    return ones;
  }

  /**
   * The probability that a key of no set is answered to be in a set, perhaps besides others. Reads
   * the set's filters.
   *
   * @param set 0 … {@link #sets} - 1
   * @return the share of rows that have all bits of the set's code, to the power of the probes
   */
  public double falsePositiveRate(int set) {
    requireSet(set);
    long full = 0;
    for (long r = 0; r < shape.rows(); r++) {
      boolean all = true;
      for (int column = column(set, 0); column >= 0; column = column(set, column + 1)) {
        all &= words.getBit(bit(r, column));
      }
      full += all ? 1 : 0;
    }
    return Math.pow((double) full / shape.rows(), shape.probes());
  }

  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  @Override
  public boolean isCompatible(FilterBank other) {
    Objects.requireNonNull(other, "other");
    return Compatibility.equal(hasher, other.hasher, shape, other.shape);
  }

  /** {@inheritDoc} Each set is then the union of both; bit for bit the bank of all keys. */
  @Override
  public void merge(FilterBank other) {
    Objects.requireNonNull(other, "other");
    Compatibility.require(hasher, other.hasher, shape, other.shape);
    words.orAll(other.words);
  }

  /** Adds the keys of each set of another bank, 64 at most, to the next; not those of the last. */
  void mergeShifted(FilterBank other) {
    Compatibility.require(hasher, other.hasher, shape, other.shape);
    words.writable();
    for (long r = 0; r < shape.rows(); r++) {
      orRow(r, other.row(r) << 1 & lastWord);
    }
  }

  /**
   * A copy in heap memory that shares nothing with this bank.
   *
   * @return a bank with the same keys, writable even if this one is mapped
   */
  public FilterBank copy() {
    return new FilterBank(hasher, shape, words.copy());
  }

  @Override
  public String toString() {
    return "FilterBank[" + shape + ", " + hasher + "]";
  }

  /**
   * Options of a bank: the sets and how they are coded; and keys per set with the rate of a filter,
   * or all keys with the rate of the bank, or a shape.
   */
  public static final class Builder extends SizedBuilder<Builder> {
    private int sets;
    private int weight = BankShape.ONE_HOT;
    private long keysPerSet;
    private BankShape shape;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * How many sets there are.
     *
     * @param sets 1 … {@link BankShape#MAX_SETS}
     * @return this
     */
    public Builder sets(int sets) {
      this.sets = Arguments.inRange("sets", sets, 1, BankShape.MAX_SETS);
      return this;
    }

    /**
     * How many different keys the largest set will have. {@link #falsePositiveRate} is then that of
     * each filter; with {@link #expectedKeys}, the keys of all sets together, it is the rate at
     * which the bank answers for keys of no set.
     *
     * @param keysPerSet 1 or more
     * @return this
     */
    public Builder keysPerSet(long keysPerSet) {
      this.keysPerSet = Arguments.inRange("keysPerSet", keysPerSet, 1, BankShape.MAX_KEYS);
      return this;
    }

    /**
     * Numbers the sets from 1 in binary, with a filter for each digit: the fewest filters. For keys
     * that are in one set at most.
     *
     * @return this
     */
    public Builder binary() {
      this.weight = BankShape.BINARY;
      return this;
    }

    /**
     * Gives each set a code of a constant number of ones, so that one wrong filter never makes
     * another code.
     *
     * @param weight ones of a code, 1 … 31; 1, the default, is one filter for each set
     * @return this
     */
    public Builder constantWeight(int weight) {
      this.weight = Arguments.inRange("weight", weight, 1, 31);
      return this;
    }

    /**
     * The whole shape, instead of everything else.
     *
     * @param shape the shape
     * @return this
     */
    public Builder shape(BankShape shape) {
      this.shape = Objects.requireNonNull(shape, "shape");
      return this;
    }

    /**
     * Makes the bank.
     *
     * @return an empty bank
     * @throws IllegalArgumentException if the size is given in two ways or in none
     */
    public FilterBank build() {
      BankShape chosen = chosen();
      return new FilterBank(hasher, chosen, Words.forBits(chosen.sizeInBits(), true));
    }

    /**
     * Makes a bank that keys may leave again, with 4-bit counters.
     *
     * @return an empty bank
     * @throws IllegalArgumentException if the size is given in two ways or in none
     */
    public CountingFilterBank buildCounting() {
      return CountingFilterBank.of(
          new CountingBankShape(chosen(), CountingBankShape.DEFAULT_COUNTER_BITS), hasher);
    }

    private BankShape chosen() {
      boolean byKeys = expectedKeys != 0;
      boolean bySet = keysPerSet != 0;
      if (shape != null) {
        if (byKeys || bySet || sets != 0 || falsePositiveRate != 0) {
          throw new IllegalArgumentException("a shape and other sizes exclude each other");
        }
        return shape;
      }
      if (byKeys == bySet) {
        throw new IllegalArgumentException("either keysPerSet or expectedKeys must be given");
      }
      return byKeys
          ? BankShape.forKeys(expectedKeys, falsePositiveRate, sets, weight)
          : BankShape.forSets(sets, weight, keysPerSet, falsePositiveRate);
    }
  }
}
