package io.bloomery.cli.distinct;

import io.bloomery.cli.option.Converters;
import io.bloomery.tools.distinct.HllSketch;
import io.bloomery.tools.problem.Problem;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options for the error of estimates, and for how much of it the bounds allow. */
final class AccuracyOptions {

  private static final int DEFAULT_LG_K = 14;
  private static final int DEFAULT_SIGMAS = 2;

  /** The number of registers. */
  static final class Size {
    @Option(
        names = "--lg-k",
        paramLabel = "N",
        description =
            "Logarithm of the number of registers, 4 to 21; one takes a byte, in files half of it."
                + " Default: 14, with a standard error of 0.65%%.")
    private @Nullable Integer lgK;

    @Option(
        names = "--error",
        paramLabel = "E",
        converter = Converters.Rate.class,
        description =
            "Instead: the standard error of estimates, 0.01 or 1%%; the sketch is the smallest that"
                + " has no larger one.")
    private @Nullable Double error;
  }

  @ArgGroup(exclusive = true)
  private Size size = new Size();

  @Option(
      names = "--confidence",
      paramLabel = "Z",
      description =
          "Standard deviations between estimate and bounds: 1, 2 or 3, for 68, 95 or 99.7%% of all"
              + " estimates. Default: 2.")
  private @Nullable Integer sigmas;

  /** Whether the number of registers or the error is given. */
  boolean isSizeGiven() {
    return size.lgK != null || size.error != null;
  }

  /** Whether any of the options is given. */
  boolean isGiven() {
    return isSizeGiven() || sigmas != null;
  }

  /** The logarithm of the number of registers. */
  int lgK() {
    if (size.error != null) {
      return HllSketch.forError(size.error).lgK();
    }
    int lgK = size.lgK == null ? DEFAULT_LG_K : size.lgK;
    if (lgK < HllSketch.LEAST_LG_K || lgK > HllSketch.MOST_LG_K) {
      throw new Problem(
          "--lg-k is %d; it must be %d to %d"
              .formatted(lgK, HllSketch.LEAST_LG_K, HllSketch.MOST_LG_K));
    }
    return lgK;
  }

  /** How many standard deviations are between an estimate and its bounds. */
  int sigmas() {
    int wanted = sigmas == null ? DEFAULT_SIGMAS : sigmas;
    if (wanted < 1 || wanted > HllSketch.MOST_SIGMAS) {
      throw new Problem("--confidence is %d; it must be 1, 2 or 3".formatted(wanted));
    }
    return wanted;
  }
}
