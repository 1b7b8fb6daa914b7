package io.bloomery.deletable;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.RemovableFilter;
import io.bloomery.Writers;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BlockShape;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Race;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Threads that add and remove different keys at the same time disturb no count. */
class CountingThreadsTest {

  private static final int KEYS = 4_000;

  private static CountingBloomFilter counting(Writers writers) {
    return CountingBloomFilter.create(CountingShape.of(40_000, 5), Hasher.xxh3(), writers);
  }

  /** 60 rounds: two threads add their keys, and remove every second one, several times over. */
  @Test
  void countersAreThoseOfOneThread() {
    CountingBloomFilter expected = counting(Writers.MANY);
    churn(expected, 0);
    churn(expected, 1);
    for (int round = 0; round < 60; round++) {
      CountingBloomFilter filter = counting(Writers.MANY);
      Race.run(2, thread -> churn(filter, thread));
      assertThat(filter.sameContent(expected)).isTrue();
    }
  }

  /** The same for counters of one word, where threads meet in a cache line. */
  @Test
  void countersOfOneWordAreThoseOfOneThread() {
    OneWordCountingFilter expected = oneWord();
    churn(expected, 0);
    churn(expected, 1);
    for (int round = 0; round < 60; round++) {
      OneWordCountingFilter filter = oneWord();
      Race.run(2, thread -> churn(filter, thread));
      assertThat(filter.sameContent(expected)).isTrue();
    }
  }

  private static OneWordCountingFilter oneWord() {
    return OneWordCountingFilter.create(new OneWordCountingShape(2_500, 64, 4, 3));
  }

  /** The same for sliced counters, and a copy taken in between has no torn counter. */
  @Test
  void slicedCountersAreThoseOfOneThread() {
    BlockedCountingFilter expected = blocked(Writers.MANY);
    churn(expected, 0);
    churn(expected, 1);
    for (int round = 0; round < 60; round++) {
      BlockedCountingFilter filter = blocked(Writers.MANY);
      Race.run(2, thread -> churn(filter, thread));
      assertThat(filter.sameContent(expected)).isTrue();
    }
  }

  private static BlockedCountingFilter blocked(Writers writers) {
    return BlockedCountingFilter.create(
        new BlockedCountingShape(new BlockShape(80, 512, 2, 6), 8), Hasher.xxh3(), writers);
  }

  /** Without the locks the same race goes wrong. */
  @Test
  void withoutLocksSlicedCountsAreLost() {
    BlockedCountingFilter expected = blocked(Writers.ONE);
    churn(expected, 0);
    churn(expected, 1);
    boolean wrong = false;
    for (int round = 0; round < 20_000 && !wrong; round++) {
      BlockedCountingFilter filter = blocked(Writers.ONE);
      Race.run(2, thread -> churn(filter, thread));
      wrong = !filter.sameContent(expected);
    }
    assertThat(wrong).as("an unshared filter loses counts").isTrue();
  }

  /**
   * 200 copies while another thread adds one key three times and removes it three times, over and
   * over: a copy that caught a counter between two slices would lose the key that stays.
   */
  @Test
  void copiesOfSlicedCountersAreWhole() {
    long[] keys = Keys.members(2, 5);
    BlockedCountingFilter filter =
        BlockedCountingFilter.create(new BlockedCountingShape(new BlockShape(1, 64, 1, 6), 8));
    filter.addHash(keys[0]);
    AtomicBoolean done = new AtomicBoolean();
    Race.run(
        2,
        thread -> {
          if (thread == 0) {
            while (!done.get()) {
              for (int j = 0; j < 3; j++) {
                filter.addHash(keys[0]);
              }
              for (int j = 0; j < 3; j++) {
                filter.removeHash(keys[0]);
              }
            }
          } else {
            for (int i = 0; i < 200; i++) {
              BlockedCountingFilter copy = filter.copy();
              long[] histogram = copy.histogram();
              if (Arrays.stream(histogram).filter(n -> n == 6).count() != 1) {
                done.set(true);
                throw new AssertionError(Arrays.toString(histogram));
              }
            }
            done.set(true);
          }
        });
  }

  @Test
  void sumsAreThoseOfOneThread() {
    VariableIncrementCountingFilter expected = sums();
    churn(expected, 0);
    churn(expected, 1);
    for (int round = 0; round < 60; round++) {
      VariableIncrementCountingFilter filter = sums();
      Race.run(2, thread -> churn(filter, thread));
      assertThat(filter.sameContent(expected)).isTrue();
    }
  }

  private static VariableIncrementCountingFilter sums() {
    return VariableIncrementCountingFilter.create(new VariableIncrementShape(30_000, 8, 5, 4));
  }

  /** Without the atomic replacement the same race goes wrong. */
  @Test
  void withoutTheAtomicCountsAreLost() {
    CountingBloomFilter expected = counting(Writers.ONE);
    churn(expected, 0);
    churn(expected, 1);
    boolean wrong = false;
    for (int round = 0; round < 20_000 && !wrong; round++) {
      CountingBloomFilter filter = counting(Writers.ONE);
      Race.run(2, thread -> churn(filter, thread));
      wrong = !filter.sameContent(expected);
    }
    assertThat(wrong).as("an unshared filter loses counts").isTrue();
  }

  private static void churn(RemovableFilter filter, int thread) {
    long[] keys = Keys.members(KEYS, thread);
    for (int i = 0; i < keys.length; i++) {
      filter.addHash(keys[i]);
      if (i % 2 == 1) {
        filter.removeHash(keys[i - 1]);
      }
    }
  }

  @Test
  void aKeyThatStaysIsAlwaysFound() {
    assertStayersAreFound(() -> counting(Writers.MANY));
    assertStayersAreFound(CountingThreadsTest::oneWord);
    assertStayersAreFound(() -> blocked(Writers.MANY));
    assertStayersAreFound(CountingThreadsTest::sums);
  }

  /** 10 rounds: one thread adds and removes keys while the other queries 500 that stay. */
  private static void assertStayersAreFound(Supplier<? extends RemovableFilter> empty) {
    long[] stayers = Keys.members(500, 7);
    for (int round = 0; round < 10; round++) {
      RemovableFilter filter = empty.get();
      filter.addHashes(stayers, 0, stayers.length);
      AtomicBoolean done = new AtomicBoolean();
      Race.run(
          2,
          thread -> {
            if (thread == 0) {
              churn(filter, 0);
              done.set(true);
            } else {
              do {
                for (long hash : stayers) {
                  if (!filter.mightContainHash(hash)) {
                    throw new AssertionError("a key that stays is missing");
                  }
                }
              } while (!done.get());
            }
          });
    }
  }
}
