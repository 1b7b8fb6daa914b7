package io.bloomery.find;

import io.bloomery.hash.Hasher;

/**
 * The hash function for the keys of every index. A separate class, because it takes the JVM 12 ms
 * to start, which another thread does while the index is being read.
 */
final class IndexHash {

  static final Hasher HASHER = Hasher.xxh3();

  private IndexHash() {}
}
