package io.bloomery;

import io.bloomery.hash.Hasher;
import io.bloomery.membership.BloomShape;
import io.bloomery.weighted.Clearing;
import io.bloomery.weighted.GeneralizedBloomFilter;
import io.bloomery.weighted.GeneralizedShape;
import io.bloomery.weighted.RetouchedBloomFilter;
import io.bloomery.weighted.VariableSignatureFilter;
import io.bloomery.weighted.VariableSignatureShape;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/** A small filter of every kind of {@code io.bloomery.weighted}. */
final class WeightedSamples {

  private WeightedSamples() {}

  static Map<String, Function<Hasher, Filter>> all() {
    Map<String, Function<Hasher, Filter>> makers = new TreeMap<>();
    makers.put("retouched", WeightedSamples::retouched);
    makers.put("generalized", WeightedSamples::generalized);
    makers.put("variable-signature", WeightedSamples::variableSignature);
    return makers;
  }

  /** The keys are added again after the clearing, so that none is lost. */
  private static Filter retouched(Hasher hasher) {
    RetouchedBloomFilter filter = RetouchedBloomFilter.create(BloomShape.of(230, 4), hasher);
    SampleFilters.filled(filter);
    long[] others = IntStream.range(0, 200).mapToLong(i -> hasher.hash("other-" + i)).toArray();
    filter.retouchHashes(others, Clearing.RATIO, SampleFilters.hashes(hasher));
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
}
