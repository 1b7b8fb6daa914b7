package io.bloomery.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filter;
import io.bloomery.SampleFilters;
import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Race;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Four threads add to the same few words at once: no key is lost, and nothing else is left. */
final class LookupThreadsTest {

  private static final int THREADS = 4;
  private static final int KEYS = 400;
  private static final Duration TOTAL = Duration.ofSeconds(60);

  private static final LatticeApproximator.Lattice<Long> LARGEST =
      new LatticeApproximator.Lattice<>() {
        @Override
        public Long bottom() {
          return 0L;
        }

        @Override
        public Long join(Long a, Long b) {
          return Math.max(a, b);
        }

        @Override
        public Long meet(Long a, Long b) {
          return Math.min(a, b);
        }
      };

  /** Adds a key with a value that follows from its number, and says whether it is there then. */
  @FunctionalInterface
  private interface Adder<F> {
    boolean add(F map, long hash, int number);
  }

  /**
   * A map under test.
   *
   * @param name how failures call it
   * @param maker makes one that these hashes can be added to
   * @param adder adds
   * @param state all that a map of these hashes holds
   */
  private record Subject<F>(
      String name, Function<long[], F> maker, Adder<F> adder, State<F> state) {

    @FunctionalInterface
    private interface State<F> {
      Object of(F map, long[] hashes);
    }

    private static <F extends Filter> Subject<F> stored(
        String name, Function<long[], F> maker, Adder<F> adder) {
      return new Subject<>(name, maker, adder, (map, hashes) -> SampleFilters.bytes(map));
    }

    private void race(int set) {
      long[] hashes = Keys.members(KEYS, set);
      F shared = maker.apply(hashes);
      Race.run(
          THREADS,
          thread -> {
            for (int i = thread; i < KEYS; i += THREADS) {
              if (!adder.add(shared, hashes[i], i)) {
                throw new AssertionError("key " + i + " was lost");
              }
            }
          });
      F single = maker.apply(hashes);
      for (int i = 0; i < KEYS; i++) {
        assertThat(adder.add(single, hashes[i], i)).isTrue();
      }
      assertThat(state.of(shared, hashes)).isEqualTo(state.of(single, hashes));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static List<Subject<?>> subjects() {
    CombinatorialShape codes = new CombinatorialShape(2_000, 4, 8, 3, 50);
    return List.of(
        bank(7),
        bank(100),
        Subject.stored(
            "spatial",
            hashes -> SpatialBloomFilter.create(new SpatialShape(3_000, 20, 3)),
            (map, hash, number) -> {
              map.putHash(hash, number % 3);
              return map.getHash(hash) >= number % 3;
            }),
        Subject.stored(
            "combinatorial",
            hashes -> CombinatorialBloomFilter.create(codes),
            (map, hash, number) -> {
              map.addHash(hash, number % 50);
              return Arrays.stream(map.setsOfHash(hash)).anyMatch(set -> set == number % 50);
            }),
        Subject.stored(
            "attenuated",
            hashes -> AttenuatedBloomFilter.create(new BankShape(5, 1, 197, 4), Hasher.xxh3()),
            (map, hash, number) -> {
              map.addHash(hash, number % 5);
              return (map.levelsOfHash(hash) >>> (number % 5) & 1) == 1;
            }),
        approximator(false),
        approximator(true),
        new Subject<>(
            "lattice",
            hashes -> LatticeApproximator.create(LARGEST, 200, 3, Hasher.xxh3()),
            (map, hash, number) -> {
              map.putHash(hash, 1L + number);
              return map.getHash(hash) > number;
            },
            (map, hashes) -> Arrays.stream(hashes).mapToObj(map::getHash).toList()),
        Subject.stored(
            "mutable-bloomier",
            hashes ->
                MutableBloomierMap.builder()
                    .falsePositiveRate(0.01)
                    .valueBits(7)
                    .putHashes(hashes, new long[KEYS])
                    .build(),
            (map, hash, number) -> {
              map.setHash(hash, number % 128);
              return map.getHash(hash) == number % 128;
            }));
  }

  private static Subject<FilterBank> bank(int sets) {
    return Subject.stored(
        "bank of " + sets,
        hashes -> FilterBank.create(new BankShape(sets, 1, 197, 4)),
        (map, hash, number) -> {
          map.addHash(hash, number % sets);
          return map.mightContainHash(hash, number % sets);
        });
  }

  private static Subject<CompactApproximator> approximator(boolean sets) {
    return Subject.stored(
        "approximator " + (sets ? "of sets" : "of numbers"),
        hashes -> CompactApproximator.create(new ApproximatorShape(200, 3, 8, sets)),
        (map, hash, number) -> {
          long given = 1L + number % 255;
          map.putHash(hash, given);
          long found = map.getHash(hash);
          return sets ? (found & given) == given : found >= given;
        });
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void aHundredRounds(Subject<?> subject) {
    for (int round = 0; round < 100; round++) {
      subject.race(round);
    }
  }

  @ParameterizedTest
  @MethodSource("subjects")
  @Tag("long")
  void aMinuteInTotal(Subject<?> subject, TestReporter report) {
    long end = System.nanoTime() + TOTAL.dividedBy(subjects().size()).toNanos();
    int rounds = 0;
    for (; System.nanoTime() < end; rounds++) {
      subject.race(rounds % 100_000);
    }
    report.publishEntry(subject.name(), rounds + " rounds");
  }

  /** Two threads alternately raise the values of two keys: each finds the value it has put. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void approximatorsWithFewKeysAndManyRounds(boolean sets) {
    for (int round = 0; round < 20; round++) {
      CompactApproximator map = CompactApproximator.create(new ApproximatorShape(5, 3, 20, sets));
      long[] hashes = Keys.members(2, round);
      Race.run(
          2,
          thread -> {
            for (int i = 0; i < 5_000; i++) {
              long hash = hashes[i & 1];
              long value = 2L * i + thread + 1;
              map.putHash(hash, value);
              long found = map.getHash(hash);
              if (!sets ? found < value : (found & value) != value) {
                throw new AssertionError("put " + value + ", found " + found);
              }
            }
          });
    }
  }
}
