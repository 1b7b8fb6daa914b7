package io.bloomery.bench;

import java.util.Arrays;
import org.openjdk.jmh.infra.Blackhole;

/** What one fork does: set up in the constructor, then measure once per JMH iteration. */
interface Measurement {

  void measure(Figures figures, Blackhole blackhole);

  /**
   * How a fork measures.
   *
   * @param keys how many keys are added
   * @param rate the false-positive rate asked for
   * @param queries distinct keys of one pass
   * @param seed of the keys
   * @param builds how often the build is timed
   * @param rateKeys absent keys that the rate is counted over, at least
   * @param passNanos how long an iteration repeats its passes, at least
   */
  record Settings(
      int keys, double rate, int queries, long seed, int builds, int rateKeys, long passNanos) {

    /** How long loops run before anything is timed. */
    static final long WARM_UP_NANOS = 300_000_000;
  }

  static Measurement of(Row row, Settings settings) {
    boolean mixed = row.origin() != Row.Origin.PEER && !Boolean.getBoolean(MixedJvm.ALONE);
    if (mixed && MixedJvm.warmUp() == 0) {
      throw new IllegalStateException("the warm-up found no key");
    }
    String name = row.name();
    return switch (row.workload()) {
      case LONG,
          RARE,
          POPULAR,
          STATIC,
          LARGE,
          ACCESSES,
          DELETE,
          INSERTS,
          COUNTING,
          GROWTH,
          COUNTS ->
          new LongMeasurement(Rows.longs(name), settings);
      case RECENT -> new LongMeasurement(Rows.events(name), settings);
      case STRING ->
          new ObjectMeasurement<>(Rows.strings(name), settings, String[]::new, Keys::url);
      case BYTES ->
          new ObjectMeasurement<>(Rows.bytes(name), settings, byte[][]::new, Keys::bytes16);
      case PAYLOADS ->
          new ObjectMeasurement<>(Rows.payloads(name), settings, byte[][]::new, Keys::payload);
      case SYNC -> new ObjectMeasurement<>(Rows.sync(name), settings, Long[]::new, Long::valueOf);
      case OBLIVIOUS -> new ObliviousMeasurement(name, settings);
      case THREADS -> new ThreadMeasurement((LongSubject.Filling) Rows.longs(name), settings);
    };
  }

  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** Throws if an added key was not found, since the figures are then meaningless. */
  static void checkFound(int hits, int asked) {
    if (hits != asked) {
      throw new IllegalStateException((asked - hits) + " of " + asked + " added keys were lost");
    }
  }
}
