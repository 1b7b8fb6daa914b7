package io.bloomery.contract;

import io.bloomery.deletable.DLeftCountingFilter;
import io.bloomery.deletable.DLeftShape;
import io.bloomery.deletable.DeletableBloomFilter;
import io.bloomery.deletable.MultilayerCountingFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import java.util.List;
import java.util.Map;

/** The multilayer, d-left and deletable filters that the contracts run over. */
final class DeletionSubjects {

  private DeletionSubjects() {}

  /** The d-left filters have room for the 20 000 keys that some contracts add. */
  static List<Subject> all() {
    return List.of(
        multilayer(IndexScheme.ENHANCED_DOUBLE, 7),
        multilayer(IndexScheme.INDEPENDENT, 4),
        multilayer(IndexScheme.PARTITIONED, 7),
        dLeft(new DLeftShape(4, 1_024, 2, 10, 2)),
        dLeft(new DLeftShape(4, 700, 4, 14, 4)),
        dLeft(new DLeftShape(3, 2_500, 1, 9, 2)),
        deletable(IndexScheme.ENHANCED_DOUBLE),
        deletable(IndexScheme.INDEPENDENT),
        deletable(IndexScheme.PARTITIONED));
  }

  private static Subject deletable(IndexScheme scheme) {
    return Subjects.addable(
        "deletable " + scheme,
        DeletableBloomFilter.KIND,
        hasher -> deletable(hasher, scheme, 95_900, 48_000),
        Map.of(
            "regions=24000", hasher -> deletable(hasher, scheme, 95_900, 24_000),
            "bits=95907", hasher -> deletable(hasher, scheme, 95_907, 48_000)),
        true);
  }

  private static DeletableBloomFilter deletable(
      Hasher hasher, IndexScheme scheme, long bits, long regions) {
    return DeletableBloomFilter.builder()
        .hasher(hasher)
        .scheme(scheme)
        .bits(bits)
        .probes(7)
        .regions(regions)
        .build();
  }

  private static Subject multilayer(IndexScheme scheme, int probes) {
    return Subjects.addable(
        "multilayer " + scheme,
        MultilayerCountingFilter.KIND,
        hasher -> multilayer(hasher, scheme, 95_900, probes),
        Map.of(
            "bits=95907",
            hasher -> multilayer(hasher, scheme, 95_907, probes),
            "probes=" + (probes - 1),
            hasher -> multilayer(hasher, scheme, 95_900, probes - 1)),
        false);
  }

  private static MultilayerCountingFilter multilayer(
      Hasher hasher, IndexScheme scheme, long bits, int probes) {
    return MultilayerCountingFilter.builder()
        .hasher(hasher)
        .scheme(scheme)
        .bits(bits)
        .probes(probes)
        .build();
  }

  private static Subject dLeft(DLeftShape shape) {
    return Subjects.addable(
        "d-left " + shape,
        DLeftCountingFilter.KIND,
        hasher -> DLeftCountingFilter.of(shape, hasher),
        Map.of(),
        false);
  }
}
