package io.bloomery;

import io.bloomery.deletable.DLeftCountingFilter;
import io.bloomery.deletable.DLeftShape;
import io.bloomery.deletable.DeletableBloomFilter;
import io.bloomery.deletable.MultilayerCountingFilter;
import io.bloomery.hash.Hasher;
import java.util.Map;
import java.util.function.Function;

/** A small filter of every kind of the multilayer, d-left and deletable filters. */
final class DeletionSamples {

  private DeletionSamples() {}

  static Map<String, Function<Hasher, Filter>> all() {
    return Map.of(
        "multilayer",
        hasher ->
            SampleFilters.filled(
                MultilayerCountingFilter.builder().bits(1_200).probes(4).hasher(hasher).build()),
        "deletable",
        hasher ->
            SampleFilters.filled(
                DeletableBloomFilter.builder()
                    .bits(230)
                    .probes(5)
                    .regions(40)
                    .hasher(hasher)
                    .build()),
        "d-left",
        hasher ->
            SampleFilters.filled(DLeftCountingFilter.of(new DLeftShape(4, 2, 1, 7, 2), hasher)));
  }
}
