package io.bloomery.sync;

/**
 * An estimated number of keys that only one of two sets has.
 *
 * @param keyCount the estimate, 0 or more
 * @param deviation its standard deviation, in keys
 */
public record DifferenceEstimate(double keyCount, double deviation) {

  /**
   * What the difference rarely exceeds.
   *
   * @param deviations how many standard deviations above the estimate
   * @return a whole number of keys
   */
  public long atMost(double deviations) {
    return (long) Math.ceil(keyCount + deviations * deviation);
  }
}
