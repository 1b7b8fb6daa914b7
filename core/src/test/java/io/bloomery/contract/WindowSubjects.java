package io.bloomery.contract;

import io.bloomery.hash.Hasher;
import io.bloomery.window.AgingBloomFilter;
import io.bloomery.window.AgingShape;
import io.bloomery.window.DecayingBloomFilter;
import io.bloomery.window.DecayingShape;
import io.bloomery.window.DoubleBufferShape;
import io.bloomery.window.DoubleBufferedBloomFilter;
import io.bloomery.window.ExponentialDecayFilter;
import io.bloomery.window.ExponentialDecayShape;
import io.bloomery.window.RecentFilter;
import io.bloomery.window.RecentShape;
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
            hasher -> StableBloomFilter.create(new StableShape(95_900, 8, 7, 10), hasher),
            Map.of(),
            true),
        Subjects.addable(
            "decaying adds",
            DecayingBloomFilter.KIND,
            hasher ->
                DecayingBloomFilter.create(
                    new DecayingShape(95_900, 7, 60_000, 469, false), hasher),
            Map.of(),
            true),
        Subjects.addable(
            "decaying time",
            DecayingBloomFilter.KIND,
            hasher ->
                DecayingBloomFilter.create(
                    DecayingShape.forKeys(Subject.KEYS, 0.01, Duration.ofDays(1)), hasher),
            Map.of(),
            true),
        Subjects.addable(
            "aging",
            AgingBloomFilter.KIND,
            hasher -> AgingBloomFilter.create(new AgingShape(95_900, 7, 60_000), hasher),
            Map.of(),
            false),
        Subjects.addable(
            "double-buffered",
            DoubleBufferedBloomFilter.KIND,
            hasher ->
                DoubleBufferedBloomFilter.create(new DoubleBufferShape(95_900, 7, 100_000), hasher),
            Map.of(),
            false),
        timeDecaying(TimeDecayingShape.of(95_900, 7).withHalfLife(Duration.ofDays(1))),
        timeDecaying(TimeDecayingShape.of(95_900, 7).withLinearDecay(Duration.ofDays(10_000))),
        Subjects.addable(
            "exponential-decay",
            ExponentialDecayFilter.KIND,
            hasher -> exponential(hasher, 95_900, 7),
            Map.of(
                "95901", hasher -> exponential(hasher, 95_901, 7),
                "hashesPerKey=6", hasher -> exponential(hasher, 95_900, 6)),
            true),
        recent(2),
        recent(4),
        recent(8),
        Subjects.addable(
            "recent time",
            RecentFilter.KIND,
            hasher ->
                RecentFilter.create(
                    RecentShape.forKeys(3 * Subject.KEYS, 0.01).withWindow(Duration.ofDays(10_000)),
                    hasher),
            Map.of(),
            true));
  }

  private static Subject timeDecaying(TimeDecayingShape shape) {
    return Subjects.addable(
        "time-decaying " + shape.decay(),
        TimeDecayingFilter.KIND,
        hasher -> TimeDecayingFilter.create(shape, hasher),
        Map.of(),
        false);
  }

  private static ExponentialDecayFilter exponential(Hasher hasher, long bits, int probes) {
    return ExponentialDecayFilter.create(new ExponentialDecayShape(bits, probes), hasher);
  }

  /** So long a window that all keys of a test fall into its newest slice. */
  private static Subject recent(int layers) {
    return Subjects.addable(
        "recent " + layers,
        RecentFilter.KIND,
        hasher ->
            RecentFilter.create(
                RecentShape.forKeys((long) (layers - 1) * Subject.KEYS, 0.01, layers)
                    .withWindow(10_000_000),
                hasher),
        Map.of(),
        true);
  }
}
