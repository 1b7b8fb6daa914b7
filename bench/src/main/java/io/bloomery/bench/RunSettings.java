package io.bloomery.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * How thoroughly a run measures.
 *
 * @param rounds forks per row
 * @param repeatAll whether every row is in every round, or only as often as a quick run wants it
 * @param warmups iterations that are not counted
 * @param iterations iterations that are
 * @param passMillis how long an iteration lasts, at least
 * @param builds how often a fork times the build
 * @param rateKeys absent keys that a fork counts the rate over
 * @param keys how many keys are added instead of the workload's number, or 0
 * @param limitSeconds after how long no further fork is started, or 0
 * @param extraJvmArgs further arguments of the forks
 */
record RunSettings(
    int rounds,
    boolean repeatAll,
    int warmups,
    int iterations,
    int passMillis,
    int builds,
    int rateKeys,
    int keys,
    int limitSeconds,
    List<String> extraJvmArgs) {

  static RunSettings quick() {
    return new RunSettings(3, false, 2, 5, 80, 1, 1 << 20, 0, 160, List.of());
  }

  static RunSettings full() {
    return new RunSettings(5, true, 3, 7, 250, 3, 1 << 23, 0, 0, List.of());
  }

  RunSettings with(int newRounds, int newKeys, List<String> jvmArgs) {
    return new RunSettings(
        newRounds == 0 ? rounds : newRounds,
        repeatAll,
        warmups,
        iterations,
        passMillis,
        builds,
        rateKeys,
        newKeys,
        limitSeconds,
        List.copyOf(jvmArgs));
  }

  /** The same for rows selected by name: all in every round, without a time limit. */
  RunSettings repeatingAll() {
    return new RunSettings(
        rounds, true, warmups, iterations, passMillis, builds, rateKeys, keys, 0, extraJvmArgs);
  }

  /** Adds by several threads are timed in every iteration, over all keys: fewer will do. */
  int warmups(Workload workload) {
    return workload == Workload.THREADS ? 1 : warmups;
  }

  int iterations(Workload workload) {
    return workload == Workload.THREADS ? 3 : iterations;
  }

  /** Building the large filter takes long enough to be timed once. */
  int builds(Workload workload) {
    return workload == Workload.LARGE || workload == Workload.ACCESSES ? 1 : builds;
  }

  List<String> jvmArgs(Workload workload) {
    List<String> args = new ArrayList<>();
    args.add("-Xms" + workload.heap());
    args.add("-Xmx" + workload.heap());
    args.addAll(extraJvmArgs);
    return args;
  }
}
