package io.bloomery.net.dups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.hash.Hasher;
import io.bloomery.net.dups.DuplicateFilters.Exact;
import io.bloomery.net.dups.DuplicateFilters.Kind;
import io.bloomery.net.dups.DuplicateFilters.Result;
import io.bloomery.testkit.Seeds;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DuplicateFiltersTest {

  private static DuplicateOptions options(long window, double rate, long seed) {
    byte[] key = new byte[16];
    Seeds.random(seed).nextBytes(key);
    return new DuplicateOptions(window, rate, Hasher.keyed(key));
  }

  private static void add(DuplicateFilters filters, long item) {
    filters.add(ByteBuffer.allocate(8).putLong(item).array(), 0, 8);
  }

  /**
   * A stream with repetitions 1 to 3 windows back, against a list of the window: no complete filter
   * misses one within it, the stable one at most the rate of its oldest; none reports more new
   * items than its rate allows. These are independent draws of rates that are at most the one of a
   * full window.
   */
  @ParameterizedTest
  @ValueSource(ints = {100, 5_000})
  void repetitionsAreFoundAndErrorsWithinTheRate(int window) {
    double rate = .02;
    SplittableRandom random = Seeds.random(window);
    DuplicateFilters filters = DuplicateFilters.create(options(window, rate, 1), true);
    Deque<Long> recent = new ArrayDeque<>();
    Set<Long> all = new HashSet<>();
    long[] history = new long[60_000];
    long repeated = 0;
    long older = 0;
    for (int i = 0; i < history.length; i++) {
      boolean isNew = i < 10 || random.nextInt(4) > 0;
      long item =
          isNew ? random.nextLong() : history[i - 1 - random.nextInt(Math.min(i, 3 * window))];
      history[i] = item;
      add(filters, item);
      repeated += window <= 100 && recent.contains(item) ? 1 : 0;
      older += all.add(item) ? 0 : 1;
      recent.addLast(item);
      if (recent.size() > window) {
        recent.removeFirst();
      }
    }
    Exact exact = filters.exact();
    assertThat(exact.distinct()).isEqualTo(all.size());
    assertThat(exact.repeated() + exact.older()).isEqualTo(older);
    if (window <= 100) {
      assertThat(exact.repeated()).isEqualTo(repeated);
    }
    for (Result result : filters.results()) {
      long missed = exact.repeated() - result.found();
      assertThat(result.reported()).isEqualTo(result.found() + result.late() + result.wrong());
      double most = rate * all.size();
      assertThat((double) result.wrong()).isLessThan(most + 5 * Math.sqrt(most));
      assertThat(result.wrong()).as(result.kind().toString()).isPositive();
      if (result.kind().isComplete()) {
        assertThat(missed).as(result.kind().toString()).isZero();
      } else {
        double lost = rate * exact.repeated();
        assertThat((double) missed).isLessThan(lost + 5 * Math.sqrt(lost));
      }
    }
  }

  /** The rate of the plain decaying filter, published by formula: (1 - (1 - 1/m)^(k(W-1)))^k. */
  @Test
  void theDecayingFilterErrsAsPredicted() {
    int window = 2_000;
    DuplicateFilters filters = DuplicateFilters.create(options(window, .05, 2), true);
    int items = 100_000;
    for (int i = 0; i < items; i++) {
      add(filters, i);
    }
    for (Result result : filters.results()) {
      double mean = .05 * items;
      assertThat(result.found() + result.late()).isZero();
      if (result.kind() == Kind.DECAYING || result.kind() == Kind.STABLE) { // at its rate all along
        // Twice the deviation of independent draws: items share the filter of a moment.
        assertThat((double) result.wrong())
            .isBetween(mean * .85 - 10 * Math.sqrt(mean), mean + 10 * Math.sqrt(mean));
      }
    }
  }

  /** On a uniform stream of few symbols, no filter is better than the bound. */
  @Test
  void theBoundHolds() {
    int window = 50_000;
    int alphabet = 200_000;
    SplittableRandom random = Seeds.random(1);
    DuplicateFilters filters = DuplicateFilters.create(options(window, .4, 3), true);
    for (int i = 0; i < 300_000; i++) {
      add(filters, random.nextInt(alphabet));
    }
    Exact exact = filters.exact();
    long apart = filters.items() - exact.repeated();
    for (Result result : filters.results()) {
      double missed = 1 - (double) result.found() / exact.repeated();
      double wrong = (double) (result.late() + result.wrong()) / apart;
      assertThat(missed + wrong)
          .isGreaterThanOrEqualTo(DuplicateFilters.bound(alphabet, result.bytes(), window));
    }
    assertThat(DuplicateFilters.bound(1L << 26, 125_000, 2_000_000)).isBetween(.4955, .4965);
    assertThat(DuplicateFilters.bound(1L << 26, 125_000, 1_000_000)).isZero();
  }

  @Test
  void whatCannotBeIsRefused() {
    assertThatThrownBy(() -> DuplicateOptions.of(1, .1))
        .hasMessage("window = 1 is not between 2 and 4294967296");
    assertThatThrownBy(() -> DuplicateOptions.of(10, 0))
        .hasMessage("rate = 0.0 is not between 1e-9 and 1");
    assertThatThrownBy(() -> new DuplicateOptions(10, .1, Hasher.xxh3()))
        .hasMessage("hasher has no key, and items come from strangers");
  }
}
