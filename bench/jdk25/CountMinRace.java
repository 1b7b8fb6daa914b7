import com.clearspring.analytics.stream.frequency.CountMinSketch;
import io.bloomery.Writers;
import io.bloomery.frequency.CountMinFilter;
import io.bloomery.frequency.CountMinShape;
import io.bloomery.hash.Hasher;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Compares adds of count-min sketches, ours with stream-lib's and DataSketches', whose sketch exists from
 * version 9 on and needs Java 25. Run by {@code bench/countmin-jdk25}: 10 million random keys, 5
 * rows of 2^20 counters each, alternating passes in one JVM, medians.
 */
public final class CountMinRace {

  private static final int KEYS = 10_000_000;
  private static final int CHUNK = 1024;
  private static final int ROWS = 5;
  private static final int WIDTH = 1 << 20;
  private static final int ROUNDS = 7;

  /** Adds some of the keys. */
  private interface Sketch {
    void add(long[] keys, int from, int to);
  }

  private static Sketch ours(boolean conservative) {
    CountMinFilter sketch =
        CountMinFilter.create(
            new CountMinShape(ROWS, WIDTH, CountMinShape.DEFAULT_COUNTER_BITS, conservative),
            Hasher.xxh3(),
            Writers.ONE);
    return (keys, from, to) -> {
      for (int i = from; i < to; i++) {
        sketch.add(keys[i]);
      }
    };
  }

  private static Sketch streamLib() {
    CountMinSketch sketch = new CountMinSketch(ROWS, WIDTH, 1);
    return (keys, from, to) -> {
      for (int i = from; i < to; i++) {
        sketch.add(keys[i], 1);
      }
    };
  }

  private static Sketch dataSketches() throws ReflectiveOperationException {
    var type = org.apache.datasketches.count.CountMinSketch.class;
    var constructor = type.getDeclaredConstructor(byte.class, int.class, long.class);
    constructor.setAccessible(true); // version 9.0.0 has no public way to make an empty one
    var sketch = constructor.newInstance((byte) ROWS, WIDTH, 1L);
    return (keys, from, to) -> {
      for (int i = from; i < to; i++) {
        sketch.update(keys[i], 1);
      }
    };
  }

  public static void main(String[] args) throws ReflectiveOperationException {
    long[] keys = new SplittableRandom(1).longs(KEYS).toArray();
    String[] names = {"CountMin", "CountMin conservative", "stream-lib", "DataSketches 9"};
    double[][] nanos = new double[names.length][ROUNDS];
    for (int round = -2; round < ROUNDS; round++) {
      for (int i = 0; i < names.length; i++) {
        Sketch sketch =
            switch (i) {
              case 0 -> ours(false);
              case 1 -> ours(true);
              case 2 -> streamLib();
              default -> dataSketches();
            };
        long start = System.nanoTime();
        for (int from = 0; from < KEYS; from += CHUNK) {
          sketch.add(keys, from, Math.min(from + CHUNK, KEYS));
        }
        if (round >= 0) {
          nanos[i][round] = (double) (System.nanoTime() - start) / KEYS;
        }
      }
    }
    for (int i = 0; i < names.length; i++) {
      Arrays.sort(nanos[i]);
      System.out.printf(
          "%-22s %6.1f ns/add (%.1f–%.1f)  CountMin is %.2f times as fast%n",
          names[i],
          nanos[i][ROUNDS / 2],
          nanos[i][0],
          nanos[i][ROUNDS - 1],
          nanos[i][ROUNDS / 2] / nanos[0][ROUNDS / 2]);
    }
  }
}
