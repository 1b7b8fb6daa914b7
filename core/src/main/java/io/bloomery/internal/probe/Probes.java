package io.bloomery.internal.probe;

import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;

/**
 * The {@code k} positions of a hash among {@code m} bits: an {@link IndexScheme} with its numbers,
 * and the loops that test and set.
 *
 * <p>Design. Five schemes are two loops. DOUBLE, ENHANCED_DOUBLE and TRIPLE walk {@code x += y; y
 * += z; z += dz} modulo m and differ only in z and dz. INDEPENDENT and PARTITIONED draw each index
 * from the mixing stream and differ only in range and stride. A query tests four positions before
 * it branches: of the keys that are absent from a half-full filter 15 in 16 stop there, which the
 * processor predicts, whereas a branch per bit is a coin flip; and the four reads overlap.
 */
public final class Probes {

  /** The most bits that indexes are computed for; larger than any store. */
  public static final long MAX_BITS = 1L << 41;

  private static final int GROUP = 4;

  private final IndexScheme scheme;
  private final long bits;
  private final int count;
  private final Modulus modulus;
  private final boolean walks;
  private final long stride;
  private final boolean nonzeroStep;
  private final boolean triple;
  private final long enhanced;

  /** Positions {@code 0…bits-1}, {@code count} of them per hash. */
  public Probes(IndexScheme scheme, long bits, int count) {
    if (bits < 2 || bits > MAX_BITS) {
      throw new IllegalArgumentException("bits " + bits + " is not within 2…2^41");
    }
    if (count < 1 || count > 255 || count > bits) {
      throw new IllegalArgumentException(
          "probes " + count + " is not within 1…" + Math.min(255, bits));
    }
    boolean partitioned = scheme == IndexScheme.PARTITIONED;
    if (partitioned && (bits % count != 0 || bits / count < 2)) {
      throw new IllegalArgumentException(
          bits + " bits are not " + count + " slices of equal size, 2 bits or more");
    }
    this.scheme = scheme;
    this.bits = bits;
    this.count = count;
    this.walks = scheme != IndexScheme.INDEPENDENT && !partitioned;
    this.stride = partitioned ? bits / count : 0;
    this.modulus = new Modulus(partitioned ? stride : bits);
    this.nonzeroStep = scheme == IndexScheme.DOUBLE;
    this.triple = scheme == IndexScheme.TRIPLE;
    this.enhanced = scheme == IndexScheme.ENHANCED_DOUBLE ? 1 : 0;
  }

  /** The scheme. */
  public IndexScheme scheme() {
    return scheme;
  }

  /** How many positions there are. */
  public long bits() {
    return bits;
  }

  /** How many positions each hash has. */
  public int count() {
    return count;
  }

  /** Whether all positions of a hash are set. */
  public boolean allSet(long hash, Words words) {
    return walks ? walkAllSet(hash, words) : drawAllSet(hash, words);
  }

  /** Sets all positions of a hash; true if one of them was 0. */
  public boolean setAll(long hash, Words words) {
    return walks ? walkSetAll(hash, words) : drawSetAll(hash, words);
  }

  /** Writes the positions of a hash to {@code into[0…count-1]}. */
  public void indexes(long hash, long[] into) {
    if (walks) {
      walk(modulus.of(hash), step(hash), second(hash), enhanced, modulus, into, count);
    } else {
      for (int i = 0; i < count; i++) {
        into[i] = i * stride + modulus.of(Mix.stream(hash, i));
      }
    }
  }

  static void walk(long x, long y, long z, long dz, Modulus modulus, long[] into, int count) {
    for (int i = 0; i < count; i++) {
      into[i] = x;
      x = modulus.below(x + y);
      y = modulus.below(y + z);
      z += dz;
    }
  }

  private boolean walkAllSet(long hash, Words words) {
    long[] heap = words.heap();
    Modulus m = modulus;
    long x = m.of(hash);
    long y = step(hash);
    long z = second(hash);
    long all = -1;
    for (int i = 1; i <= count; i++) {
      all &= word(heap, words, x) >>> x;
      if (i % GROUP == 0 && (all & 1) == 0) {
        return false;
      }
      x = m.below(x + y);
      y = m.below(y + z);
      z += enhanced;
    }
    return (all & 1) != 0;
  }

  private boolean drawAllSet(long hash, Words words) {
    long[] heap = words.heap();
    long all = -1;
    for (int i = 0; i < count; i++) {
      long x = i * stride + modulus.of(Mix.stream(hash, i));
      all &= word(heap, words, x) >>> x;
      if (i % GROUP == GROUP - 1 && (all & 1) == 0) {
        return false;
      }
    }
    return (all & 1) != 0;
  }

  /** Lowest bit: whether the first positions of a hash are set, read without a branch. */
  private long firstSet(long hash, Words words, long[] heap, int first) {
    long all = -1;
    if (walks) {
      Modulus m = modulus;
      long x = m.of(hash);
      long y = step(hash);
      long z = second(hash);
      for (int i = 0; i < first; i++) {
        all &= word(heap, words, x) >>> x;
        x = m.below(x + y);
        y = m.below(y + z);
        z += enhanced;
      }
    } else {
      for (int i = 0; i < first; i++) {
        long x = i * stride + modulus.of(Mix.stream(hash, i));
        all &= word(heap, words, x) >>> x;
      }
    }
    return all & 1;
  }

  /**
   * The batch form of {@link #allSet}, as {@link io.bloomery.HashedFilter#mightContainHashes}: of
   * every 64 hashes the first positions are read without a branch, then only the survivors go on.
   */
  public int allSet(long[] hashes, int from, int to, long[] hits, Words words) {
    long[] heap = words.heap();
    int first = Math.min(count, GROUP);
    int total = 0;
    for (int start = from, at = 0; start < to; start += Long.SIZE, at++) {
      int end = Math.min(start + Long.SIZE, to);
      long survivors = 0;
      for (int i = start; i < end; i++) {
        survivors |= firstSet(hashes[i], words, heap, first) << (i - start);
      }
      long answers = survivors;
      if (first < count) {
        for (long left = survivors; left != 0; left &= left - 1) {
          int i = Long.numberOfTrailingZeros(left);
          if (!allSet(hashes[start + i], words)) {
            answers &= ~(1L << i);
          }
        }
      }
      hits[at] = answers;
      total += Long.bitCount(answers);
    }
    return total;
  }

  private boolean walkSetAll(long hash, Words words) {
    Modulus m = modulus;
    long x = m.of(hash);
    long y = step(hash);
    long z = second(hash);
    boolean changed = false;
    for (int i = 0; i < count; i++) {
      changed |= words.setBit(x);
      x = m.below(x + y);
      y = m.below(y + z);
      z += enhanced;
    }
    return changed;
  }

  private boolean drawSetAll(long hash, Words words) {
    boolean changed = false;
    for (int i = 0; i < count; i++) {
      changed |= words.setBit(i * stride + modulus.of(Mix.stream(hash, i)));
    }
    return changed;
  }

  private static long word(long[] heap, Words words, long bit) {
    return heap != null ? heap[Words.BASE + (int) (bit >>> 6)] : words.get(bit >>> 6);
  }

  private long step(long hash) {
    long y = modulus.of(Mix.stream(hash, 1));
    if (!nonzeroStep) {
      return y;
    }
    return (bits & 1) == 0 ? y | 1 : Math.max(y, 1);
  }

  private long second(long hash) {
    return triple ? modulus.of(Mix.stream(hash, 2)) : enhanced;
  }
}
