package io.bloomery.internal.probe;

import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The {@code k} positions of a hash among {@code m} bits: an {@link IndexScheme} with its numbers,
 * and the loops that test and set.
 *
 * <p>Design. Six schemes are two loops. DOUBLE, ENHANCED_DOUBLE, QUADRATIC and TRIPLE walk {@code x
 * += y; y += z; z += dz} modulo m and differ only in the first y, z and dz. INDEPENDENT and
 * PARTITIONED draw each index from the mixing stream and differ only in range and stride. The
 * others are {@link Slices}, {@link Keyed} and {@link Powers}, the default. A query tests three
 * positions before it branches: in a half-full filter 7 of 8 absent keys stop there, which the
 * processor predicts, whereas a branch per bit is a coin flip; and the three reads overlap.
 */
public final class Probes {

  /** The most bits that indexes are computed for; larger than any store. */
  public static final long MAX_BITS = 1L << 41;

  private static final int GROUP = 3;
  private static final int BATCH = 512;
  private static final int ADDS = 32;

  private final IndexScheme scheme;
  private final long bits;
  private final int count;
  final Modulus modulus;
  final boolean walks;
  final long stride;
  private final boolean plainStep;
  private final boolean triple;
  private final long growth;
  private final @Nullable Slices slices;
  private final @Nullable Keyed keyed;
  private final @Nullable Powers powers;
  final long enhanced;
  final long maxGrowth;

  /** Positions {@code 0…bits-1}, {@code count} of them per hash. */
  public Probes(IndexScheme scheme, long bits, int count) {
    Arguments.inRange("bits", bits, 2, MAX_BITS);
    Arguments.inRange("hashesPerKey", count, 1, Math.min(255, bits));
    boolean partitioned = scheme == IndexScheme.PARTITIONED;
    if (partitioned && (bits % count != 0 || bits / count < 2)) {
      throw new IllegalArgumentException(
          bits + " bits are not " + count + " slices of equal size, 2 bits or more");
    }
    this.scheme = scheme;
    this.bits = bits;
    this.count = count;
    this.slices = scheme == IndexScheme.SLICES ? new Slices(bits, count) : null;
    this.powers = scheme == IndexScheme.POWERS ? new Powers(bits, count) : null;
    this.stride = partitioned ? bits / count : 0;
    this.modulus = new Modulus(partitioned ? stride : bits);
    this.keyed = scheme == IndexScheme.PRF ? new Keyed(modulus, count) : null;
    this.walks =
        scheme != IndexScheme.INDEPENDENT
            && !partitioned
            && slices == null
            && keyed == null
            && powers == null;
    this.triple = scheme == IndexScheme.TRIPLE;
    this.enhanced = scheme == IndexScheme.ENHANCED_DOUBLE ? 1 : 0;
    boolean quadratic = scheme == IndexScheme.QUADRATIC;
    this.plainStep = !quadratic && scheme != IndexScheme.DOUBLE;
    this.growth = quadratic ? 2 : enhanced; // (i + 1)² - i² grows by 2
    this.maxGrowth = triple || quadratic ? bits : enhanced * count * count;
  }

  public IndexScheme scheme() {
    return scheme;
  }

  /**
   * The positions if they are products, otherwise null. For hot code: a call from here is compiled
   * into its caller only if other schemes are rare in the same JVM.
   */
  public @Nullable Powers powers() {
    return powers;
  }

  /** {@link Powers#heapWords}, or null for other schemes. */
  public long @Nullable [] heapWords(Words words) {
    return powers == null ? null : powers.heapWords(words);
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
    if (powers != null) {
      return powers.allSet(hash, words);
    }
    if (walks) {
      return walkAllSet(hash, words);
    }
    if (keyed != null) {
      return keyed.allSet(hash, words);
    }
    return slices == null ? drawAllSet(hash, words) : slices.allSet(hash, words);
  }

  /** Sets all positions of a hash; true if one of them was 0. */
  public boolean setAll(long hash, Words words) {
    if (powers != null) {
      return powers.setAll(hash, words);
    }
    if (walks) {
      return walkSetAll(hash, words);
    }
    if (keyed != null) {
      return keyed.setAll(hash, words);
    }
    return slices == null ? drawSetAll(hash, words) : slices.setAll(hash, words);
  }

  /**
   * The position after halving: its remainder, within its slice if there are slices, or half of it
   * if positions are products.
   */
  public long folded(long position) {
    if (powers != null) {
      return position / 2;
    }
    long slice = modulus.divisor();
    return position / slice * (slice / 2) + position % slice % (slice / 2);
  }

  /** Writes the positions of a hash to {@code into[0…count-1]}. */
  public void indexes(long hash, long[] into) {
    if (walks) {
      walk(modulus.of(hash), step(hash), second(hash), enhanced, modulus, into, count);
    } else if (slices != null) {
      slices.indexes(hash, into);
    } else if (powers != null) {
      powers.indexes(hash, into);
    } else {
      for (int i = 0; i < count; i++) {
        into[i] = draw(hash, i);
      }
    }
  }

  /** Position {@code i} of a scheme that does not walk. */
  long draw(long hash, int i) {
    if (powers != null) {
      return powers.position(hash, i);
    }
    if (keyed != null) {
      return keyed.position(hash, i);
    }
    return slices == null ? i * stride + modulus.of(Mix.stream(hash, i)) : slices.position(hash, i);
  }

  static void walk(long x, long y, long z, long dz, Modulus modulus, long[] into, int count) {
    for (int i = 0; i < count; i++) {
      into[i] = x;
      x = modulus.below(x + y);
      y = modulus.below(y + z);
      z += dz;
    }
  }

  /**
   * The walk with the step kept below zero, as its residue minus m: one addition and a masked one
   * make each next position. A step so close to m that the growth of enhanced double hashing could
   * exceed it takes {@link #carefulWalk}: one key in m / k².
   */
  private boolean walkAllSet(long hash, Words words) {
    long[] heap = words.heap();
    long m = bits;
    long x = modulus.of(hash);
    long y = step(hash) - m;
    if (heap == null || y >= -maxGrowth || count < GROUP) {
      return carefulWalk(hash, words);
    }
    long dz = enhanced;
    long x1 = x + y;
    x1 += m & (x1 >> 63);
    y += dz;
    long x2 = x1 + y;
    x2 += m & (x2 >> 63);
    long all =
        (heap[Words.BASE + (int) (x >>> 6)] >>> x)
            & (heap[Words.BASE + (int) (x1 >>> 6)] >>> x1)
            & (heap[Words.BASE + (int) (x2 >>> 6)] >>> x2);
    if ((all & 1) == 0) {
      return false;
    }
    x = x2;
    long z = dz + dz;
    for (int i = GROUP; i < count; i++) {
      y += z;
      z += dz;
      x += y;
      x += m & (x >> 63);
      all &= heap[Words.BASE + (int) (x >>> 6)] >>> x;
    }
    return (all & 1) != 0;
  }

  private boolean carefulWalk(long hash, Words words) {
    long x = modulus.of(hash);
    long y = step(hash);
    long z = second(hash);
    for (int i = 0; i < count; i++) {
      if (!words.getBit(x)) {
        return false;
      }
      x = modulus.below(x + y);
      y = modulus.below(y + z);
      z += enhanced;
    }
    return true;
  }

  private boolean drawAllSet(long hash, Words words) {
    long[] heap = words.heap();
    long all = -1;
    for (int i = 0; i < count; i++) {
      long x = i * stride + modulus.of(Mix.stream(hash, i));
      all &= word(heap, words, x) >>> x;
      if (i == GROUP - 1 && (all & 1) == 0) {
        return false;
      }
    }
    return (all & 1) != 0;
  }

  /**
   * The batch form of {@link #allSet}, as {@code HashedFilter.mightContainHashes}. For every few
   * hundred hashes, all first positions are read, then the second ones of those whose first is set,
   * and so on: no read waits for another of its round, and none is wasted.
   */
  public int allSet(long[] hashes, int from, int to, long[] hits, Words words) {
    Arrays.fill(hits, 0, (to - from + Long.SIZE - 1) / Long.SIZE, 0);
    if (powers != null) {
      return powers.allSet(hashes, from, to, hits, words);
    }
    if (slices != null || keyed != null) {
      return oneByOne(hashes, from, to, hits, words);
    }
    Round round = new Round(Math.min(BATCH, to - from));
    int total = 0;
    for (int start = from; start < to; start += BATCH) {
      int left = start(hashes, start, Math.min(start + BATCH, to), words, round);
      for (int i = 1; i < count && left > 0; i++) {
        left = walks ? walkOn(i, left, words, round) : drawOn(hashes, start, i, left, words, round);
      }
      for (int j = 0; j < left; j++) {
        int i = start - from + round.alive[j];
        hits[i >>> 6] |= 1L << i;
      }
      total += left;
    }
    return total;
  }

  private int oneByOne(long[] hashes, int from, int to, long[] hits, Words words) {
    int total = 0;
    for (int i = from; i < to; i++) {
      if (allSet(hashes[i], words)) {
        hits[(i - from) >>> 6] |= 1L << (i - from);
        total++;
      }
    }
    return total;
  }

  /** The state of a batch: position and steps of each hash, and which remain. */
  private static final class Round {
    private final long[] x;
    private final long[] y;
    private final long[] z;
    private final int[] alive;

    Round(int size) {
      x = new long[size];
      y = new long[size];
      z = new long[size];
      alive = new int[size];
    }
  }

  private int start(long[] hashes, int from, int to, Words words, Round round) {
    long[] heap = words.heap();
    int left = 0;
    for (int i = 0; i < to - from; i++) {
      long hash = hashes[from + i];
      long x = modulus.of(walks ? hash : Mix.stream(hash, 0));
      round.x[i] = x;
      round.alive[left] = i;
      left += (int) (word(heap, words, x) >>> x) & 1;
    }
    if (walks) {
      for (int j = 0; j < left; j++) {
        int i = round.alive[j];
        round.y[i] = step(hashes[from + i]);
        round.z[i] = second(hashes[from + i]);
      }
    }
    return left;
  }

  private int walkOn(int probe, int count, Words words, Round round) {
    long[] heap = words.heap();
    long further = (probe - 1) * enhanced;
    int left = 0;
    for (int j = 0; j < count; j++) {
      int i = round.alive[j];
      long y = round.y[i];
      long x = modulus.below(round.x[i] + y);
      round.x[i] = x;
      round.y[i] = modulus.below(y + round.z[i] + further);
      round.alive[left] = i;
      left += (int) (word(heap, words, x) >>> x) & 1;
    }
    return left;
  }

  private int drawOn(long[] hashes, int from, int probe, int count, Words words, Round round) {
    long[] heap = words.heap();
    int left = 0;
    for (int j = 0; j < count; j++) {
      int i = round.alive[j];
      long x = probe * stride + modulus.of(Mix.stream(hashes[from + i], probe));
      round.alive[left] = i;
      left += (int) (word(heap, words, x) >>> x) & 1;
    }
    return left;
  }

  /**
   * The batch form of {@link #setAll}. The words of a few hashes are read before any is written, so
   * that the reads overlap; an atomic write delays the reads after it.
   */
  public boolean setAll(long[] hashes, int from, int to, Words words) {
    if (powers != null) {
      return powers.setAll(hashes, from, to, words);
    }
    long[] heap = words.writable();
    long[] positions = new long[Math.min(ADDS, to - from) * count];
    boolean changed = false;
    for (int start = from; start < to; start += ADDS) {
      int end = indexes(hashes, start, Math.min(start + ADDS, to), positions);
      long clear = 0;
      for (int i = 0; i < end; i++) {
        long x = positions[i];
        clear |= ~(heap[Words.BASE + (int) (x >>> 6)] >>> x);
      }
      for (int i = 0; i < end && (clear & 1) != 0; i++) {
        changed |= words.setBit(positions[i]);
      }
    }
    return changed;
  }

  /** Writes the positions of several hashes consecutively; returns their number. */
  private int indexes(long[] hashes, int from, int to, long[] into) {
    int at = 0;
    for (int i = from; i < to; i++) {
      long hash = hashes[i];
      long x = modulus.of(hash);
      long y = walks ? step(hash) : 0;
      long z = walks ? second(hash) : 0;
      for (int j = 0; j < count; j++, at++) {
        into[at] = walks ? x : draw(hash, j);
        x = modulus.below(x + y);
        y = modulus.below(y + z);
        z += enhanced;
      }
    }
    return at;
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

  private static long word(long @Nullable [] heap, Words words, long bit) {
    return heap != null ? heap[Words.BASE + (int) (bit >>> 6)] : words.get(bit >>> 6);
  }

  long step(long hash) {
    long y = modulus.of(Mix.stream(hash, 1));
    if (plainStep) {
      return y;
    }
    if (scheme == IndexScheme.QUADRATIC) {
      return modulus.below(y + 1); // 1² - 0²
    }
    return (bits & 1) == 0 ? y | 1 : Math.max(y, 1);
  }

  long second(long hash) {
    return triple ? modulus.of(Mix.stream(hash, 2)) : growth;
  }
}
