package io.bloomery.cli.net;

import io.bloomery.cli.option.ReportOptions;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.dups.DuplicateFilters;
import io.bloomery.net.dups.DuplicateFilters.Exact;
import io.bloomery.net.dups.DuplicateFilters.Result;
import io.bloomery.net.dups.DuplicateOptions;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The work of {@code bloom net dups}: takes items, and prints what each filter found. */
final class DupsRun {

  private final Console console;
  private final DuplicateOptions options;
  private final boolean isExact;
  private final ReportOptions reporting;
  private final DuplicateFilters filters;
  private boolean ended;

  DupsRun(Console console, DuplicateOptions options, boolean isExact, ReportOptions reporting) {
    this.console = console;
    this.options = options;
    this.isExact = isExact;
    this.reporting = reporting;
    this.filters = DuplicateFilters.create(options, isExact);
  }

  void take(Packet packet) {
    if (!ended) {
      filters.add(packet);
    }
  }

  void takeLine(byte[] bytes, int from, int length) {
    if (!ended) {
      filters.add(bytes, from, length);
    }
  }

  /** Prints what was found up to now, once. */
  void end(@Nullable CaptureInput input) {
    if (ended) {
      return;
    }
    ended = true;
    Exact exact = filters.exact();
    for (Result result : filters.results()) {
      console.print(reporting.isJson() ? json(result, exact) : line(result, exact));
    }
    if (reporting.isJson()) {
      Report report = input == null ? new Report() : input.values(new Report());
      report.value("items", filters.items()).value("window", options.window());
      report.value("repeated", isExact ? exact.repeated() : null);
      console.print(report.value("distinct", isExact ? exact.distinct() : null).json());
    }
    console.out().flush();
    if (!reporting.isJson() && !reporting.isQuiet()) {
      console.say(summary(input, exact));
    }
  }

  private String summary(@Nullable CaptureInput input, Exact exact) {
    String text = input == null ? Text.count(filters.items(), "line") : input.text();
    if (!isExact) {
      return text
          + "; up to %s of the others are reported as well".formatted(Text.percent(options.rate()));
    }
    return text
        + "; %s repeat one of the %s before, %s an older one, %s are new"
            .formatted(
                Text.count(exact.repeated()),
                Text.count(options.window()),
                Text.count(exact.older()),
                Text.count(exact.distinct()));
  }

  private double bound(Result result, Exact exact) {
    return DuplicateFilters.bound(exact.distinct(), result.bytes(), options.window());
  }

  private double nanos(Result result) {
    return (double) result.nanos() / Math.max(1, filters.items());
  }

  private String line(Result result, Exact exact) {
    StringBuilder line =
        new StringBuilder(result.kind().toString())
            .append('\t')
            .append(result.bytes())
            .append('\t')
            .append(result.reported())
            .append('\t')
            .append(String.format(Locale.ROOT, "%.0f", nanos(result)));
    if (isExact) {
      line.append('\t').append(exact.repeated() - result.found());
      line.append('\t').append(result.late());
      line.append('\t').append(result.wrong());
      line.append('\t').append(String.format(Locale.ROOT, "%.3f", bound(result, exact)));
    }
    return line.append('\n').toString();
  }

  private String json(Result result, Exact exact) {
    return new Report()
        .value("filter", result.kind().toString())
        .value("bytes", result.bytes())
        .value("reported", result.reported())
        .value("nanos", nanos(result))
        .value("missed", isExact ? exact.repeated() - result.found() : null)
        .value("late", isExact ? result.late() : null)
        .value("wrong", isExact ? result.wrong() : null)
        .value("bound", isExact ? bound(result, exact) : null)
        .json();
  }
}
