package io.bloomery.cli;

import io.bloomery.tools.distinct.HllSketch;
import io.bloomery.tools.distinct.SketchFile;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.nio.file.Path;
import java.util.Locale;

/** What {@code bloom info} says about a sketch of different keys. */
final class SketchReport {

  private static final int SIGMAS = 2;

  private final Path path;
  private final Report report = new Report();

  SketchReport(Path path, SketchFile file) {
    this.path = path;
    HllSketch sketch = file.sketch();
    boolean isCounted = sketch.mode() != HllSketch.Mode.HLL;
    report
        .row("format", "HLL sketch of Apache DataSketches, %s".formatted(file.width()))
        .row("different keys", (isCounted ? "" : "about ") + count(sketch.estimate()))
        .row(
            "with 95% confidence",
            "%s to %s"
                .formatted(count(sketch.lowerBound(SIGMAS)), count(sketch.upperBound(SIGMAS))))
        .row("standard error", isCounted ? "none but for chance" : percent(sketch))
        .row("registers", Text.count(1L << sketch.lgK()) + (isCounted ? ", not used yet" : ""))
        .row("merged", sketch.isOnline() ? "no" : "yes")
        .row("file size", Text.bytes(file.bytes()))
        .value("file", Octets.name(path))
        .value("format", "datasketches-hll")
        .value("width", file.width().name())
        .value("distinct", Math.round(sketch.estimate()))
        .value("estimate", sketch.estimate())
        .value("lowerBound", sketch.lowerBound(SIGMAS))
        .value("upperBound", sketch.upperBound(SIGMAS))
        .value("sigmas", SIGMAS)
        .value("standardError", sketch.standardError())
        .value("lgK", sketch.lgK())
        .value("mode", sketch.mode().name().toLowerCase(Locale.ROOT))
        .value("merged", !sketch.isOnline())
        .value("fileBytes", file.bytes());
  }

  private static String count(double keys) {
    return Text.count(Math.round(keys));
  }

  private static String percent(HllSketch sketch) {
    return Text.percent(sketch.standardError());
  }

  String text() {
    return report.text(Octets.name(path));
  }

  String json() {
    return report.json();
  }
}
