package io.bloomery;

import io.bloomery.hash.Hasher;
import io.bloomery.similarity.CardShape;
import io.bloomery.similarity.DistanceSensitiveFilter;
import io.bloomery.similarity.DistanceShape;
import io.bloomery.similarity.FingerprintShape;
import io.bloomery.similarity.MoleculeFingerprint;
import io.bloomery.similarity.MoleculeIndex;
import io.bloomery.similarity.NoveltyFilter;
import io.bloomery.similarity.NoveltyShape;
import io.bloomery.similarity.SuperimposedCode;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** A small filter of every kind of {@code io.bloomery.similarity}. */
final class SimilaritySamples {

  private SimilaritySamples() {}

  static Map<String, Function<Hasher, Filter>> all() {
    Map<String, Function<Hasher, Filter>> makers = new TreeMap<>();
    makers.put("distance-sensitive", hasher -> distance(DistanceShape.hamming(64, 12, 5, 37, 4)));
    makers.put("novelty", hasher -> novelty());
    makers.put("superimposed", SimilaritySamples::superimposed);
    makers.put("molecule", SimilaritySamples::molecule);
    return makers;
  }

  /** Files whose keys are read in another way than those of the kind's sample. */
  static Map<String, Function<Hasher, Filter>> otherLayouts() {
    return Map.of(
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
}
