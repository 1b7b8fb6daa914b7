package io.bloomery.membership;

import io.bloomery.hash.Hasher;
import io.bloomery.internal.math.Arguments;
import io.bloomery.plan.Shape;
import java.util.Objects;

/**
 * What the builders of all bit-setting filters have in common: how many keys, at which rate, hashed
 * by what, added by how many threads. Each adds the options of its kind and {@code build()}.
 *
 * @param <B> the builder's own type
 */
public abstract sealed class FilterBuilder<B extends FilterBuilder<B>>
    permits BloomFilter.Builder,
        BlockedBloomFilter.Builder,
        SplitBlockBloomFilter.Builder,
        BloomGFilter.Builder,
        BloomAlphaFilter.Builder {

  /** Distinct keys to size for, 0 if never set. */
  long expectedKeys;

  /** The rate at that number of keys, 0 if never set. */
  double falsePositiveRate;

  /** What turns keys into hashes. */
  Hasher hasher = Hasher.xxh3();

  /** Whether several threads may add. */
  boolean shared = true;

  FilterBuilder() {}

  /** This builder, for chaining. */
  abstract B self();

  /**
   * How many different keys will be added.
   *
   * @param expectedKeys 1…2^36
   * @return this builder
   */
  public final B expectedKeys(long expectedKeys) {
    this.expectedKeys = Arguments.inRange("expectedKeys", expectedKeys, 1, Shape.MAX_KEYS);
    return self();
  }

  /**
   * The highest acceptable rate at that number of keys.
   *
   * @param falsePositiveRate above 0, below 1
   * @return this builder
   */
  public final B falsePositiveRate(double falsePositiveRate) {
    this.falsePositiveRate = Arguments.rate("falsePositiveRate", falsePositiveRate);
    return self();
  }

  /**
   * What turns keys into hashes.
   *
   * @param hasher {@link Hasher#xxh3()} if never called
   * @return this builder
   */
  public final B hasher(Hasher hasher) {
    this.hasher = Objects.requireNonNull(hasher, "hasher");
    return self();
  }

  /**
   * Whether several threads may add at the same time, which is the default. Without it adds are
   * faster, and the caller sees to it that one thread adds at a time.
   *
   * @param shared false for one writer at a time
   * @return this builder
   */
  public final B shared(boolean shared) {
    this.shared = shared;
    return self();
  }
}
