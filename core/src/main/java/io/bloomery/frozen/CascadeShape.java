package io.bloomery.frozen;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;

/**
 * The shape of a cascade of Bloom filters that is exact on a closed universe of members and others.
 *
 * <p>Layer 1 holds the smaller of the two sets at the rate |smaller| / (√2 · |larger|), each later
 * one the false positives of the layer before at the rate 1/2, which is the best choice for large
 * sets (Larisch et al. 2017, "CRLite: A Scalable System for Pushing All TLS Revocations to All
 * Browsers", sec. III-C). The number of false positives is random, so the size is an expected one;
 * a real cascade differs from it by a few times the square root of the smaller set's size.
 *
 * @param members how many keys are in the set, 0 … {@link Shape#MAX_KEYS}
 * @param others how many keys of the universe are not, 0 … {@link Shape#MAX_KEYS}
 * @param smallestLayer bits that each layer has at least, 2 … 2^20
 */
public record CascadeShape(
    @FieldName("members") long members,
    @FieldName("others") long others,
    @FieldName("smallest layer") long smallestLayer)
    implements Shape {

  /** Default size of the smallest layer: one word. */
  public static final long SMALLEST_LAYER = 64;

  /** Upper limit for the smallest layer. */
  public static final long MAX_SMALLEST_LAYER = 1L << 20;

  private static final double LATER_RATE = 0.5;

  /** Layers with fewer expected keys than this are not counted. */
  private static final double NOTHING = 1e-6;

  public CascadeShape {
    Arguments.inRange("members", members, 0, MAX_KEYS);
    Arguments.inRange("others", others, 0, MAX_KEYS);
    Arguments.inRange("smallestLayer", smallestLayer, 2, MAX_SMALLEST_LAYER);
  }

  /**
   * The cascade of a set within a universe.
   *
   * @param expectedKeys members, 1 … {@link Shape#MAX_KEYS}
   * @param universe members and others together, at least {@code expectedKeys}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static CascadeShape forKeys(long expectedKeys, long universe) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    Sizing.requireWithin("universe", universe, expectedKeys, expectedKeys + MAX_KEYS);
    return new CascadeShape(expectedKeys, universe - expectedKeys, SMALLEST_LAYER);
  }

  static CascadeShape forNeeds(Needs needs) {
    return Universe.sized("a cascade", needs, CascadeShape::forKeys);
  }

  /**
   * Whether layer 1 holds the others, because there are fewer of them.
   *
   * @return true if there are more members than others
   */
  public boolean inverted() {
    return members > others;
  }

  /**
   * The Bloom filter of one layer.
   *
   * @param number 1 or more
   * @param keys keys that the layer holds, 1 … {@link Shape#MAX_KEYS}
   * @return the smallest filter with the layer's rate by the classic formula, or one of {@code
   *     smallestLayer} bits with the best number of hashes per key for that size
   * @throws IllegalArgumentException if an argument is outside its range or the layer is larger
   *     than {@link Shape#MAX_BITS}
   */
  public BloomShape layer(int number, long keys) {
    Arguments.inRange("number", number, 1, Integer.MAX_VALUE);
    Arguments.inRange("keys", keys, 1, MAX_KEYS);
    return BloomShape.smallest(keys, number == 1 ? firstRate() : LATER_RATE, smallestLayer);
  }

  /**
   * The target rate of layer 1.
   *
   * @return |smaller| / (√2 · |larger|)
   */
  public double firstRate() {
    double smaller = Math.max(1, Math.min(members, others));
    return smaller / (Math.sqrt(2) * Math.max(1, Math.max(members, others)));
  }

  /** {@inheritDoc} Here: the expected sum over all layers. */
  @Override
  public long sizeInBits() {
    return Math.round(expect().bits);
  }

  /**
   * The expected number of layers.
   *
   * @return the mean over all seeds
   */
  public double expectedLayers() {
    return expect().layers;
  }

  private record Expected(double bits, double layers) {}

  private Expected expect() {
    double stored = Math.min(members, others);
    double tested = Math.max(members, others);
    double bits = 0;
    double layers = 0;
    for (int number = 1; stored > NOTHING; number++) {
      double present = number == 1 ? 1 : -Math.expm1(-stored);
      long keys = Math.max(1, Math.round(stored / present));
      BloomShape shape = layer(number, keys);
      bits += present * shape.bits();
      layers += present;
      double passing =
          present * tested * BloomMath.classicRate(shape.bits(), keys, shape.hashesPerKey());
      tested = stored;
      stored = passing;
    }
    return new Expected(bits, layers);
  }

  /**
   * {@inheritDoc} For keys of the universe, all of which are answered correctly.
   *
   * @return 0
   */
  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    return 0;
  }
}
