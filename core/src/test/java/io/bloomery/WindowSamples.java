package io.bloomery;

import io.bloomery.hash.Hasher;
import io.bloomery.window.AgingBloomFilter;
import io.bloomery.window.AgingShape;
import io.bloomery.window.DecayingBloomFilter;
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
            SampleFilters.filled(
                StableBloomFilter.builder()
                    .shape(new StableShape(120, 3, 4, 6))
                    .hasher(hasher)
                    .build()));
    makers.put(
        "decaying",
        hasher ->
            SampleFilters.filled(
                DecayingBloomFilter.builder()
                    .window(25)
                    .granularity(3)
                    .cells(150, 5)
                    .hasher(hasher)
                    .build()));
    makers.put(
        "recent",
        hasher ->
            SampleFilters.filled(
                RecentFilter.builder()
                    .window(25)
                    .shape(new RecentShape(2, 4, 4))
                    .hasher(hasher)
                    .build()));
    makers.put(
        "aging",
        hasher ->
            SampleFilters.filled(
                AgingBloomFilter.builder()
                    .shape(new AgingShape(150, 5, 12))
                    .hasher(hasher)
                    .build()));
    makers.put(
        "double-buffered",
        hasher ->
            SampleFilters.filled(
                DoubleBufferedBloomFilter.builder()
                    .shape(new DoubleBufferShape(200, 5, 30))
                    .hasher(hasher)
                    .build()));
    // A clock far ahead: these weights have not begun to fade when the files are read.
    makers.put(
        "time-decaying",
        hasher ->
            SampleFilters.filled(
                TimeDecayingFilter.builder()
                    .halfLife(Duration.ofDays(1))
                    .clock(() -> Instant.parse("9999-12-31T00:00:00Z"))
                    .shape(new TimeDecayingShape(100, 4))
                    .hasher(hasher)
                    .build()));
    makers.put(
        "exponential-decay",
        hasher ->
            SampleFilters.filled(
                ExponentialDecayFilter.builder()
                    .shape(new ExponentialDecayShape(700, 20))
                    .hasher(hasher)
                    .build()));
    return makers;
  }
}
