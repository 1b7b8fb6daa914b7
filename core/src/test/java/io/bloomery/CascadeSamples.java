package io.bloomery;

import io.bloomery.hash.Hasher;
import io.bloomery.lookup.ApproximatorShape;
import io.bloomery.lookup.BloomierCascade;
import io.bloomery.lookup.CompactApproximator;
import io.bloomery.membership.BloomShape;
import java.util.Map;
import java.util.function.Function;

/** A small filter of every kind of the Bloomier cascade and the approximator. */
final class CascadeSamples {

  private CascadeSamples() {}

  static Map<String, Function<Hasher, Filter>> all() {
    return Map.of(
        "bloomier-cascade",
        CascadeSamples::bloomierCascade,
        "compact-approximator",
        CascadeSamples::approximator);
  }

  private static BloomierCascade bloomierCascade(Hasher hasher) {
    BloomierCascade.Builder builder = BloomierCascade.builder().hasher(hasher).filterRate(0.2);
    long[] hashes = SampleFilters.hashes(hasher);
    for (int i = 0; i < hashes.length; i++) {
      builder.putHash(hashes[i], 5L * (i % 3));
    }
    return builder.firstFilter(BloomShape.of(30, 2)).build();
  }

  private static CompactApproximator approximator(Hasher hasher) {
    CompactApproximator map =
        CompactApproximator.builder()
            .shape(new ApproximatorShape(130, 4, 5))
            .lattice(CompactApproximator.StoredLattice.MAXIMUM)
            .hasher(hasher)
            .build();
    long[] hashes = SampleFilters.hashes(hasher);
    for (int i = 0; i < hashes.length; i++) {
      map.putHash(hashes[i], i + 1);
    }
    return map;
  }
}
