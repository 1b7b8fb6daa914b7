package io.bloomery.plan;

import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.Variant;
import io.bloomery.error.ImpossibleSizeException;
import io.bloomery.internal.check.Arguments;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which filter, and how large? Sizes every variant of every kind that meets the needs by its own
 * formula and ranks them.
 *
 * <pre>{@code
 * Planner.standard().plan(Needs.forKeys(1_000_000, 0.01).with(Need.DELETES)).best().create()
 * }</pre>
 *
 * <p>Plans are ranked by one cost, the least first; equal costs by rate:
 *
 * <pre>
 * cost      = time · (memory / rejection) ^ weight
 * time      = query + add / 20                  nanoseconds; 20 queries for each key that is added
 *                                               times 1.25 where one thread at a time may change it
 * query     = (present + absent) / 2            for mostly present keys 0.9 present + 0.1 absent
 * memory    = (size + 2 KiB) / keys + 1         bits per key; the 2 KiB and the 1 are negligible
 * rejection = log2(1 / rate)                    at most 57, and a bit better than required;
 *                                               squared if memory is given and no rate
 * weight    = 0.25 speed, 3 balanced, 25 size   what the user {@linkplain Needs#prefer prefers}
 * </pre>
 *
 * <p>{@link Machine} predicts the time of a query from its cache lines, its words and the size of
 * the table, for present keys and for absent ones, for which some kinds stop early. Adding a key
 * takes as many queries as the variant states, plus 20 ns for a lock where one thread adds at a
 * time. {@code memory / rejection} is the price of a bit of accuracy, 1 for a perfect filter and
 * 1.44 for a Bloom filter. So filters of a given rate are compared by size, and filters of a given
 * size by rate, which then weighs twice: a user who gives a size wants the lowest rate it can buy.
 * The size of a filter that is sent is that of its coded form, and it is weighed as {@link
 * Needs.Preference#SIZE} unless the user says otherwise. Variants that meet a need only within a
 * limit come after those that meet all needs in full. Immutable.
 */
public final class Planner {

  /** A filter that lets more absent keys pass saves less than it costs, and gets no plan. */
  private static final double HOPELESS_RATE = 0.5;

  private static final double LN2 = Math.log(2);

  private static final int MAX_SHARD_LOG = 12;

  /** What a set that never changes cannot need. */
  private static final Set<Need> FROZEN_NEVER =
      Collections.unmodifiableSet(EnumSet.of(Need.DELETES, Need.UNKNOWN_GROWTH, Need.WINDOW));

  private final List<FilterKind<?>> kinds;
  private final Machine machine;

  private Planner(Collection<FilterKind<?>> kinds, Machine machine) {
    this.kinds = List.copyOf(kinds);
    this.machine = Objects.requireNonNull(machine, "machine");
  }

  /**
   * A planner for the given kinds only.
   *
   * @param kinds the kinds
   * @return the planner
   */
  public static Planner of(Collection<FilterKind<?>> kinds) {
    return new Planner(kinds, Machine.BUILT_IN);
  }

  /**
   * The planner of all kinds of this library.
   *
   * @return the planner
   */
  public static Planner standard() {
    return Standard.PLANNER;
  }

  /**
   * This planner with the figures of another machine.
   *
   * @param other how fast it is
   * @return a changed copy
   */
  public Planner on(Machine other) {
    return new Planner(kinds, other);
  }

  /**
   * The machine whose times are predicted.
   *
   * @return {@link Machine#BUILT_IN} unless another was given
   */
  public Machine machine() {
    return machine;
  }

  /** Created on first use, because the kinds depend on this package. */
  private static final class Standard {
    static final Planner PLANNER = new Planner(Filters.kinds(), Machine.BUILT_IN);
  }

  /**
   * All variants that this planner knows.
   *
   * @return in the order of the kinds
   */
  public List<Variant> variants() {
    return kinds.stream().<Variant>flatMap(kind -> kind.variants().stream()).toList();
  }

  /**
   * Sizes and ranks the variants that meet the needs.
   *
   * @param needs what the user knows
   * @return the plans, or a sentence that says which need no kind meets
   */
  public Plans plan(Needs needs) {
    Optional<String> impossible = unmet(needs.all());
    if (impossible.isPresent()) {
      return new Plans(List.of(), impossible.get());
    }
    Ranking ranking = new Ranking(needs, machine);
    List<Plan> plans = new ArrayList<>();
    for (FilterKind<?> kind : kinds) {
      for (Variant variant : kind.variants()) {
        if (variant.isOfferedFor(needs)) {
          sized(variant, needs)
              .ifPresent(size -> plans.add(ranking.plan(kind, variant, size.shape, size.shards)));
        }
      }
    }
    if (plans.isEmpty()) {
      return new Plans(plans, unmet(needs));
    }
    if (needs.budget().isPresent()) {
      List<Plan> useful =
          plans.stream().filter(plan -> plan.predictedRate() <= HOPELESS_RATE).toList();
      if (useful.isEmpty() && isHopeless(needs)) {
        return new Plans(useful, hopeless(needs, plans));
      }
      return new Plans(ranking.ranked(useful.isEmpty() ? plans : useful), "");
    }
    return new Plans(ranking.ranked(plans), "");
  }

  /** Whether even a Bloom filter of that size would let more than half of absent keys pass. */
  private static boolean isHopeless(Needs needs) {
    return needs.budget().orElseThrow() < needs.keys() / LN2;
  }

  /** Why no filter of this size is useful. */
  private static String hopeless(Needs needs, List<Plan> plans) {
    double bitsPerKey = (double) needs.budget().orElseThrow() / needs.keys();
    double best = plans.stream().mapToDouble(Plan::predictedRate).min().orElse(1);
    return String.format(
        Locale.ROOT,
        "%.2g bits per key are too few: the best kind here would report %.0f %% of absent keys"
            + " present. A Bloom filter takes %.1f bits per key for a rate of 50 %%, %.1f for 1 %%.",
        bitsPerKey,
        100 * best,
        1 / LN2,
        Math.log(100) / LN2 / LN2);
  }

  /** A shape, and how many filters of it hold all keys. */
  private record Sized(Shape shape, int shards) {}

  /** The size for these needs, in shards where one filter of the kind does not hold all keys. */
  private static Optional<Sized> sized(Variant variant, Needs needs) {
    Optional<Shape> one = shape(variant, needs);
    if (one.isPresent() || !variant.isSharded()) {
      return one.map(shape -> new Sized(shape, 1));
    }
    for (int log = 1; log <= MAX_SHARD_LOG; log++) {
      int shards = 1 << log;
      Optional<Shape> each = shape(variant, needs.inShards(shards));
      if (each.isPresent()) {
        return Optional.of(new Sized(each.get(), shards));
      }
    }
    return Optional.empty();
  }

  /** The shape for these needs; uses no more of a budget than 64-bit hashes can. */
  private static Optional<Shape> shape(Variant variant, Needs needs) {
    if (needs.budget().isPresent()) {
      double least = Math.min(0.5, Needs.lowestRate(needs.keys()));
      Optional<Shape> enough = variant.fit(needs.atRate(least)).shape();
      if (enough.isPresent() && enough.get().sizeInBits() <= needs.budget().getAsLong()) {
        return enough;
      }
    }
    return variant.fit(needs).shape();
  }

  /**
   * Sizes a variant given by its name, or the best variant of a kind given by its name. It is sized
   * as if every need were set.
   *
   * @param name of a kind or of a variant, such as "blocked" or "blocked-128"
   * @param needs keys, a rate or a budget, and the universe where the kind needs it
   * @return the plan
   * @throws ImpossibleSizeException if the kind has no shape of that size
   * @throws IllegalArgumentException if there is no such kind or the planner does not support it
   */
  public Plan named(String name, Needs needs) {
    Objects.requireNonNull(name, "name");
    Ranking ranking = new Ranking(needs, machine);
    List<Plan> plans = new ArrayList<>();
    List<Shape.Fit> unfit = new ArrayList<>();
    FilterKind<?> kind = kindNamed(name);
    boolean exact = kind.variants().stream().anyMatch(variant -> variant.name().equals(name));
    for (Variant variant : kind.variants()) {
      if (!exact || variant.name().equals(name)) {
        sized(variant, needs)
            .ifPresentOrElse(
                size -> plans.add(ranking.plan(kind, variant, size.shape, size.shards)),
                () -> unfit.add(variant.fit(needs)));
      }
    }
    if (kind.variants().isEmpty()) {
      throw new IllegalArgumentException(name + " " + kind.refusal().orElse("has no variants"));
    }
    if (plans.isEmpty()) {
      unfit.get(0).orElseThrow();
    }
    return ranking.ranked(plans).get(0);
  }

  private FilterKind<?> kindNamed(String name) {
    return Stream.<Predicate<FilterKind<?>>>of(
            kind -> kind.name().equals(name),
            kind -> kind.variants().stream().anyMatch(variant -> variant.name().equals(name)))
        .flatMap(test -> kinds.stream().filter(test))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    name + " is not one of: " + String.join(", ", names())));
  }

  /**
   * The names that {@link #named} takes.
   *
   * @return kinds and variants in alphabetical order
   */
  public List<String> names() {
    return Stream.concat(
            kinds.stream().filter(kind -> !kind.variants().isEmpty()).map(FilterKind::name),
            variants().stream().map(Variant::name))
        .distinct()
        .sorted()
        .toList();
  }

  /**
   * Which needs no kind meets at any size, or which contradict each other.
   *
   * @param needs what is needed
   * @return a sentence; empty if some kind meets all of them
   */
  public Optional<String> unmet(Collection<Need> needs) {
    Optional<Need> change = FROZEN_NEVER.stream().filter(needs::contains).findFirst();
    if (needs.contains(Need.FROZEN_SET) && change.isPresent()) {
      return Optional.of(
          "A frozen set never changes, which contradicts "
              + change.get().words()
              + ": leave out one of the two.");
    }
    Set<Need> required = EnumSet.noneOf(Need.class);
    needs.stream().filter(Need::isRequired).forEach(required::add);
    List<Need> alone = required.stream().filter(need -> !isMet(EnumSet.of(need))).toList();
    if (!alone.isEmpty()) {
      return Optional.of(
          (unplanned(alone).isEmpty()
                  ? "No kind of filter here supports "
                  : "The planner sizes no kind for ")
              + words(alone, " or ")
              + "."
              + unplanned(alone));
    }
    return isMet(required)
        ? Optional.empty()
        : Optional.of("No kind of filter here supports " + words(required, " and ") + " together.");
  }

  /** Which kinds meet needs that no variant meets; their parameters are more than keys and rate. */
  private String unplanned(List<Need> needs) {
    String names =
        kinds.stream()
            .filter(kind -> kind.meets().containsAll(needs))
            .map(FilterKind::name)
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? "" : " Kinds that do, by parameters of their own: " + names + ".";
  }

  private String unmet(Needs needs) {
    List<Need> required = needs.all().stream().filter(Need::isRequired).toList();
    if (needs.has(Need.CLOSED_UNIVERSE) && needs.universe().isEmpty()) {
      return "A closed universe needs its size: how many keys there are in all.";
    }
    String target =
        needs.rate().isPresent()
            ? "a rate of " + needs.rate().getAsDouble()
            : "a budget of " + needs.budget().orElseThrow() + " bits";
    String what = required.isEmpty() ? "holds " : "supports " + words(required, " and ") + " for ";
    return "No kind of filter here " + what + needs.keys() + " keys with " + target + ".";
  }

  private boolean isMet(Set<Need> required) {
    return variants().stream().anyMatch(variant -> variant.meets().containsAll(required));
  }

  private static String words(Collection<Need> needs, String separator) {
    return needs.stream().map(Need::words).collect(Collectors.joining(separator));
  }

  /**
   * How fast a machine answers a query, as far as the planner needs to know:
   *
   * <pre>
   * nanoseconds = work + line(size) · (waits + overlap · (cache lines − 1))
   * work        = call + word · words
   * waits       = min(work, fetches · window) / (call + word), or 1 if the window is not known
   * </pre>
   *
   * <p>A processor looks ahead over a window of work, beyond the end of the query, and the lines in
   * it arrive together. So a query that computes twice as much waits twice as long in all, since
   * half as many others wait with it; but for none of its fetches longer than for that one alone.
   * {@link #BUILT_IN} has no window: it decides which filters are made by default, which must not
   * follow each better prediction.
   *
   * <p>{@code line(size)} is the time of the first cache line of a query in a table of that size.
   * It is interpolated between the {@linkplain #tables() tables} that were measured, linearly over
   * the logarithm of their size, and constant outside them. Immutable.
   *
   * @param callNanos the fixed time of every query, without hashing of the key
   * @param wordNanos the time of computing and testing one 64-bit word
   * @param overlap the time of each further cache line, as a share of the first, since lines are
   *     fetched concurrently; 0 … 1
   * @param windowNanos the work over which the processor looks ahead, in the time that it takes in
   *     cache: at least that of a query of one word, or 0 if it is not known
   * @param tables the measured tables, the smallest first, each with slower lines than the one
   *     before
   */
  public record Machine(
      double callNanos, double wordNanos, double overlap, double windowNanos, List<Table> tables) {

    /**
     * A table that was measured.
     *
     * @param bytes its size, 1 or more
     * @param lineNanos the time of a query's first cache line, 0 or more
     */
    public record Table(long bytes, double lineNanos) {
      public Table {
        Arguments.inRange("bytes", bytes, 1, Shape.MAX_BITS / Byte.SIZE);
        requireNanos("lineNanos", lineNanos);
      }
    }

    /**
     * The figures of docs/benchmarks.md: an AMD EPYC with caches of 32 KiB, 512 KiB and 32 MiB, the
     * last of which is shared.
     */
    public static final Machine BUILT_IN =
        new Machine(
            2,
            2,
            0.4,
            List.of(
                new Table(32L << 10, 0.5),
                new Table(512L << 10, 1.5),
                new Table(32L << 20, 24),
                new Table(256L << 20, 64)));

    public Machine {
      requireNanos("callNanos", callNanos);
      requireNanos("wordNanos", wordNanos);
      if (callNanos + wordNanos <= 0) {
        throw new IllegalArgumentException("callNanos and wordNanos are 0: a query takes time");
      }
      if (!(overlap >= 0 && overlap <= 1)) {
        throw new IllegalArgumentException("overlap = " + overlap + " is not in 0 … 1");
      }
      requireNanos("windowNanos", windowNanos);
      if (windowNanos != 0 && windowNanos < callNanos + wordNanos) {
        throw new IllegalArgumentException(
            "windowNanos = " + windowNanos + " is less than a query of one word takes");
      }
      tables = List.copyOf(tables);
      if (tables.isEmpty()) {
        throw new IllegalArgumentException("tables are empty");
      }
      for (int i = 1; i < tables.size(); i++) {
        Table smaller = tables.get(i - 1);
        Table larger = tables.get(i);
        if (larger.bytes <= smaller.bytes || larger.lineNanos < smaller.lineNanos) {
          throw new IllegalArgumentException(
              "tables do not rise in size and time: " + smaller + ", " + larger);
        }
      }
    }

    /**
     * A machine whose window is not known.
     *
     * @param callNanos the fixed time of every query, without hashing of the key
     * @param wordNanos the time of computing and testing one 64-bit word
     * @param overlap the time of each further cache line, as a share of the first; 0 … 1
     * @param tables the measured tables, the smallest first
     */
    public Machine(double callNanos, double wordNanos, double overlap, List<Table> tables) {
      this(callNanos, wordNanos, overlap, 0, tables);
    }

    private static void requireNanos(String name, double nanos) {
      if (!(nanos >= 0 && nanos <= 1e6)) {
        throw new IllegalArgumentException(name + " = " + nanos + " is not in 0 … 1000000");
      }
    }

    /**
     * How long a query takes that fetches each line for itself.
     *
     * @param bits the size of the table
     * @param cacheLines lines that it touches, 1 or more
     * @param words 64-bit words that it reads
     * @return nanoseconds
     */
    public double queryNanos(long bits, double cacheLines, double words) {
      return queryNanos(bits, new Variant.Work(cacheLines, words, cacheLines));
    }

    /**
     * How long a query takes.
     *
     * @param bits the size of the table
     * @param work its cache lines, words and fetches
     * @return nanoseconds
     */
    public double queryNanos(long bits, Variant.Work work) {
      double computing = callNanos + wordNanos * work.words();
      double waits =
          windowNanos == 0
              ? 1
              : Math.min(computing, work.fetches() * windowNanos) / (callNanos + wordNanos);
      return computing + lineNanos(bits) * (waits + overlap * (work.cacheLines() - 1));
    }

    /**
     * How long the first cache line of a query takes.
     *
     * @param bits the size of the table
     * @return nanoseconds
     */
    public double lineNanos(long bits) {
      double bytes = (double) bits / Byte.SIZE;
      Table below = tables.get(0);
      for (Table above : tables) {
        if (bytes <= above.bytes) {
          if (above.equals(below)) {
            return above.lineNanos;
          }
          double share =
              Math.log(bytes / below.bytes) / Math.log((double) above.bytes / below.bytes);
          return below.lineNanos + share * (above.lineNanos - below.lineNanos);
        }
        below = above;
      }
      return below.lineNanos;
    }

    /**
     * The same figures with other tables.
     *
     * @param tables the measured tables, the smallest first
     * @return a changed copy
     */
    public Machine withTables(List<Table> tables) {
      return new Machine(
          callNanos, wordNanos, overlap, windowNanos, Objects.requireNonNull(tables, "tables"));
    }
  }
}
