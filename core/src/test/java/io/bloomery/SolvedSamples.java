package io.bloomery;

import io.bloomery.frozen.FuseFilter;
import io.bloomery.frozen.XorFilter;
import io.bloomery.hash.Hasher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.function.Function;

/** A small filter of every kind of the filters that a peeling solver builds. */
final class SolvedSamples {

  private SolvedSamples() {}

  static Map<String, Function<Hasher, Filter>> all() {
    return Map.of(
        "fuse", hasher -> FuseFilter.build(SampleFilters.hashes(hasher), 9, 3, hasher),
        "xor", hasher -> XorFilter.build(SampleFilters.hashes(hasher), 8, hasher),
        "sharded", SolvedSamples::sharded);
  }

  private static Filter sharded(Hasher hasher) {
    FuseFilter.Builder builder = FuseFilter.builder().hasher(hasher).heapKeys(20);
    for (long hash : SampleFilters.hashes(hasher)) {
      builder.addHash(hash);
    }
    try {
      return builder.buildSharded();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
