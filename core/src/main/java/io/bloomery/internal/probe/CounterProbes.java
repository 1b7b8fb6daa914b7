package io.bloomery.internal.probe;

import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.bits.Words;
import org.jspecify.annotations.Nullable;

/**
 * The loops that test, raise and lower the counters at the positions of {@link Probes}. Each
 * occurrence of a position counts, so a removal lowers exactly what an addition raised.
 *
 * <p>Design. A counter of {@code width} bits is at least t if and only if adding {@code 2^width -
 * t} to it carries into bit {@code width}; so a query for any threshold is one mask, one addition
 * and one {@code and} more than a query for bits, and no branch. Two positions are read before the
 * first branch, one fewer than for bits, because counters take several times the memory of bits, so
 * a wasted read is more often a cache miss. Widths 2, 4, 8 and 16 leave no gap in a word, so the
 * walk goes by bits instead of counters, {@code width} times as far, and needs no further shift to
 * find a counter. Other widths, mapped words, few positions and schemes without a walk take the
 * plain loop.
 */
public final class CounterProbes {

  private static final int GROUP = 2;

  private final Probes probes;
  private final Modulus modulus;
  private final int count;
  private final long enhanced;
  private final boolean plain;
  private final int width;
  private final long max;
  private final long bits;
  private final long enhancedBits;
  private final long maxGrowth;
  private final @Nullable CounterPowers powers;

  /** The positions of {@code probes} among counters of 1…63 bits. */
  public CounterProbes(Probes probes, int width) {
    this.probes = probes;
    this.modulus = probes.modulus;
    this.count = probes.count();
    this.enhanced = probes.enhanced;
    this.width = width;
    this.max = (1L << width) - 1;
    this.bits = probes.bits() * width;
    this.enhancedBits = enhanced * width;
    this.maxGrowth = probes.maxGrowth * width;
    this.powers =
        probes.scheme() == IndexScheme.POWERS
            ? CounterPowers.of(probes.bits(), probes.count(), width)
            : null;
    this.plain = Integer.bitCount(width) != 1 || !probes.walks || probes.count() < GROUP;
  }

  /**
   * The counters if they have 4 bits, are on the heap and their positions are products, otherwise
   * null; for {@link #allNibbles} and {@link #raiseNibbles}.
   */
  public long @Nullable [] nibbles(Counters counters) {
    return powers == null ? null : powers.nibbles(counters.words());
  }

  /** Whether all counters of a hash are above 0 in an array from {@link #nibbles}. */
  @SuppressWarnings("NullAway") // only products have nibbles
  public boolean allNibbles(long hash, long[] heap) {
    return powers.allNibbles(hash, heap);
  }

  /**
   * Adds 1 to every counter of a hash, as often as it occurs, for one writer, in an array from
   * {@link #nibbles}; true if one of them was 0.
   */
  @SuppressWarnings("NullAway") // only products have nibbles
  public boolean raiseNibbles(long hash, long[] heap) {
    return powers.raiseNibbles(hash, heap);
  }

  /** Whether all counters of a hash are {@code threshold} or more, which is 1…2^width - 1. */
  public boolean allAtLeast(long hash, long threshold, Counters counters) {
    long[] heap = counters.words().heap();
    if (powers != null && heap != null) {
      return powers.allAtLeast(hash, threshold, heap);
    }
    if (plain || heap == null) {
      return lowest(hash, threshold, counters) >= threshold;
    }
    return walkAtLeast(hash, threshold, counters, heap);
  }

  private boolean walkAtLeast(long hash, long threshold, Counters counters, long[] heap) {
    long m = bits;
    long x = modulus.of(hash) * width;
    long y = probes.step(hash) * width - m;
    if (y >= -maxGrowth) {
      return lowest(hash, threshold, counters) >= threshold;
    }
    long growth = enhancedBits;
    long most = max;
    long bias = most + 1 - threshold;
    long z = growth;
    long all = (heap[Words.BASE + (int) (x >>> 6)] >>> x & most) + bias;
    x += y;
    x += m & (x >> 63);
    all &= (heap[Words.BASE + (int) (x >>> 6)] >>> x & most) + bias;
    for (int i = GROUP; i < count && all > most; i++) {
      y += z;
      z += growth;
      x += y;
      x += m & (x >> 63);
      all &= (heap[Words.BASE + (int) (x >>> 6)] >>> x & most) + bias;
    }
    return all > most;
  }

  /** The lowest counter of a hash. */
  public long lowest(long hash, Counters counters) {
    return lowest(hash, 0, counters);
  }

  /** The lowest counter of a hash, or the first one that is below {@code enough}. */
  private long lowest(long hash, long enough, Counters counters) {
    long x = start(hash);
    long y = firstStep(hash);
    long z = secondStep(hash);
    long lowest = Long.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      long value = counters.get(position(hash, i, x));
      if (value < enough) {
        return value;
      }
      lowest = Math.min(lowest, value);
      x = modulus.below(x + y);
      y = modulus.below(y + z);
      z += enhanced;
    }
    return lowest;
  }

  /** Adds to every counter of a hash, as often as it occurs; true if one of them was 0. */
  public boolean add(long hash, long by, Counters counters) {
    return fill(hash, by, counters) > 0;
  }

  /** Adds to every counter of a hash, as often as it occurs; returns how many of them were 0. */
  public int fill(long hash, long by, Counters counters) {
    if (powers != null) {
      return powers.fill(hash, by, counters);
    }
    long x = start(hash);
    long y = firstStep(hash);
    long z = secondStep(hash);
    int zeros = 0;
    for (int i = 0; i < count; i++) {
      zeros += counters.getAndAdd(position(hash, i, x), by) == 0 ? 1 : 0;
      x = modulus.below(x + y);
      y = modulus.below(y + z);
      z += enhanced;
    }
    return zeros;
  }

  /** Subtracts from every counter of a hash, as often as it occurs; returns how many became 0. */
  public int subtract(long hash, long by, Counters counters) {
    long x = start(hash);
    long y = firstStep(hash);
    long z = secondStep(hash);
    int zeros = 0;
    for (int i = 0; i < count; i++) {
      long at = position(hash, i, x);
      zeros += counters.get(at) > 0 && counters.subtract(at, by) == 0 ? 1 : 0;
      x = modulus.below(x + y);
      y = modulus.below(y + z);
      z += enhanced;
    }
    return zeros;
  }

  /**
   * Position {@code i}: the current position of the walk, or a separate draw, in which case the
   * walk stays at 0.
   */
  private long position(long hash, int i, long x) {
    return probes.walks ? x : probes.draw(hash, i);
  }

  private long start(long hash) {
    return probes.walks ? modulus.of(hash) : 0;
  }

  private long firstStep(long hash) {
    return probes.walks ? probes.step(hash) : 0;
  }

  private long secondStep(long hash) {
    return probes.walks ? probes.second(hash) : 0;
  }
}
