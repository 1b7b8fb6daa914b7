package io.bloomery.weighted;

import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.probe.Probes;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/**
 * One selective clearing: for every bit that a troublesome key uses, which of these keys and which
 * members use it. A repeated bit of a key counts once, and a lost member no longer counts at its
 * other bits, since it cannot be lost again.
 */
final class Retouching {

  private static final int CHOICE = -1;
  private static final int MAX_USES = Integer.MAX_VALUE - 16;

  private final Probes probes;
  private final Words words;
  private final long[] positions;
  private final long[] bits;
  private final Users troublesome;
  private final Users members;
  private double usesLeft;
  private double survival = 1;

  private Retouching(Probes probes, Words words, long[] troublesome, long[] members, double uses) {
    this.probes = probes;
    this.words = words;
    this.positions = new long[probes.count()];
    long[] found = present(troublesome);
    this.bits = bitsOf(found);
    this.troublesome = new Users(found);
    this.members = new Users(present(members));
    this.usesLeft = uses;
  }

  /** Both lists are those of {@link #distinct}. */
  static Retouching of(Probes probes, Words words, long[] troublesome, long[] members) {
    return new Retouching(probes, words, troublesome, members, Double.POSITIVE_INFINITY);
  }

  /**
   * Members are known only by the number that uses each bit. Lost members cannot be identified, so
   * they still count at their other bits, which changes all counts alike. The total is that of all
   * bits that are set.
   */
  static Retouching of(
      Probes probes,
      Words words,
      long[] troublesome,
      LongUnaryOperator membersOfBit,
      double total) {
    Retouching retouching = new Retouching(probes, words, troublesome, new long[0], total);
    int[] uses = retouching.members.uses;
    for (int i = 0; i < uses.length; i++) {
      long count = membersOfBit.applyAsLong(retouching.bits[i]);
      uses[i] = (int) Math.min(Integer.MAX_VALUE, count);
    }
    return retouching;
  }

  /** The distinct hashes of a list, in ascending order. */
  static long[] distinct(long[] hashes) {
    long[] sorted = hashes.clone();
    Arrays.sort(sorted);
    return Arrays.copyOf(sorted, unique(sorted, sorted.length));
  }

  /** Moves the distinct values of a sorted prefix to its front; returns their number. */
  private static int unique(long[] sorted, int length) {
    int kept = 0;
    for (int i = 0; i < length; i++) {
      if (kept == 0 || sorted[i] != sorted[kept - 1]) {
        sorted[kept++] = sorted[i];
      }
    }
    return kept;
  }

  private long[] present(long[] hashes) {
    return Arrays.stream(hashes).filter(hash -> probes.allSet(hash, words)).toArray();
  }

  private long[] bitsOf(long[] hashes) {
    int k = probes.count();
    long[] all = new long[Math.multiplyExact(hashes.length, k)];
    for (int i = 0; i < hashes.length; i++) {
      probes.indexes(hashes[i], positions);
      System.arraycopy(positions, 0, all, i * k, k);
    }
    return distinct(all);
  }

  /** Writes the distinct positions of a hash to the front of {@link #positions}. */
  private int locate(long hash) {
    probes.indexes(hash, positions);
    Arrays.sort(positions);
    return unique(positions, positions.length);
  }

  /** Removes every troublesome key; returns the number of bits cleared. */
  long clear(RetouchedBloomFilter.Clearing clearing) {
    long cleared = 0;
    for (int key = 0; key < troublesome.hashes.length; key++) {
      if (!troublesome.gone[key]) {
        int bit = choose(troublesome.hashes[key], clearing);
        words.clearBit(bits[bit]);
        cleared++;
        survive(members.uses[bit]);
        troublesome.leave(bit);
        members.leave(bit);
      }
    }
    return cleared;
  }

  /**
   * Members that remain have all their k bits among those that are set, lost ones the rest of the
   * uses: of those of one bit the former are k·members/uses.
   */
  private void survive(int uses) {
    survival *= Math.max(0, 1 - probes.count() * (uses / usesLeft));
    usesLeft -= uses;
  }

  /** How many troublesome keys were removed. */
  int removed() {
    return troublesome.left;
  }

  /** The number of remaining members. */
  int kept() {
    return members.hashes.length - members.left;
  }

  /** The expected share of remaining members, if they are known by their counts. */
  double survival() {
    return survival;
  }

  private int choose(long hash, RetouchedBloomFilter.Clearing clearing) {
    int count = locate(hash);
    if (clearing == RetouchedBloomFilter.Clearing.RANDOM) {
      return index(positions[(int) Mix.reduce(Mix.stream(hash, CHOICE), count)]);
    }
    int best = index(positions[0]);
    for (int i = 1; i < count; i++) {
      int bit = index(positions[i]);
      best = isBetter(bit, best, clearing) ? bit : best;
    }
    return best;
  }

  private int index(long position) {
    return Arrays.binarySearch(bits, position);
  }

  private boolean isBetter(int bit, int other, RetouchedBloomFilter.Clearing clearing) {
    long here = members.uses[bit];
    long there = members.uses[other];
    long gain = troublesome.uses[bit];
    long otherGain = troublesome.uses[other];
    return switch (clearing) {
      case RANDOM -> false;
      case MIN_FN -> here < there;
      case MAX_FP -> gain > otherGain;
      case RATIO -> {
        long difference = here * otherGain - there * gain;
        yield difference < 0 || (difference == 0 && gain > otherGain);
      }
    };
  }

  /** Keys by the bits that they use. */
  private final class Users {
    private final long[] hashes;
    private final boolean[] gone;

    /** The number of remaining keys that use each bit. */
    private final int[] uses;

    /** The keys of bit i are {@code keys[first[i] … first[i + 1] - 1]}. */
    private final int[] first;

    private final int[] keys;
    private int left;

    Users(long[] hashes) {
      this.hashes = hashes;
      this.gone = new boolean[hashes.length];
      this.uses = new int[bits.length];
      for (long hash : hashes) {
        count(hash, 1);
      }
      this.first = new int[bits.length + 1];
      long total = 0;
      for (int i = 0; i < bits.length; i++) {
        total += uses[i];
        Arguments.inRange("uses of bits by keys", total, 0, MAX_USES);
        first[i + 1] = (int) total;
      }
      this.keys = new int[(int) total];
      int[] next = first.clone();
      for (int key = 0; key < hashes.length; key++) {
        int count = locate(hashes[key]);
        for (int i = 0; i < count; i++) {
          int bit = index(positions[i]);
          if (bit >= 0) {
            keys[next[bit]++] = key;
          }
        }
      }
    }

    private void count(long hash, int by) {
      int count = locate(hash);
      for (int i = 0; i < count; i++) {
        int bit = index(positions[i]);
        if (bit >= 0) {
          uses[bit] += by;
        }
      }
    }

    /** Removes all keys of a bit. */
    void leave(int bit) {
      for (int i = first[bit]; i < first[bit + 1]; i++) {
        int key = keys[i];
        if (!gone[key]) {
          gone[key] = true;
          left++;
          count(hashes[key], -1);
        }
      }
    }
  }
}
