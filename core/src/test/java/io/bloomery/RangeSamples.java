package io.bloomery;

import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.membership.BloomShape;
import io.bloomery.range.DyadicFilter;
import io.bloomery.range.DyadicShape;
import io.bloomery.range.GrafiteFilter;
import io.bloomery.range.GrafiteShape;
import io.bloomery.range.RangeKeys;
import java.util.Map;
import java.util.function.Function;

/** A small filter of every kind of {@code io.bloomery.range}. */
final class RangeSamples {

  private RangeSamples() {}

  static Map<String, Function<Hasher, Filter>> all() {
    return Map.of("grafite", RangeSamples::grafite, "dyadic", RangeSamples::dyadic);
  }

  private static Filter grafite(Hasher hasher) {
    GrafiteShape shape = new GrafiteShape(RangeKeys.bytes(9), 20, 3_000, 10);
    GrafiteFilter.Builder builder = GrafiteFilter.builder(shape, hasher);
    for (int i = 0; i < SampleFilters.KEYS; i++) {
      builder.add("key-" + i);
    }
    return builder.build();
  }

  private static Filter dyadic(Hasher hasher) {
    BloomShape bloom = new BloomShape(900, 4, IndexScheme.POWERS);
    DyadicFilter filter =
        DyadicFilter.create(new DyadicShape(RangeKeys.bytes(9), 3, 10, bloom), hasher);
    for (int i = 0; i < SampleFilters.KEYS; i++) {
      filter.add("key-" + i);
    }
    return filter;
  }
}
