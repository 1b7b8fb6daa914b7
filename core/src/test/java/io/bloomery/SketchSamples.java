package io.bloomery;

import static io.bloomery.SampleFilters.filled;

import io.bloomery.frequency.AdaptiveBloomFilter;
import io.bloomery.frequency.BraidsShape;
import io.bloomery.frequency.CounterBraids;
import io.bloomery.frequency.LayeredBloomFilter;
import io.bloomery.frequency.LayeredShape;
import io.bloomery.frequency.SpaceCodeFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BloomShape;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A small filter of every kind of the space-code, adaptive, layered filters and counter braids. */
final class SketchSamples {

  private SketchSamples() {}

  static Map<String, Function<Hasher, Filter>> all() {
    return Map.of(
        "space-code",
        hasher ->
            filled(
                SpaceCodeFilter.builder()
                    .bits(500)
                    .probes(8)
                    .resolutions(2)
                    .seed(3)
                    .hasher(hasher)
                    .build()),
        "adaptive",
        hasher ->
            filled(
                AdaptiveBloomFilter.builder()
                    .bits(250)
                    .probes(5)
                    .scanLimit(100)
                    .hasher(hasher)
                    .build()),
        "layered",
        hasher ->
            filled(
                LayeredBloomFilter.of(
                    new LayeredShape(
                        List.of(
                            BloomShape.of(230, 7), BloomShape.of(100, 6), BloomShape.of(64, 5))),
                    hasher)),
        "counter-braids",
        hasher -> filled(CounterBraids.of(new BraidsShape(150, 2, 3, 18, 20), hasher)));
  }
}
