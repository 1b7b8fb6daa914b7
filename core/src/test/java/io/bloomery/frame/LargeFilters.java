package io.bloomery.frame;

import io.bloomery.AddableFilter;
import io.bloomery.Filter;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.SampleFilters;
import io.bloomery.Storable;
import io.bloomery.Variant;
import io.bloomery.frequency.BraidsShape;
import io.bloomery.frequency.CounterBraids;
import io.bloomery.frozen.CompressedBloomFilter;
import io.bloomery.frozen.CompressedShape;
import io.bloomery.frozen.FuseFilter;
import io.bloomery.frozen.FuseShape;
import io.bloomery.frozen.GolombCodedSet;
import io.bloomery.frozen.PerfectHashFilter;
import io.bloomery.frozen.PerfectHashShape;
import io.bloomery.frozen.RibbonFilter;
import io.bloomery.frozen.XorFilter;
import io.bloomery.frozen.XorShape;
import io.bloomery.growing.ElasticFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.lookup.AttenuatedBloomFilter;
import io.bloomery.lookup.BankShape;
import io.bloomery.lookup.BloomierCascade;
import io.bloomery.lookup.BloomierMap;
import io.bloomery.lookup.MutableBloomierMap;
import io.bloomery.membership.AlphaShape;
import io.bloomery.membership.BestOfFilter;
import io.bloomery.membership.BestOfShape;
import io.bloomery.membership.BloomAlphaFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.membership.DirectBitSet;
import io.bloomery.membership.DirectShape;
import io.bloomery.membership.HashSelectionFilter;
import io.bloomery.membership.HashSelectionShape;
import io.bloomery.membership.MemoryOptimizedFilter;
import io.bloomery.membership.MemoryOptimizedShape;
import io.bloomery.membership.SortedHashList;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Shape;
import io.bloomery.secure.EncryptedFilter;
import io.bloomery.secure.EncryptedShape;
import io.bloomery.secure.ObliviousFilter;
import io.bloomery.secure.Secret;
import io.bloomery.secure.SecureIndex;
import io.bloomery.secure.SecureIndexSamples;
import io.bloomery.secure.SecureIndexShape;
import io.bloomery.similarity.BlockDigest;
import io.bloomery.similarity.BlockDigestShape;
import io.bloomery.similarity.CardShape;
import io.bloomery.similarity.DistanceSensitiveFilter;
import io.bloomery.similarity.DistanceShape;
import io.bloomery.similarity.FingerprintShape;
import io.bloomery.similarity.HierarchicalDigest;
import io.bloomery.similarity.HierarchicalDigestShape;
import io.bloomery.similarity.MoleculeFingerprint;
import io.bloomery.similarity.MoleculeIndex;
import io.bloomery.similarity.NoveltyFilter;
import io.bloomery.similarity.NoveltyShape;
import io.bloomery.similarity.SuperimposedCode;
import io.bloomery.sync.AggregateShape;
import io.bloomery.sync.DecentralizedAggregate;
import io.bloomery.sync.InvertibleShape;
import io.bloomery.sync.InvertibleTable;
import io.bloomery.sync.ReconciliationShape;
import io.bloomery.sync.ReconciliationTree;
import io.bloomery.testkit.Keys;
import io.bloomery.weighted.GeneralizedBloomFilter;
import io.bloomery.weighted.GeneralizedShape;
import io.bloomery.window.TimeDecayingFilter;
import io.bloomery.window.TimeDecayingShape;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Filters of a kind that take about a given number of bytes: empty ones where a budget gives a
 * filter, others with few keys in large arrays, and those whose size is that of their keys with
 * wide fingerprints.
 */
final class LargeFilters {

  @FunctionalInterface
  private interface Maker {
    Filter make(long bytes) throws IOException;
  }

  private static final int WIDE = 32;
  private static final long[] FEW = Keys.members(20);
  private static final Hasher HASHER = Hasher.xxh3();
  private static final Map<String, Maker> MAKERS = new TreeMap<>();

  static {
    membership();
    frozen();
    lookup();
    similarity();
    others();
  }

  private LargeFilters() {}

  /** Empty if the kind has no filter of that size. */
  static Optional<Storable> of(FilterKind<?> kind, long bytes) throws IOException {
    Maker maker = MAKERS.get(kind.name());
    return maker != null ? Optional.of((Storable) maker.make(bytes)) : ofBudget(kind, bytes);
  }

  private static Optional<Storable> ofBudget(FilterKind<?> kind, long bytes) {
    for (Variant variant : kind.variants()) {
      long bits = Byte.SIZE * bytes;
      Optional<Shape> shape = variant.fit(Needs.forBudget(bits / 16, bits)).shape();
      if (shape.isPresent() && !variant.isStatic()) {
        Filter filter = variant.create(shape.get(), HASHER);
        if (filter instanceof AddableFilter keys) {
          keys.add(Keys.hash(1));
        }
        if (filter instanceof Storable stored) {
          return Optional.of(stored);
        }
      }
    }
    return Optional.empty();
  }

  /** Keys that take a number of bytes each, in tenths. */
  private static long[] keys(long bytes, int tenths) {
    return Keys.members((int) (10 * bytes / tenths));
  }

  private static BloomShape bloom(long bytes) {
    return BloomShape.of(Byte.SIZE * bytes, 3);
  }

  private static void membership() {
    MAKERS.put(
        "bloom-alpha",
        bytes -> BloomAlphaFilter.ofHashes(FEW, new AlphaShape(bytes / 8, 64, 5, 0.5), HASHER));
    MAKERS.put("direct", bytes -> DirectBitSet.create(new DirectShape(Byte.SIZE * bytes)));
    MAKERS.put("sorted-hashes", bytes -> SortedHashList.ofHashes(keys(bytes, 50), 60, HASHER));
    MAKERS.put(
        "hash-selection",
        bytes ->
            HashSelectionFilter.ofHashes(
                FEW, new HashSelectionShape(Byte.SIZE * bytes, 5, 6, 16), HASHER));
    MAKERS.put(
        "best-of",
        bytes -> BestOfFilter.ofHashes(FEW, new BestOfShape(Byte.SIZE * bytes, 6, 8), HASHER));
    MAKERS.put(
        "memory-optimized",
        bytes -> MemoryOptimizedFilter.create(MemoryOptimizedShape.of(10 * bytes / 42, 4)));
  }

  private static void frozen() {
    MAKERS.put(
        "fuse",
        bytes ->
            FuseFilter.ofHashes(keys(bytes, 46), FuseShape.forFingerprints(1, WIDE, 3), HASHER));
    MAKERS.put(
        "xor",
        bytes -> XorFilter.ofHashes(keys(bytes, 50), XorShape.forFingerprints(1, WIDE), HASHER));
    MAKERS.put("ribbon", bytes -> RibbonFilter.ofHashes(keys(bytes, 38), 1e-9));
    MAKERS.put(
        "perfect-hash",
        bytes ->
            PerfectHashFilter.ofHashes(
                keys(bytes, 45), PerfectHashShape.forFingerprints(1, WIDE), HASHER));
    MAKERS.put("golomb-coded", bytes -> GolombCodedSet.ofHashes(keys(bytes, 39), 1e-9));
    MAKERS.put("sharded", LargeFilters::sharded);
    MAKERS.put("cascade", LargeFilters::cascade);
  }

  private static Filter sharded(long bytes) throws IOException {
    long[] hashes = keys(bytes, 46);
    return FuseFilter.builder()
        .shape(FuseShape.forFingerprints(1, WIDE, 3))
        .heapKeys(1 << 19)
        .addHashes(hashes, 0, hashes.length)
        .buildSharded();
  }

  /** Of one layer, which building would only make of as many keys. */
  private static Filter cascade(long bytes) throws IOException {
    byte[] frame =
        new FrameBuilder()
            .kind(46)
            .number("members", 20)
            .number("others", 100)
            .number("smallest layer", 64)
            .number("seed", 0)
            .number("layers", 1)
            .section(Byte.SIZE * bytes, 1, 20)
            .section(new long[(int) (bytes / Long.BYTES)])
            .build();
    return Filters.read(frame);
  }

  private static void lookup() {
    MAKERS.put(
        "bloomier",
        bytes -> {
          long[] keys = keys(bytes, 36);
          return BloomierMap.ofHashes(keys, values(keys.length), 1e-4);
        });
    MAKERS.put(
        "mutable-bloomier",
        bytes -> {
          long[] keys = keys(bytes, 50);
          return MutableBloomierMap.builder()
              .falsePositiveRate(1e-4)
              .valueBits(16)
              .putHashes(keys, values(keys.length))
              .build();
        });
    MAKERS.put(
        "bloomier-cascade",
        bytes ->
            BloomierCascade.builder()
                .filterRate(0.2)
                .putHashes(FEW, values(FEW.length))
                .firstFilter(Byte.SIZE * bytes / FEW.length, 2)
                .build());
    MAKERS.put(
        "attenuated",
        bytes ->
            AttenuatedBloomFilter.create(
                new BankShape(5, BankShape.ONE_HOT, Byte.SIZE * bytes / 5, 4)));
  }

  private static long[] values(int count) {
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      values[i] = i & 0xFFFF;
    }
    return values;
  }

  private static void similarity() {
    MAKERS.put(
        "distance-sensitive",
        bytes -> DistanceSensitiveFilter.create(DistanceShape.custom(1, Byte.SIZE * bytes, 1)));
    MAKERS.put(
        "block-digest",
        bytes -> BlockDigest.create(new BlockDigestShape(Byte.SIZE * bytes, 2, 2, false)));
    MAKERS.put(
        "hierarchical-digest",
        bytes ->
            HierarchicalDigest.create(
                new HierarchicalDigestShape(
                    new BlockDigestShape(Byte.SIZE * bytes, 2, 3, true), 1, false)));
    MAKERS.put(
        "novelty",
        bytes ->
            NoveltyFilter.create(new NoveltyShape(8, (int) (bytes / 8), 3, 4, 0.25, 0.01, 0.5)));
    MAKERS.put("superimposed", LargeFilters::cards);
    MAKERS.put("molecule", LargeFilters::molecules);
  }

  private static Filter cards(long bytes) {
    SuperimposedCode deck = SuperimposedCode.create(new CardShape(CardShape.MAX_NOTCHES, 4));
    for (long i = 0; i < Byte.SIZE * bytes / CardShape.MAX_NOTCHES; i++) {
      deck.add(FEW);
    }
    return deck;
  }

  private static Filter molecules(long bytes) {
    int bits = FingerprintShape.MAX_FINGERPRINT_BITS;
    FingerprintShape shape = new FingerprintShape(bits, 3, 3, 1);
    MoleculeIndex index = MoleculeIndex.create(shape, HASHER);
    for (long i = 0; i < Byte.SIZE * bytes / bits; i++) {
      index.add(MoleculeFingerprint.builder(shape, HASHER).feature(FEW[0], 0).build());
    }
    return index;
  }

  private static void others() {
    MAKERS.put(
        "compressed-bloom",
        bytes -> {
          long[] keys = keys(bytes, 29); // half of the bits, which no code makes shorter
          BloomShape bits = BloomShape.of(Byte.SIZE * bytes, 16, IndexScheme.INDEPENDENT);
          CompressedBloomFilter filter =
              CompressedBloomFilter.create(new CompressedShape(keys.length, bits), HASHER);
          filter.addHashes(keys, 0, keys.length);
          return filter;
        });
    MAKERS.put(
        "elastic",
        bytes -> {
          long[] keys = keys(bytes, 45);
          ElasticFilter filter = ElasticFilter.create(keys.length, 1e-7);
          filter.addHashes(keys, 0, keys.length);
          return filter;
        });
    MAKERS.put(
        "generalized",
        bytes -> GeneralizedBloomFilter.create(new GeneralizedShape(Byte.SIZE * bytes, 1, 2)));
    MAKERS.put(
        "counter-braids",
        bytes -> CounterBraids.create(new BraidsShape(bytes / 30 * 30, 7, 3, 6 * 1024, 20)));
    MAKERS.put(
        "time-decaying", bytes -> TimeDecayingFilter.create(TimeDecayingShape.of(bytes / 8, 4)));
    MAKERS.put("secure-index", LargeFilters::secureIndex);
    MAKERS.put(
        "encrypted",
        bytes ->
            EncryptedFilter.ofHashes(
                new EncryptedShape(BloomShape.of(Byte.SIZE * bytes, 3, IndexScheme.PRF), 14),
                HASHER,
                1,
                FEW));
    MAKERS.put(
        "oblivious",
        bytes -> {
          ObliviousFilter sample = (ObliviousFilter) SampleFilters.of(ObliviousFilter.KIND);
          return ObliviousFilter.ofHashes(bloom(bytes), HASHER, sample.publicKey(), FEW);
        });
    MAKERS.put(
        "invertible",
        bytes ->
            InvertibleTable.create(
                new InvertibleShape(
                    (int) (bytes / 20), 4, InvertibleShape.KeyFormat.upTo(10), 0, 32)));
    MAKERS.put(
        "reconciliation-tree",
        bytes ->
            ReconciliationTree.ofHashes(FEW)
                .summary(new ReconciliationShape(4 * bytes, 3, 4 * bytes, 2)));
    MAKERS.put(
        "aggregate",
        bytes ->
            DecentralizedAggregate.create(
                "node", -1, new AggregateShape(Byte.SIZE * bytes / 15, 4, 4, -1, 2)));
  }

  private static Filter secureIndex(long bytes) {
    long document = 1 << 20;
    try (Secret secret = SecureIndexSamples.goldenSecret()) {
      SecureIndex index =
          SecureIndex.create(new SecureIndexShape(Byte.SIZE * document, 3, 8), secret);
      try (var keys = index.keys(secret)) {
        for (long i = 0; i < bytes / document; i++) {
          index.add(keys, "document-" + i, List.of("word-" + i));
        }
      }
      return index;
    }
  }
}
