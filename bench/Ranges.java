import io.bloomery.RangeFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.range.DyadicFilter;
import io.bloomery.range.GrafiteFilter;
import io.bloomery.range.GrafiteShape;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** CPU time per query: {@code Ranges [KEYS [LENGTH]]}. */
final class Ranges {

  private static final int ROUNDS = 9;
  private static final int QUERIES = 200_000;
  private static final double RATE = 0.01;

  interface Subject {
    boolean any(long from, long to);
  }

  public static void main(String[] args) {
    int keys = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
    long length = args.length > 1 ? Long.parseLong(args[1]) : 64;
    SplittableRandom random = new SplittableRandom(1);
    long[] sorted = random.longs(keys).distinct().sorted().toArray();
    GrafiteFilter.Builder building =
        GrafiteFilter.builder(GrafiteShape.forKeys(keys, RATE, length), Hasher.xxh3());
    long start = cpu();
    Arrays.stream(sorted).forEach(building::add);
    RangeFilter grafite = building.build();
    long built = cpu();
    DyadicFilter dyadic = DyadicFilter.create(keys, length, RATE);
    Arrays.stream(sorted).forEach(dyadic::add);
    long added = cpu();
    BlockedBloomFilter points = BlockedBloomFilter.create(keys, RATE / length);
    Arrays.stream(sorted).forEach(points::add);
    TreeSet<Long> tree = new TreeSet<>();
    Arrays.stream(sorted).forEach(tree::add);
    System.out.printf(
        Locale.ROOT,
        "%,d keys, ranges of %,d, rate %s; build: grafite %.0f, dyadic %.0f ns per key%n",
        keys, length, RATE, (double) (built - start) / keys, (double) (added - built) / keys);

    Map<String, Subject> subjects = new LinkedHashMap<>();
    Map<String, Double> bits = new LinkedHashMap<>();
    subjects.put("sorted array", (from, to) -> {
      int at = Arrays.binarySearch(sorted, from);
      return at >= 0 || (~at < sorted.length && sorted[~at] <= to);
    });
    bits.put("sorted array", 64.0);
    subjects.put("TreeSet", (from, to) -> {
      Long next = tree.ceiling(from);
      return next != null && next <= to;
    });
    bits.put("TreeSet", 512.0);
    subjects.put("grafite", grafite::mightContainRange);
    bits.put("grafite", (double) grafite.sizeInBits() / keys);
    subjects.put("dyadic", dyadic::mightContainRange);
    bits.put("dyadic", (double) dyadic.sizeInBits() / keys);
    subjects.put("blocked, each number", (from, to) -> {
      for (long key = from; key <= to; key++) {
        if (points.mightContain(key)) {
          return true;
        }
      }
      return false;
    });
    bits.put("blocked, each number", (double) points.sizeInBits() / keys);

    System.out.println("                        bits/key   random ns  (hits)   beside a key ns  (hits)   ratio of random to array");
    Map<String, double[]> random1 = new LinkedHashMap<>();
    Map<String, double[]> beside = new LinkedHashMap<>();
    Map<String, int[]> hits = new LinkedHashMap<>();
    for (int round = -1; round < ROUNDS; round++) {
      long[] far = random.longs(QUERIES, Long.MIN_VALUE, Long.MAX_VALUE - length).toArray();
      long[] near = new long[QUERIES];
      Arrays.setAll(near, i -> sorted[random.nextInt(sorted.length - 1)] + 1);
      for (String name : List.copyOf(subjects.keySet())) {
        int[] found = hits.computeIfAbsent(name, any -> new int[2]);
        double one = time(subjects.get(name), far, length, found, 0, round);
        double two = time(subjects.get(name), near, length, found, 1, round);
        if (round >= 0) {
          random1.computeIfAbsent(name, any -> new double[ROUNDS])[round] = one;
          beside.computeIfAbsent(name, any -> new double[ROUNDS])[round] = two;
        }
      }
    }
    double array = median(random1.get("sorted array"));
    for (String name : subjects.keySet()) {
      System.out.printf(
          Locale.ROOT,
          "%-22s %9.2f %11.0f %7.2f %% %15.0f %7.2f %% %10.2f%n",
          name,
          bits.get(name),
          median(random1.get(name)),
          100.0 * hits.get(name)[0] / ROUNDS / QUERIES,
          median(beside.get(name)),
          100.0 * hits.get(name)[1] / ROUNDS / QUERIES,
          median(random1.get(name)) / array);
    }
  }

  private static double time(
      Subject subject, long[] starts, long length, int[] hits, int which, int round) {
    int found = 0;
    long before = cpu();
    for (long from : starts) {
      found += subject.any(from, from + length - 1) ? 1 : 0;
    }
    long after = cpu();
    hits[which] += round >= 0 ? found : 0;
    return (double) (after - before) / starts.length;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
