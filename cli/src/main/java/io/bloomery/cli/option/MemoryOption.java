package io.bloomery.cli.option;

import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The option that limits the memory of a command. The launcher sizes the heap so that the whole
 * process stays within the limit.
 */
public final class MemoryOption {

  private static final long LEAST = 8_000_000;
  private static final long DEFAULT = 256L << 20;

  /** The memory of input blocks, in bytes. */
  private static final long READING = 16L << 20;

  @Option(
      names = "--memory-limit",
      paramLabel = "SIZE",
      converter = Converters.Bytes.class,
      description =
          "Memory limit of the process, 256M or 2GiB; 96MiB are always allowed. What does not fit"
              + " goes to a temporary file. Default: 256MiB for filters and tables, or half of the"
              + " heap if that is less.")
  private @Nullable Long memory;

  /** The number of bytes that filters and tables may take. */
  public long bytes() {
    return limit(memory);
  }

  /**
   * The limit in bytes, or the default of all commands; for a command that declares the option
   * itself.
   */
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
