package io.bloomery.cli.count;

import io.bloomery.FrequencyFilter.CountError;
import io.bloomery.cli.option.Converters;
import io.bloomery.frequency.CountMinFilter;
import io.bloomery.frequency.CountMinShape;
import io.bloomery.hash.Hasher;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options for the accuracy of frequency counts. */
final class SketchOptions {

  private static final long DEFAULT_BYTES = 16 << 20;
  private static final long LEAST_BYTES = 1 << 10;
  private static final int ROWS = 4;
  private static final int COUNTER_BITS = 32;

  /** The share of keys whose counts may exceed the error bound. */
  private static final double DELTA = 0.01;

  /** The total size of the counters. */
  static final class Size {
    @Option(
        names = {"-m", "--memory"},
        paramLabel = "SIZE",
        converter = Converters.Bytes.class,
        description = "Size of the filter that counts: 64M, 1GiB. Default: 16MiB.")
    private @Nullable Long memory;

    @Option(
        names = "--error",
        paramLabel = "E",
        converter = Converters.Rate.class,
        description =
            "Instead: the share of all lines by which a count may be too high, 0.0001 or 0.01%%,"
                + " for 99%% of the keys.")
    private @Nullable Double error;
  }

  @ArgGroup(exclusive = true)
  private Size size = new Size();

  /** Whether any of the options is given. */
  boolean isGiven() {
    return size.memory != null || size.error != null;
  }

  /** Whether an error bound is given. */
  boolean isErrorGiven() {
    return size.error != null;
  }

  /** A count-min filter for keys hashed by this hasher. */
  CountMinFilter filter(Hasher hasher) {
    return CountMinFilter.create(shape().withConservativeUpdate(), hasher);
  }

  private CountMinShape shape() {
    if (size.error != null) {
      try {
        return CountMinShape.forError(size.error, DELTA, COUNTER_BITS);
      } catch (IllegalArgumentException e) {
        throw new Problem(
            "--error is %s; a filter that exact would be too large: give a larger error"
                .formatted(size.error));
      }
    }
    long bytes = size.memory == null ? DEFAULT_BYTES : size.memory;
    if (bytes < LEAST_BYTES) {
      throw new Problem("--memory is " + Text.bytes(bytes) + "; it must be 1KiB or more");
    }
    try {
      return new CountMinShape(ROWS, bytes * Byte.SIZE / COUNTER_BITS / ROWS, COUNTER_BITS, false);
    } catch (IllegalArgumentException e) {
      throw new Problem(
          "--memory is %s, more than a filter that counts can use; give less"
              .formatted(Text.bytes(bytes)));
    }
  }

  /** The error bound of counts, in one sentence. */
  static String bound(CountError error) {
    String bound =
        "never too low; too high by more than %s for at most %s of the keys"
            .formatted(Text.count(error.tooHighByAtMost()), Text.percent(error.exceptForShare()));
    long saturated = error.saturatedCounters();
    return saturated == 0
        ? bound
        : "too low where one of %s cannot count further, otherwise %s"
            .formatted(Text.count(saturated, "counter"), bound);
  }
}
