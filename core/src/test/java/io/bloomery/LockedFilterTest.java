package io.bloomery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.deletable.CountingBloomFilter;
import io.bloomery.deletable.CountingShape;
import io.bloomery.deletable.CuckooFilter;
import io.bloomery.deletable.CuckooShape;
import io.bloomery.frequency.SpaceCodeFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Race;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.Test;

final class LockedFilterTest {

  private static final int KEYS = 20_000;
  private static final long[] STAY = Keys.members(KEYS, 1);
  private static final long[] PASS = Keys.members(KEYS, 2);

  private static CuckooFilter cuckoo() {
    return CuckooFilter.create(CuckooShape.of(11_000, 12));
  }

  /** 10 rounds: two threads add half of the keys each and add and remove others; none is lost. */
  @Test
  void twoWritersLoseNoKey() {
    for (int round = 0; round < 10; round++) {
      CuckooFilter filter = cuckoo();
      assertThat(lostAfterRace(Filters.locked((RemovableFilter) filter))).isZero();
      assertThat(filter.keyCount()).isEqualTo(KEYS);
    }
  }

  /** Without the lock, the same race loses keys: the test above would notice. */
  @Test
  void withoutTheLockKeysAreLost() {
    int lost = 0;
    for (int round = 0; round < 1_000 && lost == 0; round++) {
      lost = lostAfterRace(cuckoo());
    }
    assertThat(lost).as("keys lost without a lock").isPositive();
  }

  /**
   * What a race of two threads has lost, each adding keys that stay and keys that it removes again.
   */
  private static int lostAfterRace(RemovableFilter filter) {
    AtomicInteger failures = new AtomicInteger();
    Race.run(
        2,
        thread -> {
          for (int i = thread; i < KEYS; i += 2) {
            try {
              filter.addHash(STAY[i]);
              filter.addHash(PASS[i]);
              failures.addAndGet(filter.removeHash(PASS[i]) ? 0 : 1);
            } catch (RuntimeException broken) {
              failures.incrementAndGet();
            }
          }
        });
    for (long hash : STAY) {
      failures.addAndGet(filter.mightContainHash(hash) ? 0 : 1);
    }
    return failures.get();
  }

  /** 5 rounds: moves of entries never hide a key from a reader, singly or in batches. */
  @Test
  void aReaderFindsEveryKeyWhoseAddReturned() {
    for (int round = 0; round < 5; round++) {
      AddableFilter filter =
          Filters.locked((AddableFilter) CuckooFilter.create(CuckooShape.of(5_300, 12)));
      AtomicInteger added = new AtomicInteger();
      Race.run(
          2,
          thread -> {
            if (thread == 0) {
              for (long hash : STAY) {
                filter.addHash(hash);
                added.incrementAndGet();
              }
            } else {
              long[] hits = new long[KEYS / 64 + 1];
              while (added.get() < KEYS) {
                int until = added.get();
                if (filter.mightContainHashes(STAY, 0, until, hits) != until) {
                  throw new AssertionError("a key among " + until + " is missing");
                }
              }
            }
          });
    }
  }

  /** 5 rounds: two threads count the same key; no addition is lost. */
  @Test
  void countsAreExact() {
    for (int round = 0; round < 5; round++) {
      FrequencyFilter filter =
          Filters.locked(
              (FrequencyFilter)
                  CountingBloomFilter.create(CountingShape.of(BloomShape.of(1_000, 4), 16)));
      Race.run(
          2,
          thread -> {
            for (int i = 0; i < 5_000; i++) {
              filter.addHash(7, 2);
            }
          });
      assertThat(filter.countHash(7)).isEqualTo(20_000);
      assertThat(filter.add("x", 3)).isTrue();
      assertThat(filter.count("x")).isEqualTo(3);
      assertThat(filter.maxCount()).isEqualTo(65_535);
      assertThat(filter.isUpperBound()).isTrue();
    }
    FrequencyFilter estimating = SpaceCodeFilter.create(100, 0.01);
    assertThat(Filters.locked(estimating).isUpperBound()).isFalse();
  }

  /** Queries take the read lock, changes the write lock, and each releases it. */
  @Test
  void eachCallTakesTheRightLock() {
    ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    Probe probe = new Probe(lock);
    RemovableFilter.Locked filter = RemovableFilter.Locked.of(cuckoo(), probe);
    filter.mightContain("a");
    filter.mightContainHashes(new long[3], 0, 3, new long[1]);
    filter.falsePositiveRate();
    filter.sizeInBits();
    assertThat(filter.toString()).startsWith("locked CuckooFilter[");
    assertThat(probe.reads + " " + probe.writes).isEqualTo("5 0");
    filter.add("a");
    filter.addHashes(new long[] {1, 2}, 0, 2);
    filter.remove("a");
    assertThat(probe.reads + " " + probe.writes).isEqualTo("5 3");
    assertThat(filter.toBytes()).hasSize((int) filter.storedBytes());
    assertThat(filter.kind()).isSameAs(CuckooFilter.KIND);
    assertThat(probe.reads + " " + probe.writes).isEqualTo("8 3");
    assertThatThrownBy(() -> filter.addHashes(new long[1], 0, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(lock.isWriteLocked()).isFalse();
    assertThat(lock.getReadLockCount()).isZero();
  }

  private static final class Probe implements ReadWriteLock {
    private final ReadWriteLock lock;
    private int reads;
    private int writes;

    Probe(ReadWriteLock lock) {
      this.lock = lock;
    }

    @Override
    public Lock readLock() {
      return new Counting(lock.readLock(), () -> reads++);
    }

    @Override
    public Lock writeLock() {
      return new Counting(lock.writeLock(), () -> writes++);
    }
  }

  private record Counting(Lock held, Runnable count) implements Lock {
    @Override
    public void lock() {
      held.lock();
      count.run();
    }

    @Override
    public void unlock() {
      held.unlock();
    }

    @Override
    public void lockInterruptibly() {
      throw new AssertionError("not used");
    }

    @Override
    public boolean tryLock() {
      throw new AssertionError("not used");
    }

    @Override
    public boolean tryLock(long time, java.util.concurrent.TimeUnit unit) {
      throw new AssertionError("not used");
    }

    @Override
    public java.util.concurrent.locks.Condition newCondition() {
      throw new AssertionError("not used");
    }
  }

  @Test
  void nullArgumentsAreNamed() {
    assertThatThrownBy(() -> Filters.locked((AddableFilter) null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("filter");
    assertThatThrownBy(() -> RemovableFilter.Locked.of((CuckooFilter) null)).hasMessage("filter");
    assertThatThrownBy(() -> RemovableFilter.Locked.of(cuckoo(), null)).hasMessage("lock");
  }
}
