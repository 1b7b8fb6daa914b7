package io.bloomery.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Variant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long queries wait beyond the cache, on a machine whose window is known. */
class WindowTest {

  /** Beyond the cache, queries wait for their work, but for no fetch longer than for it alone. */
  @Test
  void aQueryWaitsForItsWorkOrForItsFetches() {
    Planner.Machine machine =
        new Planner.Machine(1, 3, 0.5, 10, List.of(new Planner.Machine.Table(1024, 20)));
    assertThat(machine.queryNanos(1, work(1, 1, 1))).isEqualTo(4 + 20);
    assertThat(machine.queryNanos(1, work(3, 1, 3))).isEqualTo(4 + 20 + 20);
    assertThat(machine.queryNanos(1, work(3, 5, 3))).isEqualTo(16 + 80 + 20);
    assertThat(machine.queryNanos(1, work(3, 5, 1))).isEqualTo(16 + 50 + 20);
    assertThat(machine.queryNanos(1, work(3, 5, 1.5))).isEqualTo(16 + 75 + 20);
    assertThat(machine.withTables(machine.tables())).isEqualTo(machine);
  }

  private static Variant.Work work(double lines, double words, double fetches) {
    return new Variant.Work(lines, words, fetches);
  }

  /** What variants state of their queries fits together, in filters of any size. */
  @Test
  void noQueryFetchesMoreOftenThanItsLines() {
    for (Variant variant : Planner.standard().variants()) {
      for (long keys : new long[] {10, 100_000, 10_000_000}) {
        variant
            .fit(Needs.forKeys(keys, 0.01).withUniverse(4 * keys))
            .shape()
            .ifPresent(
                shape -> {
                  for (boolean present : new boolean[] {true, false}) {
                    Variant.Work work = variant.work(shape, present);
                    assertThat(work.fetches()).as(variant.name()).isPositive();
                    assertThat(work.fetches())
                        .as(variant.name())
                        .isLessThanOrEqualTo(work.cacheLines());
                  }
                });
      }
    }
  }
}
