package io.bloomery.bench;

import io.bloomery.bench.Lane.Pass;
import io.bloomery.bench.Lane.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.LongFunction;

/**
 * The race of one workload with one number of keys, in a JVM of its own that {@link Race} starts.
 * All rows make a pass before any makes the next, so disturbances of the machine affect all of
 * them; a different one begins each round.
 */
final class RaceRun {

  /** Rounds with few keys that let HotSpot compile everything. */
  private static final int WARM_UPS = 4;

  private static final int WARM_UP_KEYS = 100_000;

  /** From here on keys are made once, and only the first rounds add them. */
  private static final int HUGE = 50_000_000;

  private static final int ROUNDS_OF_HUGE_ADDS = 5;

  /** Keys of a pass of queries. */
  private static final int QUERIES = 1 << 20;

  private final Workload workload;
  private final int keys;
  private final int rounds;
  private final List<Row> rows;
  private final List<Lane> lanes = new ArrayList<>();
  private final Map<Sample, Object> samples = new EnumMap<>(Sample.class);
  private final StringBuilder lines = new StringBuilder();

  RaceRun(Workload workload, int keys, int rounds, List<Row> rows) {
    this.workload = workload;
    this.keys = keys;
    this.rounds = rounds;
    this.rows = rows;
    rows.forEach(row -> lanes.add(LaneLoader.lane(row)));
  }

  /**
   * Runs a race.
   *
   * @param args the file that figures are appended to, workload, keys, rounds, names of rows
   * @throws IOException if the file cannot be written
   */
  public static void main(String[] args) throws IOException {
    Path file = Path.of(args[0]);
    Workload workload = Workload.of(args[1]);
    List<Row> rows = Arrays.stream(args).skip(4).map(name -> Rows.find(workload, name)).toList();
    if (!Boolean.getBoolean(MixedJvm.ALONE) && MixedJvm.warmUp() == 0) {
      throw new IllegalStateException("the warm-up found no key");
    }
    int keys = Integer.parseInt(args[2]);
    new RaceRun(workload, keys, Integer.parseInt(args[3]), rows).run(file);
  }

  void run(Path file) throws IOException {
    int few = Math.min(keys, WARM_UP_KEYS);
    lanes.forEach(lane -> lane.prepare(few, workload.rate()));
    for (int round = 0; round < WARM_UPS; round++) {
      makeKeys(-1, few);
      round(round, few, false);
    }
    lanes.forEach(lane -> lane.prepare(keys, workload.rate()));
    makeKeys(0, keys);
    for (int round = 0; round <= rounds; round++) {
      if (round > 0 && makesKeysAnew()) {
        makeKeys(round, keys);
      }
      round(round, keys, round > 0);
      Files.writeString(file, lines, StandardOpenOption.APPEND);
      lines.setLength(0);
    }
  }

  private boolean makesKeysAnew() {
    return keys < HUGE && workload != Workload.STRING && workload != Workload.BYTES;
  }

  private void makeKeys(int seed, int count) {
    int asked = Math.min(count, QUERIES);
    int[] some = Keys.sample(seed, count, asked);
    samples.clear();
    if (workload == Workload.STRING) {
      makeObjects(seed, count, some, String[]::new, Keys::url);
    } else if (workload == Workload.BYTES) {
      makeObjects(seed, count, some, byte[][]::new, Keys::bytes16);
    } else {
      long[] present = new long[asked];
      Arrays.setAll(present, i -> Keys.at(seed, some[i]));
      keep(Keys.range(seed, 0, count), present, Keys.range(seed, count, asked));
    }
  }

  private <K> void makeObjects(
      long seed, int count, int[] some, IntFunction<K[]> newArray, LongFunction<K> newKey) {
    K[] all = newArray.apply(count);
    K[] present = newArray.apply(some.length);
    K[] absent = newArray.apply(some.length);
    Arrays.setAll(all, i -> newKey.apply(Keys.at(seed, i)));
    Arrays.setAll(present, i -> newKey.apply(Keys.at(seed, some[i])));
    Arrays.setAll(absent, i -> newKey.apply(Keys.at(seed, (long) count + i)));
    keep(all, present, absent);
  }

  private void keep(Object all, Object present, Object absent) {
    samples.put(Sample.ALL, all);
    samples.put(Sample.PRESENT, present);
    samples.put(Sample.ABSENT, absent);
  }

  private void round(int round, int count, boolean counts) {
    for (Pass pass : Pass.values()) {
      boolean skipped = pass.fills() && count >= HUGE && round > ROUNDS_OF_HUGE_ADDS;
      for (int i = 0; i < lanes.size() && !skipped; i++) {
        int next = (i + round) % lanes.size();
        if (lanes.get(next).passes().contains(pass)) {
          pass(next, pass, round, count, counts);
        }
      }
    }
    for (int i = 0; i < lanes.size() && counts; i++) {
      record(i, round, "bits", (double) lanes.get(i).sizeInBits() / count);
    }
  }

  private void pass(int index, Pass pass, int round, int count, boolean counts) {
    Lane lane = lanes.get(index);
    double nanos = lane.time(pass, samples.get(pass.keys()));
    int asked = Math.min(count, QUERIES);
    if (pass.findsAll() && lane.isFilter() && lane.hits() != asked) {
      String name = rows.get(index).name();
      throw new IllegalStateException(name + " has lost " + (asked - lane.hits()) + " keys");
    }
    if (counts) {
      record(index, round, pass.figure(), nanos);
    }
    if (counts && pass == Pass.MISS) {
      record(index, round, "garbage", lane.garbage());
      if (lane.isFilter()) {
        record(index, round, "rate", (double) lane.hits() / asked);
      }
    }
  }

  private void record(int index, int round, String figure, double value) {
    lines.append(Results.line(workload, keys, rows.get(index).name(), round, figure, value));
  }
}
