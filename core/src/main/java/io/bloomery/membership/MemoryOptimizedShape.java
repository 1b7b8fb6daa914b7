package io.bloomery.membership;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import java.util.Objects;

/**
 * The shape of a filter with a bucket table: m bits and m buckets, k bits per key, one of which
 * names the key's bucket.
 *
 * @param bits m, the number of bits and of buckets, 2 … 2^31
 * @param probes bits that one key sets, 1 … {@link Shape#MAX_PROBES} and at most {@code bits}
 * @param mode what is stored
 */
public record MemoryOptimizedShape(long bits, int probes, Mode mode) implements Shape {

  /** The largest number of buckets, 2^31. */
  public static final long MAX_BUCKETS = 1L << 31;

  /** The largest number of items, 2^30. */
  public static final long MAX_ITEMS = 1L << 30;

  private static final int LINK_BITS = 32;

  /** What is stored of a key. */
  public enum Mode {

    /** k bits, and the key's hash in one bucket. */
    STORING(1),

    /** One bit and nothing else: the survey's wording taken literally. */
    LITERAL(2);

    private final int wireId;

    Mode(int wireId) {
      this.wireId = wireId;
    }

    /**
     * The number that stands for this mode in files.
     *
     * @return a number that never changes
     */
    public int wireId() {
      return wireId;
    }
  }

  /**
   * Checks the fields.
   *
   * @param bits m
   * @param probes k
   * @param mode what is stored
   * @throws IllegalArgumentException if a field is outside its range
   */
  public MemoryOptimizedShape {
    Arguments.inRange("bits", bits, 2, MAX_BUCKETS);
    Arguments.inRange("probes", probes, 1, (int) Math.min(MAX_PROBES, bits));
    Objects.requireNonNull(mode, "mode");
  }

  /**
   * The smallest storing filter whose bits let at most a share of absent keys through.
   *
   * @param keys distinct keys to hold, at least 1
   * @param bucketRate the share, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or more than 2^31 buckets
   *     are needed
   */
  public static MemoryOptimizedShape forKeys(long keys, double bucketRate) {
    BloomShape bloom = BloomShape.forKeys(keys, bucketRate);
    return new MemoryOptimizedShape(bloom.bits(), bloom.probes(), Mode.STORING);
  }

  /**
   * {@inheritDoc}
   *
   * @return bits and bucket links; every item adds 96 bits
   */
  @Override
  public long sizeInBits() {
    return mode == Mode.STORING ? bits + bits * LINK_BITS : bits;
  }

  /**
   * {@inheritDoc}
   *
   * @return keys/2^64 when items are stored, 1 − (1 − 1/m)^keys when not
   */
  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    return mode == Mode.STORING
        ? Math.scalb((double) keys, -Long.SIZE)
        : -Math.expm1(keys * Math.log1p(-1.0 / bits));
  }
}
