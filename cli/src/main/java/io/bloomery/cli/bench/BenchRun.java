package io.bloomery.cli.bench;

import java.util.List;

/** Warms up all subjects, then times them in turn, so that none has the JVM to itself. */
final class BenchRun {

  private static final int LEAST_WARM_UP_ROUNDS = 3;
  private static final int MOST_WARM_UP_ROUNDS = 20;
  private static final long WARM_UP_NANOS = 1_000_000_000;

  private final List<BenchSubject> subjects;
  private final int rounds;
  private int warmUpRounds;

  /** Times this many rounds. */
  BenchRun(List<BenchSubject> subjects, int rounds) {
    this.subjects = subjects;
    this.rounds = rounds;
  }

  /** The number of timed rounds. */
  int rounds() {
    return rounds;
  }

  /** The number of warm-up rounds. */
  int warmUpRounds() {
    return warmUpRounds;
  }

  /** Warms up and measures. */
  void measure() {
    Queries.prepare();
    long start = System.nanoTime();
    while (warmUpRounds < LEAST_WARM_UP_ROUNDS
        || (warmUpRounds < MOST_WARM_UP_ROUNDS && System.nanoTime() - start < WARM_UP_NANOS)) {
      subjects.forEach(subject -> subject.round(false));
      warmUpRounds++;
    }
    for (int i = 0; i < rounds; i++) {
      subjects.forEach(subject -> subject.round(true));
    }
  }
}
