package io.bloomery.deletable;

import io.bloomery.CardinalityFilter;
import io.bloomery.FilterFullException;
import io.bloomery.FilterKind;
import io.bloomery.RemovableFilter;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * A table of fingerprints with small counters: a counting filter in half the memory of a counting
 * Bloom filter. It needs a lock when one thread changes it while others use it. It never reports an
 * added key absent, as long as only added keys are removed; a key that was not added is reported
 * present if one of the keys has its fingerprint, with probability keys / (B · 2^r).
 *
 * <p>Each key has one candidate bucket in each of d subtables and is stored in the one that had the
 * most free cells. Keys of equal fingerprint share a cell and its counter. When the counter reaches
 * its highest value (3 by default) it stays there permanently, so that no key is lost. When no
 * candidate bucket has a free cell, a key is moved from one of them to another of its own
 * candidates. If no key can move, {@code add} throws {@link FilterFullException} and nothing has
 * changed; up to {@link DLeftShape#capacity()} keys this practically never happens, in any order of
 * keys.
 *
 * <p>Removing a key that was never added but is reported present removes one copy of the keys that
 * have its fingerprint: if there is only one such key, that key is lost, and no other.
 *
 * <p>Threads: any number may query while none writes; {@code add} and {@code remove} need an
 * exclusive lock, which {@link io.bloomery.Filters#locked(RemovableFilter)} provides.
 *
 * <p>Bonomi, Mitzenmacher, Panigrahy, Singh and Varghese 2006, "An Improved Construction for
 * Counting Bloom Filters". As there, the candidate buckets are permutations of one fingerprint, so
 * that a match in any subtable means equal fingerprints and a removal never has to choose.
 * Deviation: the permutation rotates the bucket by an amount that depends on the remainder, instead
 * of multiplying the whole, so that the number of buckets need not be a power of two; buckets are
 * whole words within one cache line, with as many cells as fit; and keys move where the paper's
 * filter would be full. Without moves, keys in hash order, as from spilled or sorted input, leave
 * the last buckets of the first subtable empty until the end, and the others overflow at 96 % of
 * the capacity.
 */
public final class DLeftCountingFilter extends ShapedFilter<DLeftShape>
    implements RemovableFilter, CardinalityFilter {

  public static final FilterKind<DLeftCountingFilter> KIND =
      Kind.of(18, "d-left", DLeftCountingFilter.class)
          .question("is x in the set, with deletes? fingerprints with small counters")
          .codec(DLeftCountingFilter::encode, DLeftCountingFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("d-left", DLeftShape.class)
                          .meets(Need.DELETES)
                          .onlyFor(Need.DELETES)
                          .forKeys(DLeftShape::forKeys)
                          .forBudget(DLeftShape::forBudget)
                          .reads(DLeftShape::tables, shape -> shape.tables() * shape.bucketWords())
                          .works(shape -> 1.75 * shape.tables() * shape.bucketWords())
                          .absent(
                              DLeftShape::tables,
                              shape -> 2.8 * shape.tables() * shape.bucketWords())
                          .fetches(shape -> (shape.tables() + 1) / 2.0, DLeftShape::tables)
                          .falseDeletion("loses the key that shares its fingerprint")
                          .why(
                              "Deletes in half the memory of counters; a full table refuses keys,"
                                  + " and threads need a lock")
                          .oneWriter()
                          .orderMatters()
                          .storesDuplicates()
                          .creates(DLeftCountingFilter::create)));

  private final Words words;
  private long entries;

  private final int tables;
  private final long buckets;
  private final int bucketWords;
  private final int remainderBits;
  private final int counterBits;
  private final int cellBits;
  private final int cells;

  // A window is as many cells as fit into a word; cells are compared one window at a time.
  private final int windowCells;
  private final int windowBits;
  private final long allCells;
  private final long lastCells;
  private final long remainders;
  private final long counters;

  private DLeftCountingFilter(DLeftShape shape, Hasher hasher, Words words, long entries) {
    super(shape, hasher);
    this.words = words;
    this.entries = entries;
    this.tables = shape.tables();
    this.buckets = shape.buckets();
    this.bucketWords = shape.bucketWords();
    this.remainderBits = shape.remainderBits();
    this.counterBits = shape.counterBits();
    this.cellBits = remainderBits + counterBits;
    this.cells = shape.cells();
    this.windowCells = Math.min(cells, Long.SIZE / cellBits);
    this.windowBits = windowCells * cellBits;
    this.allCells = lowestBits(windowCells);
    this.lastCells = lowestBits((cells - 1) % windowCells + 1);
    this.remainders = allCells * ((1L << remainderBits) - 1);
    this.counters = allCells * ((1L << counterBits) - 1);
  }

  /** The lowest bit of each of the first cells of a window. */
  private long lowestBits(int count) {
    long bits = 0;
    for (int i = 0; i < count; i++) {
      bits |= 1L << (i * cellBits);
    }
    return bits;
  }

  /**
   * The smallest filter of 2-bit counters for a number of keys and a rate.
   *
   * @param expectedKeys how many distinct keys it will hold at a time, 0 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static DLeftCountingFilter create(long expectedKeys, double falsePositiveRate) {
    return create(DLeftShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape subtables, buckets and cells
   * @return an empty filter
   */
  public static DLeftCountingFilter create(DLeftShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape subtables, buckets and cells
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static DLeftCountingFilter create(DLeftShape shape, Hasher hasher) {
    Objects.requireNonNull(shape, "shape");
    Words words = Words.allocate(shape.sizeInBits() / Long.SIZE, false);
    return new DLeftCountingFilter(shape, hasher, words, 0);
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape()).put("entries", entries).section(words);
  }

  private static DLeftCountingFilter decode(Frame frame) throws IOException {
    DLeftShape shape = frame.shape(DLeftShape.class);
    long cells = shape.tables() * shape.buckets() * shape.cells();
    long entries = frame.number("entries", 0, Math.min(cells, shape.fingerprints()));
    Words words = frame.section(0, shape.sizeInBits() / Long.SIZE);
    DLeftCountingFilter filter = new DLeftCountingFilter(shape, frame.hasher(), words, entries);
    frame.requireOfWords(
        () -> filter.occupied() == entries,
        entries + " entries are named, and others are there, or bits that belong to none");
    return filter;
  }

  /** The number of nonempty cells, or -1 if bits outside all cells are set. */
  private long occupied() {
    long occupied = 0;
    for (long bucket = 0; bucket < tables * buckets; bucket++) {
      if (!isClean(bucket)) {
        return -1;
      }
      occupied += cells - free(bucket);
    }
    return occupied;
  }

  /** Whether the empty cells of a bucket, and the unused bits above its cells, are zero. */
  private boolean isClean(long bucket) {
    for (int first = 0; first < cells; first += windowCells) {
      long inEmpty = emptyFrom(bucket, first) * ((1L << cellBits) - 1);
      if ((window(bucket, first) & inEmpty) != 0) {
        return false;
      }
    }
    int left = bucketWords * Long.SIZE - cells * cellBits;
    return left == 0 || words.get((bucket + 1) * bucketWords - 1) >>> -left == 0;
  }

  @Override
  public FilterKind<DLeftCountingFilter> kind() {
    return KIND;
  }

  @Override
  public boolean mightContainHash(long hash) {
    long remainder = remainder(hash);
    for (int table = 0; table < tables; table++) {
      if (find(bucket(hash, remainder, table), remainder) >= 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * The additions minus removals of all keys with this fingerprint: an upper bound for the key.
   *
   * @param hash the key's hash, computed by {@link #hasher()}
   * @return the counter, 0 if the key is certainly absent; the counter's highest value means that
   *     or more
   */
  public long countHash(long hash) {
    long remainder = remainder(hash);
    for (int table = 0; table < tables; table++) {
      long bucket = bucket(hash, remainder, table);
      int cell = find(bucket, remainder);
      if (cell >= 0) {
        return count(read(bucket, cell));
      }
    }
    return 0;
  }

  /**
   * {@inheritDoc}
   *
   * @throws FilterFullException if all candidate buckets of the key are full; nothing has changed
   */
  @Override
  public boolean addHash(long hash) {
    words.writable();
    long remainder = remainder(hash);
    long best = -1;
    int mostFree = 0;
    for (int table = 0; table < tables; table++) {
      long bucket = bucket(hash, remainder, table);
      int cell = find(bucket, remainder);
      if (cell >= 0) {
        long value = read(bucket, cell);
        if (count(value) < maxCount()) {
          write(bucket, cell, value + 1);
        }
        return false;
      }
      int free = free(bucket);
      if (free > mostFree) {
        mostFree = free;
        best = bucket;
      }
    }
    if (best < 0) {
      best = makeRoom(hash, remainder);
    }
    write(best, firstFree(best), remainder << counterBits | 1);
    entries++;
    return true;
  }

  /**
   * Moves a key out of one of the full candidate buckets of another key, and returns the bucket.
   */
  private long makeRoom(long hash, long remainder) {
    for (int table = 0; table < tables; table++) {
      long bucket = bucket(hash, remainder, table);
      for (int cell = 0; cell < cells; cell++) {
        long value = read(bucket, cell);
        long other = otherBucket(bucket, table, value >>> counterBits);
        if (other >= 0) {
          write(other, firstFree(other), value);
          write(bucket, cell, 0);
          return bucket;
        }
      }
    }
    throw new FilterFullException(
        "the %d buckets of the key are full; the filter holds %d fingerprints and is for %d"
            .formatted(tables, entries, shape().capacity()));
  }

  /** A bucket with a free cell for the key of a remainder that is in this bucket, or -1. */
  private long otherBucket(long bucket, int table, long remainder) {
    long first = bucket - table * buckets - turn(remainder, table);
    first += first < 0 ? buckets : 0;
    for (int i = 0; i < tables; i++) {
      long other = turned(first, turn(remainder, i), i);
      if (i != table && free(other) > 0) {
        return other;
      }
    }
    return -1;
  }

  /**
   * {@inheritDoc}
   *
   * <p>A counter at its highest value stays, so the keys of its fingerprint are reported present
   * permanently.
   */
  @Override
  public boolean removeHash(long hash) {
    words.writable();
    long remainder = remainder(hash);
    for (int table = 0; table < tables; table++) {
      long bucket = bucket(hash, remainder, table);
      int cell = find(bucket, remainder);
      if (cell >= 0) {
        remove(bucket, cell);
        return true;
      }
    }
    return false;
  }

  private void remove(long bucket, int cell) {
    long value = read(bucket, cell);
    long count = count(value);
    if (count == 1) {
      write(bucket, cell, 0);
      entries--;
    } else if (count < maxCount()) {
      write(bucket, cell, value - 1);
    }
  }

  private long remainder(long hash) {
    return hash & ((1L << remainderBits) - 1);
  }

  /** The candidate bucket in a subtable, counted from the first bucket of the first subtable. */
  private long bucket(long hash, long remainder, int table) {
    long first = Mix.reduce(hash, buckets);
    return table == 0 ? first : turned(first, turn(remainder, table), table);
  }

  /** The distance of a key's bucket in a subtable from its bucket in the first subtable. */
  private long turn(long remainder, int table) {
    return table == 0 ? 0 : Mix.reduce(Mix.stream(remainder, table), buckets);
  }

  private long turned(long first, long turn, int table) {
    long bucket = first + turn;
    return table * buckets + (bucket < buckets ? bucket : bucket - buckets);
  }

  /** The cell of a bucket that holds a remainder and is not empty, or -1. */
  private int find(long bucket, long remainder) {
    long pattern = remainder * allCells;
    long carry = remainders;
    long ones = counters;
    for (int first = 0; first < cells; first += windowCells) {
      long window = window(bucket, first);
      // Sums carry into the bit above a field if and only if the field is not zero.
      long differs = ((((window >>> counterBits) ^ pattern) & carry) + carry) >>> remainderBits;
      long counted = ((window & ones) + ones) >>> counterBits;
      long match = ~differs & counted & cellsFrom(first);
      if (match != 0) {
        return first + Long.numberOfTrailingZeros(match) / cellBits;
      }
    }
    return -1;
  }

  /** How many cells of a bucket are empty. */
  private int free(long bucket) {
    int free = 0;
    for (int first = 0; first < cells; first += windowCells) {
      free += Long.bitCount(emptyFrom(bucket, first));
    }
    return free;
  }

  private int firstFree(long bucket) {
    int first = 0;
    while (emptyFrom(bucket, first) == 0) {
      first += windowCells;
    }
    return first + Long.numberOfTrailingZeros(emptyFrom(bucket, first)) / cellBits;
  }

  /** The lowest bit of each empty cell of a window. */
  private long emptyFrom(long bucket, int first) {
    long counted = ((window(bucket, first) & counters) + counters) >>> counterBits;
    return ~counted & cellsFrom(first);
  }

  private long cellsFrom(int first) {
    return first + windowCells < cells ? allCells : lastCells;
  }

  /** The cells from {@code first} on, lowest cell first; the upper bits are arbitrary. */
  private long window(long bucket, int first) {
    int bit = first * cellBits;
    int word = bit >>> 6;
    int shift = bit & 63;
    long at = bucket * bucketWords + word;
    long window = words.get(at) >>> shift;
    return shift + windowBits > Long.SIZE && word + 1 < bucketWords
        ? window | words.get(at + 1) << -shift
        : window;
  }

  private long read(long bucket, int cell) {
    return window(bucket, cell) & ((1L << cellBits) - 1);
  }

  private void write(long bucket, int cell, long value) {
    long[] heap = words.writable();
    int bit = cell * cellBits;
    int shift = bit & 63;
    int at = Words.BASE + (int) (bucket * bucketWords) + (bit >>> 6);
    long mask = (1L << cellBits) - 1;
    heap[at] = (heap[at] & ~(mask << shift)) | value << shift;
    if (shift + cellBits > Long.SIZE) {
      heap[at + 1] = (heap[at + 1] & ~(mask >>> -shift)) | value >>> -shift;
    }
  }

  private long count(long value) {
    return value & maxCount();
  }

  private long maxCount() {
    return (1L << counterBits) - 1;
  }

  /**
   * {@inheritDoc} Here: exactly the share of all fingerprints that are in the filter, in constant
   * time.
   */
  @Override
  public double falsePositiveRate() {
    return (double) entries / shape().fingerprints();
  }

  /**
   * How many distinct fingerprints are in the filter: nearly the number of distinct keys.
   *
   * @return 0 … the number of all cells
   */
  public long keyCount() {
    return entries;
  }

  /** {@inheritDoc} {@link DLeftShape#capacity()} says how high it may get. */
  @Override
  public double fillRatio() {
    return (double) entries / ((double) tables * buckets * cells);
  }

  /** {@inheritDoc} Here: from the number of distinct fingerprints, since keys may share one. */
  @Override
  public double cardinality() {
    return Math.log1p(-falsePositiveRate()) / Math.log1p(-1.0 / shape().fingerprints());
  }

  /**
   * How many counters have reached their highest value and stay there. Reads the whole filter.
   *
   * @return 0 … {@link #keyCount()}
   */
  public long saturated() {
    long saturated = 0;
    for (long bucket = 0; bucket < tables * buckets; bucket++) {
      for (int cell = 0; cell < cells; cell++) {
        saturated += count(read(bucket, cell)) == maxCount() ? 1 : 0;
      }
    }
    return saturated;
  }

  /** Whether another filter has the same shape and the same keys in the same cells. */
  boolean sameCells(DLeftCountingFilter other) {
    return shape().equals(other.shape()) && entries == other.entries && words.sameBits(other.words);
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public DLeftCountingFilter copy() {
    return new DLeftCountingFilter(shape(), hasher(), words.copy(), entries);
  }
}
