package io.bloomery.window;

import io.bloomery.internal.bits.Words;
import io.bloomery.internal.numeric.LaneCover;
import io.bloomery.internal.probe.Patterns;
import java.lang.invoke.VarHandle;

/**
 * The positions of a hash in layers that share cache lines, and the loops that test and set them.
 *
 * <p>Design. Line {@code ((hash >>> 1) · 2·lines) >>> 64} holds eight words, {@code w = 8 / g} for
 * each of g slots, one slot per layer. A key touches the w words of one slot and sets in word j the
 * bits of its pattern, rotated by six bits of the hash, as a blocked filter does; the mask is the
 * same in every slot, so that a query computes it once and compares it with all words of one cache
 * line.
 *
 * <p>The three highest bits of a word are its stamp: 0 if it was never written, otherwise 1 plus
 * the round modulo 7. Slice s of time lies in slot {@code s mod g} and belongs to round {@code s /
 * g}. A word whose stamp is not that of a slice inside the window counts as empty, and the next add
 * overwrites it. A layer is therefore dropped simply by advancing, without a clearing pass. Rounds
 * are compared modulo 7: a stamp up to 3 rounds behind is old, any other is ahead. A thread that
 * changes a word reads the latest tick afterwards, so no word is ahead of that tick.
 */
final class LayeredLines {

  /** Words of a line. */
  static final int LINE_WORDS = 8;

  static final int STAMP_SHIFT = 61;
  private static final long BITS = -1L >>> (Long.SIZE - STAMP_SHIFT);
  private static final int ROUNDS = 7;
  private static final int OLD_ROUNDS = 3;

  private final long twiceLines;
  private final long sliceTicks;
  private final int layers;
  private final int wordsPerKey;
  private final int bitsPerWord;
  private final long[] patterns;

  LayeredLines(long lines, int layers, int bitsPerWord, long sliceTicks) {
    this.twiceLines = 2 * lines;
    this.sliceTicks = sliceTicks;
    this.layers = layers;
    this.wordsPerKey = LINE_WORDS / layers;
    this.bitsPerWord = bitsPerWord;
    this.patterns = Patterns.complements(bitsPerWord);
  }

  /** The slices of the window that ends with slice {@code last}, ticks {@code oldest…end-1}. */
  static final class Live {
    final long last;
    final long oldest;
    final long newest;
    final long end;

    /** The stamp of words of slice {@code last}. */
    final long stamp;

    /** For each slot, the mask that turns the stamp of its live slice into ones. */
    final long[] flips;

    Live(long last, long sliceTicks, int layers) {
      this.last = last;
      this.oldest = (last - layers + 1) * sliceTicks;
      this.newest = last * sliceTicks;
      this.end = newest + sliceTicks;
      this.stamp = stamp(last, layers);
      this.flips = new long[layers];
      for (long slice = last; slice > last - layers; slice--) {
        flips[(int) Math.floorMod(slice, (long) layers)] = ~stamp(slice, layers) << STAMP_SHIFT;
      }
    }
  }

  /** The stamp of words of a slice, 1…7. */
  static long stamp(long slice, int layers) {
    return 1 + Math.floorMod(Math.floorDiv(slice, (long) layers), (long) ROUNDS);
  }

  /** Whether a live slot has all bits of a hash. */
  boolean any(long hash, Live live, Words words) {
    long[] heap = words.heap();
    long[] flips = live.flips;
    if (heap == null) {
      return mappedAny(hash, flips, words);
    }
    int at = Words.BASE + line(hash);
    long pattern = patterns[(int) hash & (patterns.length - 1)];
    long first = Long.rotateLeft(pattern, (int) (hash >>> 13)) & BITS;
    if (layers == 8) {
      return anyOfEight(heap, at, flips, first);
    }
    long second = Long.rotateLeft(pattern, (int) (hash >>> 19)) & BITS;
    if (layers == 4) {
      return (ones(pair(heap, at, flips[0], first, second))
              | ones(pair(heap, at + 2, flips[1], first, second))
              | ones(pair(heap, at + 4, flips[2], first, second))
              | ones(pair(heap, at + 6, flips[3], first, second)))
          < 0;
    }
    long third = Long.rotateLeft(pattern, (int) (hash >>> 25)) & BITS;
    long fourth = Long.rotateLeft(pattern, (int) (hash >>> 31)) & BITS;
    return (pair(heap, at, flips[0], first, second) & pair(heap, at + 2, flips[0], third, fourth))
            == -1
        || (pair(heap, at + 4, flips[1], first, second)
                & pair(heap, at + 6, flips[1], third, fourth))
            == -1;
  }

  private static long pair(long[] heap, int at, long flip, long first, long second) {
    return ((heap[at] ^ flip) | first) & ((heap[at + 1] ^ flip) | second);
  }

  /**
   * Below 0 if and only if all bits are set. Which slot holds a key is unpredictable, so a branch
   * per slot would be mispredicted.
   */
  private static long ones(long cover) {
    return cover & ~(cover + 1);
  }

  private static boolean anyOfEight(long[] heap, int at, long[] flips, long mask) {
    boolean any = false;
    for (int slot = 0; slot < LINE_WORDS; slot++) {
      any |= ((heap[at + slot] ^ flips[slot]) | mask) == -1;
    }
    return any;
  }

  private boolean mappedAny(long hash, long[] flips, Words words) {
    int line = line(hash);
    for (int slot = 0; slot < layers; slot++) {
      long cover = -1;
      for (int j = 0; j < wordsPerKey; j++) {
        cover &= (words.get(line + (long) slot * wordsPerKey + j) ^ flips[slot]) | mask(hash, j);
      }
      if (cover == -1) {
        return true;
      }
    }
    return false;
  }

  /**
   * Sets all bits of a hash in the slot of the last slice of {@code live}, unless that slice has
   * expired in the meantime.
   */
  void set(long hash, Live live, Words words, Ticks ticks) {
    int at = line(hash) + (int) (live.last & (layers - 1)) * wordsPerKey;
    for (int j = 0; j < wordsPerKey; j++) {
      setWord(words, at + j, live, ~mask(hash, j) & BITS, ticks);
    }
  }

  private void setWord(Words words, int at, Live live, long bits, Ticks ticks) {
    long stamp = live.stamp;
    while (true) {
      long old = words.get(at);
      long next = stamp << STAMP_SHIFT | bits;
      if (old >>> STAMP_SHIFT == stamp) {
        next |= old;
      } else if (old != 0) {
        // A different round: an older one, unless a full round has passed during this add.
        VarHandle.loadLoadFence();
        if (ticks.latest() / sliceTicks - live.last >= layers) {
          return;
        }
      }
      if (next == old || words.replace(at, old, next)) {
        return;
      }
    }
  }

  /** Clears a word older than its slot's slice at the latest tick. */
  void clearIfOld(long at, Words words, Ticks ticks) {
    int slot = (int) (at & (LINE_WORDS - 1)) / wordsPerKey;
    while (true) {
      long old = words.get(at);
      if (old == 0) {
        return;
      }
      VarHandle.loadLoadFence();
      long last = ticks.latest() / sliceTicks;
      long slice = last - Math.floorMod(last - slot, (long) layers);
      if (!isOld(old >>> STAMP_SHIFT, stamp(slice, layers)) || words.replace(at, old, 0)) {
        return;
      }
    }
  }

  /** Whether a stamp is 1…3 rounds behind another. */
  private static boolean isOld(long found, long stamp) {
    long behind = stamp - found + (found > stamp ? ROUNDS : 0);
    return behind > 0 && behind <= OLD_ROUNDS;
  }

  /**
   * The probability that a uniform hash finds all its bits in a live slot: that the bits of other
   * keys cover its masks, or that one of those keys has the same masks. The number of keys is
   * estimated from the number of bits. The bits of a mask that fall on the stamp are covered in all
   * slots, which are independent only given their number.
   */
  double coveredShare(Live live, Words words) {
    double[] keys = keysByBitCount();
    double[] onStamp = bitsOnStamp();
    double[][] covered = coveredByBitCount(keys);
    double logDiffer =
        Math.log1p(-1.0 / LaneCover.MASKS * Math.pow(LaneCover.LANE_BITS, 1 - wordsPerKey));
    int[] ones = new int[LINE_WORDS];
    double sum = 0;
    for (long line = 0; line < words.length(); line += LINE_WORDS) {
      double differ = 1;
      for (int slot = 0; slot < layers; slot++) {
        double inWords = 0;
        boolean all = true;
        for (int j = slot * wordsPerKey; j < (slot + 1) * wordsPerKey; j++) {
          long word = words.get(line + j) ^ live.flips[slot];
          ones[j] = word >>> STAMP_SHIFT == ROUNDS ? Long.bitCount(word) : 0;
          inWords += keys[ones[j]];
          all &= ones[j] != 0;
        }
        double each = all ? inWords / wordsPerKey : 0;
        differ *= wordsPerKey == 1 ? 1 : Math.exp(each * logDiffer);
      }
      sum += 1 - differ * (1 - coveredInAny(ones, onStamp, covered));
    }
    return sum * LINE_WORDS / words.length();
  }

  /** The share of hashes whose masks are covered in a slot of a line, given its words' ones. */
  private double coveredInAny(int[] ones, double[] onStamp, double[][] covered) {
    if (layers == 2) {
      return coveredIn(ones, 0, 0, onStamp, covered)
          + coveredIn(ones, wordsPerKey, wordsPerKey, onStamp, covered)
          - coveredIn(ones, 0, wordsPerKey, onStamp, covered);
    }
    double any = 0;
    for (int first = 0; first < onStamp.length; first++) {
      for (int second = 0; second < (wordsPerKey == 1 ? 1 : onStamp.length); second++) {
        double none = 1;
        for (int at = 0; at < LINE_WORDS; at += wordsPerKey) {
          double share = covered[first][ones[at]];
          none *= 1 - (wordsPerKey == 1 ? share : share * covered[second][ones[at + 1]]);
        }
        any += onStamp[first] * (wordsPerKey == 1 ? 1 : onStamp[second]) * (1 - none);
      }
    }
    return any;
  }

  /** The share of hashes whose masks are covered both in the slot of one word and in another's. */
  private double coveredIn(int[] ones, int one, int two, double[] onStamp, double[][] covered) {
    double all = 1;
    for (int j = 0; j < wordsPerKey; j++) {
      double share = 0;
      for (int bits = 0; bits < onStamp.length; bits++) {
        double other = one == two ? 1 : covered[bits][ones[two + j]];
        share += onStamp[bits] * covered[bits][ones[one + j]] * other;
      }
      all *= share;
    }
    return all;
  }

  /** The probabilities that 0, 1, 2, 3 bits of a mask fall on the stamp. */
  private double[] bitsOnStamp() {
    double[] p = {1, 0, 0, 0};
    for (int stampBit = 0; stampBit < LaneCover.STAMP_BITS; stampBit++) {
      for (int bits = stampBit; bits >= 0; bits--) {
        double on = (double) Math.max(0, bitsPerWord - bits) / (Long.SIZE - stampBit);
        p[bits + 1] += p[bits] * on;
        p[bits] *= 1 - on;
      }
    }
    return p;
  }

  /**
   * For each number of ones in a word, including its stamp: the estimated number of keys that set
   * them. Some bits of a key may have fallen on the stamp.
   */
  private double[] keysByBitCount() {
    double[] keys = new double[Long.SIZE + 1];
    for (int set = LaneCover.STAMP_BITS + 1; set < keys.length; set++) {
      keys[set] = LaneCover.keysByOnes(bitsPerWord, set - LaneCover.STAMP_BITS, STAMP_SHIFT);
    }
    return keys;
  }

  /**
   * For 0, 1, 2, 3 bits of a mask on the stamp and each number of ones in a word, including its
   * stamp: the share of such masks that the ones cover.
   */
  private double[][] coveredByBitCount(double[] keys) {
    double[][] share = new double[LaneCover.STAMP_BITS + 1][Long.SIZE + 1];
    for (int onStamp = 0; onStamp < share.length; onStamp++) {
      for (int set = LaneCover.STAMP_BITS; set <= Long.SIZE; set++) {
        double product = 1;
        for (int i = 0; i < bitsPerWord - onStamp; i++) {
          product *= (double) Math.max(0, set - LaneCover.STAMP_BITS - i) / (STAMP_SHIFT - i);
        }
        double same = LaneCover.same(bitsPerWord, keys[set]);
        share[onStamp][set] = same + (1 - same) * product;
      }
    }
    return share;
  }

  /** The first word of a hash's line. */
  private int line(long hash) {
    return (int) lineOf(hash) * LINE_WORDS;
  }

  /** The line of a hash. */
  long lineOf(long hash) {
    return Math.multiplyHigh(hash >>> 1, twiceLines);
  }

  private long mask(long hash, int j) {
    long pattern = patterns[(int) hash & (patterns.length - 1)];
    return Long.rotateLeft(pattern, (int) (hash >>> (13 + 6 * j))) & BITS;
  }
}
