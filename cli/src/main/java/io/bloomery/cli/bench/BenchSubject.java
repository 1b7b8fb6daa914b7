package io.bloomery.cli.bench;

import io.bloomery.AddableFilter;
import io.bloomery.Filter;
import io.bloomery.FilterBuilder;
import io.bloomery.HashedFilter;
import io.bloomery.cli.option.FilterChoice;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import io.bloomery.tools.measure.MeasuredRate;
import io.bloomery.tools.measure.RandomHashes;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** A filter to measure. */
final class BenchSubject {

  /** What is timed. */
  enum Task {
    /** Building a filter from hashes. */
    BUILD("to build, per key"),
    /** Adding keys one by one to an empty filter. */
    ADD("to add a key"),
    /** Looking up absent keys one by one. */
    ABSENT("for an absent key"),
    /** Looking up present keys one by one. */
    PRESENT("for a present key"),
    /** Looking up absent keys, 1,024 per call. */
    ABSENT_BATCH("for an absent key in a batch"),
    /** Looking up present keys, 1,024 per call. */
    PRESENT_BATCH("for a present key in a batch");

    private final String words;

    Task(String words) {
      this.words = words;
    }

    /** What the time is for, in words. */
    String words() {
      return words;
    }
  }

  private static final int SAMPLE = 1 << 20;
  private static final int BATCH = 1024;

  private final String name;
  private final @Nullable FilterChoice kind; // null for a saved filter
  private final @Nullable Plan plan; // null for a saved filter
  private final long keys;
  private HashedFilter filter;
  private final long[] absent;
  private final long[] present;
  private final long[] answers = new long[BATCH / Long.SIZE];
  private final Map<Task, List<Double>> times = new EnumMap<>(Task.class);

  private BenchSubject(
      String name,
      @Nullable FilterChoice kind,
      @Nullable Plan plan,
      long keys,
      long[] present,
      HashedFilter filter) {
    this.name = name;
    this.kind = kind;
    this.plan = plan;
    this.keys = keys;
    this.present = present;
    this.filter = filter;
    this.absent = new long[SAMPLE];
    new RandomHashes(RandomHashes.OTHERS).next(absent, SAMPLE);
  }

  /** A filter of a kind, built for the measurement, whose times a planner predicts. */
  static BenchSubject ofKind(FilterChoice kind, Planner planner) {
    kind.requireFillable();
    long keys = kind.needs().keys();
    long[] present = new long[(int) Math.min(SAMPLE, keys)];
    new RandomHashes(RandomHashes.MEMBERS).next(present, present.length);
    Plan plan = planner.named(kind.name(), kind.needs());
    return new BenchSubject(kind.name(), kind, plan, keys, present, build(kind, keys));
  }

  /** A saved filter, in which absent keys are looked up. */
  static BenchSubject ofFile(Path path, Filter filter) {
    if (!(filter instanceof HashedFilter hashed)) {
      throw new Problem(path, "hashes keys in its own way; only filters of Bloomery are timed");
    }
    return new BenchSubject(Octets.name(path), null, null, 0, new long[0], hashed);
  }

  /** The name of the filter. */
  String name() {
    return name;
  }

  /** The number of keys in the filter, 0 if unknown. */
  long keys() {
    return keys;
  }

  /** The filter that was built last. */
  HashedFilter filter() {
    return filter;
  }

  /** The time that the planner predicts; empty of batches, builds and saved filters. */
  OptionalDouble predictedNanos(Task task) {
    if (plan == null) {
      return OptionalDouble.empty();
    }
    return switch (task) {
      case PRESENT -> OptionalDouble.of(plan.presentNanos());
      case ABSENT -> OptionalDouble.of(plan.absentNanos());
      default -> OptionalDouble.empty();
    };
  }

  /** The measured false-positive rate. */
  MeasuredRate measuredRate() {
    long hits = new RandomHashes(RandomHashes.OTHERS).hits(filter, SAMPLE);
    return new MeasuredRate(hits, SAMPLE);
  }

  /** The times of a task in nanoseconds, one per round; empty if the filter does not support it. */
  List<Double> times(Task task) {
    return times.getOrDefault(task, List.of());
  }

  /** Runs every task once, and keeps the times if {@code kept}. */
  void round(boolean kept) {
    for (Task task : Task.values()) {
      double nanos = time(task);
      if (kept && nanos >= 0) {
        times.computeIfAbsent(task, t -> new ArrayList<>()).add(nanos);
      }
    }
  }

  /** Nanoseconds per key, or -1 if the filter does not support the task. */
  private double time(Task task) {
    return switch (task) {
      case BUILD -> kind == null ? -1 : timeBuilding(kind);
      case ADD -> kind == null || kind.isStatic() ? -1 : timeAdding(kind);
      case ABSENT -> {
        Queries.hits(filter, absent); // other filters have displaced this one from the caches
        yield timeLookups(absent, -1);
      }
      case PRESENT -> present.length == 0 ? -1 : timeLookups(present, present.length);
      case ABSENT_BATCH -> timeBatches(absent, -1);
      case PRESENT_BATCH -> present.length == 0 ? -1 : timeBatches(present, present.length);
    };
  }

  private static HashedFilter build(FilterChoice kind, long keys) {
    FilterBuilder builder = kind.builder(kind.shape());
    RandomHashes.members(keys, builder::addHashes);
    return FilterChoice.build(builder);
  }

  private double timeBuilding(FilterChoice built) {
    long start = System.nanoTime();
    filter = build(built, keys);
    return (double) (System.nanoTime() - start) / keys;
  }

  private double timeAdding(FilterChoice added) {
    AddableFilter empty = (AddableFilter) FilterChoice.build(added.builder(added.shape()));
    long start = Queries.now();
    for (long hash : present) {
      empty.addHash(hash);
    }
    return (double) (Queries.now() - start) / present.length;
  }

  private double timeLookups(long[] hashes, int expected) {
    long start = Queries.now();
    int hits = Queries.hits(filter, hashes);
    return checked(start, hashes, hits, expected);
  }

  private double timeBatches(long[] hashes, int expected) {
    int hits = 0;
    long start = Queries.now();
    for (int from = 0; from < hashes.length; from += BATCH) {
      int to = Math.min(hashes.length, from + BATCH);
      hits += filter.mightContainHashes(hashes, from, to, answers);
    }
    return checked(start, hashes, hits, expected);
  }

  /** Uses the hits, so that the compiler cannot eliminate the work, and checks their number. */
  private double checked(long start, long[] hashes, int hits, int expected) {
    double nanos = (double) (Queries.now() - start) / hashes.length;
    if (expected >= 0 ? hits != expected : hits > hashes.length) {
      throw new Problem(
          "%s: %s of %s members found: this filter is broken"
              .formatted(name, Text.count(hits), Text.count(expected)));
    }
    return nanos;
  }
}
