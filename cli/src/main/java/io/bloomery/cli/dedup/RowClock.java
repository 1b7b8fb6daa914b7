package io.bloomery.cli.dedup;

import io.bloomery.tools.input.Block;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;

/**
 * The times of rows, which never go back: a row that is older than one before it gets the latest
 * time so far.
 */
final class RowClock implements LineClock {

  private long latest = Long.MIN_VALUE;
  private long late;
  private long mostLate;

  @Override
  public long at(Block block, int key) {
    long time = block.times()[key];
    if (time < latest) {
      late++;
      mostLate = Math.max(mostLate, latest - time);
    } else {
      latest = time;
    }
    return latest;
  }

  @Override
  public void rows(Report report) {
    if (late > 0) {
      report.row(
          "late rows",
          "%s, by up to %s; treated as if at the latest time before them"
              .formatted(Text.count(late), RecentSeen.time(mostLate)));
    }
  }

  @Override
  public void values(Report report) {
    report.value("lateRows", late);
  }
}
