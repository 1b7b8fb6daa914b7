package io.bloomery.contract;

import io.bloomery.FilterKind;
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
import java.util.List;
import java.util.Map;

/** The filters of many sets that the contracts run over; the hash of a key tells its set. */
final class BankSubjects {

  private static final int AREAS = 5;
  private static final int LEVELS = 6;

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
        lookup(
            "counting-bank",
            CountingFilterBank.KIND,
            BankSubjects::counting,
            Map.of(),
            (hash, value) -> value >= 0 && value <= Subject.valueOf(hash, 10)),
        lookup(
            "spatial",
            SpatialBloomFilter.KIND,
            (hasher, hashes) -> spatial(hasher, 95_900, hashes),
            Map.of("95901", (hasher, hashes) -> spatial(hasher, 95_901, hashes)),
            (hash, value) -> value >= Subject.valueOf(hash, AREAS) && value < AREAS),
        lookup(
            "combinatorial",
            CombinatorialBloomFilter.KIND,
            (hasher, hashes) -> combinatorial(hasher, 200_000, hashes),
            Map.of("200001", (hasher, hashes) -> combinatorial(hasher, 200_001, hashes)),
            (hash, value) -> value >= 0 && value <= Subject.valueOf(hash, 110)),
        lookup(
            "attenuated",
            AttenuatedBloomFilter.KIND,
            (hasher, hashes) -> attenuated(hasher, 20_000, hashes),
            Map.of("20001", (hasher, hashes) -> attenuated(hasher, 20_001, hashes)),
            (hash, value) -> value >= 0 && value <= Subject.valueOf(hash, LEVELS)));
  }

  private static Subject lookup(
      String name,
      FilterKind<?> kind,
      Subject.Maker maker,
      Map<String, Subject.Maker> otherShapes,
      Subject.Rule rule) {
    return new Subject(name, kind, maker, otherShapes, false, rule);
  }

  /** The first of several sets is the lowest; a binary code may become any other. */
  private static Subject bank(String name, BankShape shape, BankShape other) {
    return lookup(
        name,
        FilterBank.KIND,
        (hasher, hashes) -> filled(bank(hasher, shape), hashes),
        Map.of("shape", (hasher, hashes) -> filled(bank(hasher, other), hashes)),
        (hash, value) ->
            value >= 0
                && value < shape.sets()
                && (shape.weight() == 0 || value <= Subject.valueOf(hash, shape.sets())));
  }

  private static FilterBank bank(Hasher hasher, BankShape shape) {
    return FilterBank.builder().shape(shape).hasher(hasher).build();
  }

  private static ManySetsFilter counting(Hasher hasher, long[] hashes) {
    CountingBankShape shape = new CountingBankShape(new BankShape(12_000, 9, 10, 1), 4);
    return filled(CountingFilterBank.of(shape, hasher), hashes);
  }

  private static SpatialBloomFilter spatial(Hasher hasher, long cells, long[] hashes) {
    SpatialShape shape = new SpatialShape(cells, 7, AREAS);
    SpatialBloomFilter filter = SpatialBloomFilter.builder().shape(shape).hasher(hasher).build();
    for (long hash : hashes) {
      filter.addHash(hash, (int) Subject.valueOf(hash, AREAS));
    }
    return filter;
  }

  private static ManySetsFilter combinatorial(Hasher hasher, long bits, long[] hashes) {
    CombinatorialShape shape = new CombinatorialShape(bits, 7, 16, 2, 110);
    return filled(CombinatorialBloomFilter.builder().shape(shape).hasher(hasher).build(), hashes);
  }

  private static AttenuatedBloomFilter attenuated(Hasher hasher, long bits, long[] hashes) {
    AttenuatedBloomFilter filter =
        AttenuatedBloomFilter.of(new BankShape(bits, 8, LEVELS, 1), hasher);
    for (long hash : hashes) {
      filter.addHash(hash, (int) Subject.valueOf(hash, LEVELS));
    }
    return filter;
  }

  private static ManySetsFilter filled(ManySetsFilter filter, long[] hashes) {
    for (long hash : hashes) {
      filter.addHash(hash, (int) Subject.valueOf(hash, filter.sets()));
    }
    return filter;
  }
}
