package io.bloomery.contract;

import io.bloomery.growing.ScalableBloomFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.plan.ScalableShape;
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
    return all;
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
