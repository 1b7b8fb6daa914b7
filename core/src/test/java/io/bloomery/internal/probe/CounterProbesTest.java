package io.bloomery.internal.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Counters;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The loops over counters against an array of numbers. */
final class CounterProbesTest {

  /**
   * 60 histories of 300 additions and removals, removals of keys that were never added included:
   * what was 0 stays 0 and is not counted as a counter that became 0.
   */
  @ParameterizedTest
  @EnumSource
  void everyHistoryAgreesWithAnArray(IndexScheme scheme) {
    Property.check(
        31,
        60,
        draw -> {
          // Whole words of counters take written-out code, with up to 10 positions and more.
          boolean whole = scheme == IndexScheme.POWERS && draw.between(0, 3) > 0;
          int count = draw.between(1, whole ? 15 : 6);
          int bits = whole ? 32 * draw.between(1, 4) : count * draw.between(2, 9);
          int width = draw.oneOf(List.of(2, 3, 4, 8, 16));
          boolean sticky = draw.between(0, 1) == 0;
          Probes probes = new Probes(scheme, bits, count);
          CounterProbes counterProbes = new CounterProbes(probes, width);
          Counters counters = Counters.allocate(bits, width, sticky, draw.between(0, 1) == 0);
          Model model = new Model(probes, counters.max(), sticky);
          for (int step = 0; step < 300; step++) {
            long hash = Keys.hash(draw.between(0, 20));
            long by = draw.between(1L, 3L);
            if (draw.between(0, 1) == 0) {
              assertThat(counterProbes.fill(hash, by, counters)).isEqualTo(model.fill(hash, by));
            } else {
              assertThat(counterProbes.subtract(hash, by, counters))
                  .isEqualTo(model.subtract(hash, by));
            }
            long lowest = model.lowest(hash);
            assertThat(counterProbes.lowest(hash, counters)).isEqualTo(lowest);
            for (long threshold = 1; threshold <= Math.min(5, counters.max()); threshold++) {
              assertThat(counterProbes.allAtLeast(hash, threshold, counters))
                  .isEqualTo(lowest >= threshold);
            }
          }
          for (int i = 0; i < bits; i++) {
            assertThat(counters.get(i)).isEqualTo(model.cells[i]);
          }
        });
  }

  /** Counters of more than 2^28 bits, whose products take more than 64 bits; sums of 300 hashes. */
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 16})
  void manyCounters(int width) {
    int size = (int) ((1L << 28) / width) + Long.SIZE / width;
    for (boolean shared : new boolean[] {false, true}) {
      Probes probes = new Probes(IndexScheme.POWERS, size, 7);
      CounterProbes counterProbes = new CounterProbes(probes, width);
      Counters counters = Counters.allocate(size, width, true, shared);
      assertThat(counterProbes.nibbles(counters)).isNull();
      long[] indexes = new long[7];
      for (long hash : Keys.members(300)) {
        probes.indexes(hash, indexes);
        long lowest = Arrays.stream(indexes).map(counters::get).min().orElseThrow();
        assertThat(counterProbes.allAtLeast(hash, 1, counters)).isEqualTo(lowest > 0);
        assertThat(counterProbes.add(hash, 1, counters)).isEqualTo(lowest == 0);
        assertThat(counterProbes.allAtLeast(hash, 1, counters)).isTrue();
        for (long index : indexes) {
          long value = counters.get(index);
          assertThat(value).isPositive();
          counters.subtract(index, value);
          assertThat(counterProbes.allAtLeast(hash, 1, counters)).isFalse();
          counters.getAndAdd(index, value);
        }
      }
      long sum = 0;
      long[] histogram = counters.histogram((int) counters.max());
      for (int value = 0; value < histogram.length; value++) {
        sum += value * histogram[value];
      }
      assertThat(sum).isEqualTo(300 * 7);
    }
  }

  private static final class Model {
    private final long[] cells;
    private final Probes probes;
    private final long max;
    private final boolean sticky;

    private Model(Probes probes, long max, boolean sticky) {
      this.cells = new long[(int) probes.bits()];
      this.probes = probes;
      this.max = max;
      this.sticky = sticky;
    }

    private long[] indexes(long hash) {
      long[] indexes = new long[probes.count()];
      probes.indexes(hash, indexes);
      return indexes;
    }

    private int fill(long hash, long by) {
      int zeros = 0;
      for (long i : indexes(hash)) {
        zeros += cells[(int) i] == 0 ? 1 : 0;
        cells[(int) i] = Math.min(max, cells[(int) i] + by);
      }
      return zeros;
    }

    private int subtract(long hash, long by) {
      int zeros = 0;
      for (long i : indexes(hash)) {
        long before = cells[(int) i];
        long after = sticky && before == max ? max : Math.max(0, before - by);
        zeros += before > 0 && after == 0 ? 1 : 0;
        cells[(int) i] = after;
      }
      return zeros;
    }

    private long lowest(long hash) {
      return Arrays.stream(indexes(hash)).map(i -> cells[(int) i]).min().orElseThrow();
    }
  }
}
