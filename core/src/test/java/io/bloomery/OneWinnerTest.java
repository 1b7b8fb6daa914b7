package io.bloomery;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.membership.BloomFilter;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Race;
import io.bloomery.window.RecentFilter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

/** Several threads add the same keys in the same order: to how many of them is a key new? */
final class OneWinnerTest {

  private static final int THREADS = 4;
  private static final int KEYS = 20_000;
  private static final long[] HASHES = Keys.members(KEYS, 5);

  /** How many keys were new to none, to one, and to more threads. */
  private record Winners(int none, int one, int several) {}

  private static Winners race(AddableFilter filter) {
    AtomicIntegerArray winners = new AtomicIntegerArray(KEYS);
    Race.run(
        THREADS,
        thread -> {
          for (int i = 0; i < KEYS; i++) {
            if (filter.addHash(HASHES[i])) {
              winners.incrementAndGet(i);
            }
          }
        });
    int[] keys = new int[3];
    for (int i = 0; i < KEYS; i++) {
      keys[Math.min(2, winners.get(i))]++;
    }
    return new Winners(keys[0], keys[1], keys[2]);
  }

  /** Keys that are new to nobody are false positives: at most 1 % of all, and 5 deviations. */
  private static void assertOneWinner(Winners winners) {
    assertThat(winners.several()).isZero();
    assertThat(winners.none()).isLessThan((int) (0.01 * KEYS + 5 * Math.sqrt(0.01 * KEYS)));
  }

  @Test
  void oneThreadWinsEachKey() {
    for (int round = 0; round < 10; round++) {
      assertOneWinner(race(Filters.oneWinner(BlockedBloomFilter.create(KEYS, 0.01))));
      assertOneWinner(race(Filters.oneWinner(BloomFilter.create(KEYS, 0.01))));
      assertOneWinner(
          race(Filters.oneWinner(RecentFilter.create(Duration.ofDays(1), 3 * KEYS, 0.01))));
    }
  }

  /** A key of one word is decided by the one atomic operation that adds it. */
  @Test
  void oneThreadWinsInBlocksOfOneWord() {
    for (int round = 0; round < 10; round++) {
      assertOneWinner(race(BlockedBloomFilter.create(BlockShape.forKeys(KEYS, 0.01, 64))));
    }
  }

  /** Without the view several threads win: the tests above would notice. */
  @Test
  void otherwiseSeveralThreadsMayWin() {
    int several = 0;
    for (int round = 0; round < 1_000 && several == 0; round++) {
      Winners winners = race(BloomFilter.create(KEYS, 0.01));
      assertThat(winners.one() + winners.several()).isGreaterThan(KEYS * 98 / 100);
      several += winners.several();
    }
    assertThat(several).as("keys that were new to several threads").isPositive();
  }

  @Test
  void theViewIsTheFilter() {
    BlockedBloomFilter filter = BlockedBloomFilter.create(1_000, 0.001);
    AddableFilter view = Filters.oneWinner(filter);
    assertThat(view.add("a")).isTrue();
    assertThat(view.add("a")).isFalse();
    assertThat(filter.mightContain("a")).isTrue();
    assertThat(view.mightContain("a")).isTrue();
    assertThat(view.mightContainHashes(new long[] {view.hasher().hash("a")}, 0, 1, new long[1]))
        .isEqualTo(1);
    assertThat(view.sizeInBits()).isEqualTo(filter.sizeInBits());
    assertThat(view.falsePositiveRate()).isEqualTo(filter.falsePositiveRate());
    assertThat(view).hasToString("one winner of " + filter);
  }
}
