package io.bloomery.internal.probe;

import io.bloomery.internal.bits.Words;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The positions of {@link io.bloomery.hash.IndexScheme#POWERS}, and the code that tests and sets
 * them: {@code t·m / 2^42} rounded down, for the upper 42 bits t of {@code h·C^(i+1)}.
 *
 * <p>Design. Up to 2^28 bits in whole words the product of t and the number of words has 64 bits,
 * so that one multiplication gives the word in its upper bits and the bit in the six below them.
 * There k up to 10 takes no loop: a query tests three positions before it branches, as {@link
 * Probes} does, and then 4, 2 and 1 more by the binary digits of k - 3. Other sizes, mapped words
 * and fewer positions than three take the plain loops. See decisions 025 and 035 for measurements.
 */
public final class Powers {

  /** The number of upper bits of a power that are used. */
  static final int BITS = 42;

  /** The number of unused bits of a power. */
  static final int SHIFT = Long.SIZE - BITS;

  /** Where the number of the bit begins in a product whose word begins at {@link #BITS}. */
  static final int BIT_SHIFT = BITS - 6;

  /** The most words whose product with t is a number of 64 bits. */
  static final long MAX_WORDS = 1L << SHIFT;

  /** The number of the first bit of word 0 in an array. */
  static final int FIRST = Words.BASE * Long.SIZE;

  /** A multiplier of Steele and Vigna 2022, good in the spectral test, and its powers. */
  static final long C1 = 0xD1342543DE82EF95L;

  static final long C2 = 0xB1B9D47C9F8B8CB9L;
  static final long C3 = 0x739D9FCD088B9EADL;
  static final long C4 = 0x49136017EC40DDB1L;
  static final long C5 = power(4);
  static final long C6 = power(5);
  static final long C7 = power(6);
  private static final long C8 = power(7);
  private static final long C9 = power(8);
  private static final long C10 = power(9);
  private static final long C11 = power(10);
  private static final long C12 = power(11);
  private static final long C13 = power(12);

  private static final int GROUP = 3;
  private static final int SEVEN = 7;

  /** Filters of more words than this are read ahead of batches: 512 KiB. */
  private static final long CACHED_WORDS = 1L << 16;

  /** The most bits whose positions fit an {@code int}. */
  private static final long MAX_PARTED = 1L << 31;

  /** The powers of the first positions, as many as bits of a {@code long}. */
  private static final long[] TABLE = new long[Long.SIZE];

  static {
    Arrays.setAll(TABLE, Powers::power);
  }

  private final long bits;
  private final int count;

  /** The number of words, or 0 for sizes that take the plain loops. */
  private final long words;

  Powers(long bits, int count) {
    this.bits = bits;
    this.count = count;
    boolean plain = bits % Long.SIZE != 0 || bits / Long.SIZE > MAX_WORDS || count < GROUP;
    this.words = plain ? 0 : bits / Long.SIZE;
  }

  /** Position {@code i}. */
  long position(long hash, int i) {
    return position(hash * powerOf(i));
  }

  /** Whether the positions of a hash are set, those before {@code first} left out. */
  public boolean allSetFrom(int first, long hash, Words store) {
    long[] heap = heapWords(store);
    if (heap != null) {
      long n = words;
      return first == 0
          ? allSet(hash, heap, n, count)
          : (many(hash * powerOf(first - 1), count - first, heap, n) & 1) != 0;
    }
    return first == 0 ? allSet(hash, store) : eachSetFrom(first, hash, store);
  }

  private boolean eachSetFrom(int first, long hash, Words store) {
    for (int i = first; i < count; i++) {
      if (!store.getBit(position(hash, i))) {
        return false;
      }
    }
    return true;
  }

  /** The power of position {@code i}. */
  static long powerOf(int i) {
    return i < TABLE.length ? TABLE[i] : power(i);
  }

  /** The product of the upper bits of a power and a number of words. */
  static long product(long a, long n) {
    return (a >>> SHIFT) * n;
  }

  private static long power(int i) {
    long square = C1;
    long power = C1;
    for (int left = i; left > 0; left >>>= 1) {
      power *= (left & 1) == 0 ? 1 : square;
      square *= square;
    }
    return power;
  }

  private long position(long a) {
    return high(a, bits);
  }

  /** The position of a power among any number of bits. */
  static long high(long a, long bits) {
    return Math.multiplyHigh((a >>> SHIFT) << 1, bits << (SHIFT - 1));
  }

  /** Where the word of a bit lies in an array. */
  static int word(long bit) {
    return (int) ((bit + FIRST) >>> 6);
  }

  void indexes(long hash, long[] into) {
    long a = hash;
    for (int i = 0; i < count; i++) {
      a *= C1;
      into[i] = position(a);
    }
  }

  /**
   * The array in which {@link #allSet(long, long[], long, int)} and, for seven positions, {@link
   * #setSeven} look; null if they cannot.
   */
  public long @Nullable [] heapWords(Words store) {
    return words == 0 ? null : store.heap();
  }

  /**
   * Whether all positions of a hash are set. Written out for rates of 1, 0.1 and 0.01 % in mapped
   * words, and so too long to be inlined beside the other {@code allSet} (325 bytes of bytecode):
   * where it is, queries of the heap run out of registers and become too long to be inlined
   * themselves.
   */
  boolean allSet(long hash, Words store) {
    long[] heap = store.heap();
    if (heap != null) {
      long n = words;
      return n == 0 ? farSet(hash, heap) : allSet(hash, heap, n, count);
    }
    return switch (count) {
      case 7 ->
          has(hash * C1, store)
              && has(hash * C2, store)
              && has(hash * C3, store)
              && has(hash * C4, store)
              && has(hash * C5, store)
              && has(hash * C6, store)
              && has(hash * C7, store);
      case 10 ->
          has(hash * C1, store)
              && has(hash * C2, store)
              && has(hash * C3, store)
              && has(hash * C4, store)
              && has(hash * C5, store)
              && has(hash * C6, store)
              && has(hash * C7, store)
              && has(hash * C8, store)
              && has(hash * C9, store)
              && has(hash * C10, store);
      case 13 ->
          has(hash * C1, store)
              && has(hash * C2, store)
              && has(hash * C3, store)
              && has(hash * C4, store)
              && has(hash * C5, store)
              && has(hash * C6, store)
              && has(hash * C7, store)
              && has(hash * C8, store)
              && has(hash * C9, store)
              && has(hash * C10, store)
              && has(hash * C11, store)
              && has(hash * C12, store)
              && has(hash * C13, store);
      default -> loopAllSet(hash, store);
    };
  }

  private boolean loopAllSet(long hash, Words store) {
    long a = hash;
    for (int i = 0; i < count; i++) {
      a *= C1;
      if (!has(a, store)) {
        return false;
      }
    }
    return true;
  }

  /** For sizes in which {@link #words} is 0: three positions, then the others. */
  private boolean farSet(long hash, long[] heap) {
    if (count < GROUP) {
      return (farBits(hash, count, heap) & 1) != 0;
    }
    long x = position(hash * C1);
    long y = position(hash * C2);
    long z = position(hash * C3);
    long all = (heap[word(x)] >>> x) & (heap[word(y)] >>> y) & (heap[word(z)] >>> z);
    return (all & 1) != 0 && (farBits(hash * C3, count - GROUP, heap) & 1) != 0;
  }

  private long farBits(long from, int left, long[] heap) {
    long a = from;
    long all = -1;
    for (int i = 0; i < left; i++) {
      a *= C1;
      long bit = position(a);
      all &= heap[word(bit)] >>> bit;
    }
    return all;
  }

  private boolean has(long a, Words store) {
    return store.getBit(position(a));
  }

  /**
   * Whether {@code count} positions are set in an array that {@link #heapWords} gave, which has
   * {@code n} words from {@link Words#BASE} on.
   */
  public static boolean allSet(long hash, long[] heap, long n, int count) {
    if ((first(hash, heap, n) & 1) == 0) {
      return false;
    }
    if (count != SEVEN) {
      return (rest(hash * C3, count - GROUP, heap, n) & 1) != 0;
    }
    long x = product(hash * C4, n); // a rate of 1 %
    long y = product(hash * C5, n);
    long z = product(hash * C6, n);
    long u = product(hash * C7, n);
    return (bit(x, heap) & bit(y, heap) & bit(z, heap) & bit(u, heap) & 1) != 0;
  }

  /** Sets seven positions in such an array for one writer; true if one of them was 0. */
  public static boolean setSeven(long hash, long[] heap, long n) {
    return (set(product(hash * C1, n), heap)
            | set(product(hash * C2, n), heap)
            | set(product(hash * C3, n), heap)
            | set(product(hash * C4, n), heap)
            | set(product(hash * C5, n), heap)
            | set(product(hash * C6, n), heap)
            | set(product(hash * C7, n), heap))
        != 0;
  }

  /** In the lowest bit, whether the first three positions are set. */
  private static long first(long hash, long[] heap, long n) {
    long x = product(hash * C1, n);
    long y = product(hash * C2, n);
    long z = product(hash * C3, n);
    return bit(x, heap) & bit(y, heap) & bit(z, heap);
  }

  /** In the lowest bit, whether {@code left} positions after a power are set. */
  private static long rest(long from, int left, long[] heap, long n) {
    if (left == 4) {
      return four(from, heap, n); // a rate of 1 %
    }
    if (left > 7) {
      return many(from, left, heap, n);
    }
    long a = from;
    long all = -1;
    if ((left & 4) != 0) {
      all &= four(a, heap, n);
      a *= C4;
    }
    if ((left & 2) != 0) {
      long x = product(a * C1, n);
      a *= C2;
      long y = product(a, n);
      all &= bit(x, heap) & bit(y, heap);
    }
    return (left & 1) != 0 ? all & bit(product(a * C1, n), heap) : all;
  }

  private static long many(long from, int left, long[] heap, long n) {
    long a = from;
    long all = -1;
    for (int i = 0; i < left; i++) {
      a *= C1;
      all &= bit(product(a, n), heap);
    }
    return all;
  }

  private static long four(long a, long[] heap, long n) {
    long x = product(a * C1, n);
    long y = product(a * C2, n);
    long z = product(a * C3, n);
    long u = product(a * C4, n);
    return bit(x, heap) & bit(y, heap) & bit(z, heap) & bit(u, heap);
  }

  /** The word of a product, its bit lowest. */
  private static long bit(long product, long[] heap) {
    int bit = (int) (product >>> BIT_SHIFT);
    return heap[(bit + FIRST) >>> 6] >>> bit;
  }

  /**
   * The batch form; {@code hits} is zeroed. For every 64 hashes the first three positions are
   * tested, without a branch, then the rest of the remaining hashes; filters larger than the cache
   * are read ahead.
   */
  int allSet(long[] hashes, int from, int to, long[] hits, Words store) {
    if (bits >>> 6 > CACHED_WORDS && store.heap() != null) {
      return new ReadAhead(store.heap(), bits, count, to - from).allSet(hashes, from, to, hits);
    }
    long[] heap = heapWords(store);
    if (heap == null) {
      return eachSet(hashes, from, to, hits, store);
    }
    int total = 0;
    for (int start = from, at = 0; start < to; start += Long.SIZE, at++) {
      long left = firstOf(hashes, start, Math.min(start + Long.SIZE, to), heap);
      long answers = restOf(hashes, start, left, heap);
      hits[at] = answers;
      total += Long.bitCount(answers);
    }
    return total;
  }

  /** Of at most 64 hashes, those whose first three positions are set. */
  private long firstOf(long[] hashes, int from, int to, long[] heap) {
    long n = words;
    long left = 0;
    for (int i = from; i < to; i++) {
      left = left >>> 1 | first(hashes[i], heap, n) << 63;
    }
    return left >>> (from - to);
  }

  /** Of the remaining hashes, those whose other positions are set. */
  private long restOf(long[] hashes, int from, long among, long[] heap) {
    long n = words;
    int more = count - GROUP;
    long answers = 0;
    for (long left = among; left != 0; left &= left - 1) {
      int i = Long.numberOfTrailingZeros(left);
      answers |= (rest(hashes[from + i] * C3, more, heap, n) & 1) << i;
    }
    return answers;
  }

  private int eachSet(long[] hashes, int from, int to, long[] hits, Words store) {
    int total = 0;
    for (int i = from; i < to; i++) {
      if (allSet(hashes[i], store)) {
        hits[(i - from) >>> 6] |= 1L << (i - from);
        total++;
      }
    }
    return total;
  }

  /** Sets all positions of a hash; true if one of them was 0. */
  boolean setAll(long hash, Words store) {
    long[] heap = store.writable();
    return (words == 0 || store.isShared()) ? setEach(hash, store) : set(hash, heap, words) != 0;
  }

  /** Sets all positions by plain stores; nonzero if one of them was 0. */
  private long set(long hash, long[] heap, long n) {
    int left = count;
    long a = hash;
    long changed = 0;
    for (; left > 3; left -= 4) {
      changed |= setFour(a, heap, n);
      a *= C4;
    }
    if ((left & 2) != 0) {
      changed |= set(product(a * C1, n), heap);
      a *= C2;
      changed |= set(product(a, n), heap);
    }
    return (left & 1) != 0 ? changed | set(product(a * C1, n), heap) : changed;
  }

  private static long setFour(long a, long[] heap, long n) {
    return set(product(a * C1, n), heap)
        | set(product(a * C2, n), heap)
        | set(product(a * C3, n), heap)
        | set(product(a * C4, n), heap);
  }

  /** Sets the bit of a product; returns it if it was 0. */
  private static long set(long product, long[] heap) {
    int place = (int) (product >>> BIT_SHIFT);
    int at = (place + FIRST) >>> 6;
    long bit = 1L << place;
    long old = heap[at];
    heap[at] = old | bit;
    return bit & ~old;
  }

  /**
   * Sets all positions of a hash, atomically if the words are shared; true if one of them was 0.
   * All words are read first, without a branch, because an atomic change delays the reads after it;
   * then each position that was 0 takes one. In one piece, and so too long to be inlined beside
   * {@link #setSeven} (325 bytes of bytecode).
   */
  public boolean setEach(long hash, Words store) {
    long[] heap = store.writable();
    long n = words;
    long a = hash;
    boolean changed = false;
    if (n == 0 || count > TABLE.length) {
      for (int i = 0; i < count; i++) {
        a *= C1;
        changed |= store.setBit(position(a));
      }
      return changed;
    }
    long missing = 0;
    int left = count;
    int at = 0;
    for (; left > 3; left -= 4) {
      long x = product(a * C1, n);
      long y = product(a * C2, n);
      long z = product(a * C3, n);
      long u = product(a * C4, n);
      missing |= (~bit(x, heap) & 1) << at;
      missing |= (~bit(y, heap) & 1) << (at + 1);
      missing |= (~bit(z, heap) & 1) << (at + 2);
      missing |= (~bit(u, heap) & 1) << (at + 3);
      a *= C4;
      at += 4;
    }
    if ((left & 2) != 0) {
      long x = product(a * C1, n);
      long y = product(a * C2, n);
      missing |= (~bit(x, heap) & 1) << at;
      missing |= (~bit(y, heap) & 1) << (at + 1);
      a *= C2;
      at += 2;
    }
    if ((left & 1) != 0) {
      missing |= (~bit(product(a * C1, n), heap) & 1) << at;
    }
    for (; missing != 0; missing &= missing - 1) {
      long product = product(hash * TABLE[Long.numberOfTrailingZeros(missing)], n);
      changed |= store.or(product >>> BITS, 1L << (product >>> BIT_SHIFT));
    }
    return changed;
  }

  /**
   * The batch form of {@link #setAll}. In filters larger than the cache many positions are set part
   * by part; of fewer, or if threads share the words, the positions are read ahead.
   */
  boolean setAll(long[] hashes, int from, int to, Words store) {
    long[] heap = store.writable();
    boolean alone = !store.isShared();
    if (alone && bits <= MAX_PARTED && PositionParts.pay((long) (to - from) * count, bits / 64)) {
      return setParts(hashes, from, to, heap);
    }
    if (bits >>> 6 > CACHED_WORDS) {
      return new ReadAhead(heap, bits, count, to - from).setAll(hashes, from, to, store);
    }
    return (alone && words != 0)
        ? setAlone(hashes, from, to, heap)
        : setEach(hashes, from, to, store);
  }

  private boolean setParts(long[] hashes, int from, int to, long[] heap) {
    PositionParts parts = new PositionParts(heap, bits);
    for (int i = from; i < to; i++) {
      long a = hashes[i];
      for (int j = 0; j < count; j++) {
        a *= C1;
        parts.set((int) position(a));
      }
    }
    return parts.finish();
  }

  private boolean setAlone(long[] hashes, int from, int to, long[] heap) {
    long n = words;
    boolean changed = false;
    if (count == SEVEN) {
      for (int i = from; i < to; i++) {
        changed |= setSeven(hashes[i], heap, n);
      }
    } else {
      for (int i = from; i < to; i++) {
        changed |= set(hashes[i], heap, n) != 0;
      }
    }
    return changed;
  }

  private boolean setEach(long[] hashes, int from, int to, Words store) {
    boolean changed = false;
    for (int i = from; i < to; i++) {
      changed |= setEach(hashes[i], store);
    }
    return changed;
  }
}
