package io.bloomery.sync;

import io.bloomery.FilterFormatException;
import io.bloomery.internal.bits.KeyList;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.solve.ByteField;
import io.bloomery.internal.solve.InterpolatedDifference;
import io.bloomery.internal.solve.PrimeField;
import io.bloomery.internal.solve.SeenHashes;
import io.bloomery.internal.solve.SymbolMapping;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.PriorityQueue;

/**
 * Reads the symbols of another side's {@link RatelessTable} until the difference to this side's set
 * is decoded. Created by {@link RatelessTable#decoder}. Both tables must have the same key format
 * and an equal hasher, which a protocol has to check: otherwise symbols are never decoded.
 *
 * <p>For any input, memory and work are bounded by the number of symbols accepted: a key is removed
 * from a symbol only if it belongs there, and no key is removed twice; the algebra for the last
 * keys is tried fewer than 500 times in total.
 *
 * <p>Threads: needs a lock.
 */
public final class RatelessDecoder {

  private static final String SOURCE = "symbols";
  private static final long MAX_KEYS = 1L << 48;

  // Between two attempts to solve for the last keys the symbols grow by 1 / 8 while each attempt
  // has more products than the one before, then by 1 / 32.
  private static final int EARLY_SHIFT = 3;
  private static final int LATE_SHIFT = 5;

  private final RatelessTable own;
  private final KeyCodec codec;
  private final int maxSymbols;
  private final int keyWords;
  private final int keyBytes;
  private final int stride;
  private long[] cells = new long[0];
  private final long[] theirProducts = new long[RatelessTable.EARLY];
  private final long[] ourProducts = new long[RatelessTable.EARLY];
  private int symbols;
  private int needed = -1;
  private int nextAttempt;
  private long theirKeys;

  private final KeyList keys;
  private long[] ids = new long[16];
  private long[] states = new long[16];
  private byte[] signs = new byte[16];
  private final SeenHashes seen = new SeenHashes();
  // The next symbol of each decoded key: the symbol's number, then the key's.
  private final PriorityQueue<Long> nexts = new PriorityQueue<>();
  private int[] waiting = new int[16];
  private int waitingCount;
  private final BitSet isWaiting = new BitSet();

  RatelessDecoder(RatelessTable own, int maxSymbols) {
    this.own = own;
    this.codec = own.codec();
    this.maxSymbols = maxSymbols;
    this.keyWords = KeyCodec.words(codec.format());
    this.keyBytes = KeyCodec.bytes(codec.format());
    this.stride = RatelessTable.KEY + keyWords;
    this.keys = new KeyList(keyWords);
  }

  /**
   * Reads the next symbols, in order from 0. Once the difference is complete, further symbols are
   * read and ignored.
   *
   * @param in the stream, which stays open; buffered, since reads are short
   * @param count how many symbols, 0 or more
   * @throws FilterFormatException if they are not symbols, contradict each other, or are more than
   *     the decoder accepts
   * @throws java.io.EOFException if the stream ends before
   * @throws IOException if reading fails
   */
  public void readSymbols(InputStream in, int count) throws IOException {
    Objects.requireNonNull(in, "in");
    Arguments.inRange("count", count, 0, Integer.MAX_VALUE);
    for (int i = 0; i < count; i++) {
      if (symbols == maxSymbols) {
        throw problem("no difference after " + maxSymbols + " symbols");
      }
      if (!isComplete()) {
        own.extendTo(Math.min(maxSymbols, symbols + count - i));
      }
      readSymbol(in);
    }
  }

  private void readSymbol(InputStream in) throws IOException {
    long[] symbol = new long[stride];
    int number = symbols;
    long count = CellStream.readCount(in, SOURCE);
    if (number == 0) {
      if (count < 0 || count > MAX_KEYS) {
        throw problem(Arguments.outside("keys", count, 0, MAX_KEYS));
      }
      theirKeys = count;
    }
    symbol[0] = count + RatelessTable.expected(theirKeys, number);
    symbol[RatelessTable.CHECKSUM] = CellStream.readBytes(in, Long.BYTES);
    CellStream.readWords(in, symbol, RatelessTable.KEY, keyBytes);
    long product = number < RatelessTable.EARLY ? CellStream.readBytes(in, Long.BYTES) : 1;
    if (symbol[0] < 0
        || symbol[0] > theirKeys
        || symbol[RatelessTable.CHECKSUM] >>> 61 != 0
        || product <= 0
        || product >= PrimeField.P) {
      throw problem("number " + number + " is the symbol of no set");
    }
    symbols++;
    if (!isComplete()) {
      accept(number, symbol, product);
    }
  }

  private FilterFormatException problem(String what) {
    return new FilterFormatException(SOURCE, symbols, what);
  }

  private void accept(int number, long[] symbol, long product) throws IOException {
    int at = number * stride;
    if (at + stride > cells.length) {
      int room = Math.min(maxSymbols, Math.max(64, symbols + symbols / 4));
      cells = Arrays.copyOf(cells, room * stride);
    }
    long[] ours = own.cells();
    cells[at] = symbol[0] - ours[at];
    for (int i = 1; i < stride; i++) {
      cells[at + i] = symbol[i] ^ ours[at + i];
    }
    if (number < RatelessTable.EARLY) {
      theirProducts[number] = product;
      ourProducts[number] = own.product(number);
      for (int i = 0; i < keys.size(); i++) {
        multiply(i, number, number + 1);
      }
    }
    while (!nexts.isEmpty() && nexts.peek() >>> 32 == number) {
      addTo((int) (long) nexts.poll(), number, symbols);
    }
    offer(number);
    takeOutSingles();
    if (symbols >= nextAttempt && !isEmpty(0) && mayBeFew()) {
      int shift = symbols < RatelessTable.EARLY ? EARLY_SHIFT : LATE_SHIFT;
      nextAttempt = symbols + Math.max(1, symbols >>> shift);
      solve();
    }
    if (isEmpty(0) && theirProducts[0] == ourProducts[0]) {
      needed = symbols;
    }
  }

  /** Whether few keys may remain: more than 1.6 symbols per key were hardly ever needed. */
  private boolean mayBeFew() {
    return keys.size() + RatelessTable.EARLY >= symbols * 5L / 8;
  }

  /** Removes a decoded key from its symbols, starting with a given one. */
  private void addTo(int key, int from, int end) {
    int next = from;
    while (next < end) {
      RatelessTable.add(
          cells, next * stride, -signs[key], ids[key], next, keys.words(), keys.at(key), keyWords);
      offer(next);
      states[key] = SymbolMapping.advance(states[key]);
      next = SymbolMapping.next(next, states[key]);
    }
    if (next < maxSymbols) {
      nexts.add((long) next << 32 | key);
    }
  }

  private void multiply(int key, int from, int to) {
    long[] products = signs[key] > 0 ? ourProducts : theirProducts;
    for (int i = from; i < to; i++) {
      products[i] = PrimeField.multiply(products[i], RatelessTable.point(ids[key], i));
    }
  }

  private void offer(int symbol) {
    if (Math.abs(cells[symbol * stride]) == 1 && !isWaiting.get(symbol)) {
      isWaiting.set(symbol);
      if (waitingCount == waiting.length) {
        waiting = Arrays.copyOf(waiting, 2 * waiting.length);
      }
      waiting[waitingCount++] = symbol;
    }
  }

  private void takeOutSingles() throws IOException {
    long[] key = new long[keyWords];
    while (waitingCount > 0) {
      int symbol = waiting[--waitingCount];
      isWaiting.clear(symbol);
      int at = symbol * stride;
      long id = cells[at + RatelessTable.CHECKSUM];
      if (Math.abs(cells[at]) == 1 && isIn(id, symbol)) {
        int factor = SymbolMapping.factor(id, symbol);
        for (int i = 0; i < keyWords; i++) {
          key[i] = ByteField.multiply(cells[at + RatelessTable.KEY + i], ByteField.invert(factor));
        }
        if (isKey(key, id)) {
          takeOut(id, key, (int) cells[at]);
        }
      }
    }
  }

  /** Whether a key with this number is in a symbol. */
  private static boolean isIn(long id, int symbol) {
    long state = SymbolMapping.start(id);
    int next = 0;
    while (next < symbol) {
      state = SymbolMapping.advance(state);
      next = SymbolMapping.next(next, state);
    }
    return next == symbol;
  }

  /** Whether words are a key with this number. */
  private boolean isKey(long[] words, long id) {
    if (codec.isLongs()) {
      return SymbolMapping.id(codec.hash(words[0])) == id;
    }
    byte[] key = codec.unpack(words, 0);
    return key != null && SymbolMapping.id(codec.hash(key)) == id;
  }

  /** Removes a key from all symbols read. */
  private void takeOut(long id, long[] key, int sign) throws IOException {
    int number = keys.size();
    if (!seen.add(id) || number >= symbols) {
      throw problem("the symbols contradict each other");
    }
    keys.add(key, 0);
    if (number == ids.length) {
      ids = Arrays.copyOf(ids, 2 * number);
      states = Arrays.copyOf(states, 2 * number);
      signs = Arrays.copyOf(signs, 2 * number);
    }
    ids[number] = id;
    states[number] = SymbolMapping.start(id);
    signs[number] = (byte) sign;
    multiply(number, 0, Math.min(symbols, RatelessTable.EARLY));
    addTo(number, 0, symbols);
  }

  /** Solves for all remaining keys, if they are few enough, and removes them. */
  private void solve() throws IOException {
    InterpolatedDifference last =
        InterpolatedDifference.find(
            theirProducts, ourProducts, Math.min(symbols, RatelessTable.EARLY), cells[0]);
    if (last == null || last.size() == 0) {
      return;
    }
    long[][] found = last.solve(cells, symbols, keyWords);
    if (found == null) {
      return;
    }
    for (int i = 0; i < last.size(); i++) {
      if (!isKey(found[i], last.id(i))) {
        return;
      }
    }
    for (int i = 0; i < last.size(); i++) {
      takeOut(last.id(i), found[i], last.sign(i));
    }
    takeOutSingles();
  }

  private boolean isEmpty(int symbol) {
    for (int i = 0; i < stride; i++) {
      if (cells[symbol * stride + i] != 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * The symbols read so far.
   *
   * @return their number
   */
  public int symbols() {
    return symbols;
  }

  /**
   * The symbols after which the difference was complete.
   *
   * @return their number, −1 if more are needed
   */
  public int symbolsNeeded() {
    return needed;
  }

  /**
   * Whether the difference is decoded.
   *
   * @return true if nothing more need be read
   */
  public boolean isComplete() {
    return needed >= 0;
  }

  /**
   * The difference decoded so far.
   *
   * @return keys that only this side's table has as those only here; partial if more symbols are
   *     needed
   */
  public Difference difference() {
    KeyList here = new KeyList(keyWords);
    KeyList there = new KeyList(keyWords);
    for (int i = 0; i < keys.size(); i++) {
      (signs[i] < 0 ? here : there).add(keys.words(), keys.at(i));
    }
    long unresolved = 0;
    for (int i = 0; i < symbols && !isComplete(); i++) {
      unresolved += isEmpty(i) ? 0 : 1;
    }
    return new Difference(codec, 0, here, there, isComplete(), unresolved);
  }

  @Override
  public String toString() {
    return "RatelessDecoder[symbols=" + symbols + ", keys=" + keys.size() + "]";
  }
}
