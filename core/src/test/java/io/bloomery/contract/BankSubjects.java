package io.bloomery.contract;

import io.bloomery.hash.Hasher;
import io.bloomery.lookup.CombinatorialBloomFilter;
import io.bloomery.lookup.CountingFilterBank;
import io.bloomery.lookup.FilterBank;
import io.bloomery.lookup.ManySetsFilter;
import io.bloomery.lookup.SpatialBloomFilter;
import io.bloomery.plan.BankShape;
import io.bloomery.plan.CombinatorialShape;
import io.bloomery.plan.CountingBankShape;
import io.bloomery.plan.SpatialShape;
import java.util.List;
import java.util.Map;

/** The filters of many sets that the contracts run over; keys go to the sets in turn. */
final class BankSubjects {

  private BankSubjects() {}

  static List<Subject> all() {
    return List.of(
        bank("filter-bank of 10", new BankShape(12_000, 9, 10, 1), new BankShape(12_001, 9, 10, 1)),
        bank("filter-bank of 64", new BankShape(2_300, 10, 64, 1), new BankShape(2_300, 9, 64, 1)),
        bank("filter-bank of 300", new BankShape(600, 12, 300, 1), new BankShape(600, 12, 301, 1)),
        bank(
            "filter-bank binary", new BankShape(90_000, 8, 16, 0), new BankShape(90_000, 8, 16, 2)),
        bank(
            "filter-bank of weight 2",
            new BankShape(25_000, 4, 20, 2),
            new BankShape(25_000, 4, 19, 2)),
        new Subject(
            "spatial",
            SpatialBloomFilter.KIND,
            (hasher, hashes) -> spatial(hasher, 95_900, hashes),
            Map.of("95901", (hasher, hashes) -> spatial(hasher, 95_901, hashes)),
            false),
        new Subject(
            "combinatorial",
            CombinatorialBloomFilter.KIND,
            (hasher, hashes) -> filled(combinatorial(hasher, 200_000), hashes),
            Map.of("200001", (hasher, hashes) -> filled(combinatorial(hasher, 200_001), hashes)),
            false),
        new Subject(
            "counting-bank",
            CountingFilterBank.KIND,
            (hasher, hashes) ->
                filled(
                    CountingFilterBank.of(
                        new CountingBankShape(new BankShape(12_000, 9, 10, 1), 4), hasher),
                    hashes),
            Map.of(),
            false));
  }

  private static Subject bank(String name, BankShape shape, BankShape other) {
    return new Subject(
        name,
        FilterBank.KIND,
        (hasher, hashes) -> filled(bank(hasher, shape), hashes),
        Map.of("shape", (hasher, hashes) -> filled(bank(hasher, other), hashes)),
        false);
  }

  private static FilterBank bank(Hasher hasher, BankShape shape) {
    return FilterBank.builder().shape(shape).hasher(hasher).build();
  }

  private static SpatialBloomFilter spatial(Hasher hasher, long cells, long[] hashes) {
    SpatialBloomFilter filter =
        SpatialBloomFilter.builder().shape(new SpatialShape(cells, 7, 5)).hasher(hasher).build();
    for (int i = 0; i < hashes.length; i++) {
      filter.addHash(hashes[i], i % 5);
    }
    return filter;
  }

  private static CombinatorialBloomFilter combinatorial(Hasher hasher, long bits) {
    return CombinatorialBloomFilter.builder()
        .shape(new CombinatorialShape(bits, 7, 16, 2, 110))
        .hasher(hasher)
        .build();
  }

  private static ManySetsFilter filled(ManySetsFilter filter, long[] hashes) {
    for (int i = 0; i < hashes.length; i++) {
      filter.addHash(hashes[i], i % filter.sets());
    }
    return filter;
  }
}
