package io.bloomery.cli.partition;

import io.bloomery.tools.console.StandardOutput;
import io.bloomery.tools.input.Block;
import io.bloomery.tools.input.BlockSink;
import io.bloomery.tools.input.KeyPrinter;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** The work of {@code bloom sample}: keeps the rows of keys whose hash is below a threshold. */
final class SampleRun implements BlockSink {

  private static final BigInteger ALL = BigInteger.ONE.shiftLeft(Long.SIZE);

  private final boolean isAll;
  private final long threshold;
  private final Rows rows;
  private final @Nullable StandardOutput out;
  private final @Nullable KeyPrinter json;
  private long read;
  private long kept;

  /**
   * Writes to {@code out}; writes nothing if it is null.
   *
   * @param share the share of the keys, 0 to 1
   * @param json prints the rows as JSON; null: they are written as they are
   */
  SampleRun(BigDecimal share, Rows rows, @Nullable StandardOutput out, @Nullable KeyPrinter json) {
    BigInteger limit = share.multiply(new BigDecimal(ALL)).toBigInteger();
    this.isAll = limit.equals(ALL);
    this.threshold = limit.longValue();
    this.rows = rows;
    this.out = out;
    this.json = json;
  }

  @Override
  public boolean take(Block block) {
    StandardOutput to = out;
    if (to != null && json == null) {
      rows.header(block, to::write);
    }
    for (int i = 0; i < block.count(); i++) {
      if (isAll || Long.compareUnsigned(block.hashes()[i], threshold) < 0) {
        kept++;
        if (json != null) {
          json.printJson(json.json(block, i));
        } else if (to != null) {
          rows.record(block, i, to::write);
        }
      }
    }
    read += block.count();
    if (to != null && block.isPaused()) {
      to.flush();
    }
    return true;
  }

  /** The number of rows read. */
  long read() {
    return read;
  }

  /** The number of rows kept. */
  long kept() {
    return kept;
  }
}
