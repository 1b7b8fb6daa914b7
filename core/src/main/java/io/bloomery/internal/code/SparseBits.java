package io.bloomery.internal.code;

import io.bloomery.internal.bits.Words;
import org.jspecify.annotations.Nullable;

/**
 * Codes a string of bits of which a known share is 1, as if each bit were 1 with that probability,
 * in their entropy (within a few tenths of a percent, and some bytes).
 *
 * <p>Bits are not coded one at a time. A block of 4096 bits is coded as all zero or not; a block
 * that is not is cut into halves, either of which may be all zero but not both, and so on down to
 * one bit. So a sparse string takes time for its ones, not for its zeros, and probabilities too
 * close to 0 for 16 bits lose nothing. With q = (1 - share)^s, the probability that a half of s
 * bits is all zero, the left half of a nonzero block is all zero with probability q/(1 + q), and
 * the right half next to a nonzero left one with probability q.
 */
public final class SparseBits {

  private static final int BLOCK_WORDS = 64;
  private static final int BLOCK_LEVEL = 12;
  private static final int WORD_LEVEL = 6;
  private static final int ONE = 1 << RangeEncoder.PROBABILITY_SHIFT;

  /**
   * At level i: the probabilities that 2^i bits are all zero, as the left half and next to a
   * nonzero left half.
   */
  private final int[] zero = new int[BLOCK_LEVEL + 1];

  private final int[] leftZero = new int[BLOCK_LEVEL + 1];
  private final long bits;

  private SparseBits(long bits, long ones) {
    this.bits = bits;
    double q = 1 - (double) ones / bits;
    for (int level = 0; level <= BLOCK_LEVEL; level++) {
      zero[level] = probability(q);
      leftZero[level] = probability(q / (1 + q));
      q *= q;
    }
  }

  private static int probability(double p) {
    return Math.max(1, Math.min(ONE - 1, (int) (p * ONE)));
  }

  /**
   * The code of bits 0…{@code bits}-1, {@code ones} of which are set; those beyond must be zero.
   *
   * @param words the bits, which must not change during the call
   * @param bits how many, 1 or more
   * @param ones how many of them are set
   */
  public static byte[] encode(Words words, long bits, long ones) {
    SparseBits coder = new SparseBits(bits, ones);
    RangeEncoder out = new RangeEncoder();
    for (long from = 0; from * Long.SIZE < bits; from += BLOCK_WORDS) {
      int count = (int) Math.min(BLOCK_WORDS, words.length() - from);
      long filled = 0;
      for (int i = 0; i < count; i++) {
        filled |= (words.get(from + i) == 0 ? 0L : 1L) << i;
      }
      out.put(filled == 0, coder.zero[BLOCK_LEVEL]);
      if (filled != 0) {
        coder.put(out, filled, BLOCK_LEVEL, count);
        for (long left = filled; left != 0; left &= left - 1) {
          long word = from + Long.numberOfTrailingZeros(left);
          coder.put(out, words.get(word), WORD_LEVEL, coder.bitsOf(word));
        }
      }
    }
    return out.finish();
  }

  /** The number of bits in a word: 64 except in the last. */
  private int bitsOf(long word) {
    return (int) Math.min(Long.SIZE, bits - word * Long.SIZE);
  }

  /** Codes 64 leaves, not all zero, of which only the first {@code used} can be set. */
  private void put(RangeEncoder out, long leaves, int level, int used) {
    put(out, leaves, Long.SIZE / 2, level - 1, used);
  }

  private void put(RangeEncoder out, long leaves, int half, int level, int used) {
    if (half == 0) {
      return;
    }
    long left = leaves & BitString.mask(half);
    long right = leaves >>> half;
    if (used <= half) {
      put(out, left, half / 2, level - 1, used);
      return;
    }
    out.put(left == 0, leftZero[level]);
    if (left != 0) {
      put(out, left, half / 2, level - 1, half);
      out.put(right == 0, zero[level]);
    }
    if (right != 0) {
      put(out, right, half / 2, level - 1, used - half);
    }
  }

  /**
   * Decodes bytes {@code from…to-1} into words that are all zero. Takes time for {@code bits} and
   * for {@code ones}, whatever the bytes are.
   *
   * @return whether the bytes are a code of {@code bits} bits with {@code ones} ones
   */
  public static boolean decode(byte[] bytes, int from, int to, Words words, long bits, long ones) {
    return decode(new RangeDecoder(bytes, from, to), words.writable(), bits, ones);
  }

  /** Whether the bytes are a code of {@code bits} bits with {@code ones} ones; takes no memory. */
  public static boolean isCode(byte[] bytes, long bits, long ones) {
    return decode(new RangeDecoder(bytes, 0, bytes.length), null, bits, ones);
  }

  private static boolean decode(RangeDecoder in, long @Nullable [] heap, long bits, long ones) {
    SparseBits coder = new SparseBits(bits, ones);
    long length = Words.wordsFor(bits);
    long found = 0;
    for (long block = 0; block * Long.SIZE < bits; block += BLOCK_WORDS) {
      if (in.get(coder.zero[BLOCK_LEVEL])) {
        continue;
      }
      int count = (int) Math.min(BLOCK_WORDS, length - block);
      long filled = coder.get(in, Long.SIZE / 2, BLOCK_LEVEL - 1, count);
      for (long left = filled; left != 0; left &= left - 1) {
        long word = block + Long.numberOfTrailingZeros(left);
        long value = coder.get(in, Long.SIZE / 2, WORD_LEVEL - 1, coder.bitsOf(word));
        if (heap != null) {
          heap[Words.BASE + (int) word] = value;
        }
        found += Long.bitCount(value);
      }
      if (found > ones || in.isBeyondEnd()) {
        return false;
      }
    }
    return found == ones && in.isAtEnd();
  }

  private long get(RangeDecoder in, int half, int level, int used) {
    if (half == 0) {
      return 1;
    }
    if (used <= half) {
      return get(in, half / 2, level - 1, used);
    }
    if (in.get(leftZero[level])) {
      return get(in, half / 2, level - 1, used - half) << half;
    }
    long left = get(in, half / 2, level - 1, half);
    return in.get(zero[level]) ? left : left | (get(in, half / 2, level - 1, used - half) << half);
  }

  /** The entropy of the code in bytes, for a string with this many bits and ones. */
  public static double entropyBytes(long bits, long ones) {
    double p = (double) ones / bits;
    return p == 0 || p == 1
        ? 0
        : -bits * (p * Math.log(p) + (1 - p) * Math.log1p(-p)) / Math.log(2) / Byte.SIZE;
  }
}
