package io.bloomery;

import static io.bloomery.SampleFilters.filled;

import io.bloomery.frequency.AdaptiveBloomFilter;
import io.bloomery.frequency.AdaptiveShape;
import io.bloomery.frequency.BraidsShape;
import io.bloomery.frequency.CountMinFilter;
import io.bloomery.frequency.CountMinShape;
import io.bloomery.frequency.CounterBraids;
import io.bloomery.frequency.LayeredBloomFilter;
import io.bloomery.frequency.LayeredShape;
import io.bloomery.frequency.SpaceCodeFilter;
import io.bloomery.frequency.SpaceCodeShape;
import io.bloomery.frequency.SpectralFilter;
import io.bloomery.frequency.SpectralShape;
import io.bloomery.frequency.SpectralShape.Method;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.membership.BloomShape;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A small filter of every kind of {@code io.bloomery.frequency}. */
final class FrequencySamples {

  private FrequencySamples() {}

  static Map<String, Function<Hasher, Filter>> all() {
    return Map.of(
        "spectral",
        hasher ->
            filled(
                SpectralFilter.create(
                    new SpectralShape(4, 25, 16, Method.RECURRING_MINIMUM), hasher)),
        "count-min",
        hasher -> filled(CountMinFilter.create(new CountMinShape(3, 31, 32, true), hasher)),
        "space-code",
        hasher -> filled(SpaceCodeFilter.create(new SpaceCodeShape(500, 8, 32, 2), hasher, 3)),
        "adaptive",
        hasher -> filled(AdaptiveBloomFilter.create(new AdaptiveShape(250, 5, 100), hasher)),
        "layered",
        hasher ->
            filled(
                LayeredBloomFilter.create(
                    new LayeredShape(List.of(layer(230, 7), layer(100, 6), layer(64, 5))), hasher)),
        "counter-braids",
        hasher -> filled(CounterBraids.create(new BraidsShape(150, 2, 3, 18, 20), hasher)));
  }

  private static BloomShape layer(long bits, int probes) {
    return new BloomShape(bits, probes, IndexScheme.INDEPENDENT);
  }
}
