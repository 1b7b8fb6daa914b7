package io.bloomery.window;

import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;
import java.time.Duration;
import java.util.Objects;

/**
 * The shape of a time-decaying Bloom filter: cells of two words, a weight and its time, one in each
 * of {@code hashesPerKey} slices for a key, and how weights fade.
 *
 * @param cells m, a multiple of the hashes per key, at most {@link Shape#MAX_BITS} / 64
 * @param hashesPerKey k, hashes per key, 1 … 255, at most half of the cells
 * @param decay how weights fade
 * @param period in how many milliseconds they halve, or lose 1 if the decay is linear, 1 … 2^42
 */
public record TimeDecayingShape(
    @FieldName("cells") long cells,
    @FieldName("probes") int hashesPerKey,
    @FieldName("decay") Decay decay,
    @FieldName("period") long period)
    implements Shape {

  /** The half-life unless another is given. */
  private static final Duration HALF_LIFE = Duration.ofHours(1);

  private static final int CELL_BITS = 128;

  /** How weights fade. */
  public enum Decay {
    /** By half in each period. */
    EXPONENTIAL(1),

    /** By 1 in each period of the clock, down to 0. */
    LINEAR(2);

    private final int wireId;

    Decay(int wireId) {
      this.wireId = wireId;
    }

    /**
     * The number that identifies this in files.
     *
     * @return a number that never changes
     */
    public int wireId() {
      return wireId;
    }
  }

  public TimeDecayingShape {
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, MAX_HASHES_PER_KEY);
    Arguments.inRange("cells", cells, 2L * hashesPerKey, MAX_BITS / Long.SIZE);
    Arguments.multipleOf("cells", cells, "hashesPerKey", hashesPerKey);
    Objects.requireNonNull(decay, "decay");
    Arguments.inRange("period", period, 1, Ticks.MAX_WINDOW);
  }

  /**
   * The smallest shape for a number of keys that have not faded, and a rate, with a half-life of an
   * hour.
   *
   * @param expectedKeys distinct keys with a weight, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the share of other keys that get a weight, and of keys whose weight is
   *     too high, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is too large
   */
  public static TimeDecayingShape forKeys(long expectedKeys, double falsePositiveRate) {
    BloomShape shape = BloomShape.forKeys(expectedKeys, falsePositiveRate, IndexScheme.PARTITIONED);
    if (shape.bits() > MAX_BITS / Long.SIZE) {
      throw Sizing.tooLarge("a time-decaying Bloom filter", expectedKeys, falsePositiveRate);
    }
    return of(Math.max(shape.bits(), 2L * shape.hashesPerKey()), shape.hashesPerKey());
  }

  /**
   * A shape of given cells, with a half-life of an hour.
   *
   * @param cells m, a multiple of the hashes per key
   * @param hashesPerKey k, hashes per key
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static TimeDecayingShape of(long cells, int hashesPerKey) {
    return new TimeDecayingShape(cells, hashesPerKey, Decay.EXPONENTIAL, HALF_LIFE.toMillis());
  }

  /**
   * This size with weights that fade exponentially.
   *
   * @param halfLife how long a weight takes to halve, a millisecond to 2^42
   * @return a changed copy
   */
  public TimeDecayingShape withHalfLife(Duration halfLife) {
    return new TimeDecayingShape(
        cells, hashesPerKey, Decay.EXPONENTIAL, Ticks.millis("halfLife", halfLife));
  }

  /**
   * This size with weights that lose 1 whenever the clock passes a multiple of a period.
   *
   * @param period a millisecond to 2^42
   * @return a changed copy
   */
  public TimeDecayingShape withLinearDecay(Duration period) {
    return new TimeDecayingShape(cells, hashesPerKey, Decay.LINEAR, Ticks.millis("period", period));
  }

  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    return BloomMath.partitionedRate(cells, keys, hashesPerKey);
  }

  @Override
  public long sizeInBits() {
    return cells * CELL_BITS;
  }
}
