package io.bloomery.bench;

import java.util.Locale;
import java.util.Set;

/**
 * A participant of a race. Every lane has its own copy of the classes that measure, made by {@link
 * LaneLoader}; they share only this interface, so it is public and uses only numbers and arrays of
 * keys.
 */
public interface Lane {

  /** What is timed: one pass over keys. */
  enum Pass {
    /** {@link #ADD_BULK_ONE} in calls of {@link #LARGE_CALL} hashes. */
    ADD_LARGE_ONE(Sample.ALL),
    /** {@link #ADD_BULK} by a filter for one writer. */
    ADD_BULK_ONE(Sample.ALL),
    /** {@link #ADD} to a filter for one writer. */
    ADD_ONE(Sample.ALL),
    /** {@link #ADD_BULK} in calls of {@link #LARGE_CALL} hashes. */
    ADD_LARGE(Sample.ALL),
    /** Hashing keys and adding the hashes, 1,024 in a call. */
    ADD_BULK(Sample.ALL),
    /** Adding keys one at a time to an empty filter. */
    ADD(Sample.ALL),
    /** Building a filter from all keys. */
    BUILD(Sample.ALL),
    /** Single queries of added keys. */
    HIT(Sample.PRESENT),
    /** Single queries of keys that were not added. */
    MISS(Sample.ABSENT),
    /** Hashing added keys and querying 1,024 in a call. */
    BATCH_HIT(Sample.PRESENT),
    /** The same with keys that were not added. */
    BATCH_MISS(Sample.ABSENT);

    /** Hashes in a large call of {@code addHashes}. */
    public static final int LARGE_CALL = 1 << 22;

    private final Sample keys;

    Pass(Sample keys) {
      this.keys = keys;
    }

    /** Which keys the pass goes over. */
    public Sample keys() {
      return keys;
    }

    /** Whether the pass begins with a new filter. */
    public boolean fills() {
      return keys == Sample.ALL;
    }

    /** Whether the pass is one of single or bulk queries of added keys, all of which are found. */
    public boolean findsAll() {
      return keys == Sample.PRESENT;
    }

    /** The name in result files. */
    public String figure() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Keys of a pass. */
  enum Sample {
    /** All that are added. */
    ALL,
    /** Some of them in random order. */
    PRESENT,
    /** Others. */
    ABSENT
  }

  /** What this lane can do, in the order of a round: the last one that adds fills the filter. */
  Set<Pass> passes();

  /** Called once, before any pass, with the parameters of the filters. */
  void prepare(int keys, double rate);

  /**
   * Runs one pass.
   *
   * @param pass one of {@link #passes}
   * @param keys {@code long[]} or {@code Object[]}, as the workload's keys are
   * @return the thread's processor time in nanoseconds per key
   */
  double time(Pass pass, Object keys);

  /** Keys that the last pass of queries found; of a row that is not a filter, any number. */
  long hits();

  /** Whether hits mean anything. */
  boolean isFilter();

  /** Bytes that the last pass allocated, per key. */
  double garbage();

  /** The size of the filter that was filled last. */
  long sizeInBits();
}
