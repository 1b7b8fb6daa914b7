package io.bloomery.similarity;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;

/**
 * The shape of a molecule's fingerprint. With {@code shortBits == longBits} it is a Bloom filter;
 * otherwise features set more bits, or fewer, the larger they are.
 *
 * @param bits the length of a fingerprint, 64 … 2^20 and a multiple of 64; 1024 and 2048 are usual
 * @param maxBonds the most bonds of a path, 0 … {@link MoleculeFeatures#MAX_BONDS}; 7 is usual
 * @param shortBits how many bits an atom or a count sets, 1 … 16
 * @param longBits how many bits a feature of {@code maxBonds} bonds or more sets, 1 … 16; sizes in
 *     between are interpolated, rounded down
 */
public record FingerprintShape(
    @FieldName("bits") int bits,
    @FieldName("max bonds") int maxBonds,
    @FieldName("short bits") int shortBits,
    @FieldName("long bits") int longBits)
    implements Shape {

  /** The longest fingerprint. */
  public static final int MAX_FINGERPRINT_BITS = 1 << 20;

  /** The most bits of a feature. */
  public static final int MAX_BITS_PER_FEATURE = 16;

  public FingerprintShape {
    Arguments.inRange("bits", bits, Long.SIZE, MAX_FINGERPRINT_BITS);
    Arguments.multipleOf("bits", bits, Long.SIZE);
    Arguments.inRange("maxBonds", maxBonds, 0, MoleculeFeatures.MAX_BONDS);
    Arguments.inRange("shortBits", shortBits, 1, MAX_BITS_PER_FEATURE);
    Arguments.inRange("longBits", longBits, 1, MAX_BITS_PER_FEATURE);
  }

  /**
   * The usual fingerprint: paths of up to 7 bonds, three bits for each feature.
   *
   * @param bits the length of a fingerprint, 64 … 2^20 and a multiple of 64
   * @return the shape
   */
  public static FingerprintShape ofBits(int bits) {
    return new FingerprintShape(bits, 7, 3, 3);
  }

  /**
   * How many bits a feature sets.
   *
   * @param bonds its size in bonds, 0 or more
   * @return between {@code shortBits} and {@code longBits}
   */
  public int bitsOf(int bonds) {
    Arguments.inRange("bonds", bonds, 0, Integer.MAX_VALUE);
    return bonds >= maxBonds
        ? longBits
        : shortBits + Math.floorDiv((longBits - shortBits) * bonds, maxBonds);
  }

  /** {@inheritDoc} Here: for a feature without bonds, assuming that all features have none. */
  @Override
  public double falsePositiveRate(long keys) {
    return BloomMath.exactRate(bits, Sizing.requireLoad(keys), shortBits);
  }

  /** {@inheritDoc} Here: of one fingerprint. */
  @Override
  public long sizeInBits() {
    return bits;
  }
}
