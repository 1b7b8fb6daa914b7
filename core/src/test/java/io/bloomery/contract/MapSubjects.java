package io.bloomery.contract;

import io.bloomery.lookup.BloomierMap;
import io.bloomery.lookup.MutableBloomierMap;
import io.bloomery.plan.PeeledCells.Layout;
import java.util.ArrayList;
import java.util.List;

/** The maps that the contracts run over. */
final class MapSubjects {

  private static final double RATE = 0.01;

  private MapSubjects() {}

  static List<Subject> all() {
    List<Subject> all = new ArrayList<>();
    for (Layout layout : Layout.values()) {
      for (int k = 3; k <= 4; k++) {
        all.add(bloomier("bloomier " + layout + " " + k, layout, k, 1_000, 1));
      }
    }
    all.add(bloomier("bloomier listed", Layout.PARTS, 3, 2, 1_000_000_007));
    all.add(
        Subject.map(
            "bloomier ribbon",
            BloomierMap.KIND,
            100,
            (hasher, hashes, values) ->
                BloomierMap.builder()
                    .falsePositiveRate(RATE)
                    .ribbon()
                    .valueCount(100)
                    .hasher(hasher)
                    .putHashes(hashes, values)
                    .build()));
    for (boolean shared : new boolean[] {true, false}) {
      all.add(
          Subject.map(
              "mutable-bloomier" + (shared ? " shared" : ""),
              MutableBloomierMap.KIND,
              1_000,
              (hasher, hashes, values) ->
                  MutableBloomierMap.builder()
                      .falsePositiveRate(RATE)
                      .shared(shared)
                      .hasher(hasher)
                      .putHashes(hashes, values)
                      .build()));
    }
    return all;
  }

  private static Subject bloomier(String name, Layout layout, int k, int values, long spread) {
    return Subject.lookup(
        name,
        BloomierMap.KIND,
        (hasher, hashes) -> {
          BloomierMap.Builder builder =
              BloomierMap.builder()
                  .falsePositiveRate(RATE)
                  .layout(layout)
                  .cellsPerKey(k)
                  .hasher(hasher);
          if (spread == 1) {
            builder.valueCount(values);
          }
          for (long hash : hashes) {
            builder.putHash(hash, spread * Subject.valueOf(hash, values));
          }
          return builder.build();
        },
        (hash, value) -> value == spread * Subject.valueOf(hash, values));
  }
}
