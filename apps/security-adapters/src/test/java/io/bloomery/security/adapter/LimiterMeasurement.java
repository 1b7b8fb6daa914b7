package io.bloomery.security.adapter;

import io.bloomery.security.limit.LimitOptions;
import io.bloomery.security.limit.UniqueRateLimiter;
import io.bloomery.testkit.Seeds;
import io.github.bucket4j.Bucket;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * CPU time of a decision, ours and that of bucket4j's buckets in a map by key, in turn; {@code
 * bench/security limiter} runs it, and it is not a test. Ours finds repeated events, which buckets
 * do not. Argument: number of rounds (7).
 */
final class LimiterMeasurement {

  private static final int DECISIONS = 2_000_000;
  private static final int LIMIT = 20;
  private static final Duration HOUR = Duration.ofHours(1);

  private LimiterMeasurement() {}

  /** Decides about one event after the other. */
  private interface Decider {
    boolean isAllowed(String key, String event);
  }

  public static void main(String[] arguments) {
    int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 7;
    System.out.println(
        "| keys | Bloomery, ns | bucket4j, ns | ratio | Bloomery, MB | bucket4j, MB |");
    System.out.println("|--:|--:|--:|--:|--:|--:|");
    for (int keys : new int[] {1_000, 100_000, 1_000_000}) {
      row(keys, rounds);
    }
  }

  private static void row(int keys, int rounds) {
    String[] names = new String[keys];
    for (int i = 0; i < keys; i++) {
      names[i] =
          "2001:db8:"
              + Integer.toHexString(i >>> 16)
              + ":"
              + Integer.toHexString(i & 0xFFFF)
              + "::1";
    }
    String[] events = new String[1 << 12];
    for (int i = 0; i < events.length; i++) {
      events[i] = "account-" + i;
    }
    int[] drawn = Seeds.random(keys).ints(DECISIONS, 0, keys).toArray();
    double[] least = {Double.MAX_VALUE, Double.MAX_VALUE};
    double[] megabytes = new double[2];
    for (int round = 0; round < rounds; round++) {
      for (int which = 0; which < 2; which++) {
        long before = used();
        Decider decider = which == 0 ? ours() : buckets();
        double first = nanos(decider, names, events, drawn);
        double again = nanos(decider, names, events, drawn);
        least[which] = Math.min(least[which], Math.min(first, again));
        megabytes[which] = (used() - before) / 1e6;
        if (!decider.isAllowed("another", "one")) {
          throw new IllegalStateException("a new key is limited");
        }
      }
    }
    System.out.printf(
        Locale.ROOT,
        "| %,d | %.0f | %.0f | %.2f | %.0f | %.0f |%n",
        keys,
        least[0],
        least[1],
        least[1] / least[0],
        megabytes[0],
        megabytes[1]);
  }

  private static double nanos(Decider decider, String[] names, String[] events, int[] drawn) {
    return 1e9
        / drawn.length
        * Measured.leastSeconds(
            1,
            () -> {
              long allowed = 0;
              for (int i = 0; i < drawn.length; i++) {
                String event = events[(i * 0x9E3779B1) >>> 20];
                allowed += decider.isAllowed(names[drawn[i]], event) ? 1 : 0;
              }
              return allowed;
            });
  }

  private static Decider ours() {
    UniqueRateLimiter limiter = UniqueRateLimiter.create(LimitOptions.of(LIMIT, HOUR, DECISIONS));
    return (key, event) -> limiter.tryAcquire(key, event).isAllowed();
  }

  private static Decider buckets() {
    ConcurrentHashMap<String, Bucket> buckets = new ConcurrentHashMap<>();
    Supplier<Bucket> made =
        () ->
            Bucket.builder()
                .addLimit(limit -> limit.capacity(LIMIT).refillIntervally(LIMIT, HOUR))
                .build();
    return (key, event) -> {
      Bucket bucket = buckets.get(key);
      if (bucket == null) {
        bucket = buckets.computeIfAbsent(key, any -> made.get());
      }
      return bucket.tryConsume(1);
    };
  }

  /** Heap that is in use after the garbage was collected. */
  private static long used() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
