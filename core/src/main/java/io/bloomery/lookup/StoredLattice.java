package io.bloomery.lookup;

/** What the values of a {@link CompactApproximator} are, and which of two is below the other. */
public enum StoredLattice {
  /** Numbers: the join is the larger one, the meet the smaller one. */
  MAXIMUM(1),
  /** Sets, one bit per element: the join is the union, the meet the intersection. */
  UNION(2);

  private final int wireId;

  StoredLattice(int wireId) {
    this.wireId = wireId;
  }

  /**
   * The number that stands for this lattice in files.
   *
   * @return 1 or 2
   */
  public int wireId() {
    return wireId;
  }

  long join(long a, long b) {
    return this == UNION ? a | b : Math.max(a, b);
  }
}
