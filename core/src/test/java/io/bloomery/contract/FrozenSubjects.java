package io.bloomery.contract;

import io.bloomery.FilterKind;
import io.bloomery.HashedFilter;
import io.bloomery.frozen.CompressedBloomFilter;
import io.bloomery.frozen.CompressedShape;
import io.bloomery.frozen.FilterCascade;
import io.bloomery.frozen.FuseFilter;
import io.bloomery.frozen.FuseShape;
import io.bloomery.frozen.GolombCodedSet;
import io.bloomery.frozen.GolombShape;
import io.bloomery.frozen.PerfectHashFilter;
import io.bloomery.frozen.PerfectHashShape;
import io.bloomery.frozen.RibbonFilter;
import io.bloomery.frozen.RibbonShape;
import io.bloomery.frozen.ShardedFilter;
import io.bloomery.frozen.XorFilter;
import io.bloomery.frozen.XorShape;
import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Keys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The filters of static sets that the contracts run over. */
final class FrozenSubjects {

  /** The other keys of the cascade's universe; none of the contracts queries them. */
  private static final long[] OTHERS =
      Arrays.stream(Keys.members(300_000, 4711)).sorted().toArray(); // they are sorted often

  private static final GolombShape GOLOMB = GolombShape.forKeys(Subject.KEYS, 0.01);

  private FrozenSubjects() {}

  static List<Subject> all() {
    return List.of(
        fuse(3, 8),
        fuse(3, 16),
        fuse(3, 7),
        fuse(4, 8),
        built(
            "xor",
            XorFilter.KIND,
            (hasher, hashes) -> XorFilter.ofHashes(hashes, XorShape.forFingerprints(1, 8), hasher)),
        built(
            "ribbon",
            RibbonFilter.KIND,
            (hasher, hashes) -> RibbonFilter.ofHashes(hashes, RibbonShape.ofColumns(1, 7), hasher)),
        built("sharded", ShardedFilter.KIND, FrozenSubjects::sharded),
        Subject.lookup(
            "perfect-hash",
            PerfectHashFilter.KIND,
            (hasher, hashes) ->
                PerfectHashFilter.ofHashes(hashes, PerfectHashShape.forFingerprints(1, 7), hasher),
            (hash, index) -> index >= 0 && index < Subject.KEYS),
        built(
            "golomb-coded",
            GolombCodedSet.KIND,
            (hasher, hashes) -> GolombCodedSet.ofHashesInRange(hashes, GOLOMB, hasher)),
        built(
            "golomb-coded of BIP 158",
            GolombCodedSet.KIND,
            (hasher, hashes) -> GolombCodedSet.ofBip158Hashes(hashes, 6, 100, hasher)),
        built(
            "cascade",
            FilterCascade.KIND,
            (hasher, hashes) ->
                FilterCascade.builder().hasher(hasher).buildOfHashes(hashes, OTHERS)),
        Subjects.addable(
            "compressed-bloom",
            CompressedBloomFilter.KIND,
            hasher -> compressed(hasher, 0.01),
            Map.of("hashesPerKey", hasher -> compressed(hasher, 0.0001)),
            true));
  }

  private static Subject built(String name, FilterKind<?> kind, Subject.Maker maker) {
    return new Subject(name, kind, maker, Map.of(), false);
  }

  private static Subject fuse(int arity, int bits) {
    return built(
        "fuse " + arity + "-wise, " + bits + " bits",
        FuseFilter.KIND,
        (hasher, hashes) ->
            FuseFilter.ofHashes(hashes, FuseShape.forFingerprints(1, bits, arity), hasher));
  }

  private static HashedFilter sharded(Hasher hasher, long[] hashes) {
    try {
      return FuseFilter.builder()
          .hasher(hasher)
          .heapKeys(3_000)
          .addHashes(hashes, 0, hashes.length)
          .buildSharded();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static CompressedBloomFilter compressed(Hasher hasher, double rate) {
    return CompressedBloomFilter.create(CompressedShape.forKeys(Subject.KEYS, rate), hasher);
  }
}
