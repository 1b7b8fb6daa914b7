package io.bloomery.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.AddableFilter;
import io.bloomery.HashedFilter;
import io.bloomery.Mergeable;
import io.bloomery.Writers;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Race;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What filters promise to several threads. */
final class ConcurrentAddContractTest {

  private static final String LOCK_FREE = "io.bloomery.contract.Subjects#lockFree";
  private static final long[] KEYS = Keys.members(Subject.KEYS);

  /**
   * 32 rounds in a long run, 8 otherwise: two threads add every second key each, one by one or in
   * ranges.
   */
  @ParameterizedTest
  @MethodSource(LOCK_FREE)
  void twoThreadsLoseNoKey(Subject subject) {
    for (int round = 0; round < Effort.of(32); round++) {
      AddableFilter filter = subject.empty(AddableFilter.class);
      addByTwoThreads(filter, round % 2 == 0);
      assertThat(Subject.hits(filter, KEYS)).isEqualTo(KEYS.length);
    }
  }

  /** Without atomic operations, the same race loses keys: the test above would notice. */
  @Test
  void withoutTheAtomicKeysAreLost() {
    int lost = 0;
    for (int round = 0; round < 20_000 && lost == 0; round++) {
      AddableFilter filter =
          BloomFilter.create(BloomShape.of(95_900, 7), Hasher.xxh3(), Writers.ONE);
      addByTwoThreads(filter, true);
      lost = KEYS.length - Subject.hits(filter, KEYS);
    }
    assertThat(lost).as("keys lost by a filter that is not shared").isPositive();
  }

  private static void addByTwoThreads(AddableFilter filter, boolean oneByOne) {
    Race.run(
        2,
        thread -> {
          for (int i = 0; i + 100 <= KEYS.length; i += 100) {
            int from = i + 50 * thread;
            if (oneByOne) {
              for (int j = from; j < from + 50; j++) {
                filter.addHash(KEYS[j]);
              }
            } else {
              filter.addHashes(KEYS, from, from + 50);
            }
          }
        });
  }

  /**
   * 8 rounds, or 2: a reader that sees that an add returned finds the key, singly and in batches.
   */
  @ParameterizedTest
  @MethodSource(LOCK_FREE)
  void aReaderFindsEveryKeyWhoseAddReturned(Subject subject) {
    for (int round = 0; round < Effort.of(8); round++) {
      AddableFilter filter = subject.empty(AddableFilter.class);
      AtomicInteger added = new AtomicInteger();
      Race.run(
          2,
          thread -> {
            if (thread == 0) {
              for (long hash : KEYS) {
                filter.addHash(hash);
                added.incrementAndGet();
              }
            } else {
              long[] hits = new long[KEYS.length / 64 + 1];
              for (int seen = 0; seen < KEYS.length; ) {
                int until = added.get();
                if (filter.mightContainHashes(KEYS, seen, until, hits) != until - seen) {
                  throw new AssertionError("a key among " + seen + "…" + until + " is missing");
                }
                for (int i = seen; i < until; i++) {
                  if (!filter.mightContainHash(KEYS[i])) {
                    throw new AssertionError("key " + i + " of " + until + " is missing");
                  }
                }
                seen = until;
              }
            }
          });
    }
  }

  /** 12 rounds, or 3: a copy taken during adds holds every key whose add had returned. */
  @ParameterizedTest
  @MethodSource("copyableAndLockFree")
  void aCopyHoldsEveryKeyWhoseAddReturned(Subject subject) {
    for (int round = 0; round < Effort.of(12); round++) {
      AddableFilter filter = subject.empty(AddableFilter.class);
      AtomicInteger added = new AtomicInteger();
      Race.run(
          2,
          thread -> {
            if (thread == 0) {
              for (long hash : KEYS) {
                filter.addHash(hash);
                added.incrementAndGet();
              }
            } else {
              for (int until = 0; until < KEYS.length; ) {
                until = added.get();
                HashedFilter copy = Subjects.copy(filter);
                for (int i = 0; i < until; i++) {
                  if (!copy.mightContainHash(KEYS[i])) {
                    throw new AssertionError("key " + i + " of " + until + " is missing");
                  }
                }
              }
            }
          });
    }
  }

  static List<Subject> copyableAndLockFree() {
    return Subjects.copyable().stream().filter(Subject::lockFree).toList();
  }

  /**
   * 20 rounds, or 5: one thread adds half of the keys while the other merges a filter of the rest.
   */
  @ParameterizedTest
  @MethodSource("mergeableAndLockFree")
  @SuppressWarnings("unchecked")
  void mergingBesideAddsLosesNoKey(Subject subject) {
    int half = KEYS.length / 2;
    for (int round = 0; round < Effort.of(20); round++) {
      AddableFilter filter = subject.empty(AddableFilter.class);
      AddableFilter rest = subject.empty(AddableFilter.class);
      rest.addHashes(KEYS, half, KEYS.length);
      Race.run(
          2,
          thread -> {
            if (thread == 0) {
              filter.addHashes(KEYS, 0, half);
            } else {
              ((Mergeable<HashedFilter>) filter).merge(rest);
            }
          });
      assertThat(Subject.hits(filter, KEYS)).isEqualTo(KEYS.length);
    }
  }

  static List<Subject> mergeableAndLockFree() {
    return Subjects.mergeable().stream().filter(Subject::lockFree).toList();
  }
}
