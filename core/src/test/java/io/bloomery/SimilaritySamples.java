package io.bloomery;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.hash.Hasher;
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
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A small filter of every kind of {@code io.bloomery.similarity}. */
final class SimilaritySamples {

  private SimilaritySamples() {}

  static Map<String, Function<Hasher, Filter>> all() {
    Map<String, Function<Hasher, Filter>> makers = new TreeMap<>();
    makers.put("block-digest", SimilaritySamples::blockDigest);
    makers.put("hierarchical-digest", SimilaritySamples::hierarchicalDigest);
    makers.put("distance-sensitive", hasher -> distance(DistanceShape.hamming(64, 12, 5, 37, 4)));
    makers.put("novelty", hasher -> novelty());
    makers.put("superimposed", SimilaritySamples::superimposed);
    makers.put("molecule", SimilaritySamples::molecule);
    return makers;
  }

  /** Files whose keys, fields or sections are others than those of the kind's sample. */
  static Map<String, Function<Hasher, Filter>> otherLayouts() {
    return Map.of(
        "hierarchical-digest-levels", SimilaritySamples::digestOfLevels,
        "distance-sensitive-jaccard", hasher -> distance(DistanceShape.jaccard(2, 3, 90, 2)),
        "distance-sensitive-custom", hasher -> distance(DistanceShape.custom(1, 230, 1)));
  }

  private static DistanceSensitiveFilter distance(DistanceShape shape) {
    DistanceSensitiveFilter filter = DistanceSensitiveFilter.create(shape, -7);
    for (int i = 0; i < SampleFilters.KEYS; i++) {
      filter.add(SampleFilters.key(DistanceSensitiveFilter.KIND, i));
    }
    return filter;
  }

  private static NoveltyFilter novelty() {
    NoveltyFilter filter = NoveltyFilter.create(new NoveltyShape(8, 30, 3, 4, 0.25, 0.01, 0.5), 5);
    for (int i = 0; i < SampleFilters.KEYS; i++) {
      filter.learn(SampleFilters.key(NoveltyFilter.KIND, i));
    }
    return filter;
  }

  private static SuperimposedCode superimposed(Hasher hasher) {
    SuperimposedCode deck = SuperimposedCode.create(CardShape.zatocard(), hasher);
    long[] hashes = SampleFilters.hashes(hasher);
    for (int i = 0; i < hashes.length; i += 4) {
      deck.add(Arrays.copyOfRange(hashes, i, i + 4));
    }
    return deck;
  }

  private static MoleculeIndex molecule(Hasher hasher) {
    FingerprintShape shape = new FingerprintShape(64, 3, 3, 1);
    MoleculeIndex index = MoleculeIndex.create(shape, hasher);
    long[] hashes = SampleFilters.hashes(hasher);
    for (int i = 0; i < hashes.length; i += 5) {
      MoleculeFingerprint.Builder molecule = MoleculeFingerprint.builder(shape, hasher);
      Arrays.stream(hashes, i, i + 5).forEach(hash -> molecule.feature(hash, 0));
      index.add(molecule.build());
    }
    return index;
  }

  /** All keys as one payload, so that each is an excerpt somewhere in it. */
  private static byte[] payload(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> "key-" + i)
        .collect(Collectors.joining(" "))
        .getBytes(UTF_8);
  }

  private static BlockDigest blockDigest(Hasher hasher) {
    BlockDigest digest = BlockDigest.create(new BlockDigestShape(190, 2, 2, false), hasher);
    digest.add(payload(0, 20));
    return digest;
  }

  private static HierarchicalDigest hierarchicalDigest(Hasher hasher) {
    BlockDigestShape blocks = new BlockDigestShape(640, 2, 3, true);
    HierarchicalDigest digest =
        HierarchicalDigest.create(new HierarchicalDigestShape(blocks, 3, false), hasher);
    digest.add(payload(0, 8), "ζ.example");
    digest.add(payload(5, 20), "a.example");
    return digest;
  }

  private static HierarchicalDigest digestOfLevels(Hasher hasher) {
    BlockDigestShape blocks = new BlockDigestShape(230, 2, 2, false);
    HierarchicalDigest digest =
        HierarchicalDigest.create(new HierarchicalDigestShape(blocks, 4, true), hasher);
    digest.add(payload(0, 20));
    return digest;
  }
}
