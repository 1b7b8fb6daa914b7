package io.bloomery;

import io.bloomery.hash.Hasher;
import io.bloomery.plan.StableShape;
import io.bloomery.window.StableBloomFilter;
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
    return makers;
  }
}
