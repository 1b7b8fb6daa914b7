package io.bloomery.testkit;

/**
 * The number of repetitions of things that no number of repetitions can prove: steps of a random
 * walk, rounds of a race, damaged files. The usual run does a quarter, {@code ./check --long} all
 * of them. It does not apply to samples of a stated size or to exhaustive loops.
 */
public final class Effort {

  /** The property with the excluded tags. */
  private static final String PROPERTY = "bloomery.test.excludedTags";

  private static final int PART = "long".equals(System.getProperty(PROPERTY, "long")) ? 4 : 1;

  private Effort() {}

  /** A quarter of the steps, or all of them in a long run. */
  public static int of(int steps) {
    return steps / PART;
  }
}
