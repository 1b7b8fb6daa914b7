package io.bloomery.contract;

import io.bloomery.hash.Hasher;
import io.bloomery.lookup.CountingFilterBank;
import io.bloomery.lookup.FilterBank;
import io.bloomery.lookup.ManySetsFilter;
import io.bloomery.plan.BankShape;
import io.bloomery.plan.CountingBankShape;
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

  private static ManySetsFilter filled(ManySetsFilter filter, long[] hashes) {
    for (int i = 0; i < hashes.length; i++) {
      filter.addHash(hashes[i], i % filter.sets());
    }
    return filter;
  }
}
