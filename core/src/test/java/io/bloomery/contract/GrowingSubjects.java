package io.bloomery.contract;

import io.bloomery.growing.DynamicBloomFilter;
import io.bloomery.growing.DynamicShape;
import io.bloomery.growing.ScalableBloomFilter;
import io.bloomery.growing.ScalableShape;
import io.bloomery.growing.SplitBloomFilter;
import io.bloomery.growing.SplitShape;
import io.bloomery.hash.Hasher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The growing filters that the contracts run over. */
final class GrowingSubjects {

  private static final double RATE = 0.01;

  private GrowingSubjects() {}

  static List<Subject> all() {
    List<Subject> all = new ArrayList<>();
    for (ScalableShape.Layers layers : ScalableShape.Layers.values()) {
      all.add(
          Subjects.addable(
              "scalable " + layers,
              ScalableBloomFilter.KIND,
              hasher -> scalable(hasher, 700, layers),
              Map.of(
                  "expectedKeys=701", hasher -> scalable(hasher, 701, layers),
                  "tightening=0.8", hasher -> builder(hasher, 700, layers).tightening(0.8).build()),
              true));
    }
    all.add(
        Subjects.addable(
            "split",
            SplitBloomFilter.KIND,
            hasher -> SplitBloomFilter.of(new SplitShape(8, 12_100, 7), RATE, hasher),
            Map.of(
                "rows=7", hasher -> SplitBloomFilter.of(new SplitShape(7, 12_100, 7), RATE, hasher),
                "probes=6",
                    hasher -> SplitBloomFilter.of(new SplitShape(8, 12_100, 6), RATE, hasher)),
            true));
    all.add(
        Subjects.addable(
            "dynamic",
            DynamicBloomFilter.KIND,
            hasher -> dynamic(hasher, 7, 4),
            Map.of(
                "probes=6", hasher -> dynamic(hasher, 6, 4),
                "counterBits=8", hasher -> dynamic(hasher, 7, 8)),
            false));
    return all;
  }

  private static DynamicBloomFilter dynamic(Hasher hasher, int probes, int counterBits) {
    return DynamicBloomFilter.of(new DynamicShape(105_000, probes, 11_000, counterBits, 1), hasher);
  }

  private static ScalableBloomFilter scalable(
      Hasher hasher, long keys, ScalableShape.Layers layers) {
    return builder(hasher, keys, layers).build();
  }

  private static ScalableBloomFilter.Builder builder(
      Hasher hasher, long keys, ScalableShape.Layers layers) {
    return ScalableBloomFilter.builder()
        .hasher(hasher)
        .expectedKeys(keys)
        .falsePositiveRate(RATE)
        .layers(layers);
  }
}
