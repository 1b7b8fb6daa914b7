package io.bloomery.cli.option;

import io.bloomery.tools.input.Block;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The option that limits the length of a record, and so the memory used if a delimiter is missing.
 */
public final class MaxRecordOption {

  @Option(
      names = "--max-record",
      paramLabel = "SIZE",
      converter = Converters.Bytes.class,
      description = "Longest record, including its end: 64k, 1GiB. Default: 16MiB.")
  private @Nullable Long bytes;

  /** Fails if the limit is too large. */
  public void check() {
    if (bytes != null && bytes > Block.LONGEST) {
      throw new Problem("--max-record is " + Text.bytes(bytes) + "; it must be at most 1GiB");
    }
  }

  /** The limit in bytes. */
  public int bytes() {
    return bytes == null ? Reading.MAX_RECORD : (int) Math.min(bytes, Block.LONGEST);
  }
}
