package io.bloomery.deletable;

import io.bloomery.FilterRecipe;
import io.bloomery.SizedBuilder;
import io.bloomery.Writers;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.probe.Probes;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import java.util.Objects;

/**
 * What the builders of the filters that are built on a plain Bloom filter have in common: expected
 * keys and rate, or bits and probes, and the index scheme.
 *
 * @param <B> the builder's own type
 */
public abstract sealed class BloomBitsBuilder<B extends BloomBitsBuilder<B>> extends SizedBuilder<B>
    permits DeletableBloomFilter.Builder, MultilayerCountingFilter.Builder {

  private long bits;
  private int probes;
  private IndexScheme scheme;

  BloomBitsBuilder() {}

  /**
   * The number of positions, instead of a rate. Without {@link #probes} the best number for {@link
   * #expectedKeys} is taken.
   *
   * @param bits 2 or more; a partitioned filter rounds up to equal slices
   * @return this builder
   */
  public final B bits(long bits) {
    this.bits = Arguments.inRange("bits", bits, 2, BloomShape.MAX_BITS);
    return self();
  }

  /**
   * Positions of a key, together with {@link #bits}.
   *
   * @param probes 1…255
   * @return this builder
   */
  public final B probes(int probes) {
    this.probes = Arguments.inRange("probes", probes, 1, BloomShape.MAX_PROBES);
    return self();
  }

  /**
   * How positions are computed. Without it: enhanced double hashing, or independent positions where
   * a filter is so small that the promised rate needs them.
   *
   * @param scheme the scheme
   * @return this builder
   */
  public final B scheme(IndexScheme scheme) {
    this.scheme = Objects.requireNonNull(scheme, "scheme");
    return self();
  }

  /** This builder, for a shape and what it was sized for. */
  final B sized(BloomShape shape, FilterRecipe.Order<?> order) {
    double expected = shape.falsePositiveRate(order.keys());
    return bits(shape.bits())
        .probes(shape.probes())
        .scheme(Probes.schemeFor(order.keys(), shape.bits(), expected, order.rate()))
        .hasher(order.hasher());
  }

  /** The bits of an empty Bloom filter with these options; shared if several threads may add. */
  final BloomBits bloomBits(boolean shared) {
    return BloomBits.of(
        BloomFilter.create(bloomShape(), hasher, shared ? Writers.MANY : Writers.ONE));
  }

  private BloomShape bloomShape() {
    if (bits == 0) {
      if (probes != 0) {
        throw new IllegalArgumentException("probes " + probes + " need bits as well");
      }
      if (scheme == IndexScheme.PARTITIONED) {
        return BloomShape.forKeys(expectedKeys, falsePositiveRate, scheme);
      }
      BloomShape shape = smallest(expectedKeys, falsePositiveRate);
      return scheme != null
          ? BloomShape.of(shape.bits(), shape.probes(), scheme)
          : shape.withSchemeFor(expectedKeys, falsePositiveRate);
    }
    if (falsePositiveRate != 0) {
      throw new IllegalArgumentException(
          "bits " + bits + " and falsePositiveRate " + falsePositiveRate + " exclude each other");
    }
    int count = probes == 0 ? BloomShape.forBudget(expectedKeys, bits).probes() : probes;
    return scheme == null ? BloomShape.of(bits, count) : BloomShape.of(bits, count, scheme);
  }

  /** The Bloom filter with which the whole filter is smallest. */
  abstract BloomShape smallest(long keys, double rate);
}
