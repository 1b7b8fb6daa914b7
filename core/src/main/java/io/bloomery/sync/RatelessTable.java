package io.bloomery.sync;

import io.bloomery.hash.Hasher;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.solve.ByteField;
import io.bloomery.internal.solve.PrimeField;
import io.bloomery.internal.solve.SymbolMapping;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;

/**
 * A set as an endless sequence of coded symbols. Another side needs about 1.35 of them per key that
 * only one of the two has, for sets of any size and without an estimate: it reads symbols until it
 * has decoded the difference. The sequence is the same for every reader; a reader that differs in
 * few keys reads few symbols.
 *
 * <p>Every symbol combines some of the keys, symbol 0 all of them and later ones fewer and fewer,
 * so that for any difference some symbols hold exactly one of its keys; these are removed from
 * their other symbols, and so on, as in an {@link InvertibleTable}. {@link #decoder} reads the
 * symbols of the other side and subtracts this set's own.
 *
 * <p>The first {@value #EARLY} symbols hold 8 additional bytes each: the product of (z − x) over
 * all keys, where x is the hash of a key and z the number of the symbol, in a field of prime order.
 * As many of these as there are remaining keys determine the hashes of these keys, and those the
 * keys; so few keys take about 1.2 symbols each, where removing them one at a time takes 1.7.
 *
 * <p>Symbols needed per key of the difference, mean of many runs: 1 for one key, 1.12 to 1.19 for 2
 * to 50, 1.24 for 100, 1.38 for 200 to 300 (the most), 1.33 for 1,000, 1.31 for 100,000. A symbol
 * takes the bytes of the key, 8 for a checksum, 1 to 3 for the count of its keys, and 8 more for
 * the first {@value #EARLY}.
 *
 * <p>A key is in the set once: a key that is inserted twice cannot be decoded. Anyone who knows the
 * hasher can choose keys that prevent a reader from ever decoding; use a {@linkplain Hasher#keyed
 * keyed} one, known to both sides, if others choose keys.
 *
 * <p>It stores the keys, with 12 additional bytes for each, and the symbols made so far. It has no
 * file format: store the keys. Threads: needs a lock.
 *
 * <p>Yang, Gilad and Alizadeh 2024, "Practical Rateless Set Reconciliation", SIGCOMM. Deviations: a
 * key is in symbol i with the probability 1/(1 + 0.625·i) instead of 1/(1 + 0.5·i), which needs
 * fewer symbols for many keys (1.31 instead of 1.35) and more for few, which the products
 * compensate; these are the characteristic polynomial of Minsky, Trachtenberg and Zippel 2003, "Set
 * Reconciliation with Nearly Optimal Communication Complexity". In the first {@value #EARLY}
 * symbols each key is multiplied by its own factor, so that their sums are independent.
 */
public final class RatelessTable {

  /** The most symbols. */
  public static final int MAX_SYMBOLS = 1 << 26;

  /** The number of symbols with a product. */
  static final int EARLY = SymbolMapping.EARLY;

  /** The offsets of the words of a symbol: count, checksum, key. */
  static final int CHECKSUM = 1;

  static final int KEY = SymbolMapping.KEY;

  private static final int FIRST_ROOM = 64;

  private final KeyCodec codec;
  private final int keyWords;
  private final int stride;
  private long[] keys;
  private long[] ids;
  private long[] states;
  private int[] nexts;
  private int size;
  private long[] cells = new long[0];
  private final long[] products = new long[EARLY];
  private int symbols;

  private RatelessTable(KeyCodec codec, int room) {
    this.codec = codec;
    this.keyWords = KeyCodec.words(codec.format());
    this.stride = KEY + keyWords;
    this.keys = new long[Math.multiplyExact(room, keyWords)];
    this.ids = new long[room];
    this.states = new long[room];
    this.nexts = new int[room];
    Arrays.fill(products, 1);
  }

  /**
   * An empty set of 8-byte keys.
   *
   * @return the set, with the default hasher
   */
  public static RatelessTable create() {
    return create(InvertibleShape.KeyFormat.LONGS, Hasher.xxh3());
  }

  /**
   * An empty set.
   *
   * @param keys the lengths of keys
   * @param hasher hashes keys; a keyed one if others may choose keys
   * @return the set
   */
  public static RatelessTable create(InvertibleShape.KeyFormat keys, Hasher hasher) {
    return create(keys, hasher, FIRST_ROOM);
  }

  /** An empty set that takes {@code room} keys without growing. */
  static RatelessTable create(InvertibleShape.KeyFormat keys, Hasher hasher, int room) {
    return new RatelessTable(new KeyCodec(keys, hasher), Math.max(2, room));
  }

  /**
   * The lengths of keys.
   *
   * @return the format
   */
  public InvertibleShape.KeyFormat keyFormat() {
    return codec.format();
  }

  /**
   * The hasher of keys.
   *
   * @return the hasher this set was created with
   */
  public Hasher hasher() {
    return codec.hasher();
  }

  /**
   * The number of keys.
   *
   * @return 0 or more
   */
  public long keyCount() {
    return size;
  }

  /**
   * Inserts a number, which is 8 bytes little-endian. Updates the symbols that were already made.
   *
   * @param key the key, which must not be in the set
   * @throws IllegalArgumentException if the set does not take keys of 8 bytes
   */
  public void add(long key) {
    if (!codec.isLongs()) {
      add(KeyCodec.bytesOf(key));
      return;
    }
    makeRoom();
    keys[size] = key;
    inserted(codec.hash(key));
  }

  /**
   * Inserts a character. Updates the symbols that were already made.
   *
   * @param key the key, which counts as text and must not be in the set
   * @throws IllegalArgumentException if the set does not take keys of this length
   */
  public void add(char key) {
    add(String.valueOf(key));
  }

  /**
   * Inserts a key. Updates the symbols that were already made.
   *
   * @param key the key, which must not be in the set
   * @throws IllegalArgumentException if the set does not take keys of this length
   */
  public void add(byte[] key) {
    codec.checked(key);
    makeRoom();
    codec.pack(key, keys, size * keyWords);
    inserted(codec.hash(key));
  }

  /**
   * Inserts a text, as its UTF-8 bytes. Updates the symbols that were already made.
   *
   * @param key the key, which must not be in the set
   * @throws IllegalArgumentException if the set does not take keys of this length
   */
  public void add(CharSequence key) {
    add(KeyCodec.bytesOf(key));
  }

  private void makeRoom() {
    if (size == nexts.length) {
      int room = Math.addExact(size, size / 2);
      keys = Arrays.copyOf(keys, Math.multiplyExact(room, keyWords));
      ids = Arrays.copyOf(ids, room);
      states = Arrays.copyOf(states, room);
      nexts = Arrays.copyOf(nexts, room);
    }
  }

  private void inserted(long hash) {
    long id = SymbolMapping.id(hash);
    ids[size] = id;
    states[size] = SymbolMapping.start(id);
    nexts[size] = 0;
    addTo(size, symbols);
    multiply(id, 0, Math.min(symbols, EARLY));
    size++;
  }

  /** Makes the symbols below a number. */
  void extendTo(int count) {
    if (count > symbols) {
      long[] grown = cells;
      if (Math.multiplyExact(count, stride) > cells.length) {
        long room = Math.max(FIRST_ROOM, Math.max(count, symbols + symbols / 4L));
        grown = Arrays.copyOf(cells, Math.toIntExact(Math.min(room, MAX_SYMBOLS) * stride));
      }
      cells = grown;
      int first = Math.min(symbols, EARLY);
      int last = Math.min(count, EARLY);
      for (int i = 0; i < size; i++) {
        addTo(i, count);
        multiply(ids[i], first, last);
      }
      symbols = count;
    }
  }

  /** Adds a key to its symbols from its next one up to a number, exclusive. */
  private void addTo(int i, int end) {
    int next = nexts[i];
    if (next >= end) {
      return;
    }
    long state = states[i];
    long id = ids[i];
    for (; next < end; next = SymbolMapping.next(next, state)) {
      add(cells, next * stride, 1, id, next, keys, i * keyWords, keyWords);
      state = SymbolMapping.advance(state);
    }
    states[i] = state;
    nexts[i] = next;
  }

  /** Adds a key to a symbol, or removes it. */
  static void add(
      long[] cells, int at, int times, long id, int symbol, long[] keys, int key, int keyWords) {
    cells[at] += times;
    cells[at + CHECKSUM] ^= id;
    if (symbol >= EARLY) {
      for (int i = 0; i < keyWords; i++) {
        cells[at + KEY + i] ^= keys[key + i];
      }
    } else {
      int factor = SymbolMapping.factor(id, symbol);
      for (int i = 0; i < keyWords; i++) {
        cells[at + KEY + i] ^= ByteField.multiply(keys[key + i], factor);
      }
    }
  }

  private void multiply(long id, int from, int to) {
    for (int i = from; i < to; i++) {
      products[i] = PrimeField.multiply(products[i], point(id, i));
    }
  }

  /** z − x for symbol {@code i}; 1 instead of 0, which cannot be divided by. */
  static long point(long id, int i) {
    long difference = PrimeField.subtract(i + 1L, id);
    return difference == 0 ? 1 : difference;
  }

  KeyCodec codec() {
    return codec;
  }

  long[] cells() {
    return cells;
  }

  long product(int i) {
    return products[i];
  }

  /**
   * Writes a range of symbols, making them as needed. Making symbols visits all keys, so large
   * ranges are faster than single symbols. A reader needs all symbols from 0, in order.
   *
   * @param out the stream, which stays open; buffered, since writes are short
   * @param from the number of the first
   * @param to one past the number of the last, at most {@value #MAX_SYMBOLS}
   * @throws IOException if writing fails
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public void writeSymbols(OutputStream out, int from, int to) throws IOException {
    Objects.requireNonNull(out, "out");
    Arguments.inRange("to", to, 0, MAX_SYMBOLS);
    Arguments.inRange("from", from, 0, to);
    extendTo(to);
    int keyBytes = KeyCodec.bytes(codec.format());
    for (int i = from; i < to; i++) {
      int at = i * stride;
      CellStream.writeCount(out, cells[at] - expected(size, i));
      CellStream.writeBytes(out, cells[at + CHECKSUM], Long.BYTES);
      for (int j = 0; j < keyBytes; j += Long.BYTES) {
        int bytes = Math.min(Long.BYTES, keyBytes - j);
        CellStream.writeBytes(out, cells[at + KEY + j / Long.BYTES], bytes);
      }
      if (i < EARLY) {
        CellStream.writeBytes(out, products[i], Long.BYTES);
      }
    }
  }

  /**
   * The expected number of keys in symbol {@code i}; 0 for symbol 0, which holds the exact number.
   */
  static long expected(long keys, int i) {
    return i == 0 ? 0 : 8 * keys / (8 + 5L * i);
  }

  /**
   * Decodes the symbols of another side against this set. The set must not change until decoding is
   * done.
   *
   * @param maxSymbols the most symbols that are accepted, 1 … {@value #MAX_SYMBOLS}; they and their
   *     keys take up to 30 bytes for each byte of a symbol
   * @return a decoder that has read nothing
   * @throws IllegalArgumentException if the argument is outside its range
   */
  public RatelessDecoder decoder(int maxSymbols) {
    Arguments.inRange("maxSymbols", maxSymbols, 1, MAX_SYMBOLS);
    return new RatelessDecoder(this, maxSymbols);
  }

  @Override
  public String toString() {
    return "RatelessTable[keys=%d, symbols=%d, %s, %s]"
        .formatted(size, symbols, codec.format(), codec.hasher());
  }
}
