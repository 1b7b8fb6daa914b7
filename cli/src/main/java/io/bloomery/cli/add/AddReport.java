package io.bloomery.cli.add;

import io.bloomery.Filter;
import io.bloomery.Filters;
import io.bloomery.FrameHeader.Description;
import io.bloomery.Storable;
import io.bloomery.cli.file.OpenFilter;
import io.bloomery.foreign.ForeignFilter;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The summary of {@code bloom add}. */
final class AddReport {

  /** Tolerance: the fill of a filter with the promised number of keys varies by chance. */
  private static final double SLACK = 1.2;

  private final Path file;
  private final OpenFilter opened;
  private final Filter filter;
  private final AddRun run;
  private final double rateBefore;
  private final long start = System.nanoTime();
  private double rate;
  private double madeFor;
  private double seconds;

  /** Describes the keys that {@code run} adds from now on. */
  AddReport(Path file, OpenFilter opened, AddRun run) {
    this.file = file;
    this.opened = opened;
    this.filter = opened.filter();
    this.run = run;
    this.rateBefore = filter.falsePositiveRate();
  }

  /** Takes the final figures, after everything was added and saved. */
  void done() {
    rate = filter.falsePositiveRate();
    madeFor = designRate();
    seconds = (System.nanoTime() - start) / 1e9;
  }

  /**
   * The rate that the file promises, or else the rate at which a filter with its number of probes
   * is smallest, that is, when half of its bits are set; 1 if the filter has no such number.
   */
  private double designRate() {
    Number promised = opened.description().number(Description.PROMISED_RATE).orElse(null);
    if (promised != null) {
      return promised.doubleValue();
    }
    if (!(filter instanceof Storable)) {
      return 1;
    }
    try {
      Number probes = Filters.header(file).numbers().get("probes");
      return probes == null ? 1 : Math.pow(2, -probes.doubleValue());
    } catch (IOException e) {
      throw Problem.with(file, e);
    }
  }

  /** Warnings, which are printed even with {@code --quiet}. */
  List<String> warnings() {
    boolean promised = opened.description().number(Description.PROMISED_RATE).isPresent();
    if (rate <= madeFor * (promised ? SLACK : 1) || run.keys() == 0) {
      return List.of();
    }
    return List.of(
        ("%s has more keys than it was made for: expect %s false positives, where such a filter is"
                + " made for at most %s; build a larger one with bloom build -n")
            .formatted(Octets.name(file), Text.percent(rate), Text.percent(madeFor)));
  }

  String text() {
    long fresh = run.fresh.sum();
    Report report = new Report();
    report.row("kind", kind());
    report.row("keys read", Text.count(run.keys()));
    report.row("certainly new", Text.count(fresh));
    report.row("probably known", Text.count(run.keys() - fresh));
    if (run.skipped() > 0) {
      report.row("empty keys", Text.count(run.skipped()) + " skipped");
    }
    if (run.badRows() > 0) {
      report.row("bad rows", Text.count(run.badRows()) + " skipped");
    }
    report.row("expected rate", Text.rate(rate) + ", before " + Text.percent(rateBefore));
    report.row("time", String.format(Locale.ROOT, "%.2f s", seconds));
    return report.text("Added to " + Octets.name(file));
  }

  String json() {
    long fresh = run.fresh.sum();
    return new Report()
        .value("file", Octets.name(file))
        .value("kind", kind())
        .value("keysRead", run.keys())
        .value("certainlyNew", fresh)
        .value("probablyKnown", run.keys() - fresh)
        .value("emptyKeysSkipped", run.skipped())
        .value("badRows", run.badRows())
        .value("expectedRateBefore", rateBefore)
        .value("expectedRate", rate)
        .value("seconds", seconds)
        .json();
  }

  private String kind() {
    return filter instanceof ForeignFilter foreign
        ? foreign.format().name()
        : ((Storable) filter).kind().name();
  }
}
