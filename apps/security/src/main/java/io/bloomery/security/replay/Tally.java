package io.bloomery.security.replay;

import io.bloomery.security.replay.ReplayGuard.Counts;
import io.bloomery.security.replay.ReplayGuard.Decision;
import java.util.concurrent.atomic.LongAdder;

/** How often each decision was made; any thread may add. */
final class Tally {

  private final LongAdder accepted = new LongAdder();
  private final LongAdder replayed = new LongAdder();
  private final LongAdder stale = new LongAdder();
  private final LongAdder ahead = new LongAdder();

  void add(Decision decision) {
    LongAdder adder =
        switch (decision) {
          case ACCEPTED -> accepted;
          case REPLAYED -> replayed;
          case STALE -> stale;
          case AHEAD -> ahead;
        };
    adder.increment();
  }

  Counts counts() {
    return new Counts(accepted.sum(), replayed.sum(), stale.sum(), ahead.sum());
  }
}
