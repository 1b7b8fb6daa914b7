package io.bloomery.contract;

import io.bloomery.frozen.FuseFilter;
import io.bloomery.frozen.XorFilter;
import java.util.List;
import java.util.Map;

/** The filters that a peeling solver builds that the contracts run over. */
final class SolvedSubjects {

  private SolvedSubjects() {}

  static List<Subject> all() {
    return List.of(
        fuse(3, 8),
        fuse(3, 16),
        fuse(3, 7),
        fuse(4, 8),
        new Subject(
            "xor",
            XorFilter.KIND,
            (hasher, hashes) -> XorFilter.build(hashes, 8, hasher),
            Map.of(),
            false));
  }

  private static Subject fuse(int arity, int bits) {
    return new Subject(
        "fuse " + arity + "-wise, " + bits + " bits",
        FuseFilter.KIND,
        (hasher, hashes) -> FuseFilter.build(hashes, bits, arity, hasher),
        Map.of(),
        false);
  }
}
