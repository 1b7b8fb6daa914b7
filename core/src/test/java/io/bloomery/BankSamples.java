package io.bloomery;

import io.bloomery.hash.Hasher;
import io.bloomery.lookup.AttenuatedBloomFilter;
import io.bloomery.lookup.BankShape;
import io.bloomery.lookup.CombinatorialBloomFilter;
import io.bloomery.lookup.CombinatorialShape;
import io.bloomery.lookup.CountingBankShape;
import io.bloomery.lookup.CountingFilterBank;
import io.bloomery.lookup.FilterBank;
import io.bloomery.lookup.ManySetsFilter;
import io.bloomery.lookup.SpatialBloomFilter;
import io.bloomery.lookup.SpatialShape;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** A small filter of every kind of the filters of many sets. */
final class BankSamples {

  private BankSamples() {}

  static Map<String, Function<Hasher, Filter>> all() {
    Map<String, Function<Hasher, Filter>> makers = new TreeMap<>();
    makers.put(
        "filter-bank",
        hasher ->
            filled(FilterBank.builder().shape(new BankShape(31, 5, 7, 1)).hasher(hasher).build()));
    makers.put(
        "counting-bank",
        hasher ->
            filled(
                CountingFilterBank.of(
                    new CountingBankShape(new BankShape(50, 5, 9, 2), 4), hasher)));
    makers.put(
        "combinatorial",
        hasher ->
            filled(
                CombinatorialBloomFilter.builder()
                    .shape(new CombinatorialShape(300, 4, 7, 2, 20))
                    .hasher(hasher)
                    .build()));
    makers.put("spatial", BankSamples::spatial);
    makers.put("attenuated", BankSamples::attenuated);
    return makers;
  }

  private static AttenuatedBloomFilter attenuated(Hasher hasher) {
    AttenuatedBloomFilter filter =
        AttenuatedBloomFilter.of(new BankShape(55, 4, 5, BankShape.ONE_HOT), hasher);
    long[] hashes = SampleFilters.hashes(hasher);
    for (int i = 0; i < hashes.length; i++) {
      filter.addHash(hashes[i], i % 5);
    }
    return filter;
  }

  private static SpatialBloomFilter spatial(Hasher hasher) {
    SpatialBloomFilter filter =
        SpatialBloomFilter.builder().shape(new SpatialShape(130, 4, 5)).hasher(hasher).build();
    for (int i = 0; i < 20; i++) {
      filter.add("key-" + i, i % 5);
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
}
