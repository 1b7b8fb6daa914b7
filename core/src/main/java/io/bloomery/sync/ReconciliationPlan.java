package io.bloomery.sync;

import io.bloomery.internal.check.Arguments;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * What a method is expected to cost for two sets. Bytes decide; of methods within a fifth of the
 * fewest bytes, the one with the least computing is taken.
 *
 * @param method the method
 * @param bytes expected bytes of both directions, with the keys that are sent
 * @param millis expected time of computing of both sides, in milliseconds of one core
 * @param exact whether all differences are found
 * @param why one sentence
 */
public record ReconciliationPlan(
    ReconciliationMethod method, double bytes, double millis, boolean exact, String why) {

  /** Bytes of the greetings and of the framing of a few messages. */
  private static final double GREETING = 150;

  /** Bytes of the frame of a stored filter around its bits. */
  private static final double FRAME = 4_200;

  /** Checksum and count of a cell. */
  private static final double CELL = 4.7;

  /** Checksum and count of a symbol. */
  private static final double SYMBOL = 8.8;

  /** Cells per key of a table, with the margin for the estimate. */
  private static final double CELLS = 1.62;

  /** Symbols per key, with those that come after the last one needed. */
  private static final double SYMBOLS = 1.42;

  /** The share of a difference that a filter or a tree does not find. */
  private static final double FILTER_MISSES = 0.0216;

  private static final double TREE_MISSES = 0.17;

  /** What is within this factor of the fewest bytes is compared by computing. */
  private static final double ALIKE = 1.2;

  // Nanoseconds per key of a set, measured with a million 8-byte keys.
  private static final double HASH = 300;
  private static final double LOOKUP = 100;
  private static final double SORT = 500;
  private static final double INSERT = 150;
  private static final double ENCODE = 1_000;

  /**
   * The methods for two sets, the best one first.
   *
   * @param here distinct keys of one side, 0 or more
   * @param there distinct keys of the other side, 0 or more
   * @param difference keys that only one side has, as far as known, at most all
   * @param keyBytes mean length of keys in bytes
   * @param approximate whether a result that misses some keys is accepted
   * @return a plan for each method
   */
  static List<ReconciliationPlan> all(
      long here, long there, double difference, double keyBytes, boolean approximate) {
    Arguments.inRange("here", here, 0, Greeting.MOST_KEYS);
    Arguments.inRange("there", there, 0, Greeting.MOST_KEYS);
    double keys = (double) here + there;
    Arguments.inRange("difference", difference, 0, keys);
    Arguments.inRange("keyBytes", keyBytes, 0, Integer.MAX_VALUE);
    List<ReconciliationPlan> plans = new ArrayList<>();
    for (ReconciliationMethod method : ReconciliationMethod.values()) {
      plans.add(of(method, (double) here, (double) there, difference, keyBytes, approximate));
    }
    double fewest = plans.stream().mapToDouble(ReconciliationPlan::bytes).min().orElseThrow();
    plans.sort(
        Comparator.comparing((ReconciliationPlan plan) -> plan.bytes > ALIKE * fewest)
            .thenComparing(plan -> plan.bytes > ALIKE * fewest ? plan.bytes : plan.millis));
    return List.copyOf(plans);
  }

  static ReconciliationPlan best(
      long here, long there, double difference, double keyBytes, boolean approximate) {
    return all(here, there, difference, keyBytes, approximate).get(0);
  }

  private static ReconciliationPlan of(
      ReconciliationMethod method,
      double here,
      double there,
      double difference,
      double keyBytes,
      boolean approximate) {
    double keys = here + there;
    double onlyHere = Math.min(here, Math.max(0, (difference + here - there) / 2));
    boolean hashed = keyBytes > Terms.MOST_DIRECT;
    double element = hashed ? Long.BYTES : keyBytes;
    double sketch = 128.0 * ParitySketch.levelsFor((long) keys);
    // What only this side has is sent as keys, the other keys are named by a hash and, if tables
    // have no keys, sent too.
    double named = (difference - onlyHere) * (Long.BYTES + (hashed ? keyBytes : 0));
    double settled = onlyHere * keyBytes + named;
    double symbols = difference * SYMBOLS * (element + SYMBOL) + settled;
    double hashing = keys * HASH;
    return switch (method) {
      case FULL ->
          plan(
              method,
              sketch + there * (keyBytes + 0.125) + onlyHere * keyBytes,
              hashing + there * LOOKUP,
              true,
              "all %,.0f keys of one side",
              there);
      case FILTER, TREE -> {
        boolean tree = method == ReconciliationMethod.TREE;
        double misses = misses(method);
        double summaries = keys + 2 * FRAME;
        double rest = approximate ? 0 : misses * symbols;
        yield plan(
            method,
            sketch + summaries + (1 - misses) * difference * keyBytes + rest,
            hashing + keys * (tree ? SORT : 2 * LOOKUP) + (approximate ? 0 : keys * ENCODE),
            !approximate,
            "8 bits for each of %,.0f keys, then the keys that are not found",
            keys);
      }
      case INVERTIBLE ->
          plan(
              method,
              sketch + settled + (difference * CELLS + 20) * (element + CELL),
              hashing + keys * INSERT,
              true,
              "1.6 cells for each of %,.0f differences",
              difference);
      case RATELESS ->
          plan(
              method,
              sketch + symbols + 8 * (element + SYMBOL),
              hashing + keys * ENCODE,
              true,
              "1.4 symbols for each of %,.0f differences",
              difference);
    };
  }

  /** The share of a difference that an approximate method does not find. */
  static double misses(ReconciliationMethod method) {
    return method == ReconciliationMethod.TREE ? TREE_MISSES : FILTER_MISSES;
  }

  private static ReconciliationPlan plan(
      ReconciliationMethod method,
      double bytes,
      double nanos,
      boolean exact,
      String why,
      double count) {
    return new ReconciliationPlan(
        method, GREETING + bytes, nanos / 1e6, exact, String.format(Locale.ROOT, why, count));
  }
}
