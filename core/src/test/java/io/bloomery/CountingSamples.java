package io.bloomery;

import io.bloomery.deletable.CountingBloomFilter;
import io.bloomery.deletable.OneWordCountingFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.plan.OneWordCountingShape;
import java.util.Map;
import java.util.function.Function;

/** A small filter of every kind of the counting filters. */
final class CountingSamples {

  private CountingSamples() {}

  static Map<String, Function<Hasher, Filter>> all() {
    return Map.of(
        "counting",
        hasher ->
            SampleFilters.filled(
                CountingBloomFilter.builder()
                    .counters(230)
                    .probes(6)
                    .counterBits(3)
                    .scheme(IndexScheme.ENHANCED_DOUBLE)
                    .hasher(hasher)
                    .build()),
        "one-word-counting",
        hasher ->
            SampleFilters.filled(
                OneWordCountingFilter.builder()
                    .shape(new OneWordCountingShape(5, 128, 4, 8))
                    .hasher(hasher)
                    .build()));
  }
}
