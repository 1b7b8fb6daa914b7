package io.bloomery;

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
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** A small filter of every kind of the filters of a window. */
final class WindowSamples {

  private WindowSamples() {}

  static Map<String, Function<Hasher, Filter>> all() {
    Map<String, Function<Hasher, Filter>> makers = new TreeMap<>();
    makers.put(
        "stable",
        hasher ->
            SampleFilters.filled(StableBloomFilter.create(new StableShape(120, 3, 4, 6), hasher)));
    makers.put(
        "decaying",
        hasher ->
            SampleFilters.filled(
                DecayingBloomFilter.create(new DecayingShape(150, 5, 25, 3, false), hasher)));
    makers.put(
        "recent",
        hasher ->
            SampleFilters.filled(RecentFilter.create(new RecentShape(2, 4, 4, 25, false), hasher)));
    makers.put(
        "aging",
        hasher ->
            SampleFilters.filled(AgingBloomFilter.create(new AgingShape(150, 5, 12), hasher)));
    makers.put(
        "double-buffered",
        hasher ->
            SampleFilters.filled(
                DoubleBufferedBloomFilter.create(new DoubleBufferShape(200, 5, 30), hasher)));
    // A clock far ahead: these weights have not begun to fade when the files are read.
    makers.put(
        "time-decaying",
        hasher ->
            SampleFilters.filled(
                TimeDecayingFilter.create(
                    TimeDecayingShape.of(100, 4).withHalfLife(Duration.ofDays(1)),
                    hasher,
                    () -> Instant.parse("9999-12-31T00:00:00Z"))));
    makers.put(
        "exponential-decay",
        hasher ->
            SampleFilters.filled(
                ExponentialDecayFilter.create(new ExponentialDecayShape(700, 20), hasher)));
    return makers;
  }
}
