package io.bloomery.security.version;

/**
 * How releases are found.
 *
 * @param rate the probability that a class that is not in the jar is taken for one of it
 * @param mostClassBytes the size of the largest class that is read; larger ones count as broken
 */
public record ReleaseOptions(double rate, int mostClassBytes) {

  /** One class of a million, and classes of up to 4 MiB. */
  public static final ReleaseOptions DEFAULT = new ReleaseOptions(1e-6, 1 << 22);

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if a number is out of range
   */
  public ReleaseOptions {
    if (!(rate >= 0x1p-40 && rate <= 0.5)) {
      throw new IllegalArgumentException("rate = " + rate + " is not between 2^-40 and 0.5");
    }
    if (mostClassBytes < 1 || mostClassBytes > 1 << 28) {
      throw new IllegalArgumentException(
          "mostClassBytes = " + mostClassBytes + " is not between 1 and 2^28");
    }
  }

  /**
   * The same with another rate.
   *
   * @param falseRate the probability that a class that is not in the jar is taken for one of it
   * @return changed options
   */
  public ReleaseOptions withRate(double falseRate) {
    return new ReleaseOptions(falseRate, mostClassBytes);
  }
}
