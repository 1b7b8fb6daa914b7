package io.bloomery.lookup;

import io.bloomery.FilterKind;
import io.bloomery.Mergeable;
import io.bloomery.QueryCost;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.MaskRates;
import io.bloomery.internal.numeric.Occupancy;
import io.bloomery.internal.numeric.SetCode;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Modulus;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * Which of a thousand sets hold x? One Bloom filter per set, all with the same positions, laid out
 * by position: a query reads k rows of one bit per set and intersects them, instead of querying
 * each filter. A set that a key was added to is always among the answers; each other set is at the
 * rate f of one filter, so with g sets a wrong one is among the answers with probability 1 - (1 -
 * f)^(g - 1).
 *
 * <p>Where each key is in only one set, such as its class or action, sets may have codes ({@link
 * BankShape#BINARY}, or a weight of 2 or more): set s is a mask of ones among few filters, and a
 * key is added to those. Rows are then short, and sets of any size share filters; but a key is in
 * several filters, which takes about twice the memory of sets of equal size. A false positive of
 * one filter then yields a wrong code. Some wrong codes, and with a constant weight all of them,
 * belong to no set, so that the error is detected: {@link #getOnlyHash} has no answer, and {@link
 * #setsOfHash} returns the sets whose codes are covered. {@link CountingFilterBank} supports
 * deletes and moves between sets.
 *
 * <p>Without codes, sets of very different sizes waste memory: all filters are as large as that of
 * the largest set.
 *
 * <p>Threads: lock-free. Any number of threads may add, merge and query; a key whose {@code add}
 * returned is found by every query that happens after that return. A copy or a save holds every key
 * added before the call began.
 *
 * <p>Tarkoma, Rothenberg and Lagerspetz 2012, "Theory and Practice of Bloom Filters for Distributed
 * Systems", sec. III-M and IV-C; Broder and Mitzenmacher 2004, sec. 7.3, on Grönvall's multicast
 * forwarding. Deviation: code 0 means "in no set", so that binary codes of |S| sets take ⌈log2(|S|
 * + 1)⌉ filters, not ⌈log2 |S|⌉.
 */
public final class FilterBank extends ShapedFilter<BankShape>
    implements ManySetsFilter, Mergeable<FilterBank>, QueryCost {

  public static final FilterKind<FilterBank> KIND =
      Kind.of(51, "filter-bank", FilterBank.class)
          .question("which of many sets hold x? one pass over k rows")
          .codec(FilterBank::encode, FilterBank::decode)
          .variants(
              () ->
                  List.of(
                      variant("filter-bank", BankShape.PLANNED_SETS, BankShape.ONE_HOT)
                          .meets(Need.MANY_SETS)
                          .onlyFor(Need.MANY_SETS)
                          .reads(BankShape::hashesPerKey, BankShape::wordsPerQuery)
                          .why(
                              "Finds all sets of a key in one pass over as many rows as one filter"
                                  + " has hashes per key; sized for "
                                  + BankShape.PLANNED_SETS
                                  + " sets of the same size")
                          .creates(FilterBank::create),
                      variant("filter-bank-binary", BankShape.PLANNED_VALUES, BankShape.BINARY)
                          .meets(Need.VALUES)
                          .onlyFor(Need.VALUES)
                          .reads(shape -> 2 * shape.hashesPerKey(), BankShape::wordsPerQuery)
                          .why(
                              "Takes keys with their values one by one, with a filter per binary"
                                  + " digit; a value may be wrong; sized for "
                                  + BankShape.PLANNED_VALUES
                                  + " values")
                          .creates(FilterBank::create)));

  /*
   * Row r has the bit of every filter at position r. Up to 64 columns a row is bits r·columns … of
   * the words, without gaps, and may straddle two words; wider rows are whole words, so that rows
   * are added word by word, and bits beyond the last column are never set here and are
   * ignored when read.
   */

  private static final int BLOCK = 4;

  private final SetCode code;
  private final Modulus modulus;
  private final Words words;
  private final int hashesPerKey;
  private final int columns;
  private final int rowWords;
  private final long lastWord;

  FilterBank(BankShape shape, Hasher hasher, Words words) {
    super(shape, hasher);
    this.code = SetCode.of(shape.sets(), shape.weight());
    this.modulus = new Modulus(shape.rows());
    this.words = words;
    this.hashesPerKey = shape.hashesPerKey();
    this.columns = code.columns();
    this.rowWords = (columns + Long.SIZE - 1) / Long.SIZE;
    this.lastWord = -1L >>> -columns;
  }

  private static VariantBuilder<BankShape> variant(String name, int sets, int weight) {
    return VariantBuilder.of(name, BankShape.class)
        .needsMore("holds many sets and needs the set of each key")
        .mergesExactly()
        .forKeys((keys, rate) -> BankShape.forKeys(keys, rate, sets, weight))
        .forBudget((keys, bits) -> BankShape.forBudget(keys, bits, sets, weight));
  }

  /**
   * A bank of a given shape.
   *
   * @param shape sets, their codes, rows and hashes per key
   * @return an empty bank
   */
  public static FilterBank create(BankShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A bank of a given shape and hasher.
   *
   * @param shape sets, their codes, rows and hashes per key
   * @param hasher turns keys into hashes
   * @return an empty bank
   */
  public static FilterBank create(BankShape shape, Hasher hasher) {
    return new FilterBank(shape, hasher, Words.forBits(shape.sizeInBits(), true));
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape()).section(words);
  }

  private static FilterBank decode(Frame frame) throws IOException {
    return decode(frame, frame.shape(BankShape.class));
  }

  /** The bank in section 0 of a frame whose shape was read. */
  static FilterBank decode(Frame frame, BankShape shape) throws IOException {
    FilterBank bank = new FilterBank(shape, frame.hasher(), frame.bits(0, shape.sizeInBits()));
    frame.requireOfWords(bank::isClean, "a row has bits beyond its last column");
    return bank;
  }

  /** Whether rows of several words have no bits beyond their columns. */
  private boolean isClean() {
    for (long row = 0; columns > Long.SIZE && row < shape().rows(); row++) {
      if ((words.get((row + 1) * rowWords - 1) & ~lastWord) != 0) {
        return false;
      }
    }
    return true;
  }

  int columns() {
    return columns;
  }

  @Override
  public FilterKind<FilterBank> kind() {
    return KIND;
  }

  @Override
  public int sets() {
    return shape().sets();
  }

  @Override
  public int setsOfHash(long hash, long[] hits) {
    Objects.requireNonNull(hits, "hits");
    int needed = (shape().sets() + Long.SIZE - 1) / Long.SIZE;
    if (hits.length < needed) {
      throw new IndexOutOfBoundsException(
          "hits has " + hits.length + " words; " + shape().sets() + " sets need " + needed);
    }
    return columns <= Long.SIZE ? code.all(common(hash), hits) : commonTo(hash, hits);
  }

  /**
   * {@inheritDoc}
   *
   * @return with binary codes the set whose code was found, if there is one; otherwise the lowest
   *     of the sets that may hold the key; or {@link #ABSENT}
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
    int hashesPerKey = this.hashesPerKey;
    long all = lastWord;
    for (int i = 0; i < hashesPerKey && all != 0; i++) {
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

  /** The same for more columns, written to {@code hits}; returns their number. */
  private int commonTo(long hash, long[] hits) {
    int hashesPerKey = this.hashesPerKey;
    int width = rowWords;
    long[] heap = words.heap();
    for (int i = 0; i < hashesPerKey; i++) {
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

  /** The first common column, or the only one, without an array. */
  private long firstOf(long hash, boolean only) {
    long first = ABSENT;
    for (int start = 0; start < rowWords; start += BLOCK) {
      long a = -1;
      long b = -1;
      long c = -1;
      long d = -1;
      for (int i = 0; i < hashesPerKey && (a | b | c | d) != 0; i++) {
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
      for (int i = 0; i < hashesPerKey; i++) {
        changed |= words.or(index(hash, i) * rowWords + (set >>> 6), 1L << set);
      }
      return changed;
    }
    long mask = code.code(set);
    for (int i = 0; i < hashesPerKey; i++) {
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

  /** Iterates over the columns of a set: the first at or after {@code from}, or -1. */
  int column(int set, int from) {
    if (shape().weight() == BankShape.ONE_HOT) {
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
      for (int i = 0; i < hashesPerKey; i++) {
        if (!words.getBit(bit(index(hash, i), column))) {
          return false;
        }
      }
    }
    return true;
  }

  private void requireSet(int set) {
    Arguments.inRange("set", set, 0, shape().sets() - 1);
  }

  /**
   * {@inheritDoc} Here: the probability that any set is reported. With 12 filters or fewer it is
   * exact for the current bits; with more, the filters are treated as independent except for
   * repeated rows of a key.
   */
  @Override
  public double falsePositiveRate() {
    long rows = shape().rows();
    if (columns <= MaskRates.MAX_COLUMNS) {
      double[] rates = new double[1 << columns];
      for (long r = 0; r < rows; r++) {
        rates[(int) (row(r) & lastWord)]++;
      }
      MaskRates.sumOfSupersets(rates);
      for (int mask = 0; mask < rates.length; mask++) {
        rates[mask] = Math.pow(rates[mask] / rows, hashesPerKey);
      }
      return MaskRates.answered(rates, code);
    }
    double[] ones = filterOnes();
    double[] distinct = Occupancy.distinct(rows, hashesPerKey);
    double[] rates = new double[columns];
    double sum = 0;
    for (int d = 1; d < distinct.length; d++) {
      for (int j = 0; j < columns; j++) {
        double left = Math.max(0, ones[j] - d + 1) / (rows - d + 1);
        rates[j] = (d == 1 ? 1 : rates[j]) * left;
      }
      sum += distinct[d] * MaskRates.atLeast(rates, Math.max(1, shape().weight()));
    }
    return sum;
  }

  @Override
  public int hashBits() {
    return shape().hashBits();
  }

  @Override
  public int memoryAccesses() {
    return shape().memoryAccesses();
  }

  private double[] filterOnes() {
    double[] ones = new double[columns];
    for (long r = 0; r < shape().rows(); r++) {
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
   * The probability that a key of no set is reported in a set, perhaps besides others. Reads the
   * set's filters.
   *
   * @param set 0 … {@link #sets} - 1
   * @return the share of rows that have all bits of the set's code, to the power of the hashes per
   *     key
   */
  public double falsePositiveRate(int set) {
    requireSet(set);
    long full = 0;
    for (long r = 0; r < shape().rows(); r++) {
      boolean all = true;
      for (int column = column(set, 0); column >= 0; column = column(set, column + 1)) {
        all &= words.getBit(bit(r, column));
      }
      full += all ? 1 : 0;
    }
    return Math.pow((double) full / shape().rows(), hashesPerKey);
  }

  @Override
  public boolean isCompatible(FilterBank other) {
    return fits(other);
  }

  /**
   * {@inheritDoc} Each set becomes the union of both; the result is bit for bit the bank of all
   * keys.
   */
  @Override
  public void merge(FilterBank other) {
    requireFits(other);
    words.orAll(other.words);
  }

  /**
   * Adds the keys of each set of another bank, of at most 64 sets, to the next set, except those of
   * the last.
   */
  void mergeShifted(FilterBank other) {
    requireFits(other);
    words.writable();
    for (long r = 0; r < shape().rows(); r++) {
      orRow(r, other.row(r) << 1 & lastWord);
    }
  }

  /**
   * A copy in heap memory that shares nothing with this bank.
   *
   * @return a bank with the same keys, writable even if this one is mapped
   */
  public FilterBank copy() {
    return new FilterBank(shape(), hasher(), words.copy());
  }
}
