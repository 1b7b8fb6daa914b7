package io.bloomery.cli.partition;

import io.bloomery.tools.input.Block;
import io.bloomery.tools.input.BlockSink;
import java.util.Arrays;

/**
 * The work of {@code bloom partition}: writes each row to the part that the hash of its key
 * selects.
 */
final class PartitionRun implements BlockSink {

  private final PartFiles files;
  private final Rows rows;
  private final long[] counts;

  /** Writes rows, as {@code rows} copies them, to this number of files. */
  PartitionRun(PartFiles files, Rows rows, int parts) {
    this.files = files;
    this.rows = rows;
    this.counts = new long[parts];
  }

  /** The part of a hash: its upper 32 bits, as a fraction of 2^32, times the number of parts. */
  static int part(long hash, int parts) {
    return (int) (((hash >>> Integer.SIZE) * parts) >>> Integer.SIZE);
  }

  @Override
  public boolean take(Block block) {
    rows.header(
        block,
        (bytes, offset, length) -> {
          for (int part = 0; part < counts.length; part++) {
            files.write(part, bytes, offset, length);
          }
        });
    for (int i = 0; i < block.count(); i++) {
      int part = part(block.hashes()[i], counts.length);
      counts[part]++;
      rows.record(block, i, (bytes, offset, length) -> files.write(part, bytes, offset, length));
    }
    return true;
  }

  /** The number of rows in all parts. */
  long rows() {
    return Arrays.stream(counts).sum();
  }

  /** The number of rows in a part. */
  long rows(int part) {
    return counts[part];
  }

  /** The number of rows in the smallest part. */
  long fewest() {
    return Arrays.stream(counts).min().orElse(0);
  }

  /** The number of rows in the largest part. */
  long most() {
    return Arrays.stream(counts).max().orElse(0);
  }
}
