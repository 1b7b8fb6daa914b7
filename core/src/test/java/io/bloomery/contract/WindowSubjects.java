package io.bloomery.contract;

import io.bloomery.hash.Hasher;
import io.bloomery.window.AgingBloomFilter;
import io.bloomery.window.AgingShape;
import io.bloomery.window.DecayingBloomFilter;
import io.bloomery.window.DoubleBufferShape;
import io.bloomery.window.DoubleBufferedBloomFilter;
import io.bloomery.window.ExponentialDecayFilter;
import io.bloomery.window.ExponentialDecayShape;
import io.bloomery.window.RecentFilter;
import io.bloomery.window.StableBloomFilter;
import io.bloomery.window.StableShape;
import io.bloomery.window.TimeDecayingFilter;
import io.bloomery.window.TimeDecayingShape;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The filters of a window that the contracts run over, with windows so long, or cells so deep, that
 * no key leaves them during a test.
 */
final class WindowSubjects {

  private WindowSubjects() {}

  static List<Subject> all() {
    return List.of(
        Subjects.addable(
            "stable",
            StableBloomFilter.KIND,
            hasher ->
                StableBloomFilter.builder()
                    .shape(new StableShape(95_900, 8, 7, 10))
                    .hasher(hasher)
                    .build(),
            Map.of(),
            true),
        Subjects.addable(
            "decaying adds",
            DecayingBloomFilter.KIND,
            hasher ->
                DecayingBloomFilter.builder()
                    .window(60_000)
                    .cells(95_900, 7)
                    .hasher(hasher)
                    .build(),
            Map.of(),
            true),
        Subjects.addable(
            "decaying time",
            DecayingBloomFilter.KIND,
            hasher ->
                DecayingBloomFilter.builder()
                    .window(Duration.ofDays(1))
                    .expectedKeys(Subject.KEYS)
                    .falsePositiveRate(0.01)
                    .hasher(hasher)
                    .build(),
            Map.of(),
            true),
        Subjects.addable(
            "aging",
            AgingBloomFilter.KIND,
            hasher ->
                AgingBloomFilter.builder()
                    .shape(new AgingShape(95_900, 7, 60_000))
                    .hasher(hasher)
                    .build(),
            Map.of(),
            false),
        Subjects.addable(
            "double-buffered",
            DoubleBufferedBloomFilter.KIND,
            hasher ->
                DoubleBufferedBloomFilter.builder()
                    .shape(new DoubleBufferShape(95_900, 7, 100_000))
                    .hasher(hasher)
                    .build(),
            Map.of(),
            false),
        timeDecaying(TimeDecayingFilter.builder().halfLife(Duration.ofDays(1))),
        timeDecaying(TimeDecayingFilter.builder().linear(Duration.ofDays(10_000))),
        Subjects.addable(
            "exponential-decay",
            ExponentialDecayFilter.KIND,
            hasher -> exponential(hasher, 95_900, 7),
            Map.of(
                "95901", hasher -> exponential(hasher, 95_901, 7),
                "probes=6", hasher -> exponential(hasher, 95_900, 6)),
            true),
        recent(2),
        recent(4),
        recent(8),
        Subjects.addable(
            "recent time",
            RecentFilter.KIND,
            hasher ->
                RecentFilter.builder()
                    .window(Duration.ofDays(10_000))
                    .expectedKeys(3 * Subject.KEYS)
                    .falsePositiveRate(0.01)
                    .hasher(hasher)
                    .build(),
            Map.of(),
            true));
  }

  private static Subject timeDecaying(TimeDecayingFilter.Builder builder) {
    return Subjects.addable(
        "time-decaying " + builder.shape(new TimeDecayingShape(95_900, 7)).build().decay(),
        TimeDecayingFilter.KIND,
        hasher -> builder.hasher(hasher).build(),
        Map.of(),
        false);
  }

  private static ExponentialDecayFilter exponential(Hasher hasher, long bits, int probes) {
    return ExponentialDecayFilter.builder()
        .shape(new ExponentialDecayShape(bits, probes))
        .hasher(hasher)
        .build();
  }

  /** So long a window that all keys of a test fall into its newest slice. */
  private static Subject recent(int generations) {
    return Subjects.addable(
        "recent " + generations,
        RecentFilter.KIND,
        hasher ->
            RecentFilter.builder()
                .window(10_000_000)
                .expectedKeys((long) (generations - 1) * Subject.KEYS)
                .falsePositiveRate(0.01)
                .generations(generations)
                .hasher(hasher)
                .build(),
        Map.of(),
        true);
  }
}
