package io.bloomery.sync;

import io.bloomery.sync.ReconciliationException.Reason;

/**
 * The memory that one side takes because of its peer, as an upper bound: everything counts before
 * it is allocated, at what it takes when arrays grow. What a request needs counts until the next
 * message, tables and received keys as long as they are kept. The bytes of tables and symbols that
 * a peer requests have the same limit, since a request takes few bytes.
 */
final class Budget {

  /**
   * A received key besides its bytes: its place in two arenas, a hash, a slot of a table, and an
   * array in the result, all of them with the room of arrays that have just grown.
   */
  private static final int KEY = 96;

  /** The bytes of a received key are in an arena that grows, and in the result. */
  private static final int KEY_COPIES = 4;

  /** A key that is decoded: its hash, what was seen, its array and its place in lists. */
  private static final int DECODED = 160;

  private final long limit;
  private long kept;
  private long lent;
  private long answered;

  Budget(long limit) {
    this.limit = limit;
  }

  long limit() {
    return limit;
  }

  /** What is left for something that is read at once. */
  long left() {
    return Math.max(0, limit - kept - lent);
  }

  private ReconciliationException refusal(String what, long bytes) {
    return new ReconciliationException(
        Reason.LIMIT, "%s: %d bytes in total; the limit is %d".formatted(what, bytes, limit));
  }

  private void require(long bytes, String what) throws ReconciliationException {
    if (bytes > left()) {
      throw refusal(what, kept + lent + bytes);
    }
  }

  /** Counts memory until it is {@linkplain #release released}. */
  void keep(long bytes, String what) throws ReconciliationException {
    require(bytes, what);
    kept += bytes;
  }

  void release(long bytes) {
    kept -= bytes;
  }

  /** Counts memory until the next message is awaited. */
  void borrow(long bytes, String what) throws ReconciliationException {
    require(bytes, what);
    lent += bytes;
  }

  /** Returns some of what was borrowed. */
  void repay(long bytes) {
    lent -= bytes;
  }

  void repayAll() {
    lent = 0;
  }

  /** Counts bytes of answers that a request makes this side compute. */
  void answer(long bytes) throws ReconciliationException {
    answered += bytes;
    if (answered > limit) {
      throw refusal("tables that the peer requests", answered);
    }
  }

  /** Counts a received key. */
  void keepKey(int length) throws ReconciliationException {
    keep(KEY + (long) KEY_COPIES * length, "keys of the peer");
  }

  /** A table that is sent. */
  static long ofTable(InvertibleShape shape) {
    return shape.words() * Long.BYTES;
  }

  /** A table that is subtracted from and listed: its cells, a copy, and a key for each cell. */
  static long ofDifference(InvertibleShape shape) {
    return 2 * ofTable(shape) + shape.cells() * decoded(KeyCodec.words(shape.keys()));
  }

  /** The keys of a rateless table of this side's set. */
  static long ofSymbolKeys(InvertibleShape.KeyFormat format, long keys) {
    return keys * (Long.BYTES * KeyCodec.words(format) + 2 * Long.BYTES + Integer.BYTES);
  }

  /** Symbols that are sent, with a copy while their array grows. */
  static long ofSymbols(InvertibleShape.KeyFormat format, long symbols) {
    return symbols * 2 * Long.BYTES * (RatelessTable.KEY + KeyCodec.words(format));
  }

  /** Symbols that are decoded: those of both sides, and a key for each. */
  static long ofDecoded(InvertibleShape.KeyFormat format, long symbols) {
    return 2 * ofSymbols(format, symbols) + symbols * decoded(KeyCodec.words(format));
  }

  private static long decoded(int keyWords) {
    return DECODED + 4L * Long.BYTES * keyWords;
  }
}
