package io.bloomery.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.Property;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class SweepTest {

  /** 60 sweeps of up to five laps with pauses: no word waits longer than a lap and a pause. */
  @Test
  void everyWordIsVisitedOncePerLap() {
    Property.check(
        72,
        60,
        draw -> {
          int words = draw.between(1, 2_000);
          int lap = draw.between(1, 3_000);
          int pause = draw.between(1, Math.max(1, lap / 4));
          long start = draw.between(0, 10_000);
          Sweep sweep = new Sweep(words, lap, start);
          long[] visited = new long[words];
          Arrays.fill(visited, start);
          for (long tick = start; tick < start + 5L * lap; tick += draw.between(1, pause)) {
            visit(sweep, visited, tick, lap + pause);
          }
        });
  }

  private static void visit(Sweep sweep, long[] visited, long tick, long most) {
    if (sweep.isDue(tick)) {
      long due = sweep.due();
      long from = sweep.from(due);
      long count = sweep.claim(due, tick);
      assertThat(count).isBetween(1L, (long) visited.length);
      for (long word = from; word < from + count; word++) {
        visited[(int) (word % visited.length)] = tick;
      }
    }
    assertThat(tick - Arrays.stream(visited).min().getAsLong()).isLessThanOrEqualTo(most);
  }

  @Test
  void aVisitIsClaimedOnce() {
    Sweep sweep = new Sweep(1_000, 100, 0);
    long due = sweep.due();
    assertThat(sweep.isDue(due - 1)).isFalse();
    assertThat(sweep.isDue(due)).isTrue();
    assertThat(sweep.claim(due, due)).isPositive();
    assertThat(sweep.claim(due, due)).isZero();
  }

  @Test
  void afterALongPauseAllWordsAreVisited() {
    Sweep sweep = new Sweep(1_000, 100, 0);
    assertThat(sweep.claim(sweep.due(), 1_000_000)).isEqualTo(1_000);
  }
}
