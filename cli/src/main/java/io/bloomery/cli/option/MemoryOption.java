package io.bloomery.cli.option;

import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The option that limits what a command holds in memory. The launcher has made the heap so small
 * that the process stays within the limit.
 */
public final class MemoryOption {

  private static final long LEAST = 8_000_000;
  private static final long DEFAULT = 256L << 20;

  /** What blocks of input take. */
  private static final long READING = 16L << 20;

  @Option(
      names = "--memory-limit",
      paramLabel = "SIZE",
      converter = Converters.Bytes.class,
      description =
          "The most memory that the process takes, 256M or 2GiB, but 96MiB in any case; what does"
              + " not fit goes to a temporary file. Default: 256MiB for filters and tables, or half"
              + " of the heap.")
  private @Nullable Long memory;

  /** How many bytes filters and tables may take. */
  public long bytes() {
    return limit(memory);
  }

  /** The limit in bytes, by default that of all commands; for one that says more of the option. */
  public static long limit(@Nullable Long memory) {
    long heap = Runtime.getRuntime().maxMemory();
    if (memory == null) {
      return Math.min(DEFAULT, heap / 2);
    }
    if (memory < LEAST) {
      throw new Problem("--memory-limit is " + Text.bytes(memory) + "; it must be 8M or more");
    }
    return Math.min(memory, Math.max(LEAST, (heap - READING) / 2));
  }
}
