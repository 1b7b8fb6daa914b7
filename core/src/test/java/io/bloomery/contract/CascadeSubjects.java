package io.bloomery.contract;

import io.bloomery.hash.Hasher;
import io.bloomery.lookup.ApproximatorShape;
import io.bloomery.lookup.BloomierCascade;
import io.bloomery.lookup.CompactApproximator;
import io.bloomery.membership.BloomShape;
import java.util.List;
import java.util.Map;

/** The Bloomier cascade and the approximators that the contracts run over. */
final class CascadeSubjects {

  private CascadeSubjects() {}

  static List<Subject> all() {
    return List.of(
        Subject.map("bloomier-cascade", BloomierCascade.KIND, 10, CascadeSubjects::bloomierCascade),
        approximator("compact-approximator numbers", CompactApproximator.StoredLattice.MAXIMUM, 10),
        approximator("compact-approximator sets", CompactApproximator.StoredLattice.UNION, 6));
  }

  /** The first filters have a fixed size, so that more keys make more errors. */
  private static BloomierCascade bloomierCascade(Hasher hasher, long[] hashes, long[] values) {
    return BloomierCascade.builder()
        .filterRate(0.001)
        .firstFilter(BloomShape.of(14_400, 10))
        .hasher(hasher)
        .putHashes(hashes, values)
        .build();
  }

  /** Values are those of the hash plus 1, since 0 is none. */
  private static Subject approximator(
      String name, CompactApproximator.StoredLattice lattice, int valueBits) {
    int values = (1 << valueBits) - 1;
    return new Subject(
        name,
        CompactApproximator.KIND,
        approximator(lattice, 95_900, 7, valueBits),
        Map.of(
            "cells=95901", approximator(lattice, 95_901, 7, valueBits),
            "probes=6", approximator(lattice, 95_900, 6, valueBits)),
        false,
        (hash, value) -> {
          long given = 1 + Subject.valueOf(hash, values);
          return lattice == CompactApproximator.StoredLattice.UNION
              ? (value & given) == given
              : value >= given;
        });
  }

  private static Subject.Maker approximator(
      CompactApproximator.StoredLattice lattice, long cells, int probes, int valueBits) {
    return (hasher, hashes) -> {
      CompactApproximator map =
          CompactApproximator.builder()
              .shape(new ApproximatorShape(cells, probes, valueBits))
              .lattice(lattice)
              .hasher(hasher)
              .build();
      for (long hash : hashes) {
        map.putHash(hash, 1 + Subject.valueOf(hash, (1 << valueBits) - 1));
      }
      return map;
    };
  }
}
