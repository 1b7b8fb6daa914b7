package io.bloomery;

import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.membership.BloomShape;
import io.bloomery.secure.EncryptedFilter;
import io.bloomery.secure.EncryptedShape;
import io.bloomery.secure.ObliviousFilter;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.Function;

/** A small filter of the kinds of {@code io.bloomery.secure} that parties query together. */
final class PrivateSamples {

  /** That of the vectors of RFC 9497. */
  private static final byte[] PUBLIC_KEY =
      HexFormat.of().parseHex("03e17e70604bcabe198882c0a1f27a92441e774224ed9c702e51dd17038b102462");

  private PrivateSamples() {}

  /** The keys stand for encryptions and values, which are as random as their hashes. */
  static Map<String, Function<Hasher, Filter>> all() {
    return Map.of(
        "encrypted",
        hasher -> encrypted(IndexScheme.ENHANCED_DOUBLE, hasher),
        "oblivious",
        hasher ->
            ObliviousFilter.ofHashes(
                BloomShape.of(230, 5, IndexScheme.ENHANCED_DOUBLE),
                hasher,
                PUBLIC_KEY,
                SampleFilters.hashes(hasher)));
  }

  /** A sample of the positions that new filters have. */
  static Map<String, Function<Hasher, Filter>> otherLayouts() {
    return Map.of("encrypted-prf", hasher -> encrypted(IndexScheme.PRF, hasher));
  }

  private static EncryptedFilter encrypted(IndexScheme scheme, Hasher hasher) {
    return EncryptedFilter.ofHashes(
        new EncryptedShape(BloomShape.of(230, 5, scheme), 14),
        hasher,
        0x0123456789ABCDEFL,
        SampleFilters.hashes(hasher));
  }
}
