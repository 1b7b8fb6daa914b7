package io.bloomery.frozen;

import io.bloomery.Filter;
import io.bloomery.FilterKind;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.Mergeable;
import io.bloomery.Storable;
import io.bloomery.hash.Funnel;
import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.code.Numbers;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import io.bloomery.plan.Shape;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * Is the number x among a few numbers below a bound? While it holds no more members than its zone
 * allows, every answer is correct; with more, members are still always found, and other numbers are
 * reported as members with probability {@link #falsePositiveRate}.
 *
 * <p>Each member sets the cell of its remainder in one array for each of the first primes; nothing
 * is hashed. For 3 numbers below 2^16 that is 238 bits. With {@linkplain ExactZoneShape#counting
 * counting} cells members can be removed, and {@link #count} returns how often a number was added.
 * {@link #list} recovers all members.
 *
 * <p>Every key is a byte string and a number is its 8 bytes little-endian, so a key of another
 * length, or whose value is outside the universe, is certainly absent.
 *
 * <p>Threads: any number may query; adding, removing and merging need a lock.
 *
 * <p>Kiss, Hosszu, Tapolcai, Rónyai and Rottenstreich 2018, "Bloom Filter with a False Positive
 * Free Zone" (EGH filter). Deviation: listing combines the remainders of the primes that leave the
 * fewest combinations, not those of all.
 */
public final class ExactZoneFilter implements Filter, Mergeable<ExactZoneFilter>, Storable {

  public static final FilterKind<ExactZoneFilter> KIND =
      Kind.of(47, "exact-zone", ExactZoneFilter.class)
          .question("is the number x among a few? no error while they are few")
          .codec(ExactZoneFilter::encode, ExactZoneFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("exact-zone", ExactZoneShape.class)
                          .meets(Need.CLOSED_UNIVERSE)
                          .onlyFor(Need.CLOSED_UNIVERSE)
                          .sized(ExactZoneShape::forNeeds)
                          .reads(shape -> shape.primes().length)
                          .why(
                              "Exact for a few numbers below a bound, which need not be known"
                                  + " before and can be listed again")
                          .unhashed()
                          .oneWriter()
                          .needsMore("takes numbers below a bound, not bytes")
                          .orderMatters()
                          .creates((shape, hasher) -> create(shape))));

  private final ExactZoneShape shape;
  private final int[] primes;
  private final Counters cells;

  /** Upper bound on the number of members; exact in the zone. */
  private long keys;

  private ExactZoneFilter(ExactZoneShape shape, int[] primes, Counters cells, long keys) {
    this.shape = shape;
    this.primes = primes;
    this.cells = cells;
    this.keys = keys;
  }

  /**
   * A filter of a given shape.
   *
   * @param shape universe, zone and width of a cell
   * @return an empty filter
   */
  public static ExactZoneFilter create(ExactZoneShape shape) {
    int[] primes = shape.primes();
    Counters cells = Counters.allocate(sum(primes), shape.cellBits(), true, false);
    return new ExactZoneFilter(shape, primes, cells, 0);
  }

  private static long sum(int[] primes) {
    long sum = 0;
    for (int prime : primes) {
      sum += prime;
    }
    return sum;
  }

  private Frame encode() {
    return Frame.of(null).put(shape).put("keys", keys).section(cells.words());
  }

  private static ExactZoneFilter decode(Frame frame) throws IOException {
    ExactZoneShape shape = frame.shape(ExactZoneShape.class);
    long keys = frame.number("keys", 0, Shape.MAX_LOAD);
    int[] primes = shape.primes();
    Counters cells = frame.counters(0, sum(primes), shape.cellBits(), true);
    return new ExactZoneFilter(shape, primes, cells, keys);
  }

  @Override
  public FilterKind<ExactZoneFilter> kind() {
    return KIND;
  }

  /**
   * Universe, zone and width of a cell.
   *
   * @return the shape, with its primes
   */
  public ExactZoneShape shape() {
    return shape;
  }

  /**
   * Whether no answer is wrong, because there are no more members than the zone allows.
   *
   * @return true in the zone; false if there may be more members
   */
  public boolean isExact() {
    return keys <= shape.zone();
  }

  /**
   * An upper bound on the number of distinct members.
   *
   * @return the exact number in the zone, if nothing was merged
   */
  public long keyBound() {
    return keys;
  }

  /**
   * Adds a number; with counting cells, each call counts.
   *
   * @param key 0…universe-1
   * @return true: it was certainly absent; false: it was present, for certain if {@link #isExact}
   * @throws IllegalArgumentException if it is outside the universe
   * @throws IllegalStateException if the filter is a read-only view of a mapped file
   */
  public boolean add(long key) {
    Arguments.inRange("key", key, 0, shape.universe() - 1);
    cells.words().writable();
    boolean absent = !contains(key);
    long base = 0;
    for (int prime : primes) {
      cells.add(base + key % prime, 1);
      base += prime;
    }
    // Above the zone, a number that looks present may be new.
    keys = Math.min(Shape.MAX_LOAD, keys + (absent || !isExact() ? 1 : 0));
    return absent;
  }

  /**
   * Removes one addition of a number. Above the zone this may only be called for numbers that were
   * added; otherwise members may be lost.
   *
   * @param key any number
   * @return false: it was certainly absent and nothing changed
   * @throws IllegalStateException if the cells are single bits or the filter is a read-only view of
   *     a mapped file
   */
  public boolean remove(long key) {
    cells.words().writable();
    if (shape.cellBits() == 1) {
      throw new IllegalStateException(
          "a filter of single bits cannot remove; create it with ExactZoneShape.counting");
    }
    if (!contains(key)) {
      return false;
    }
    long base = 0;
    for (int prime : primes) {
      cells.subtract(base + key % prime, 1);
      base += prime;
    }
    keys = Math.max(0, keys - (contains(key) ? 0 : 1));
    return true;
  }

  private boolean contains(long key) {
    return count(key) > 0;
  }

  /**
   * How often a number was added and not removed; with one-bit cells, 1 if it was added.
   *
   * @param key any number
   * @return never too low unless there are {@link #saturatedCells}; exact in the zone
   */
  public long count(long key) {
    if (key < 0 || key >= shape.universe()) {
      return 0;
    }
    long lowest = Long.MAX_VALUE;
    long base = 0;
    for (int i = 0; i < primes.length && lowest > 0; i++) {
      lowest = Math.min(lowest, cells.get(base + key % primes[i]));
      base += primes[i];
    }
    return lowest;
  }

  /**
   * The number of counting cells that are stuck at their highest value.
   *
   * @return 0 unless one number was added too often, or too many were; 0 for cells of one bit
   */
  public long saturatedCells() {
    return shape.cellBits() == 1 ? 0 : cells.saturated();
  }

  /**
   * All members, by the Chinese remainder theorem: every combination of remainders that the members
   * have is solved for a number and looked up. There are members^j combinations, where j is the
   * number of primes whose product reaches the universe, about log(universe) / log(largest prime);
   * if the universe has fewer numbers, all of them are looked up instead.
   *
   * @return the numbers, in ascending order
   * @throws IllegalStateException if there may be more members than the zone allows, or the cells
   *     are those of more members, as in a forged file
   */
  public long[] list() {
    if (!isExact()) {
      throw new IllegalStateException(
          "up to " + keys + " members; only " + shape.zone() + " can be listed without error");
    }
    return new Remainders(primes, cells, shape.universe(), keys).numbers(this::contains);
  }

  /** {@inheritDoc} Here both answers are certain in the zone. */
  @Override
  public boolean mightContain(long key) {
    return contains(key);
  }

  /**
   * {@inheritDoc} Keys of this set are numbers, so a character is looked up by its number, as it is
   * added.
   */
  @Override
  public boolean mightContain(char key) {
    return contains(key);
  }

  /** {@inheritDoc} Here both answers are certain in the zone. */
  @Override
  public boolean mightContain(byte[] key) {
    return contains(Numbers.of(key));
  }

  /** {@inheritDoc} Here both answers are certain in the zone. */
  @Override
  public boolean mightContain(byte[] bytes, int offset, int length) {
    return contains(Numbers.of(bytes, offset, length));
  }

  /** {@inheritDoc} Here both answers are certain in the zone; only text of 8 bytes is a number. */
  @Override
  public boolean mightContain(CharSequence key) {
    return contains(Numbers.of(key));
  }

  /** {@inheritDoc} Here both answers are certain in the zone. */
  @Override
  public <T> boolean mightContain(T key, Funnel<? super T> funnel) {
    return contains(Numbers.of(Funnel.Fields.bytesOf(key, funnel)));
  }

  /**
   * {@inheritDoc} Here: 0 in the zone; above it, an estimate for a number of the universe, the
   * product of the shares of used cells. It is too high if there are only a few more members than
   * the zone allows.
   */
  @Override
  public double falsePositiveRate() {
    if (isExact()) {
      return 0;
    }
    double rate = 1;
    long base = 0;
    for (int prime : primes) {
      int used = 0;
      for (int i = 0; i < prime; i++) {
        used += cells.get(base + i) > 0 ? 1 : 0;
      }
      rate *= (double) used / prime;
      base += prime;
    }
    return rate;
  }

  @Override
  public long sizeInBits() {
    return cells.count() * shape.cellBits();
  }

  @Override
  public boolean isCompatible(ExactZoneFilter other) {
    Objects.requireNonNull(other, "other");
    return shape.equals(other.shape);
  }

  /**
   * {@inheritDoc} The result holds the numbers of both; counts are added. Merging a filter with
   * itself changes nothing.
   */
  @Override
  public void merge(ExactZoneFilter other) {
    if (!isCompatible(other)) {
      throw new IncompatibleFiltersException(shape + " != " + other.shape);
    }
    cells.words().writable();
    if (other != this) {
      cells.addAll(other.cells);
      keys = Math.min(Shape.MAX_LOAD, keys + other.keys);
    }
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same numbers, writable even if this one is mapped
   */
  public ExactZoneFilter copy() {
    return new ExactZoneFilter(shape, primes, cells.copy(), keys);
  }

  @Override
  public String toString() {
    return "ExactZoneFilter[" + shape + ", at most " + keys + " keys]";
  }
}
