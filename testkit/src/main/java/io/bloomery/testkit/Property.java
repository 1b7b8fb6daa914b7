package io.bloomery.testkit;

/**
 * Seeded property tests. A property is checked for many drawn cases; the failure names the seed and
 * the case, and {@link #replay} runs that case alone, so that it can be kept as a separate test.
 */
public final class Property {

  /** What must hold for every case. */
  @FunctionalInterface
  public interface Body {
    /** Draws a case and asserts. */
    void check(Draw draw) throws Exception;
  }

  private Property() {}

  /** Checks the body for cases {@code 0…cases-1} of a seed. */
  public static void check(long seed, int cases, Body body) {
    if (cases < 1) {
      throw new IllegalArgumentException(cases + " cases check nothing");
    }
    for (int i = 0; i < cases; i++) {
      replay(seed, i, body);
    }
  }

  /** Checks the body for one case, as a failure named it. */
  public static void replay(long seed, int number, Body body) {
    try {
      body.check(new Draw(seed, number));
    } catch (Exception | AssertionError e) {
      throw new AssertionError("Property.replay(" + seed + "L, " + number + ", …): " + e, e);
    }
  }
}
