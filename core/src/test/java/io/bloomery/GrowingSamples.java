package io.bloomery;

import io.bloomery.growing.DynamicBloomFilter;
import io.bloomery.growing.DynamicShape;
import io.bloomery.growing.ElasticFilter;
import io.bloomery.growing.ElasticShape;
import io.bloomery.growing.ScalableBloomFilter;
import io.bloomery.growing.ScalableShape;
import io.bloomery.growing.SplitBloomFilter;
import io.bloomery.growing.SplitShape;
import io.bloomery.hash.Hasher;
import java.util.Map;
import java.util.function.Function;

/** A small filter of every kind of the growing filters. */
final class GrowingSamples {

  private GrowingSamples() {}

  static Map<String, Function<Hasher, Filter>> all() {
    return Map.of(
        "scalable",
        hasher ->
            SampleFilters.filled(
                ScalableBloomFilter.create(
                    ScalableShape.forKeys(4, 0.2, ScalableShape.LayerKind.PARTITIONED), hasher)),
        "dynamic",
        hasher ->
            SampleFilters.filled(DynamicBloomFilter.create(new DynamicShape(70, 4, 9, 3), hasher)),
        "elastic",
        hasher -> SampleFilters.filled(ElasticFilter.create(ElasticShape.forKeys(1, 0.2), hasher)),
        "split",
        hasher ->
            SampleFilters.filled(SplitBloomFilter.create(new SplitShape(3, 70, 4, 0.05), hasher)));
  }

  /**
   * Layers that grow in steps; pages that have split, one of them twice, so that entries differ.
   */
  static Map<String, Function<Hasher, Filter>> otherLayouts() {
    return Map.of(
        "scalable-steps",
        hasher ->
            SampleFilters.filled(
                ScalableBloomFilter.create(ScalableShape.forKeys(20, 0.1), hasher)),
        "elastic-grown",
        hasher -> {
          ElasticFilter filter =
              SampleFilters.filled(ElasticFilter.create(ElasticShape.forKeys(1, 0.9), hasher));
          for (int i = 0; i < 2_000; i++) {
            filter.add("more-" + i);
          }
          return filter;
        });
  }
}
