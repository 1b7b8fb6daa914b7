package io.bloomery.internal.probe;

import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.bits.Words;

/**
 * The loops that test, raise and lower the counters at the positions of {@link Probes}. Each
 * occurrence of a position counts, so what an addition raises a removal lowers.
 *
 * <p>Design. A counter of {@code width} bits is at least t if and only if adding {@code 2^width -
 * t} to it carries into bit {@code width}; so a query for any threshold is one mask, one addition
 * and one {@code and} more than a query for bits, and no branch. As there, three positions are read
 * before the first branch. Widths 2, 4, 8 and 16 leave no gap in a word, and shifts find the
 * counter; other widths, mapped words, few positions and schemes without a walk take the plain
 * loop.
 */
public final class CounterProbes {

  private final Probes probes;
  private final Modulus modulus;
  private final long m;
  private final int count;
  private final long enhanced;
  private final long maxGrowth;
  private final int width;
  private final long max;
  private final boolean plain;
  private final int wordShift;
  private final int bitShift;

  /** The positions of {@code probes} among counters of 1…63 bits. */
  public CounterProbes(Probes probes, int width) {
    this.probes = probes;
    this.modulus = probes.modulus;
    this.m = probes.bits();
    this.count = probes.count();
    this.enhanced = probes.enhanced;
    this.maxGrowth = probes.maxGrowth;
    this.width = width;
    this.max = (1L << width) - 1;
    this.plain = Integer.bitCount(width) != 1 || !probes.walks || probes.count() < Probes.GROUP;
    this.bitShift = Integer.numberOfTrailingZeros(width);
    this.wordShift = 6 - bitShift;
  }

  /** Whether all counters of a hash are {@code threshold} or more, which is 1…2^width - 1. */
  public boolean allAtLeast(long hash, long threshold, Counters counters) {
    long[] heap = counters.words().heap();
    long x = modulus.of(hash);
    long y = probes.step(hash) - m;
    if (plain || heap == null || y >= -maxGrowth) {
      return lowest(hash, threshold, counters) >= threshold;
    }
    long growth = enhanced;
    long bias = max + 1 - threshold;
    long x1 = x + y;
    x1 += m & (x1 >> 63);
    y += growth;
    long x2 = x1 + y;
    x2 += m & (x2 >> 63);
    long all = (value(heap, x) + bias) & (value(heap, x1) + bias) & (value(heap, x2) + bias);
    if (all >>> width == 0) {
      return false;
    }
    x = x2;
    long z = growth + growth;
    for (int i = Probes.GROUP; i < count; i++) {
      y += z;
      z += growth;
      x += y;
      x += m & (x >> 63);
      all &= value(heap, x) + bias;
    }
    return all >>> width != 0;
  }

  private long value(long[] heap, long x) {
    return heap[Words.BASE + (int) (x >>> wordShift)] >>> (x << bitShift) & max;
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
    long x = start(hash);
    long y = firstStep(hash);
    long z = secondStep(hash);
    boolean wasZero = false;
    for (int i = 0; i < count; i++) {
      wasZero |= counters.getAndAdd(position(hash, i, x), by) == 0;
      x = modulus.below(x + y);
      y = modulus.below(y + z);
      z += enhanced;
    }
    return wasZero;
  }

  /** Subtracts from every counter of a hash, as often as it occurs. */
  public void subtract(long hash, long by, Counters counters) {
    long x = start(hash);
    long y = firstStep(hash);
    long z = secondStep(hash);
    for (int i = 0; i < count; i++) {
      counters.subtract(position(hash, i, x), by);
      x = modulus.below(x + y);
      y = modulus.below(y + z);
      z += enhanced;
    }
  }

  /** Position {@code i}: where the walk is, or a draw of its own; the walk then rests at 0. */
  private long position(long hash, int i, long x) {
    return probes.walks ? x : i * probes.stride + modulus.of(Mix.stream(hash, i));
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
