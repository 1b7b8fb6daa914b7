package io.bloomery.cli.dedup;

import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The summary of {@code bloom dedup}. */
final class DedupReport {

  private final DedupRun run;
  private final double promised;
  private final @Nullable SeenState state;
  private final double seconds;
  private final long badRows;

  /** Summarizes a run whose filter was built for the rate {@code promised}. */
  DedupReport(DedupRun run, double promised, @Nullable SeenState state, long badRows, long nanos) {
    this.run = run;
    this.state = state;
    this.promised = promised;
    this.badRows = badRows;
    this.seconds = nanos / 1e9;
  }

  String text() {
    Report report =
        new Report()
            .row("lines read", Text.count(run.lines()))
            .row("new", Text.count(run.fresh()))
            .row("repeated", Text.count(run.lines() - run.fresh()));
    if (badRows > 0) {
      report.row("bad rows", Text.count(badRows) + " skipped");
    }
    if (state != null) {
      report.row("state", state.text());
    }
    run.seen().rows(report, promised);
    report
        .row("memory", Text.bytes(run.seen().memoryBytes()))
        .row(
            "time",
            String.format(Locale.ROOT, "%.2f s, ", seconds)
                + Text.count(Math.round(run.lines() / seconds), "line")
                + " per second");
    return report.text("Done");
  }

  /** An expected number of lost lines as text. */
  static String loss(double lines) {
    return (lines < 0.001 ? "less than 0.001" : String.format(Locale.ROOT, "%,.3f", lines))
        + " lines";
  }

  String json() {
    Report report =
        new Report()
            .value("linesRead", run.lines())
            .value("newLines", run.fresh())
            .value("repeatedLines", run.lines() - run.fresh())
            .value("badRows", badRows)
            .value("exact", false)
            .value("promisedRate", promised)
            .value("expectedLoss", null)
            .value("window", null)
            .value("windowAtMost", null)
            .value("lateRows", null)
            .value("earlierLines", state == null ? null : state.earlierLines())
            .value("recheckedLines", null)
            .value("rescuedLines", null)
            .value("temporaryBytes", null)
            .value("memoryBytes", run.seen().memoryBytes())
            .value("seconds", seconds);
    run.seen().values(report);
    return report.json();
  }
}
