package io.bloomery;

import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.weighted.ClassTable;
import io.bloomery.weighted.HashClass;
import io.bloomery.weighted.PopularityBloomFilter;
import io.bloomery.weighted.PopularityShape;
import io.bloomery.weighted.WeightedBloomFilter;
import io.bloomery.weighted.WeightedShape;
import io.bloomery.weighted.Weights;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A small filter of every kind of {@code io.bloomery.weighted}. */
final class WeightedSamples {

  private static final WeightedShape WEIGHTED =
      new WeightedShape(
          230,
          IndexScheme.ENHANCED_DOUBLE,
          4,
          new HashClass(8, 6, 0.15, 0.5),
          ClassTable.forKeys(6, 5));

  private static final PopularityShape POPULARITY =
      new PopularityShape(
          230,
          IndexScheme.INDEPENDENT,
          4,
          List.of(new HashClass(9, 2, 0.05, 0.4), new HashClass(6, 4, 0.1, 0.2)),
          ClassTable.forKeys(6, 6));

  private WeightedSamples() {}

  static Map<String, Function<Hasher, Filter>> all() {
    return Map.ofEntries(
        Map.entry(
            "weighted",
            hasher -> SampleFilters.filled(WeightedBloomFilter.create(WEIGHTED, weights(hasher)))),
        Map.entry(
            "popularity",
            hasher ->
                SampleFilters.filled(PopularityBloomFilter.create(POPULARITY, weights(hasher)))));
  }

  /** Three of the samples' keys and three others are hot. */
  private static Weights weights(Hasher hasher) {
    Weights.Builder weights = Weights.builder(hasher);
    for (int i = 0; i < 6; i++) {
      weights.weight((i % 2 == 0 ? "key-" : "other-") + i, 6 - i);
    }
    return weights.build();
  }
}
