package io.bloomery.deletable;

/**
 * What happens to a counter that has reached its highest value. It never wraps: an addition leaves
 * it where it is.
 */
public enum OverflowPolicy {

  /**
   * It stays permanently, since its true value is unknown. No key is lost; removed keys may still
   * be reported present.
   */
  STICKY(1),

  /**
   * Removals lower it like any other. It can then reach 0 while keys that need it are still there:
   * with 4 bits, after 16 additions and 15 removals the remaining key is reported absent.
   */
  DECREMENT(2);

  private final int wireId;

  OverflowPolicy(int wireId) {
    this.wireId = wireId;
  }

  /**
   * The number that identifies this policy in files.
   *
   * @return a number that never changes
   */
  public int wireId() {
    return wireId;
  }
}
