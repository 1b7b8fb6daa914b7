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
 * @param mostDifference the largest difference that the responder makes tables for: of keys that
 *     the initiator only claims to have, four for each of its own and {@value #BELIEVED}. Beyond
 *     that the initiator receives all keys of the responder, which are few.
 */
record Terms(
    long seed,
    long keys,
    InvertibleShape.KeyFormat elements,
    boolean hashed,
    int shortest,
    int longest,
    long mostDifference) {

  /**
   * Keys up to this length are the elements of tables. For longer keys, a hash and then the key
   * once take fewer bytes than 1.4 times the key in a table plus half of the keys once more.
   */
  static final int MOST_DIRECT = 24;

  static final int BELIEVED = 1 << 16;

  private static final int BELIEVED_PER_KEY = 4;

  private static final int FIRST_TABLE = 2;

  static Terms of(long seed, Greeting initiator, Greeting responder) {
    int shortest =
        responder.keys() == 0 || initiator.keys() == 0
            ? Math.max(initiator.shortest(), responder.shortest())
            : Math.min(initiator.shortest(), responder.shortest());
    int longest = Math.max(initiator.longest(), responder.longest());
    boolean hashed = longest > MOST_DIRECT;
    InvertibleShape.KeyFormat elements =
        hashed ? InvertibleShape.KeyFormat.LONGS : direct(shortest, longest);
    long believed = Math.min(initiator.keys(), BELIEVED_PER_KEY * responder.keys() + BELIEVED);
    return new Terms(
        seed,
        initiator.keys() + responder.keys(),
        elements,
        hashed,
        shortest,
        longest,
        Math.min(InvertibleShape.MAX_DIFFERENCE, responder.keys() + believed));
  }

  /** The most symbols that the responder makes. */
  int mostSymbols() {
    return (int) Math.min(RatelessTable.MAX_SYMBOLS, 2 * mostDifference + (1 << 10));
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

  /** The least bytes of this many symbols in a message: count, checksum, key. */
  long symbolBytes(long symbols) {
    return symbols * (1 + Long.BYTES + KeyCodec.bytes(elements));
  }
}
