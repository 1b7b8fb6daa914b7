package io.bloomery.contract;

import io.bloomery.hash.IndexScheme;
import io.bloomery.membership.BloomShape;
import io.bloomery.secure.EncryptedFilter;
import io.bloomery.secure.EncryptedShape;
import io.bloomery.secure.ObliviousFilter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The filters that parties query together, as filters of encryptions and pseudorandom values. */
final class PrivateSubjects {

  private PrivateSubjects() {}

  static List<Subject> all() {
    return List.of(
        encrypted(BloomShape.of(95_900, 7, IndexScheme.PRF)),
        encrypted(BloomShape.of(95_900, 7)),
        encrypted(BloomShape.of(95_900, 7, IndexScheme.PARTITIONED)),
        oblivious(BloomShape.of(95_900, 7)),
        oblivious(BloomShape.of(95_900, 7, IndexScheme.PARTITIONED)));
  }

  private static Subject encrypted(BloomShape bloom) {
    EncryptedShape shape = new EncryptedShape(bloom, 15);
    return new Subject(
        "encrypted, " + bloom.scheme(),
        EncryptedFilter.KIND,
        (hasher, hashes) -> EncryptedFilter.ofHashes(shape, hasher, -1, hashes),
        Map.of(),
        false);
  }

  private static Subject oblivious(BloomShape bloom) {
    byte[] publicKey = new byte[ObliviousFilter.PUBLIC_KEY_BYTES];
    Arrays.fill(publicKey, (byte) 2);
    return new Subject(
        "oblivious, " + bloom.scheme(),
        ObliviousFilter.KIND,
        (hasher, hashes) -> ObliviousFilter.ofHashes(bloom, hasher, publicKey, hashes),
        Map.of(),
        false);
  }
}
