package io.bloomery;

import io.bloomery.hash.Hasher;
import io.bloomery.internal.numeric.SolvedCells;
import io.bloomery.internal.numeric.SolvedCells.Peeled.Layout;
import io.bloomery.lookup.ApproximatorShape;
import io.bloomery.lookup.AttenuatedBloomFilter;
import io.bloomery.lookup.BankShape;
import io.bloomery.lookup.BloomierCascade;
import io.bloomery.lookup.BloomierMap;
import io.bloomery.lookup.CombinatorialBloomFilter;
import io.bloomery.lookup.CombinatorialShape;
import io.bloomery.lookup.CompactApproximator;
import io.bloomery.lookup.CountingBankShape;
import io.bloomery.lookup.CountingFilterBank;
import io.bloomery.lookup.FilterBank;
import io.bloomery.lookup.LookupCells;
import io.bloomery.lookup.ManySetsFilter;
import io.bloomery.lookup.MutableBloomierMap;
import io.bloomery.lookup.SpatialBloomFilter;
import io.bloomery.lookup.SpatialShape;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** A small filter of every kind of maps and of filters of many sets. */
final class LookupSamples {

  private LookupSamples() {}

  static Map<String, Function<Hasher, Filter>> all() {
    Map<String, Function<Hasher, Filter>> makers = new TreeMap<>();
    makers.put(
        "filter-bank", hasher -> filled(FilterBank.create(new BankShape(7, 1, 31, 5), hasher)));
    makers.put(
        "counting-bank",
        hasher ->
            filled(
                CountingFilterBank.create(
                    new CountingBankShape(new BankShape(9, 2, 50, 5), 4), hasher)));
    makers.put(
        "combinatorial",
        hasher ->
            filled(
                CombinatorialBloomFilter.create(new CombinatorialShape(300, 4, 7, 2, 20), hasher)));
    makers.put("bloomier", LookupSamples::bloomier);
    makers.put("mutable-bloomier", LookupSamples::mutable);
    makers.put("bloomier-cascade", LookupSamples::bloomierCascade);
    makers.put("compact-approximator", LookupSamples::approximator);
    makers.put("spatial", LookupSamples::spatial);
    makers.put("attenuated", LookupSamples::attenuated);
    return makers;
  }

  /** Files whose fields or sections differ from those of the kind's sample. */
  static Map<String, Function<Hasher, Filter>> otherLayouts() {
    return Map.of("bloomier-ribbon", LookupSamples::bloomierRibbon);
  }

  /** Solved by elimination, with a list of large values. */
  private static BloomierMap bloomierRibbon(Hasher hasher) {
    BloomierMap.Builder builder =
        BloomierMap.builder().falsePositiveRate(0.02).ribbon().hasher(hasher);
    long[] hashes = SampleFilters.hashes(hasher);
    for (int i = 0; i < hashes.length; i++) {
      builder.putHash(hashes[i], 1_000_000_007L * (i % 3));
    }
    return builder.build();
  }

  private static AttenuatedBloomFilter attenuated(Hasher hasher) {
    AttenuatedBloomFilter filter =
        AttenuatedBloomFilter.create(new BankShape(5, BankShape.ONE_HOT, 55, 4), hasher);
    long[] hashes = SampleFilters.hashes(hasher);
    for (int i = 0; i < hashes.length; i++) {
      filter.addHash(hashes[i], i % 5);
    }
    return filter;
  }

  private static SpatialBloomFilter spatial(Hasher hasher) {
    SpatialBloomFilter filter = SpatialBloomFilter.create(new SpatialShape(130, 4, 5), hasher);
    for (int i = 0; i < 20; i++) {
      filter.put("key-" + i, i % 5);
    }
    return filter;
  }

  private static ManySetsFilter filled(ManySetsFilter filter) {
    long[] hashes = SampleFilters.hashes(filter.hasher());
    for (int i = 0; i < hashes.length; i++) {
      filter.addHash(hashes[i], i % filter.sets());
    }
    return filter;
  }

  private static Filter bloomier(Hasher hasher) {
    BloomierMap.Builder builder =
        LookupCells.fixed(keys -> SolvedCells.Peeled.forKeys(keys, 3, Layout.PARTS))
            .falsePositiveRate(0.02)
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
        LookupCells.mutable(keys -> SolvedCells.Peeled.forKeys(keys, 3, Layout.SEGMENTS))
            .falsePositiveRate(0.02)
            .valueBits(5)
            .hasher(hasher);
    long[] hashes = SampleFilters.hashes(hasher);
    for (int i = 0; i < hashes.length; i++) {
      builder.putHash(hashes[i], i);
    }
    MutableBloomierMap map = builder.build();
    map.setHash(hashes[3], 31);
    return map;
  }

  private static BloomierCascade bloomierCascade(Hasher hasher) {
    BloomierCascade.Builder builder = BloomierCascade.builder().hasher(hasher).filterRate(0.2);
    long[] hashes = SampleFilters.hashes(hasher);
    for (int i = 0; i < hashes.length; i++) {
      builder.putHash(hashes[i], 5L * (i % 3));
    }
    return builder.firstFilter(30, 2).build();
  }

  private static CompactApproximator approximator(Hasher hasher) {
    CompactApproximator map =
        CompactApproximator.create(new ApproximatorShape(130, 4, 5, false), hasher);
    long[] hashes = SampleFilters.hashes(hasher);
    for (int i = 0; i < hashes.length; i++) {
      map.putHash(hashes[i], i + 1);
    }
    return map;
  }
}
