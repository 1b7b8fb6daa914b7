package io.bloomery;

import io.bloomery.deletable.BlockedCountingFilter;
import io.bloomery.deletable.BlockedCountingShape;
import io.bloomery.deletable.CountingBloomFilter;
import io.bloomery.deletable.OneWordCountingFilter;
import io.bloomery.deletable.OneWordCountingShape;
import io.bloomery.deletable.VariableIncrementCountingFilter;
import io.bloomery.deletable.VariableIncrementShape;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.membership.BlockShape;
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
                    .build()),
        "blocked-counting",
        hasher ->
            SampleFilters.filled(
                BlockedCountingFilter.builder()
                    .shape(new BlockedCountingShape(new BlockShape(2, 128, 2, 6), 3))
                    .hasher(hasher)
                    .build()),
        "variable-increment",
        hasher ->
            SampleFilters.filled(
                VariableIncrementCountingFilter.builder()
                    .shape(new VariableIncrementShape(115, 6, 5, 4))
                    .hasher(hasher)
                    .build()));
  }
}
