package io.bloomery.cli.net;

import io.bloomery.cli.option.Converters;
import io.bloomery.net.index.IndexOptions;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import java.security.SecureRandom;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The options for what an index of traffic keeps. */
final class DigestOptions {

  private static final long BUDGET = 1L << 30;

  @Option(
      names = "--budget",
      paramLabel = "SIZE",
      converter = Converters.Bytes.class,
      description = "Size of all pages: 100G, 50GiB. Default: 1GiB.")
  private long budget = BUDGET;

  @Option(
      names = "--ratio",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Keep one byte per N of traffic. Fewer make fewer false answers. Default: 50.")
  private long ratio = 50;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      converter = Converters.Time.class,
      description = "Begin a new page every TIME, 10s or 5m. Default: 5m.")
  private Duration every = Duration.ofMinutes(5);

  @Option(
      names = "--page",
      paramLabel = "SIZE",
      converter = Converters.Bytes.class,
      description = "Begin a new page after SIZE of traffic. Default: 16MiB.")
  private long page = IndexOptions.PAGE_BYTES;

  @Option(
      names = "--block",
      paramLabel = "BYTES",
      converter = Converters.Count.class,
      description = "Bytes of a block: excerpts of twice as many less one are found. Default: 8.")
  private long block = 8;

  @Option(
      names = "--levels",
      paramLabel = "N",
      converter = Converters.Count.class,
      description =
          "Levels of blocks, pairs of blocks, groups of four and so on. More of them tell blocks in"
              + " another order apart, with more errors otherwise. Default: 1.")
  private long levels = 1;

  @Option(
      names = "--join",
      description =
          "Join the payloads of a flow, to find what lies across packets, and in packets shorter"
              + " than a block.")
  private boolean join;

  IndexOptions options() {
    long room = Runtime.getRuntime().maxMemory() / 2;
    try {
      IndexOptions options =
          new IndexOptions(
              page,
              every,
              (int) Math.min(block, Integer.MAX_VALUE),
              (int) Math.min(levels, Integer.MAX_VALUE),
              1.0 / Math.max(1, ratio),
              budget,
              join,
              new SecureRandom());
      if (options.memory() > room) {
        throw new Problem(
            "--page takes %s of memory; at most %s fit"
                .formatted(Text.bytes(options.memory()), Text.bytes(room)));
      }
      return options;
    } catch (IllegalArgumentException e) {
      throw new Problem(words(String.valueOf(e.getMessage())));
    }
  }

  /** Names the options as the command does. */
  private static String words(String message) {
    return "--"
        + message
            .replace("pageBytes", "page")
            .replace("blockBytes", "block")
            .replace("budgetBytes", "budget");
  }
}
