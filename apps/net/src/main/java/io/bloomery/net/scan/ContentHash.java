package io.bloomery.net.scan;

import io.bloomery.Writers;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BlockedBloomFilter;
import java.security.SecureRandom;

/** Hashes of byte strings, one byte after another, under a secret that no file has. */
final class ContentHash {

  private final Hasher hasher;
  private final long multiplier;
  private final long secret;

  ContentHash() {
    SecureRandom random = new SecureRandom();
    byte[] key = new byte[16];
    random.nextBytes(key);
    hasher = Hasher.keyed(key);
    multiplier = (random.nextLong() << 3) | 5; // of full period
    secret = random.nextLong();
  }

  /** The hash of a string and one more byte; 0 is that of the empty string. */
  long step(long hash, byte next) {
    return hash * multiplier + (next & 0xFF) + 1;
  }

  /** The hash as tables and filters take it. */
  long finish(long hash, int length) {
    long x = hash ^ (secret + length);
    x = (x ^ (x >>> 32)) * 0xD6E8FEB86659FD93L;
    x = (x ^ (x >>> 32)) * 0xD6E8FEB86659FD93L;
    return x ^ (x >>> 32);
  }

  long of(byte[] bytes, int from, int length) {
    long hash = 0;
    for (int i = 0; i < length; i++) {
      hash = step(hash, bytes[from + i]);
    }
    return finish(hash, length);
  }

  /** An empty filter of hashes that this object has finished. */
  BlockedBloomFilter filter(long keys, double rate) {
    return BlockedBloomFilter.create(BlockShape.forKeys(keys, rate), hasher, Writers.ONE);
  }

  /** An odd number that follows from the secret. */
  long odd(int number) {
    return finish(secret, number) | 1;
  }
}
