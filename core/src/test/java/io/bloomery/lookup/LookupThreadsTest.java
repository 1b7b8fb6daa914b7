package io.bloomery.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.LookupFilter;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.testing.Keys;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Four threads add to the same few words at once: no key is lost, and nothing else is left. */
final class LookupThreadsTest {

  private static final int THREADS = 4;
  private static final int KEYS = 400;
  private static final int ROUNDS = 100;

  /** Adds a key with a value that follows from its number. */
  private interface Adder<F> {
    void add(F filter, long hash, int number);
  }

  @Test
  void banks() throws InterruptedException, ExecutionException {
    for (int sets : new int[] {7, 100}) {
      BankShape shape = new BankShape(sets, 1, 197, 4);
      check(
          () -> FilterBank.create(shape),
          (bank, hash, number) -> {
            bank.addHash(hash, number % sets);
            assertThat(bank.mightContainHash(hash, number % sets)).isTrue();
          });
    }
  }

  @Test
  void areas() throws InterruptedException, ExecutionException {
    check(
        () -> SpatialBloomFilter.create(new SpatialShape(3_000, 20, 3)),
        (filter, hash, number) -> {
          filter.putHash(hash, number % 3);
          if (filter.getHash(hash) < number % 3) {
            throw new AssertionError("key " + number + " was lost");
          }
        });
  }

  @Test
  void combinations() throws InterruptedException, ExecutionException {
    CombinatorialShape shape = new CombinatorialShape(2_000, 4, 8, 3, 50);
    check(
        () -> CombinatorialBloomFilter.create(shape),
        (filter, hash, number) -> {
          filter.addHash(hash, number % 50);
          assertThat(filter.setsOfHash(hash)).contains(number % 50);
        });
  }

  @Test
  void levels() throws InterruptedException, ExecutionException {
    check(
        () -> AttenuatedBloomFilter.create(new BankShape(5, 1, 197, 4), Hasher.xxh3()),
        (filter, hash, number) -> {
          filter.addHash(hash, number % 5);
          assertThat(filter.levelsOfHash(hash) >>> (number % 5) & 1).isEqualTo(1);
        });
  }

  private static <F extends LookupFilter & Storable> void check(Supplier<F> maker, Adder<F> adder)
      throws InterruptedException, ExecutionException {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        long[] hashes = Keys.members(KEYS, round);
        F shared = maker.get();
        List<Future<?>> running = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
          int first = thread;
          running.add(
              pool.submit(
                  () -> {
                    for (int i = first; i < KEYS; i += THREADS) {
                      adder.add(shared, hashes[i], i);
                    }
                  }));
        }
        for (Future<?> future : running) {
          future.get();
        }
        F single = maker.get();
        for (int i = 0; i < KEYS; i++) {
          adder.add(single, hashes[i], i);
        }
        assertThat(bytes(shared)).isEqualTo(bytes(single));
      }
    } finally {
      pool.shutdownNow();
    }
  }

  private static byte[] bytes(Storable filter) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      filter.writeTo(out);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return out.toByteArray();
  }
}
