package io.bloomery.plan;

/** What weighs more when a faster filter takes more memory. {@link Planner} states the cost. */
public enum Preference {
  /** Time: 1 % of it is worth 4 % of the memory. */
  SPEED(0.25),
  /** Both: 1 % of the memory is worth 3 % of the time. */
  BALANCED(3),
  /** Memory: 1 % of it is worth 25 % of the time. */
  SIZE(25);

  private final double memoryWeight;

  Preference(double memoryWeight) {
    this.memoryWeight = memoryWeight;
  }

  /**
   * How many percent of time a percent of memory is worth.
   *
   * @return the exponent of the memory in the cost
   */
  public double memoryWeight() {
    return memoryWeight;
  }
}
