package io.bloomery.plan;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.Sizing;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the user knows: the keys, a rate or a memory budget, and {@linkplain Need needs}. Immutable;
 * each {@code with} method returns a changed copy.
 *
 * <pre>{@code
 * Needs.forKeys(1_000_000, 0.01).with(Need.HOSTILE_INPUT)
 * Needs.forBudget(1_000_000, 8_000_000).withUniverse(1L << 32)
 * }</pre>
 */
public final class Needs {

  private static final double MOSTLY = 0.9;
  private static final double HALF = 0.5;

  private final long keys;
  private final OptionalDouble rate;
  private final OptionalLong budget;
  private final OptionalLong universe;
  private final Set<Need> needs;
  private final @Nullable Preference preference;
  private final @Nullable Popularity popularity;
  private final Ranges ranges;

  private Needs(
      long keys,
      OptionalDouble rate,
      OptionalLong budget,
      OptionalLong universe,
      Set<Need> needs,
      @Nullable Preference preference,
      @Nullable Popularity popularity,
      Ranges ranges) {
    this.keys = keys;
    this.rate = rate;
    this.budget = budget;
    this.universe = universe;
    this.needs = Collections.unmodifiableSet(needs);
    this.preference = preference;
    this.popularity = popularity;
    this.ranges = ranges;
  }

  /**
   * A number of keys and the false-positive rate wanted.
   *
   * @param keys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param rate the false-positive rate, in (0, 1) and at least {@code keys · 2^-57}
   * @return the needs
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static Needs forKeys(long keys, double rate) {
    Sizing.requireTarget(keys, rate);
    return new Needs(
        keys,
        OptionalDouble.of(rate),
        OptionalLong.empty(),
        OptionalLong.empty(),
        EnumSet.noneOf(Need.class),
        null,
        null,
        Ranges.NONE);
  }

  /**
   * The lowest rate that 64-bit hashes can promise.
   *
   * @param keys distinct keys to hold
   * @return {@code keys · 2^-57}
   */
  public static double lowestRate(long keys) {
    return Sizing.lowestRate(keys);
  }

  /**
   * A number of keys and the memory that may be used.
   *
   * @param keys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget in bits, 64 … {@link Shape#MAX_BITS}
   * @return the needs
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static Needs forBudget(long keys, long bits) {
    Arguments.inRange("keys", keys, 1, Shape.MAX_KEYS);
    return new Needs(
        keys,
        OptionalDouble.empty(),
        OptionalLong.of(Sizing.requireBudget(bits, 64)),
        OptionalLong.empty(),
        EnumSet.noneOf(Need.class),
        null,
        null,
        Ranges.NONE);
  }

  /** These needs with a rate instead of the given rate or budget. */
  Needs atRate(double lowest) {
    return new Needs(
        keys,
        OptionalDouble.of(lowest),
        OptionalLong.empty(),
        universe,
        needs,
        preference,
        popularity,
        ranges);
  }

  /** The needs of one of several filters that share keys and budget equally. */
  Needs inShards(int shards) {
    return new Needs(
        (keys + shards - 1) / shards,
        rate,
        budget.isPresent() ? OptionalLong.of(budget.getAsLong() / shards) : budget,
        universe,
        needs,
        preference,
        popularity,
        ranges);
  }

  /**
   * These needs with one more.
   *
   * @param need the need to add
   * @return a changed copy
   */
  public Needs with(Need need) {
    Set<Need> more = EnumSet.of(Objects.requireNonNull(need, "need"));
    more.addAll(needs);
    return new Needs(keys, rate, budget, universe, more, preference, popularity, ranges);
  }

  /**
   * These needs for keys that are whole numbers below a bound.
   *
   * @param size number of possible values, at least 1
   * @return a changed copy
   * @throws IllegalArgumentException if {@code size} is outside its range
   */
  public Needs withUniverse(long size) {
    Arguments.inRange("universe", size, 1, Long.MAX_VALUE);
    return new Needs(
        keys, rate, budget, OptionalLong.of(size), needs, preference, popularity, ranges);
  }

  /**
   * These needs with a preference.
   *
   * @param preferred time or memory
   * @return a changed copy
   */
  public Needs prefer(Preference preferred) {
    Objects.requireNonNull(preferred, "preferred");
    return new Needs(keys, rate, budget, universe, needs, preferred, popularity, ranges);
  }

  /**
   * These needs for queries that favour some keys; adds {@link Need#SKEWED_POPULARITY}. The rate is
   * then that of a query, not that of a key.
   *
   * @param known how queries are distributed over keys
   * @return a changed copy
   */
  public Needs withPopularity(Popularity known) {
    Objects.requireNonNull(known, "known");
    Set<Need> more = EnumSet.of(Need.SKEWED_POPULARITY);
    more.addAll(needs);
    return new Needs(keys, rate, budget, universe, more, preference, known, ranges);
  }

  /**
   * These needs for numbers as keys and queries whether a range of them holds any; adds {@link
   * Need#RANGES}. The rate is then that of a range of this length.
   *
   * @param longest how many numbers the longest range has, 1 … 2^62
   * @return a changed copy
   * @throws IllegalArgumentException if {@code longest} is outside its range
   */
  public Needs withRanges(long longest) {
    return with(new Ranges(longest, 0));
  }

  /**
   * The same for byte strings as keys, in the order of their unsigned bytes.
   *
   * @param longest how many strings of {@code keyBytes} bytes the longest range has, 1 … 2^62
   * @param keyBytes how many bytes of a key count, 1 … 255
   * @return a changed copy
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public Needs withRanges(long longest, int keyBytes) {
    Arguments.inRange("keyBytes", keyBytes, 1, 255);
    return with(new Ranges(longest, keyBytes));
  }

  private Needs with(Ranges asked) {
    Set<Need> more = EnumSet.of(Need.RANGES);
    more.addAll(needs);
    return new Needs(keys, rate, budget, universe, more, preference, popularity, asked);
  }

  /** The ranges that are queried; no bytes mean numbers. */
  private record Ranges(long longest, int keyBytes) {
    static final Ranges NONE = new Ranges(1, 0);

    Ranges {
      Arguments.inRange("longest", longest, 1, 1L << 62);
    }
  }

  /**
   * The number of distinct keys.
   *
   * @return 1 … {@link Shape#MAX_KEYS}
   */
  public long keys() {
    return keys;
  }

  /**
   * The false-positive rate wanted.
   *
   * @return the rate; empty if a budget is given instead
   */
  public OptionalDouble rate() {
    return rate;
  }

  /**
   * The memory that may be used.
   *
   * @return the size in bits; empty if a rate is given instead
   */
  public OptionalLong budget() {
    return budget;
  }

  /**
   * The number of possible values.
   *
   * @return the size of the universe; empty if unknown
   */
  public OptionalLong universe() {
    return universe;
  }

  /**
   * How many possible keys the longest range has that is queried.
   *
   * @return 1 … 2^62; 1, a single key, unless {@linkplain #withRanges stated}
   */
  public long longestRange() {
    return ranges.longest();
  }

  /**
   * How many bytes of an ordered key count.
   *
   * @return 1 … 255; empty if keys are numbers
   */
  public OptionalInt keyBytes() {
    return ranges.keyBytes() == 0 ? OptionalInt.empty() : OptionalInt.of(ranges.keyBytes());
  }

  /**
   * How queries are distributed over keys.
   *
   * @return empty if it is unknown
   */
  public Optional<Popularity> popularity() {
    return Optional.ofNullable(popularity);
  }

  /**
   * Whether a need was added.
   *
   * @param need the need
   * @return whether it is there
   */
  public boolean has(Need need) {
    return needs.contains(need);
  }

  /**
   * All needs that were added.
   *
   * @return an unmodifiable set
   */
  public Set<Need> all() {
    return needs;
  }

  /**
   * How many of the queries are assumed to be for keys that are there.
   *
   * @return 0.9 with {@link Need#MOSTLY_PRESENT}, otherwise 0.5
   */
  public double presentShare() {
    return has(Need.MOSTLY_PRESENT) ? MOSTLY : HALF;
  }

  /**
   * What weighs more.
   *
   * @return the {@linkplain #prefer preference} given; otherwise size for a filter that is sent,
   *     and balanced for any other
   */
  public Preference preference() {
    if (preference != null) {
      return preference;
    }
    return has(Need.TRANSFER) ? Preference.SIZE : Preference.BALANCED;
  }

  /** What weighs more when a faster filter takes more memory. {@link Planner} defines the cost. */
  public enum Preference {
    /** Time: 1 % of it is worth 4 % of the memory. */
    SPEED(0.25),
    /** Both: 1 % of the memory is worth 3 % of the time. */
    BALANCED(3),
    /** Memory: 1 % of it is worth 25 % of the time. */
    SIZE(25);

    private final double memoryWeight;

    Preference(double memoryWeight) {
      this.memoryWeight = memoryWeight;
    }

    /**
     * How many percent of time a percent of memory is worth.
     *
     * @return the exponent of the memory in the cost
     */
    public double memoryWeight() {
      return memoryWeight;
    }
  }
}
