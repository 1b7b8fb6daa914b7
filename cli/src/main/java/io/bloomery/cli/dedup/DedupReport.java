package io.bloomery.cli.dedup;

import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The summary of {@code bloom dedup}. */
final class DedupReport {

  private final DedupRun run;
  private final double promised;
  private final double seconds;
  private final @Nullable ExactSeen exact;
  private final double lost;

  /** Summarizes a run whose filter was built for the rate {@code promised}. */
  DedupReport(DedupRun run, double promised, long nanos) {
    this.run = run;
    this.promised = promised;
    this.seconds = nanos / 1e9;
    this.exact = run.seen() instanceof ExactSeen seen ? seen : null;
    this.lost = run.seen().expectedLoss();
  }

  String text() {
    Report report =
        new Report()
            .row("lines read", Text.count(run.lines()))
            .row("new", Text.count(run.fresh()))
            .row("repeated", Text.count(run.lines() - run.fresh()));
    if (exact == null) {
      report
          .row("rate", Text.rate(promised) + " of the new lines at most taken for repeated")
          .row("expected loss", loss());
    } else {
      report
          .row("rechecked", Text.count(exact.suspected()) + " probable repetitions")
          .row("rescued", Text.count(exact.rescued()) + " of these, which are new")
          .row("expected loss", "none: every repetition was found in the temporary file")
          .row("temporary file", Text.bytes(exact.spillBytes()));
    }
    report
        .row("memory", Text.bytes(run.seen().memoryBytes()))
        .row(
            "time",
            String.format(Locale.ROOT, "%.2f s, ", seconds)
                + Text.count(Math.round(run.lines() / seconds))
                + " lines per second");
    return report.text("Done");
  }

  private String loss() {
    String number = lost < 0.001 ? "less than 0.001" : String.format(Locale.ROOT, "%,.3f", lost);
    return number + " lines in all";
  }

  String json() {
    return new Report()
        .value("linesRead", run.lines())
        .value("newLines", run.fresh())
        .value("repeatedLines", run.lines() - run.fresh())
        .value("exact", exact != null)
        .value("promisedRate", promised)
        .value("expectedLoss", lost)
        .value("recheckedLines", exact == null ? null : exact.suspected())
        .value("rescuedLines", exact == null ? null : exact.rescued())
        .value("temporaryBytes", exact == null ? null : exact.spillBytes())
        .value("memoryBytes", run.seen().memoryBytes())
        .value("seconds", seconds)
        .json();
  }
}
