package io.bloomery.sync;

import java.util.Locale;

/** How two sides of a {@link SetReconciliation} find their difference. */
public enum ReconciliationMethod {
  /** One side sends all its keys. Exact; the best for small sets, or sets that share little. */
  FULL(1, true),
  /**
   * Both send a Bloom filter of 8 bits per key and then what the other's filter lacks: 97.8 % of
   * the difference. An exact reconciliation then continues with {@link #RATELESS} for the rest.
   */
  FILTER(2, false),
  /**
   * Both send the summary of a {@link ReconciliationTree}, 8 bits per key, and then what they find:
   * about 83 % of the difference. Continues like {@link #FILTER}.
   */
  TREE(3, false),
  /** One side sends an {@link InvertibleTable} sized for the estimated difference. Exact. */
  INVERTIBLE(4, true),
  /** One side sends symbols of a {@link RatelessTable} until the other has enough. Exact. */
  RATELESS(5, true);

  private final int wireId;
  private final boolean exact;

  ReconciliationMethod(int wireId, boolean exact) {
    this.wireId = wireId;
    this.exact = exact;
  }

  /** The number in messages; 0 stands for any method. */
  int wireId() {
    return wireId;
  }

  static ReconciliationMethod of(int wireId) {
    for (ReconciliationMethod method : values()) {
      if (method.wireId == wireId) {
        return method;
      }
    }
    return null;
  }

  /**
   * Whether the method alone finds all of a difference.
   *
   * @return false: what it finds is right, but it misses some
   */
  public boolean isExact() {
    return exact;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
