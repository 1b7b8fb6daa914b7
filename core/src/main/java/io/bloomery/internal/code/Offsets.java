package io.bloomery.internal.code;

import io.bloomery.internal.bits.Words;

/**
 * An ascending list of positions, most of which are close to a straight line, such as an index of
 * blocks of similar length. Any position is read from three adjacent places.
 *
 * <p>Groups of 32 positions have one base, and each position is stored as its distance above the
 * line that starts there with the mean length of a block as its slope. A group is one record of
 * {@code baseBits + 33 · deviationBits} bits: its last deviation is that of the next group's first
 * position, so that both ends of a block are in one record.
 */
final class Offsets {

  private static final int GROUP_SHIFT = 5;
  private static final int GROUP = 1 << GROUP_SHIFT;

  private final long count;
  private final long step;
  private final int baseBits;
  private final int deviationBits;
  private final int recordBits;
  private final long baseMask;
  private final long deviationMask;
  private final Words words;

  /**
   * A list that was written before.
   *
   * @param count how many positions, 2 or more
   * @param last the last position
   * @param deviationBits bits of a deviation, 1…40
   */
  Offsets(long count, long last, int deviationBits, Words words) {
    this.count = count;
    this.step = last / (count - 1);
    this.baseBits = baseBits(count, last);
    this.deviationBits = deviationBits;
    this.recordBits = recordBits(baseBits, deviationBits);
    this.baseMask = BitString.mask(baseBits);
    this.deviationMask = BitString.mask(deviationBits);
    this.words = words;
  }

  /** How many words the list takes. */
  static long wordsFor(long count, long last, int deviationBits) {
    long bits = groups(count) * recordBits(baseBits(count, last), deviationBits);
    return BitString.wordsFor(bits);
  }

  /** The list of the first {@code count} of {@code positions}, 2 or more, which rise from 0. */
  static Offsets of(long[] positions, int count) {
    long last = positions[count - 1];
    long step = last / (count - 1);
    long highest = 0;
    for (int from = 0; from < count - 1; from += GROUP) {
      long base = base(positions, count, from, step);
      for (int i = 0; i <= GROUP && from + i < count; i++) {
        highest = Math.max(highest, positions[from + i] - i * step - base);
      }
    }
    int deviationBits = Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(highest));
    Words words = Words.allocate(wordsFor(count, last, deviationBits), false);
    Offsets offsets = new Offsets(count, last, deviationBits, words);
    for (int from = 0; from < count - 1; from += GROUP) {
      long base = base(positions, count, from, step);
      long at = (long) (from >>> GROUP_SHIFT) * offsets.recordBits;
      BitString.or(words, at, base + GROUP * step);
      for (int i = 0; i <= GROUP && from + i < count; i++) {
        long deviation = positions[from + i] - i * step - base;
        BitString.or(words, at + offsets.baseBits + (long) i * deviationBits, deviation);
      }
    }
    return offsets;
  }

  /** The highest line of slope {@code step} below the positions of a group; may be negative. */
  private static long base(long[] positions, int count, int from, long step) {
    long lowest = Long.MAX_VALUE;
    for (int i = 0; i <= GROUP && from + i < count; i++) {
      lowest = Math.min(lowest, positions[from + i] - i * step);
    }
    return lowest;
  }

  private static long groups(long count) {
    return (count - 1 + GROUP - 1) >>> GROUP_SHIFT;
  }

  private static int baseBits(long count, long last) {
    // A base is stored with 32 steps added, so that it is never negative.
    long most = last + GROUP * (last / (count - 1));
    return Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(most));
  }

  private static int recordBits(int baseBits, int deviationBits) {
    return baseBits + (GROUP + 1) * deviationBits;
  }

  int deviationBits() {
    return deviationBits;
  }

  Words words() {
    return words;
  }

  /** Whether nothing is set beyond the last position. */
  boolean isClean() {
    return BitString.isZeroFrom(words, place(count - 2) + 2L * deviationBits);
  }

  /** How many positions there are. */
  long count() {
    return count;
  }

  /** Where the deviation of position {@code i}, all but the last, is; the next one follows. */
  long place(long i) {
    return (i >>> GROUP_SHIFT) * recordBits + baseBits + (i & (GROUP - 1)) * deviationBits;
  }

  /** The point of the line below position {@code i}. */
  long line(long i) {
    long base = BitString.get(words, (i >>> GROUP_SHIFT) * recordBits, baseMask);
    return base + ((i & (GROUP - 1)) - GROUP) * step;
  }

  /** Position {@code i}, where {@code line} and {@code place} are its own. */
  long start(long line, long place) {
    return line + BitString.get(words, place, deviationMask);
  }

  /** Position {@code i} + 1, where {@code line} and {@code place} are those of {@code i}. */
  long end(long line, long place) {
    return line + step + BitString.get(words, place + deviationBits, deviationMask);
  }
}
