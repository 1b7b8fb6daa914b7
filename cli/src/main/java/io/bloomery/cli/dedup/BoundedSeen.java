package io.bloomery.cli.dedup;

import io.bloomery.tools.input.Block;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import io.bloomery.tools.spill.FirstRecords;

/** Remembers keys exactly in bounded memory; once it is full, records wait. */
final class BoundedSeen implements Seen {

  private final FirstRecords records;

  /**
   * Remembers keys.
   *
   * @param memory the most memory for them, in bytes
   * @param wanted the waiting records to output
   */
  BoundedSeen(long memory, FirstRecords.Wanted wanted) {
    this.records = new FirstRecords(memory, wanted);
  }

  @Override
  public void prepare(Block block) {} // a lookup is as cheap when the key is added

  @Override
  public boolean add(Block block, int key) {
    int start = block.keyStarts()[key];
    return records.add(block.bytes(), start, block.keyEnds()[key] - start, block.hashes()[key]);
  }

  @Override
  public FirstRecords waiting() {
    return records;
  }

  @Override
  public void rows(Report report, double promised) {
    report
        .row("expected loss", "none: keys are compared byte by byte")
        .row("temporary file", Text.bytes(records.spilledBytes()));
  }

  @Override
  public void values(Report report) {
    report
        .value("exact", true)
        .value("expectedLoss", 0.0)
        .value("temporaryBytes", records.spilledBytes());
  }

  @Override
  public long memoryBytes() {
    return records.memoryBytes();
  }

  @Override
  public void close() {
    records.close();
  }
}
