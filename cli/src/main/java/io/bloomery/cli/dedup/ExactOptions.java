package io.bloomery.cli.dedup;

import io.bloomery.cli.option.Converters;
import io.bloomery.cli.option.MemoryOption;
import io.bloomery.tools.problem.Problem;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for exact results. */
final class ExactOptions {

  @Option(
      names = "--exact",
      description =
          "Exact results, no line lost: look up each probable repetition in a temporary file of"
              + " the lines, or in memory with --last and --within.")
  private boolean exact;

  @Option(
      names = "--memory-limit",
      paramLabel = "SIZE",
      converter = Converters.Bytes.class,
      description =
          "Memory limit of the process, 256M or 2GiB, with --exact. Lines that do not fit go to a"
              + " temporary file; from then on output waits for the end of the input. With --last or"
              + " --within it fails if the lines of the window do not fit. Default: 256MiB for those"
              + " lines, or half of the heap if that is less; otherwise memory is not limited.")
  private @Nullable Long memory;

  /** Whether results are exact. */
  boolean isGiven() {
    return exact;
  }

  /** Whether memory is limited by an option. */
  boolean isLimited() {
    return memory != null;
  }

  /** Fails if the options contradict each other. */
  void check() {
    if (isLimited() && !exact) {
      throw new Problem("--memory-limit is for --exact");
    }
  }

  /** The number of bytes that lines may take, or the default. */
  long memory() {
    return MemoryOption.limit(memory);
  }
}
