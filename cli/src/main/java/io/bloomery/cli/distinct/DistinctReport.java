package io.bloomery.cli.distinct;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.StandardOutput;
import io.bloomery.tools.distinct.HllSketch;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Visible;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import io.bloomery.tools.spill.CountedKeys;
import java.util.Locale;

/** What {@code bloom distinct} prints. */
final class DistinctReport {

  private final Tally tally;
  private final int sigmas; // 0: counts are exact
  private final long badRows;

  DistinctReport(Tally tally, int sigmas, long badRows) {
    this.tally = tally;
    this.sigmas = sigmas;
    this.badRows = badRows;
  }

  private boolean isExact() {
    return sigmas == 0;
  }

  /** The result of a group as columns. */
  private String columns(Tally.Result result) {
    return isExact()
        ? Long.toString(result.distinct())
        : "%d\t%d\t%d"
            .formatted(result.distinct(), Math.round(result.lower()), Math.round(result.upper()));
  }

  /** The result where nothing is grouped, as a line of columns. */
  String line() {
    return columns(tally.result(0)) + "\n";
  }

  /** Prints a line, or an object of JSON, for each group. */
  void printGroups(Console console, CountedKeys.Order order, boolean json) {
    StandardOutput out = console.out();
    Groups groups = tally.groups();
    for (int group = 0; group < groups.size(); group++) {
      groups.rank(group, tally.result(group).distinct());
    }
    for (int group : groups.ordered(order)) {
      Tally.Result result = tally.result(group);
      groups.name(
          group,
          (bytes, offset, length) -> {
            if (json) {
              Report report = new Report().value("group", Octets.text(bytes, offset, length));
              write(out, values(report, result).json().getBytes(UTF_8));
              return;
            }
            write(out, (columns(result) + "\t").getBytes(US_ASCII));
            if (out.isTerminal()) {
              write(out, Visible.line(bytes, offset, length));
            } else {
              out.write(bytes, offset, length);
            }
            out.write('\n');
          });
    }
  }

  private static void write(StandardOutput out, byte[] bytes) {
    out.write(bytes, 0, bytes.length);
  }

  private static Report values(Report report, Tally.Result result) {
    return report
        .value("distinct", result.distinct())
        .value("estimate", result.estimate())
        .value("lowerBound", result.lower())
        .value("upperBound", result.upper());
  }

  /** The result in words. */
  String sentence() {
    Tally.Result result = tally.result(0);
    String distinct = Text.count(result.distinct(), "different key");
    if (tally instanceof SketchTally sketches) {
      HllSketch sketch = sketches.sketch(0);
      boolean isCounted = sketch.mode() != HllSketch.Mode.HLL;
      return (isCounted ? "" : "about ")
          + distinct
          + keys()
          + (isCounted
              ? "; so few that they were counted"
              : "; between %s and %s with %s confidence, standard error %s"
                  .formatted(
                      Text.count(Math.round(result.lower())),
                      Text.count(Math.round(result.upper())),
                      confidence(),
                      Text.percent(sketch.standardError())));
    }
    return distinct + keys() + "; the count is exact";
  }

  private String confidence() {
    return switch (sigmas) {
      case 1 -> "68%";
      case 2 -> "95%";
      default -> "99.7%";
    };
  }

  private String keys() {
    String read = tally.keys() == 0 ? "" : " among " + Text.count(tally.keys());
    return tally.skipped() == 0
        ? read
        : read + "; " + Text.count(tally.skipped(), "empty key") + " skipped";
  }

  /** What there is to say of all groups, in words. */
  String groupsSentence() {
    return Text.count(tally.groups().size(), "group")
        + (tally.keys() == 0 ? "" : ", " + Text.count(tally.keys(), "key") + " read")
        + (tally.skipped() == 0 ? "" : "; " + Text.count(tally.skipped(), "empty key") + " skipped")
        + (isExact() ? "; counts are exact" : "; bounds with " + confidence() + " confidence");
  }

  /** The result for programs. */
  String json() {
    Report report = common(values(new Report(), tally.result(0)));
    if (tally instanceof SketchTally sketches) {
      HllSketch sketch = sketches.sketch(0);
      report
          .value("standardError", sketch.standardError())
          .value("lgK", sketch.lgK())
          .value("mode", sketch.mode().name().toLowerCase(Locale.ROOT))
          .value("merged", !sketch.isOnline());
    }
    return report.json();
  }

  /** What there is to say of all groups, for programs. */
  String groupsJson() {
    return common(new Report().value("groups", tally.groups().size())).json();
  }

  private Report common(Report report) {
    return report
        .value("sigmas", isExact() ? null : sigmas)
        .value("exact", isExact())
        .value("keys", tally.keys())
        .value("emptyKeysSkipped", tally.skipped())
        .value("badRows", badRows);
  }
}
