package io.bloomery.frequency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.Filters;
import io.bloomery.ReadOptions;
import io.bloomery.Writers;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.probe.CounterRows;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Race;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The counters of a count-min filter beside plain arrays, for every depth and counter width. */
final class CountMinRowsTest {

  /** Counters as the class comments define them: one per row and hash, none above its maximum. */
  private static final class Model {

    private final CountMinShape shape;
    private final long max;
    private final long[] counters;

    Model(CountMinShape shape) {
      this.shape = shape;
      this.max = shape.counterBits() == 64 ? Long.MAX_VALUE : (1L << shape.counterBits()) - 1;
      this.counters = new long[(int) (shape.rows() * shape.width())];
    }

    private long[] values(long hash) {
      long[] values = new long[shape.rows()];
      for (int row = 0; row < values.length; row++) {
        values[row] = counters[at(hash, row)];
      }
      return values;
    }

    private int at(long hash, int row) {
      return (int) CounterRows.index(hash, row, shape.width());
    }

    long count(long hash) {
      return Arrays.stream(values(hash)).min().orElseThrow();
    }

    boolean add(long hash, long by) {
      boolean isNew = count(hash) == 0;
      for (int row = 0; row < shape.rows(); row++) {
        int at = at(hash, row);
        counters[at] += Math.min(by, max - counters[at]);
      }
      return isNew;
    }

    long saturated() {
      return LongStream.of(counters).filter(value -> value == max).count();
    }

    long total() {
      long total = 0;
      for (int i = 0; i < shape.width(); i++) {
        total += Math.min(counters[i], Long.MAX_VALUE - total);
      }
      return total;
    }
  }

  /**
   * Depths 1 to 13 of every counter width, 23 counters per row: 300 amounts, most of them small,
   * some so large that counters reach their maximum and are added to there, single and in batches.
   */
  @ParameterizedTest
  @EnumSource(Writers.class)
  void everyDepthAndWidthIsTheModel(Writers writers) {
    SplittableRandom random = Seeds.random(16);
    long[] hashes = Keys.members(60);
    for (int rows = 1; rows <= 13; rows++) {
      for (int bits : new int[] {8, 16, 32, 64}) {
        CountMinShape shape = new CountMinShape(rows, 23, bits, false);
        CountMinFilter filter = CountMinFilter.create(shape, Hasher.xxh3(), writers);
        Model model = new Model(shape);
        for (int step = 0; step < 300; step++) {
          if (step % 10 == 9) {
            int from = random.nextInt(60);
            int to = from + random.nextInt(61 - from);
            filter.addHashes(hashes, from, to);
            Arrays.stream(hashes, from, to).forEach(hash -> model.add(hash, 1));
          } else {
            long hash = hashes[random.nextInt(60)];
            long by = step % 50 == 25 ? model.max - random.nextInt(3) : 1 + random.nextInt(3);
            if (filter.addHash(hash, by) != model.add(hash, by)) {
              throw new AssertionError(shape + ", step " + step + ": wrong answer of add");
            }
          }
        }
        for (long hash : hashes) {
          assertThat(filter.countHash(hash)).as("%s", shape).isEqualTo(model.count(hash));
        }
        assertThat(filter.saturatedCounters()).isEqualTo(model.saturated()).isPositive();
        assertThat(filter.total()).isEqualTo(model.total());
      }
    }
  }

  /** A counter at its maximum, and one below it, take batches without touching their neighbours. */
  @ParameterizedTest
  @EnumSource(Writers.class)
  void batchesStopAtTheMaximum(Writers writers) {
    for (int rows = 1; rows <= 9; rows++) {
      for (int bits : new int[] {8, 16, 32, 64}) {
        CountMinShape shape = new CountMinShape(rows, 9, bits, false);
        CountMinFilter filter = CountMinFilter.create(shape, Hasher.xxh3(), writers);
        Model model = new Model(shape);
        long hash = Keys.hash(rows);
        filter.addHash(hash, model.max - 2);
        model.add(hash, model.max - 2);
        long[] same = {hash, hash, hash, hash, hash};
        for (int to = 1; to <= same.length; to++) {
          filter.addHashes(same, 0, to);
          Arrays.stream(same, 0, to).forEach(each -> model.add(each, 1));
          assertThat(filter.countHash(hash)).isEqualTo(model.count(hash));
          assertThat(filter.saturatedCounters()).isEqualTo(to == 1 ? 0 : rows);
        }
        assertThat(filter.countHash(hash)).isEqualTo(model.max);
        assertThat(filter.total()).isEqualTo(model.max);
        for (long other : Keys.outsiders(50)) {
          assertThat(filter.countHash(other)).isEqualTo(model.count(other));
        }
      }
    }
  }

  /** The sum of a row is more than 2^63 - 1 though none of its counters is. */
  @Test
  void aTotalBeyondTheLimitStaysThere() {
    CountMinShape shape = CountMinShape.of(5, 1_000);
    CountMinFilter filter = CountMinFilter.create(shape, Hasher.xxh3(), Writers.ONE);
    long[] keys = LongStream.range(0, 400).filter(i -> first(i) < 1_000).toArray();
    long[] apart = {Keys.hash(keys[0]), other(keys)};
    filter.addHash(apart[0], Long.MAX_VALUE - 10);
    filter.addHash(apart[1], Long.MAX_VALUE - 10);
    filter.addHashes(apart, 0, 2);
    assertThat(filter.total()).isEqualTo(Long.MAX_VALUE);
    assertThat(filter.countHash(apart[0])).isBetween(Long.MAX_VALUE - 9, Long.MAX_VALUE);
    assertThat(filter.countHash(apart[1])).isBetween(Long.MAX_VALUE - 9, Long.MAX_VALUE);
  }

  private static long first(long key) {
    return CounterRows.index(Keys.hash(key), 0, 1_000);
  }

  /** The hash of a key whose counter in the first row is not that of the first key. */
  private static long other(long[] keys) {
    return Arrays.stream(keys)
        .filter(key -> first(key) != first(keys[0]))
        .map(Keys::hash)
        .findFirst()
        .orElseThrow();
  }

  /** Rows so wide that each has an output of its own: 2^24 + 3 counters of 8 bits, three rows. */
  @ParameterizedTest
  @EnumSource(Writers.class)
  void wideRowsTakeBatches(Writers writers) {
    CountMinShape shape = new CountMinShape(3, (1 << 24) + 3, 8, false);
    CountMinFilter filter = CountMinFilter.create(shape, Hasher.xxh3(), writers);
    long[] hashes = Keys.members(1_000);
    filter.addHashes(hashes, 0, 1_000);
    filter.addHashes(hashes, 500, 1_000);
    assertThat(filter.addHash(hashes[0], 300)).isFalse();
    assertThat(filter.countHash(hashes[0])).isEqualTo(255);
    for (int i = 1; i < 1_000; i++) {
      assertThat(filter.countHash(hashes[i])).isEqualTo(i < 500 ? 1 : 2);
    }
    assertThat(filter.total()).isEqualTo(1_754);
  }

  /** Two threads add the same batches: with shared counters none is lost. */
  @Test
  void sharedBatchesLoseNothing() {
    long[] hashes = Keys.members(50);
    for (int bits : new int[] {32, 64}) {
      CountMinFilter filter = CountMinFilter.create(new CountMinShape(5, 64, bits, false));
      Race.run(
          2,
          thread -> {
            for (int i = 0; i < 2_000; i++) {
              filter.addHashes(hashes, 0, 50);
            }
          });
      assertThat(filter.total()).isEqualTo(200_000);
      for (long hash : hashes) {
        assertThat(filter.countHash(hash)).isGreaterThanOrEqualTo(4_000);
      }
    }
  }

  @Test
  void openedFiltersTakeBatchesAndMappedOnesRefuseThem(@TempDir Path directory) throws IOException {
    long[] hashes = Keys.members(200);
    for (int bits : new int[] {8, 16, 32, 64}) {
      CountMinShape shape = new CountMinShape(5, 100, bits, false);
      CountMinFilter filter = CountMinFilter.create(shape, Hasher.xxh3(), Writers.ONE);
      filter.addHashes(hashes, 0, 150);
      Path file = directory.resolve("counts-" + bits);
      filter.writeTo(file);
      CountMinFilter opened = Filters.open(file, ReadOptions.as(CountMinFilter.class));
      CountMinFilter mapped = Filters.map(file, ReadOptions.as(CountMinFilter.class));
      assertThatThrownBy(() -> mapped.addHashes(hashes, 0, 1))
          .isInstanceOf(IllegalStateException.class);
      CountMinFilter copy = filter.copy();
      for (CountMinFilter each : new CountMinFilter[] {filter, opened, mapped.copy(), copy}) {
        each.addHashes(hashes, 100, 200);
        assertThat(CountMinFilterTest.bytes(each)).isEqualTo(CountMinFilterTest.bytes(filter));
      }
    }
  }
}
