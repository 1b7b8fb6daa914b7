package io.bloomery.contract;

import io.bloomery.HashedFilter;
import io.bloomery.frozen.FuseFilter;
import io.bloomery.frozen.ShardedFilter;
import io.bloomery.frozen.XorFilter;
import io.bloomery.hash.Hasher;
import java.io.IOException;
import java.io.UncheckedIOException;
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
            false),
        new Subject("sharded", ShardedFilter.KIND, SolvedSubjects::sharded, Map.of(), false));
  }

  private static HashedFilter sharded(Hasher hasher, long[] hashes) {
    FuseFilter.Builder builder = FuseFilter.builder().hasher(hasher).heapKeys(3_000);
    builder.addHashes(hashes, 0, hashes.length);
    try {
      return builder.buildSharded();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
