package io.bloomery;

import io.bloomery.frozen.CompressedBloomFilter;
import io.bloomery.frozen.GolombCodedSet;
import io.bloomery.hash.Hasher;
import java.util.Map;
import java.util.function.Function;

/** A small filter of every kind of the coded and compressed filters. */
final class CodedSamples {

  private CodedSamples() {}

  static Map<String, Function<Hasher, Filter>> all() {
    return Map.of(
        "golomb-coded",
        hasher -> GolombCodedSet.build(SampleFilters.hashes(hasher), 0.05, hasher),
        "compressed-bloom",
        hasher ->
            SampleFilters.filled(
                CompressedBloomFilter.builder()
                    .expectedKeys(20)
                    .falsePositiveRate(0.05)
                    .hasher(hasher)
                    .build()));
  }
}
