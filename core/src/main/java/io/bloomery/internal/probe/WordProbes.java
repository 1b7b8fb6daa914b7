package io.bloomery.internal.probe;

import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;

/**
 * The bits of a hash in a filter of wide words: {@code groups} words with replacement, and in each
 * of them its share of {@code probes} positions, also with replacement, ceil(k/g) in the first k
 * mod g words and floor(k/g) in the others.
 *
 * <p>Word {@code w} is bits {@code w·wordBits … (w + 1)·wordBits - 1} of the store, so that a width
 * that is not a multiple of 64 wastes nothing; such a word may lie in two of the store's words,
 * which are set one after the other.
 *
 * <p>Design. Group {@code j} owns outputs {@code j·s … j·s + s - 1} of {@link Mix#stream}, {@code s
 * = 1 + ceil(ceil(k/g) / fields)}, so that a group can be tested alone and no hash bit serves
 * twice. The first output chooses the word by {@link Mix#reduce}. The others are cut from the top
 * into {@code fields} fields of {@code step} bits; a field {@code f} of {@code step} bits is
 * position {@code f} itself if there are {@code 2^step} positions. For a number of positions that
 * is not a power of two fields have 21 bits, and the position is {@code f·positions >> 21}, whose
 * probability is off by less than one part in 4,000. Both cases are one computation: the upper 21
 * bits times the positions, shifted by 21.
 */
public final class WordProbes {

  /** The narrowest word. */
  public static final int MIN_WORD_BITS = 32;

  /** The widest word. */
  public static final int MAX_WORD_BITS = 512;

  /** The unit of a word's width. */
  public static final int WORD_UNIT = Byte.SIZE;

  /** The most words of a key. */
  public static final int MAX_GROUPS = 8;

  /** The most bits of a key. */
  public static final int MAX_PROBES = 255;

  private static final int FIELD_BITS = 21;

  private final long words;
  private final int wordBits;
  private final int positions;
  private final int groups;
  private final int probes;
  private final int fewer;
  private final int more;
  private final int step;
  private final int fields;
  private final int outputs;

  /**
   * Probes of {@code words} words of {@code wordBits} bits, of which the first {@code positions}
   * hold keys.
   */
  public WordProbes(long words, int wordBits, int positions, int groups, int probes) {
    requireWidth(wordBits);
    Arguments.inRange("words", words, 1, Words.MAX_WORDS * Long.SIZE / wordBits);
    Arguments.inRange("groups", groups, 1, MAX_GROUPS);
    Arguments.inRange("probes", probes, groups, MAX_PROBES);
    this.words = words;
    this.wordBits = wordBits;
    this.positions = positions;
    this.groups = groups;
    this.probes = probes;
    this.fewer = probes / groups;
    this.more = probes % groups;
    this.step = Integer.bitCount(positions) == 1 ? bits(positions) : FIELD_BITS;
    this.fields = Long.SIZE / step;
    this.outputs = 1 + (fewer + (more > 0 ? 1 : 0) + fields - 1) / fields;
  }

  /** Throws unless this is a valid number of bits per word. */
  public static void requireWidth(int wordBits) {
    Arguments.inRange("wordBits", wordBits, MIN_WORD_BITS, MAX_WORD_BITS);
    Arguments.multipleOf("wordBits", wordBits, WORD_UNIT);
  }

  /** How many bits the filter needs. */
  public long bits() {
    return words * wordBits;
  }

  /** How many words there are. */
  public long words() {
    return words;
  }

  /** How many bits make one word. */
  public int wordBits() {
    return wordBits;
  }

  /** How many hash bits a key uses: log2 of the words per group, log2 of the positions per bit. */
  public int hashBits() {
    return groups * bits(words) + probes * bits(positions);
  }

  /** The word of a group. */
  public long word(long hash, int group) {
    return Mix.reduce(Mix.stream(hash, group * outputs), words);
  }

  /** How many bits a group sets. */
  public int share(int group) {
    return fewer + ((group - more) >>> 31);
  }

  /** 1 if all bits of a group are set in a word, otherwise 0, without a branch on the bits. */
  public long test(long hash, int group, long word, Words store) {
    return wordBits == Long.SIZE
        ? testNarrow(hash, group, store.get(word))
        : testWide(hash, group, word, store);
  }

  private long testNarrow(long hash, int group, long bits) {
    int output = group * outputs;
    long all = 1;
    for (int left = share(group); left > 0; left -= fields) {
      long x = Mix.stream(hash, ++output);
      for (int i = Math.min(left, fields); i > 0; i--) {
        all &= bits >>> position(x);
        x <<= step;
      }
    }
    return all;
  }

  private long testWide(long hash, int group, long word, Words store) {
    long[] heap = store.heap();
    long first = word * wordBits;
    int output = group * outputs;
    long all = 1;
    for (int left = share(group); left > 0; left -= fields) {
      long x = Mix.stream(hash, ++output);
      for (int i = Math.min(left, fields); i > 0; i--) {
        long bit = first + position(x);
        long at = bit >>> 6;
        all &= (heap != null ? heap[Words.BASE + (int) at] : store.get(at)) >>> bit;
        x <<= step;
      }
    }
    return all;
  }

  private long position(long x) {
    return ((x >>> (Long.SIZE - FIELD_BITS)) * positions) >>> FIELD_BITS;
  }

  /** 1 if all bits are set, otherwise 0; reads no further word once one lacks a bit. */
  public long test(long hash, Words store) {
    long all = test(hash, 0, word(hash, 0), store);
    for (int j = 1; j < groups && all != 0; j++) {
      all = test(hash, j, word(hash, j), store);
    }
    return all;
  }

  /** Sets the bits of a group in a word; true if one of them was 0. */
  public boolean set(long hash, int group, long word, Words store) {
    int output = group * outputs;
    long first = word * wordBits;
    long at = first >>> 6;
    long mask = 0;
    boolean changed = false;
    for (int left = share(group); left > 0; left -= fields) {
      long x = Mix.stream(hash, ++output);
      for (int i = Math.min(left, fields); i > 0; i--) {
        long bit = first + position(x);
        long next = bit >>> 6;
        if (next != at) {
          changed |= store.or(at, mask);
          mask = 0;
          at = next;
        }
        mask |= 1L << bit;
        x <<= step;
      }
    }
    changed |= store.or(at, mask);
    return changed;
  }

  /** Sets all bits; true if one of them was 0. */
  public boolean setAll(long hash, Words store) {
    boolean changed = false;
    for (int j = 0; j < groups; j++) {
      changed |= set(hash, j, word(hash, j), store);
    }
    return changed;
  }

  /** The number of words by their set bits: element {@code i} counts those with {@code i}. */
  public long[] histogram(Words store) {
    long[] counts = new long[wordBits + 1];
    for (long word = 0; word < words; word++) {
      counts[(int) store.bitCountOfBits(word * wordBits, (word + 1) * wordBits)]++;
    }
    return counts;
  }

  /**
   * The sum, over a histogram's words, of the probability that {@code draws} positions are all set.
   */
  public double sumOfPowers(long[] histogram, int draws) {
    double sum = 0;
    for (int i = 1; i < histogram.length; i++) {
      if (histogram[i] > 0) {
        sum += histogram[i] * Math.pow((double) i / positions, draws);
      }
    }
    return sum;
  }

  private static int bits(long values) {
    return Long.SIZE - Long.numberOfLeadingZeros(values - 1);
  }
}
