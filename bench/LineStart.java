import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;

/**
 * Measures whether it pays off that words begin on a cache line (decision 003). Queries read two words of a block of
 * eight, one in each half, as those of a blocked filter at 1 %: once where the array begins, which
 * is 16 bytes after a line where the heap is G1's, and once six words later, on a line.
 *
 * <p>{@code java -XX:+UseG1GC -Xmx1g bench/LineStart.java [passes]}; nanoseconds of CPU time per
 * query, least and median of passes in turn.
 */
final class LineStart {

  private static final int QUERIES = 1 << 20;

  private LineStart() {}

  /** The code of a query, with the offset as a constant, as in the library. */
  private static final class Unaligned {
    static final int BASE = 0;

    static int hits(long[] words, long[] hashes) {
      int hits = 0;
      for (long hash : hashes) {
        int first = (int) Math.multiplyHigh(hash >>> 1, 2L * (words.length - 6)) & -8;
        long a = words[BASE + first + (int) (hash & 3)];
        long b = words[BASE + first + 4 + (int) (hash >>> 2 & 3)];
        hits += (a >>> (hash >>> 8)) & (b >>> (hash >>> 16)) & 1;
      }
      return hits;
    }
  }

  private static final class Aligned {
    static final int BASE = 6;

    static int hits(long[] words, long[] hashes) {
      int hits = 0;
      for (long hash : hashes) {
        int first = (int) Math.multiplyHigh(hash >>> 1, 2L * (words.length - 6)) & -8;
        long a = words[BASE + first + (int) (hash & 3)];
        long b = words[BASE + first + 4 + (int) (hash >>> 2 & 3)];
        hits += (a >>> (hash >>> 8)) & (b >>> (hash >>> 16)) & 1;
      }
      return hits;
    }
  }

  public static void main(String[] args) {
    int passes = args.length > 0 ? Integer.parseInt(args[0]) : 41;
    System.out.println("bytes        at 16: least median   on a line: least median   ratio of least, median");
    for (int words : new int[] {1 << 15, 3 << 19, 1 << 24, 1 << 26}) {
      measure(words, passes);
    }
  }

  private static void measure(int count, int passes) {
    long[] words = new long[count + 6];
    long[] hashes = new long[QUERIES];
    long state = 1;
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = mix(state += 0x9E3779B97F4A7C15L);
    }
    for (int i = 0; i < words.length; i++) {
      words[i] = mix(state += 0x9E3779B97F4A7C15L);
    }
    double[] unaligned = new double[passes];
    double[] aligned = new double[passes];
    int hits = 0;
    for (int i = -10; i < passes; i++) {
      long start = now();
      hits += Unaligned.hits(words, hashes);
      long middle = now();
      hits -= Aligned.hits(words, hashes);
      long end = now();
      if (i >= 0) {
        unaligned[i] = (middle - start) / (double) QUERIES;
        aligned[i] = (end - middle) / (double) QUERIES;
      }
    }
    Arrays.sort(unaligned);
    Arrays.sort(aligned);
    double a = unaligned[passes / 2];
    double b = aligned[passes / 2];
    System.out.printf(
        Locale.ROOT,
        "%-12d        %6.2f %6.2f             %6.2f %6.2f   %18.3f %6.3f %s%n",
        8L * count,
        unaligned[0],
        a,
        aligned[0],
        b,
        unaligned[0] / aligned[0],
        a / b,
        hits == Integer.MIN_VALUE ? "!" : "");
  }

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private static long now() {
    return THREADS.getCurrentThreadCpuTime();
  }

  private static long mix(long z) {
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }
}
