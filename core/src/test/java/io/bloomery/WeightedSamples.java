package io.bloomery;

import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.membership.BloomShape;
import io.bloomery.weighted.ClassShape;
import io.bloomery.weighted.GeneralizedBloomFilter;
import io.bloomery.weighted.GeneralizedShape;
import io.bloomery.weighted.PopularityBloomFilter;
import io.bloomery.weighted.PopularityShape;
import io.bloomery.weighted.RetouchedBloomFilter;
import io.bloomery.weighted.VariableSignatureFilter;
import io.bloomery.weighted.VariableSignatureShape;
import io.bloomery.weighted.WeightedBloomFilter;
import io.bloomery.weighted.WeightedShape;
import io.bloomery.weighted.Weights;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/** A small filter of every kind of {@code io.bloomery.weighted}. */
final class WeightedSamples {

  private static final WeightedShape WEIGHTED = weighted(230, IndexScheme.ENHANCED_DOUBLE);
  private static final PopularityShape POPULARITY = popularity(230, IndexScheme.INDEPENDENT);

  private WeightedSamples() {}

  static Map<String, Function<Hasher, Filter>> all() {
    Map<String, Function<Hasher, Filter>> makers = new TreeMap<>();
    makers.put(
        "retouched",
        hasher -> retouched(BloomShape.of(230, 4, IndexScheme.ENHANCED_DOUBLE), hasher));
    makers.put("generalized", WeightedSamples::generalized);
    makers.put("variable-signature", WeightedSamples::variableSignature);
    makers.put(
        "weighted",
        hasher -> SampleFilters.filled(WeightedBloomFilter.create(WEIGHTED, weights(hasher))));
    makers.put(
        "popularity",
        hasher -> SampleFilters.filled(PopularityBloomFilter.create(POPULARITY, weights(hasher))));
    return makers;
  }

  /** The default index scheme. */
  static Map<String, Function<Hasher, Filter>> otherLayouts() {
    WeightedShape weighted = weighted(256, IndexScheme.POWERS);
    PopularityShape popularity = popularity(256, IndexScheme.POWERS);
    return Map.of(
        "retouched-powers",
        hasher -> retouched(BloomShape.of(256, 4, IndexScheme.POWERS), hasher),
        "weighted-powers",
        hasher -> SampleFilters.filled(WeightedBloomFilter.create(weighted, weights(hasher))),
        "popularity-powers",
        hasher -> SampleFilters.filled(PopularityBloomFilter.create(popularity, weights(hasher))));
  }

  private static WeightedShape weighted(long bits, IndexScheme scheme) {
    ClassShape.HashClass hot = new ClassShape.HashClass(8, 6, 0.15, 0.5);
    return WeightedShape.of(bits, scheme, 4, hot, 5);
  }

  private static PopularityShape popularity(long bits, IndexScheme scheme) {
    List<ClassShape.HashClass> classes =
        List.of(
            new ClassShape.HashClass(9, 2, 0.05, 0.4), new ClassShape.HashClass(6, 4, 0.1, 0.2));
    return PopularityShape.of(bits, scheme, 4, classes, 6);
  }

  /** The keys are added again after the clearing, so that none is lost. */
  private static Filter retouched(BloomShape shape, Hasher hasher) {
    RetouchedBloomFilter filter = RetouchedBloomFilter.create(shape, hasher);
    SampleFilters.filled(filter);
    long[] others = IntStream.range(0, 200).mapToLong(i -> hasher.hash("other-" + i)).toArray();
    filter.retouchHashes(others, RetouchedBloomFilter.Clearing.RATIO, SampleFilters.hashes(hasher));
    filter.clearRandomly(2, 7);
    return SampleFilters.filled(filter);
  }

  /** Ones at the start, and so large that no key overwrites another. */
  private static Filter generalized(Hasher hasher) {
    long[] start = new long[32];
    Arrays.fill(start, 0xFFFFFFFF00000000L);
    return SampleFilters.filled(
        GeneralizedBloomFilter.of(new GeneralizedShape(2000, 1, 2), hasher, start));
  }

  private static Filter variableSignature(Hasher hasher) {
    VariableSignatureFilter filter =
        VariableSignatureFilter.create(new VariableSignatureShape(300, 6, 5, 4), hasher);
    filter.age(123);
    return SampleFilters.filled(filter);
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
