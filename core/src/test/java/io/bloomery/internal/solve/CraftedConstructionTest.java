package io.bloomery.internal.solve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.ConstructionException;
import io.bloomery.Filter;
import io.bloomery.HashedFilter;
import io.bloomery.foreign.XorSingleHeaderFilter;
import io.bloomery.frozen.FuseFilter;
import io.bloomery.frozen.FuseShape;
import io.bloomery.frozen.GolombCodedSet;
import io.bloomery.frozen.PerfectHashFilter;
import io.bloomery.frozen.PerfectHashShape;
import io.bloomery.frozen.RibbonFilter;
import io.bloomery.frozen.XorFilter;
import io.bloomery.frozen.XorShape;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.numeric.SolvedCells;
import io.bloomery.internal.probe.Mix;
import io.bloomery.lookup.BloomierMap;
import io.bloomery.lookup.MutableBloomierMap;
import io.bloomery.testkit.Seeds;
import io.bloomery.testkit.Xxh3Inverse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Keys that are chosen so that every trial fails of the static structures that are built by trials.
 * Two keys with the same cells are never placed, so two keys for each of 100 seeds defeat a peeled
 * one. A ribbon has room for few keys of one bucket, so that a quarter of the keys in one bucket
 * overfills the later layers, in each of its four rounds for another quarter.
 */
final class CraftedConstructionTest {

  private static final int SEEDS = PeeledTable.TRIALS;
  private static final int KEYS = 2 * SEEDS;
  private static final Xxh3Inverse INVERSE = new Xxh3Inverse(0);

  private enum Victim {
    FUSE("200 keys could not be placed") {
      @Override
      HashedFilter build(long[] keys, Hasher hasher) {
        return FuseFilter.ofHashes(
            hashes(keys, hasher), FuseShape.forFingerprints(1, 8, 3), hasher);
      }
    },
    FUSE_4("200 keys could not be placed") {
      @Override
      HashedFilter build(long[] keys, Hasher hasher) {
        return FuseFilter.ofHashes(
            hashes(keys, hasher), FuseShape.forFingerprints(1, 8, 4), hasher);
      }
    },
    XOR("200 keys could not be placed") {
      @Override
      HashedFilter build(long[] keys, Hasher hasher) {
        return XorFilter.ofHashes(hashes(keys, hasher), XorShape.forFingerprints(1, 8), hasher);
      }
    },
    PERFECT_HASH("a perfect hash of 200 keys") {
      @Override
      HashedFilter build(long[] keys, Hasher hasher) {
        return PerfectHashFilter.ofHashes(
            hashes(keys, hasher), PerfectHashShape.forFingerprints(1, 8), hasher);
      }
    },
    BLOOMIER("a Bloomier map of 200 keys") {
      @Override
      HashedFilter build(long[] keys, Hasher hasher) {
        return BloomierMap.builder()
            .hasher(hasher)
            .falsePositiveRate(0.01)
            .putHashes(hashes(keys, hasher), new long[keys.length])
            .build();
      }
    },
    MUTABLE_BLOOMIER("a mutable Bloomier map of 200 keys") {
      @Override
      HashedFilter build(long[] keys, Hasher hasher) {
        return MutableBloomierMap.builder()
            .hasher(hasher)
            .falsePositiveRate(0.01)
            .putHashes(hashes(keys, hasher), new long[keys.length])
            .build();
      }
    },
    RIBBON("a ribbon of 20000 keys") {
      @Override
      HashedFilter build(long[] keys, Hasher hasher) {
        return RibbonFilter.builder()
            .hasher(hasher)
            .falsePositiveRate(0.01)
            .addHashes(hashes(keys, hasher), 0, keys.length)
            .build();
      }
    };

    private final String what;

    Victim(String what) {
      this.what = what;
    }

    long[] crafted() {
      return switch (this) {
        case FUSE -> peeled(fuse(3));
        case FUSE_4 -> peeled(fuse(4));
        case XOR ->
            peeled(
                CellLayout.parts(XorShape.ARITY, XorShape.forFingerprints(KEYS, 8).partLength()));
        case PERFECT_HASH, BLOOMIER, MUTABLE_BLOOMIER ->
            distinct(CellLayout.of(SolvedCells.Peeled.forKeys(KEYS, 3)));
        case RIBBON -> crowded();
      };
    }

    abstract HashedFilter build(long[] keys, Hasher hasher);
  }

  private static CellLayout fuse(int arity) {
    FuseShape shape = FuseShape.forFingerprints(KEYS, 8, arity);
    int segmentLog = Integer.numberOfTrailingZeros(shape.segmentLength());
    return CellLayout.segments(arity, segmentLog, shape.starts());
  }

  private static long[] hashes(long[] keys, Hasher hasher) {
    return Arrays.stream(keys).map(hasher::hash).toArray();
  }

  private static long[] peeled(CellLayout layout) {
    return pairs(layout, trial -> PeeledTable.trialSeed(0, trial));
  }

  private static long[] distinct(CellLayout layout) {
    return pairs(layout, trial -> Mix.stream(0, trial + 1));
  }

  /** For each trial two keys that have the same cells in it. */
  private static long[] pairs(CellLayout layout, IntToLongFunction seeds) {
    SplittableRandom random = Seeds.random(91);
    long[] keys = new long[KEYS];
    for (int trial = 0; trial < SEEDS; trial++) {
      long[] pair = pair(random, mixed -> cells(layout, mixed));
      for (int i = 0; i < 2; i++) {
        keys[2 * trial + i] = INVERSE.key(CellLayout.unmix(pair[i], seeds.applyAsLong(trial)));
      }
    }
    return keys;
  }

  private static List<Integer> cells(CellLayout layout, long mixed) {
    List<Integer> cells = new ArrayList<>();
    for (int i = 0; i < layout.arity(); i++) {
      cells.add(layout.at(mixed, i));
    }
    return cells;
  }

  private static long[] pair(SplittableRandom random, LongFunction<List<Integer>> cells) {
    Map<List<Integer>, Long> seen = new HashMap<>();
    while (true) {
      long one = random.nextLong();
      Long other = seen.putIfAbsent(cells.apply(one), one);
      if (other != null && other != one) {
        return new long[] {one, other};
      }
    }
  }

  /** A quarter of the keys for each round, all near the first slot of its first layer. */
  private static long[] crowded() {
    SplittableRandom random = Seeds.random(92);
    return LongStream.range(0, 20_000)
        .map(
            i ->
                INVERSE.key(
                    Mix.unmix(random.nextLong() >>> 8)
                        ^ Ribbon.salt(0, (int) (i % Ribbon.ROUNDS), 0)))
        .toArray();
  }

  @ParameterizedTest
  @EnumSource
  void chosenKeysAreNamedAsTheReason(Victim victim) {
    assertThatThrownBy(() -> victim.build(victim.crafted(), Hasher.xxh3()))
        .isInstanceOf(ConstructionException.class)
        .hasMessageContainingAll(
            victim.what,
            "trials with seed 0 worked, which does not happen by chance",
            "chosen against the seed",
            "a hash with a secret key");
  }

  @ParameterizedTest
  @EnumSource
  void aSecretKeyWithstandsThem(Victim victim) {
    byte[] secret = new byte[16];
    Seeds.random(93).nextBytes(secret);
    long[] crafted = victim.crafted();
    Filter filter = victim.build(crafted, Hasher.keyed(secret));
    assertThat(Arrays.stream(crafted).allMatch(filter::mightContain)).isTrue();
  }

  /** A Golomb-coded set is built without trials, of any hashes. */
  @ParameterizedTest
  @EnumSource
  void whatIsBuiltWithoutTrialsTakesThem(Victim victim) {
    long[] hashes = hashes(victim.crafted(), Hasher.xxh3());
    HashedFilter filter = GolombCodedSet.ofHashes(hashes, 0.01);
    assertThat(Arrays.stream(hashes).allMatch(filter::mightContainHash)).isTrue();
  }

  /** The other library's seeds are constants, and it mixes numbers by a bijection. */
  @ParameterizedTest
  @EnumSource(
      value = XorSingleHeaderFilter.Kind.class,
      names = {"XOR8", "FUSE8"})
  void aFormatOfConstantSeeds(XorSingleHeaderFilter.Kind kind) {
    boolean xor = kind == XorSingleHeaderFilter.Kind.XOR8;
    SplittableRandom random = Seeds.random(94);
    long[] keys = new long[KEYS];
    for (int trial = 0; trial < SEEDS; trial++) {
      long seed = Mix.stream(xor ? 1 : 0x726b2b9d438b9d4dL, trial + 1);
      long[] pair =
          pair(
              random, xor ? CraftedConstructionTest::xorCells : CraftedConstructionTest::fuseCells);
      for (int i = 0; i < 2; i++) {
        keys[2 * trial + i] = unmixed(pair[i]) - seed;
      }
    }
    assertThatThrownBy(() -> XorSingleHeaderFilter.ofKeys(kind, keys))
        .isInstanceOf(ConstructionException.class)
        .hasMessageContainingAll("200 keys", "100 seeds", "chosen against these seeds", "secret");
  }

  /** Of 200 keys: three blocks of (32 + 1.23 · 200) / 3 cells. */
  private static List<Integer> xorCells(long hash) {
    return IntStream.range(0, 3)
        .mapToObj(i -> (int) (((Long.rotateLeft(hash, 21 * i) & 0xFFFFFFFFL) * 92) >>> 32))
        .toList();
  }

  /** Of 200 keys: five segments of 64 cells, in the first three of which a key may begin. */
  private static List<Integer> fuseCells(long hash) {
    return List.of((int) Mix.reduce(hash, 3 * 64), (int) (hash >>> 18 & 63), (int) (hash & 63));
  }

  /** Undoes the finalizer of MurmurHash3. */
  private static long unmixed(long hash) {
    long x = (hash ^ hash >>> 33) * 0x9cb4b2f8129337dbL;
    x = (x ^ x >>> 33) * 0x4f74430c22a54005L;
    return x ^ x >>> 33;
  }
}
