package io.bloomery.deletable;

import io.bloomery.FilterBuilder;
import io.bloomery.format.FilterRecipe;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.math.Arguments;
import io.bloomery.internal.probe.Probes;
import io.bloomery.membership.BloomFilter;
import io.bloomery.plan.BloomShape;
import java.util.Objects;

/**
 * What the builders of the filters that are built on a plain Bloom filter have in common: expected
 * keys and rate, or bits and probes, and the index scheme.
 *
 * @param <B> the builder's own type
 */
public abstract sealed class BloomBitsBuilder<B extends BloomBitsBuilder<B>>
    extends FilterBuilder<B>
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
    BloomFilter.Builder bloom = BloomFilter.builder().hasher(hasher).shared(shared);
    if (scheme != null) {
      bloom.scheme(scheme);
    }
    if (expectedKeys != 0) {
      bloom.expectedKeys(expectedKeys);
    }
    if (bits != 0) {
      bloom.bits(bits);
      if (probes != 0) {
        bloom.probes(probes);
      }
      if (falsePositiveRate != 0) {
        bloom.falsePositiveRate(falsePositiveRate);
      }
      return BloomBits.of(bloom.build());
    }
    if (probes != 0) {
      throw new IllegalArgumentException("probes " + probes + " need bits as well");
    }
    BloomShape shape =
        scheme == IndexScheme.PARTITIONED
            ? BloomShape.partitionedForKeys(expectedKeys, falsePositiveRate)
            : smallest(expectedKeys, falsePositiveRate);
    if (scheme == null) {
      bloom.scheme(
          Probes.schemeFor(
              expectedKeys,
              shape.bits(),
              shape.falsePositiveRate(expectedKeys),
              falsePositiveRate));
    }
    return BloomBits.of(bloom.bits(shape.bits()).probes(shape.probes()).build());
  }

  /** The Bloom filter with which the whole filter is smallest. */
  abstract BloomShape smallest(long keys, double rate);
}
