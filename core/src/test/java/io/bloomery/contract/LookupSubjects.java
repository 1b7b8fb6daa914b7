package io.bloomery.contract;

import io.bloomery.FilterKind;
import io.bloomery.Writers;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The maps and filters of many sets that the contracts run over; the hash of a key tells its value.
 */
final class LookupSubjects {

  private static final double RATE = 0.01;
  private static final int AREAS = 5;
  private static final int LEVELS = 6;

  private LookupSubjects() {}

  static List<Subject> all() {
    List<Subject> all = new ArrayList<>(maps());
    all.addAll(banks());
    return all;
  }

  private static List<Subject> maps() {
    List<Subject> all = new ArrayList<>();
    for (Layout layout : Layout.values()) {
      for (int k = 3; k <= 4; k++) {
        all.add(bloomier("bloomier " + layout + " " + k, layout, k, 1_000, 1));
      }
    }
    all.add(bloomier("bloomier listed", Layout.PARTS, 3, 2, 1_000_000_007));
    all.add(
        Subject.map(
            "bloomier ribbon",
            BloomierMap.KIND,
            100,
            (hasher, hashes, values) ->
                BloomierMap.builder()
                    .falsePositiveRate(RATE)
                    .ribbon()
                    .valueCount(100)
                    .hasher(hasher)
                    .putHashes(hashes, values)
                    .build()));
    for (Writers writers : Writers.values()) {
      all.add(
          Subject.map(
              "mutable-bloomier of writers " + writers,
              MutableBloomierMap.KIND,
              1_000,
              (hasher, hashes, values) ->
                  MutableBloomierMap.builder()
                      .falsePositiveRate(RATE)
                      .writers(writers)
                      .hasher(hasher)
                      .putHashes(hashes, values)
                      .build()));
    }
    all.add(
        Subject.map("bloomier-cascade", BloomierCascade.KIND, 10, LookupSubjects::bloomierCascade));
    all.add(approximator("compact-approximator numbers", false, 10));
    all.add(approximator("compact-approximator sets", true, 6));
    return all;
  }

  private static Subject bloomier(String name, Layout layout, int k, int values, long spread) {
    return Subject.lookup(
        name,
        BloomierMap.KIND,
        (hasher, hashes) -> {
          BloomierMap.Builder builder =
              LookupCells.fixed(keys -> SolvedCells.Peeled.forKeys(keys, k, layout))
                  .falsePositiveRate(RATE)
                  .hasher(hasher);
          if (spread == 1) {
            builder.valueCount(values);
          }
          for (long hash : hashes) {
            builder.putHash(hash, spread * Subject.valueOf(hash, values));
          }
          return builder.build();
        },
        (hash, value) -> value == spread * Subject.valueOf(hash, values));
  }

  /** The first filters have a fixed size, so that more keys make more errors. */
  private static BloomierCascade bloomierCascade(Hasher hasher, long[] hashes, long[] values) {
    return BloomierCascade.builder()
        .filterRate(0.001)
        .firstFilter(14_400, 10)
        .hasher(hasher)
        .putHashes(hashes, values)
        .build();
  }

  /** Values are those of the hash plus 1, since 0 is none. */
  private static Subject approximator(String name, boolean sets, int valueBits) {
    int values = (1 << valueBits) - 1;
    return new Subject(
        name,
        CompactApproximator.KIND,
        approximator(new ApproximatorShape(95_900, 7, valueBits, sets)),
        Map.of(
            "cells=95901", approximator(new ApproximatorShape(95_901, 7, valueBits, sets)),
            "hashesPerKey=6", approximator(new ApproximatorShape(95_900, 6, valueBits, sets))),
        false,
        (hash, value) -> {
          long given = 1 + Subject.valueOf(hash, values);
          return sets ? (value & given) == given : value >= given;
        });
  }

  private static Subject.Maker approximator(ApproximatorShape shape) {
    return (hasher, hashes) -> {
      CompactApproximator map = CompactApproximator.create(shape, hasher);
      for (long hash : hashes) {
        map.putHash(hash, 1 + Subject.valueOf(hash, (1 << shape.cellBits()) - 1));
      }
      return map;
    };
  }

  private static List<Subject> banks() {
    return List.of(
        bank("filter-bank of 10", new BankShape(10, 1, 12_000, 9), new BankShape(10, 1, 12_001, 9)),
        bank("filter-bank of 64", new BankShape(64, 1, 2_300, 10), new BankShape(64, 1, 2_300, 9)),
        bank("filter-bank of 300", new BankShape(300, 1, 600, 12), new BankShape(301, 1, 600, 12)),
        bank(
            "filter-bank binary", new BankShape(16, 0, 90_000, 8), new BankShape(16, 2, 90_000, 8)),
        bank(
            "filter-bank of weight 2",
            new BankShape(20, 2, 25_000, 4),
            new BankShape(19, 2, 25_000, 4)),
        lookup(
            "counting-bank",
            CountingFilterBank.KIND,
            LookupSubjects::counting,
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
    return FilterBank.create(shape, hasher);
  }

  private static ManySetsFilter counting(Hasher hasher, long[] hashes) {
    CountingBankShape shape = new CountingBankShape(new BankShape(10, 1, 12_000, 9), 4);
    return filled(CountingFilterBank.create(shape, hasher), hashes);
  }

  private static SpatialBloomFilter spatial(Hasher hasher, long cells, long[] hashes) {
    SpatialShape shape = new SpatialShape(cells, 7, AREAS);
    SpatialBloomFilter filter = SpatialBloomFilter.create(shape, hasher);
    for (long hash : hashes) {
      filter.putHash(hash, Subject.valueOf(hash, AREAS));
    }
    return filter;
  }

  private static ManySetsFilter combinatorial(Hasher hasher, long bits, long[] hashes) {
    CombinatorialShape shape = new CombinatorialShape(bits, 7, 16, 2, 110);
    return filled(CombinatorialBloomFilter.create(shape, hasher), hashes);
  }

  private static AttenuatedBloomFilter attenuated(Hasher hasher, long bits, long[] hashes) {
    AttenuatedBloomFilter filter =
        AttenuatedBloomFilter.create(new BankShape(LEVELS, 1, bits, 8), hasher);
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
