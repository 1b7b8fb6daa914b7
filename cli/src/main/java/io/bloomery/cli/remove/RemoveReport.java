package io.bloomery.cli.remove;

import io.bloomery.tools.name.Octets;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The summary of {@code bloom remove}. */
final class RemoveReport {

  private final Path file;
  private final RemoveRun run;
  private final boolean dryRun;
  private final double rateBefore;
  private final long start = System.nanoTime();
  private double rate;
  private double seconds;

  /** Describes the keys that {@code run} removes from now on. */
  RemoveReport(Path file, RemoveRun run, boolean dryRun) {
    this.file = file;
    this.run = run;
    this.dryRun = dryRun;
    this.rateBefore = run.filter().falsePositiveRate();
  }

  /** Takes the final figures, after everything was removed and saved. */
  void done() {
    rate = run.filter().falsePositiveRate();
    seconds = (System.nanoTime() - start) / 1e9;
  }

  /** Whether every key was removed. */
  boolean isComplete() {
    return run.absent() == 0 && run.refused() == 0;
  }

  /** Warnings, which are printed even with {@code --quiet}. */
  List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    if (run.hasRefrained()) {
      warnings.add(
          "%s: %s certainly absent, so nothing was removed (--check-first)"
              .formatted(Octets.name(file), areOf(run.absent())));
    } else if (run.absent() > 0 && run.removed() > 0) {
      warnings.add(
          ("%s: %s certainly absent; up to %s of such keys seem present and are removed in place of"
                  + " others, which may now be reported absent")
              .formatted(Octets.name(file), areOf(run.absent()), Text.percent(rateBefore)));
    }
    if (run.refused() > 0) {
      warnings.add(
          "%s: kind %s cannot remove %s, which it still reports present"
              .formatted(Octets.name(file), run.kind(), Text.count(run.refused(), "key")));
    }
    return warnings;
  }

  private String areOf(long count) {
    return "%s of %s %s"
        .formatted(Text.count(count), Text.count(run.keys(), "key"), count == 1 ? "is" : "are");
  }

  String text() {
    Report report = new Report();
    report.row("kind", run.kind());
    report.row("keys read", Text.count(run.keys()));
    report.row("removed", Text.count(run.removed()));
    report.row("certainly absent", Text.count(run.absent()));
    if (run.refused() > 0) {
      report.row("not removable", Text.count(run.refused()));
    }
    if (!run.hasRefrained()) {
      report.row("still present", Text.count(run.stillPresent()) + ", probably");
    }
    if (run.skipped() > 0) {
      report.row("empty keys", Text.count(run.skipped()) + " skipped");
    }
    if (run.badRows() > 0) {
      report.row("bad rows", Text.count(run.badRows()) + " skipped");
    }
    report.row("expected rate", Text.rate(rate) + ", before " + Text.percent(rateBefore));
    report.row("time", String.format(Locale.ROOT, "%.2f s", seconds));
    return report.text((dryRun ? "Would remove from " : "Removed from ") + Octets.name(file));
  }

  String json() {
    return new Report()
        .value("file", Octets.name(file))
        .value("kind", run.kind())
        .value("keysRead", run.keys())
        .value("removed", run.removed())
        .value("certainlyAbsent", run.absent())
        .value("notRemovable", run.refused())
        .value("stillPresent", run.hasRefrained() ? null : run.stillPresent())
        .value("emptyKeysSkipped", run.skipped())
        .value("badRows", run.badRows())
        .value("changed", run.removed() > 0 && !dryRun)
        .value("expectedRateBefore", rateBefore)
        .value("expectedRate", rate)
        .value("seconds", seconds)
        .json();
  }
}
