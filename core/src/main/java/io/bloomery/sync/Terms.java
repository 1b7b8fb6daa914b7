package io.bloomery.sync;

import io.bloomery.hash.Hasher;
import io.bloomery.internal.probe.Mix;

/**
 * What both sides of a run know after the greetings.
 *
 * @param seed of all hashes, chosen by the initiator
 * @param keys both sets together, keys of both counted twice
 * @param elements what tables hold: keys themselves, or their hashes if {@code hashed}
 * @param hashed whether tables hold hashes of 8 bytes, and keys are sent for them afterwards
 * @param shortest the length of the shortest key of both
 * @param longest the length of the longest key of both
 */
record Terms(
    long seed,
    long keys,
    InvertibleShape.KeyFormat elements,
    boolean hashed,
    int shortest,
    int longest) {

  /**
   * Keys up to this length are the elements of tables. For longer keys, a hash and then the key
   * once take fewer bytes than 1.4 times the key in a table plus half of the keys once more.
   */
  static final int MOST_DIRECT = 24;

  private static final int FIRST_TABLE = 2;

  static Terms of(long seed, Greeting one, Greeting other) {
    boolean onlyOne = other.keys() == 0;
    int shortest =
        onlyOne || one.keys() == 0
            ? Math.max(one.shortest(), other.shortest())
            : Math.min(one.shortest(), other.shortest());
    int longest = Math.max(one.longest(), other.longest());
    boolean hashed = longest > MOST_DIRECT;
    InvertibleShape.KeyFormat elements =
        hashed ? InvertibleShape.KeyFormat.LONGS : direct(shortest, longest);
    return new Terms(seed, one.keys() + other.keys(), elements, hashed, shortest, longest);
  }

  private static InvertibleShape.KeyFormat direct(int shortest, int longest) {
    int length = Math.max(1, longest);
    return shortest == length
        ? InvertibleShape.KeyFormat.fixed(length)
        : InvertibleShape.KeyFormat.upTo(length);
  }

  /** The hasher of table number {@code attempt}; the rateless table has that of 0. */
  Hasher tableHasher(int attempt) {
    return Hasher.xxh3(Mix.stream(seed, FIRST_TABLE + attempt));
  }

  /** Whether all keys have one length, which is then not sent. */
  boolean isFixed() {
    return shortest == longest && longest > 0;
  }

  /** The bytes of a cell or symbol, roughly. */
  int elementBytes() {
    return elements.keyBytes() + (elements.variableLength() ? 1 : 0);
  }
}
