package io.bloomery.contract;

import io.bloomery.similarity.CardShape;
import io.bloomery.similarity.FingerprintShape;
import io.bloomery.similarity.MoleculeFingerprint;
import io.bloomery.similarity.MoleculeIndex;
import io.bloomery.similarity.SuperimposedCode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The filters of similar things and of parts that the contracts run over. */
final class SimilaritySubjects {

  private SimilaritySubjects() {}

  static List<Subject> all() {
    return List.of(superimposed(1, 96_000), superimposed(5, 23_000), molecule());
  }

  /** All keys are descriptors, dealt to some cards. */
  private static Subject superimposed(int cards, int notches) {
    return new Subject(
        "superimposed, " + cards,
        SuperimposedCode.KIND,
        (hasher, hashes) -> {
          SuperimposedCode deck = SuperimposedCode.create(new CardShape(notches, 7), hasher);
          for (int i = 0; i < cards; i++) {
            int from = hashes.length * i / cards;
            deck.add(Arrays.copyOfRange(hashes, from, hashes.length * (i + 1) / cards));
          }
          return deck;
        },
        Map.of(),
        false);
  }

  /** All keys are features of one molecule. */
  private static Subject molecule() {
    FingerprintShape shape = new FingerprintShape(96_000, 0, 7, 7);
    return new Subject(
        "molecule",
        MoleculeIndex.KIND,
        (hasher, hashes) -> {
          MoleculeFingerprint.Builder features = MoleculeFingerprint.builder(shape, hasher);
          Arrays.stream(hashes).forEach(hash -> features.feature(hash, 0));
          MoleculeIndex index = MoleculeIndex.create(shape, hasher);
          index.add(features.build());
          return index;
        },
        Map.of(),
        false);
  }
}
