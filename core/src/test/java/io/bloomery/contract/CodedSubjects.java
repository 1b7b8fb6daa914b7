package io.bloomery.contract;

import io.bloomery.frozen.CompressedBloomFilter;
import io.bloomery.frozen.GolombCodedSet;
import io.bloomery.frozen.GolombShape;
import io.bloomery.hash.Hasher;
import java.util.List;
import java.util.Map;

/** The coded and compressed filters that the contracts run over. */
final class CodedSubjects {

  private static final GolombShape SHAPE = GolombShape.forKeys(Subject.KEYS, 0.01);

  private CodedSubjects() {}

  static List<Subject> all() {
    return List.of(
        new Subject(
            "golomb-coded",
            GolombCodedSet.KIND,
            (hasher, hashes) -> GolombCodedSet.build(hashes, SHAPE, hasher),
            Map.of(),
            false),
        new Subject(
            "golomb-coded of BIP 158",
            GolombCodedSet.KIND,
            (hasher, hashes) -> GolombCodedSet.bip158(hashes, 6, 100, hasher),
            Map.of(),
            false),
        Subjects.addable(
            "compressed-bloom",
            CompressedBloomFilter.KIND,
            hasher -> compressed(hasher, 0.01),
            Map.of("probes", hasher -> compressed(hasher, 0.0001)),
            true));
  }

  private static CompressedBloomFilter compressed(Hasher hasher, double rate) {
    return CompressedBloomFilter.builder()
        .expectedKeys(Subject.KEYS)
        .falsePositiveRate(rate)
        .hasher(hasher)
        .build();
  }
}
