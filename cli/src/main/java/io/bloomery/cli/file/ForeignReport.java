package io.bloomery.cli.file;

import io.bloomery.CardinalityFilter;
import io.bloomery.foreign.ForeignFilter;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The output of {@code bloom info} for a file of another system. */
public final class ForeignReport {

  private static final long EXACT_IN_JSON = 1L << 53;

  private final Path path;
  private final Report report = new Report();

  /** Describes a filter and its file. */
  public ForeignReport(Path path, ForeignFilter filter) {
    this.path = path;
    describeHeader(filter);
    describeBits(filter);
    describeFile(filter);
  }

  public String text() {
    return report.text(Octets.name(path));
  }

  public String json() {
    return report.json();
  }

  private void describeHeader(ForeignFilter filter) {
    String format = filter.format().name();
    Map<String, Object> fields = new LinkedHashMap<>();
    report.row("format", format + ", " + filter.format().title());
    filter
        .fields()
        .forEach(
            (name, value) -> {
              report.row(name, text(name, value));
              fields.put(name, exact(value));
            });
    report
        .value("file", Octets.name(path))
        .value("format", format)
        .value("title", filter.format().title())
        .value("class", filter.getClass().getName())
        .value("fields", fields);
  }

  /** The value of a field as text. */
  public static String text(String name, Object value) {
    return value instanceof Long || value instanceof Integer
        ? name.equals("seed") ? value.toString() : Text.count(((Number) value).longValue())
        : String.valueOf(value);
  }

  /** Turns numbers that JSON readers would round into strings. */
  private static Object exact(Object value) {
    return value instanceof Long number && Math.abs(number) > EXACT_IN_JSON
        ? Long.toString(number)
        : value;
  }

  private void describeBits(ForeignFilter filter) {
    if (filter instanceof CardinalityFilter bits) {
      double fill = bits.fillRatio();
      double keys = bits.cardinality();
      boolean full = Double.isInfinite(keys);
      report
          .row("fill", Text.percent(fill) + " of the bits are set")
          .row("estimated keys", full ? "unknown: all bits are set" : Text.count(Math.round(keys)))
          .value("fillRatio", fill)
          .value("estimatedKeys", full ? null : keys);
    }
    double rate = filter.falsePositiveRate();
    report
        .row("expected rate", Text.rate(rate) + " of false positives, as full as it is now")
        .value("sizeInBits", filter.sizeInBits())
        .value("expectedRate", rate);
  }

  private void describeFile(ForeignFilter filter) {
    long bytes;
    try {
      bytes = Files.size(path);
    } catch (IOException e) {
      throw Problem.with(path, e);
    }
    report.row("file size", Text.bytes(bytes)).value("fileBytes", bytes);
    if (bytes != filter.storedBytes()) {
      report.row("on its own", Text.bytes(filter.storedBytes()) + " as " + filter.format().name());
    }
    report
        .row("checked", "its layout is sound; files of this format have no checksums")
        .value("storedBytes", filter.storedBytes());
  }
}
