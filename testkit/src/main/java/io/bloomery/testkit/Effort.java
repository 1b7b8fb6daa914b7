package io.bloomery.testkit;

/**
 * How often a test repeats what no number of repetitions proves: steps of a random walk, rounds of
 * a race, damaged files. The usual run does a quarter, {@code ./check --long} everything. Samples
 * of a stated size are not of this kind, nor is anything that is counted through.
 */
public final class Effort {

  /** The property with the tags that are left out. */
  private static final String PROPERTY = "bloomery.test.excludedTags";

  private static final int PART = "long".equals(System.getProperty(PROPERTY, "long")) ? 4 : 1;

  private Effort() {}

  /** A quarter of the steps, or all of them in a long run. */
  public static int of(int steps) {
    return steps / PART;
  }
}
