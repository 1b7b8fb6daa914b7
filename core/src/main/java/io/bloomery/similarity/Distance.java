package io.bloomery.similarity;

/** How a {@link DistanceSensitiveFilter} measures how far apart two items are. */
public enum Distance {

  /** The share of bits in which two bit vectors differ; hashed by {@link BitSampling}. */
  HAMMING(1),

  /** One minus the share of common elements of two sets; hashed by {@link MinHash}. */
  JACCARD(2),

  /**
   * The caller's: one minus the probability that two items have the same value under a function of
   * the {@link LocalityHash} that the caller gives with each item.
   */
  CUSTOM(3);

  private final int wireId;

  Distance(int wireId) {
    this.wireId = wireId;
  }

  /**
   * The number that identifies this distance in files.
   *
   * @return 1 or more
   */
  public int wireId() {
    return wireId;
  }
}
