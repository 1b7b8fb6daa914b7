package io.bloomery.cli.option;

import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that limits what a command holds in memory. */
public final class MemoryOption {

  private static final long LEAST = 8_000_000;
  private static final long DEFAULT = 256L << 20;

  @Option(
      names = "--memory-limit",
      paramLabel = "SIZE",
      converter = Converters.Bytes.class,
      description =
          "Memory for filters and tables, 64M or 2GiB; what does not fit goes to a temporary file."
              + " Default: 256MiB, or half of the heap.")
  private @Nullable Long memory;

  /** The limit in bytes. */
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
    if (memory > heap / 4 * 3) {
      throw new Problem(
          "--memory-limit is more than 3/4 of the %d MiB of heap; BLOOM_JAVA_OPTS=-Xmx%dm gives enough"
              .formatted(heap >> 20, (memory >> 20) / 2 * 3 + 64));
    }
    return memory;
  }
}
