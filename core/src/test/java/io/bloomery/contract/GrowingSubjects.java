package io.bloomery.contract;

import io.bloomery.growing.DynamicBloomFilter;
import io.bloomery.growing.DynamicShape;
import io.bloomery.growing.ElasticFilter;
import io.bloomery.growing.ElasticShape;
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
    for (ScalableShape.LayerKind kind : ScalableShape.LayerKind.values()) {
      ScalableShape shape = ScalableShape.forKeys(700, RATE, kind);
      all.add(
          Subjects.addable(
              "scalable " + kind,
              ScalableBloomFilter.KIND,
              hasher -> ScalableBloomFilter.create(shape, hasher),
              Map.of(
                  "expectedKeys=701",
                  hasher ->
                      ScalableBloomFilter.create(ScalableShape.forKeys(701, RATE, kind), hasher),
                  "tightening=0.7",
                  hasher -> ScalableBloomFilter.create(shape.withTightening(0.7), hasher)),
              true));
    }
    for (double rate : new double[] {0.01, 1e-6}) {
      all.add(
          Subjects.addable(
              "elastic " + rate,
              ElasticFilter.KIND,
              hasher -> ElasticFilter.create(ElasticShape.forKeys(700, rate), hasher),
              Map.of(),
              false));
    }
    all.add(
        Subjects.addable(
            "split",
            SplitBloomFilter.KIND,
            hasher -> split(hasher, 8, 7, RATE),
            Map.of(
                "layers=7", hasher -> split(hasher, 7, 7, RATE),
                "hashesPerKey=6", hasher -> split(hasher, 8, 6, RATE),
                "bound=0.02", hasher -> split(hasher, 8, 7, 0.02)),
            true));
    all.add(
        Subjects.addable(
            "dynamic",
            DynamicBloomFilter.KIND,
            hasher -> dynamic(hasher, 7, 4),
            Map.of(
                "hashesPerKey=6", hasher -> dynamic(hasher, 6, 4),
                "counterBits=8", hasher -> dynamic(hasher, 7, 8)),
            false));
    return all;
  }

  private static DynamicBloomFilter dynamic(Hasher hasher, int probes, int counterBits) {
    return DynamicBloomFilter.create(
        new DynamicShape(105_000, probes, 11_000, counterBits), hasher);
  }

  private static SplitBloomFilter split(Hasher hasher, int layers, int probes, double bound) {
    return SplitBloomFilter.create(new SplitShape(layers, 12_100, probes, bound), hasher);
  }
}
