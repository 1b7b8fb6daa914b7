package io.bloomery;

import io.bloomery.frozen.CompressedBloomFilter;
import io.bloomery.frozen.CompressedShape;
import io.bloomery.frozen.ExactZoneFilter;
import io.bloomery.frozen.ExactZoneShape;
import io.bloomery.frozen.FilterCascade;
import io.bloomery.frozen.FuseFilter;
import io.bloomery.frozen.FuseShape;
import io.bloomery.frozen.GolombCodedSet;
import io.bloomery.frozen.PerfectHashFilter;
import io.bloomery.frozen.PerfectHashShape;
import io.bloomery.frozen.RibbonFilter;
import io.bloomery.frozen.XorFilter;
import io.bloomery.frozen.XorShape;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.membership.BloomShape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** A small filter of every kind of static sets. */
final class FrozenSamples {

  private FrozenSamples() {}

  static Map<String, Function<Hasher, Filter>> all() {
    return Map.of(
        "fuse",
        hasher ->
            FuseFilter.ofHashes(
                SampleFilters.hashes(hasher), FuseShape.forFingerprints(1, 9, 3), hasher),
        "xor",
        hasher ->
            XorFilter.ofHashes(
                SampleFilters.hashes(hasher), XorShape.forFingerprints(1, 8), hasher),
        "sharded",
        FrozenSamples::sharded,
        "ribbon",
        FrozenSamples::ribbon,
        "perfect-hash",
        hasher ->
            PerfectHashFilter.ofHashes(
                SampleFilters.hashes(hasher), PerfectHashShape.forFingerprints(1, 6), hasher),
        "golomb-coded",
        FrozenSamples::golomb,
        "compressed-bloom",
        hasher ->
            SampleFilters.filled(
                CompressedBloomFilter.create(compressed(159, IndexScheme.INDEPENDENT), hasher)),
        "cascade",
        FrozenSamples::cascade,
        "exact-zone",
        hasher -> zone());
  }

  /** The default index scheme. */
  static Map<String, Function<Hasher, Filter>> otherLayouts() {
    return Map.of(
        "compressed-bloom-powers",
        hasher ->
            SampleFilters.filled(
                CompressedBloomFilter.create(compressed(192, IndexScheme.POWERS), hasher)));
  }

  private static CompressedShape compressed(long bits, IndexScheme scheme) {
    return new CompressedShape(20, BloomShape.of(bits, 2, scheme));
  }

  private static Filter sharded(Hasher hasher) {
    long[] hashes = SampleFilters.hashes(hasher);
    try {
      return FuseFilter.builder()
          .hasher(hasher)
          .heapKeys(20)
          .addHashes(hashes, 0, hashes.length)
          .buildSharded();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Two layers, and columns of both widths. */
  private static Filter ribbon(Hasher hasher) {
    LongStream keys = Arrays.stream(SampleFilters.hashes(hasher));
    LongStream more = LongStream.range(0, 1600).map(hasher::hash);
    long[] hashes = LongStream.concat(keys, more).toArray();
    return RibbonFilter.builder()
        .hasher(hasher)
        .falsePositiveRate(0.1)
        .addHashes(hashes, 0, hashes.length)
        .build();
  }

  private static Filter golomb(Hasher hasher) {
    long[] hashes = SampleFilters.hashes(hasher);
    return GolombCodedSet.builder()
        .hasher(hasher)
        .falsePositiveRate(0.05)
        .addHashes(hashes, 0, hashes.length)
        .build();
  }

  private static FilterCascade cascade(Hasher hasher) {
    long[] others = IntStream.range(0, 100).mapToLong(i -> hasher.hash("other-" + i)).toArray();
    return FilterCascade.builder()
        .hasher(hasher)
        .smallestLayer(8)
        .buildOfHashes(SampleFilters.hashes(hasher), others);
  }

  private static ExactZoneFilter zone() {
    ExactZoneFilter filter = ExactZoneFilter.create(new ExactZoneShape(150, 12, 5));
    for (long number = 0; number < 140; number += 7) {
      filter.add(number);
    }
    return filter;
  }
}
