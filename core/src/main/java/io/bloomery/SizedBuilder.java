package io.bloomery;

import io.bloomery.hash.Hasher;
import io.bloomery.internal.check.Arguments;
import io.bloomery.plan.Shape;
import java.util.Objects;

/**
 * What the builders of nearly all filters have in common: how many keys, at which rate, hashed by
 * what. Each adds the options of its kind and {@code build()}.
 *
 * @param <B> the builder's own type
 */
public abstract class SizedBuilder<B extends SizedBuilder<B>> {

  /** Distinct keys to size for, 0 if never set. */
  protected long expectedKeys;

  /** The rate at that number of keys, 0 if never set. */
  protected double falsePositiveRate;

  /** What turns keys into hashes. */
  protected Hasher hasher = Hasher.xxh3();

  /** For the builders of this library. */
  protected SizedBuilder() {}

  /**
   * This builder, for chaining.
   *
   * @return this
   */
  protected abstract B self();

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
}
