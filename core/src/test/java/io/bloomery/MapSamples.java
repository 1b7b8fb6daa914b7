package io.bloomery;

import io.bloomery.hash.Hasher;
import io.bloomery.lookup.BloomierMap;
import io.bloomery.lookup.MutableBloomierMap;
import io.bloomery.plan.PeeledCells;
import java.util.Map;
import java.util.function.Function;

/** A small filter of every kind of the maps. */
final class MapSamples {

  private MapSamples() {}

  static Map<String, Function<Hasher, Filter>> all() {
    return Map.of("bloomier", MapSamples::bloomier, "mutable-bloomier", MapSamples::mutable);
  }

  private static Filter bloomier(Hasher hasher) {
    BloomierMap.Builder builder =
        BloomierMap.builder()
            .falsePositiveRate(0.02)
            .layout(PeeledCells.Layout.PARTS)
            .hasher(hasher);
    String[] labels = {"odd", "gerade", "δ"};
    long[] hashes = SampleFilters.hashes(hasher);
    for (int i = 0; i < hashes.length; i++) {
      builder.putHash(hashes[i], builder.label(labels[i % 3]));
    }
    return builder.build();
  }

  private static Filter mutable(Hasher hasher) {
    MutableBloomierMap.Builder builder =
        MutableBloomierMap.builder()
            .falsePositiveRate(0.02)
            .valueBits(5)
            .layout(PeeledCells.Layout.SEGMENTS)
            .hasher(hasher);
    long[] hashes = SampleFilters.hashes(hasher);
    for (int i = 0; i < hashes.length; i++) {
      builder.putHash(hashes[i], i);
    }
    MutableBloomierMap map = builder.build();
    map.setHash(hashes[3], 31);
    return map;
  }
}
