package io.bloomery.membership;

import io.bloomery.SizedBuilder;

/**
 * What the builders of all bit-setting filters add to those of all filters: how many threads add.
 *
 * @param <B> the builder's own type
 */
public abstract sealed class BitFilterBuilder<B extends BitFilterBuilder<B>> extends SizedBuilder<B>
    permits SplitBlockBloomFilter.Builder, BloomGFilter.Builder, BloomAlphaFilter.Builder {

  /** Whether several threads may add. */
  boolean shared = true;

  BitFilterBuilder() {}

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
