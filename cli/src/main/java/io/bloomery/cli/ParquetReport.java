package io.bloomery.cli;

import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.parquet.ParquetFile.Column;
import io.bloomery.foreign.parquet.ParquetFile.Presence;
import io.bloomery.tools.file.ParquetInput;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Table;
import io.bloomery.tools.report.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The output of {@code bloom info} for a Parquet file: the filters of its columns. */
final class ParquetReport {

  private static final int TYPE_COLUMN = 2;
  private static final int FILL_COLUMN = 4;

  private final ParquetInput file;
  private final Report report = new Report();
  private final Table table =
      new Table(
              "rllrrrr",
              "group",
              "column",
              "type",
              "bytes",
              "fill",
              "estimated keys",
              "expected rate")
          .optional(FILL_COLUMN, TYPE_COLUMN);
  private final List<Map<String, Object>> filters = new ArrayList<>();

  /** Reads all filters of a file. */
  ParquetReport(ParquetInput file) {
    this.file = file;
    file.filters().forEach(this::describe);
    long bytes = size();
    report
        .row("format", "parquet, Parquet file with Bloom filters")
        .row("row groups", Text.count(file.rowGroups()))
        .row("filters", filters.isEmpty() ? "none; its writer must be told to make them" : count())
        .row("file size", Text.bytes(bytes))
        .value("file", Octets.name(file.path()))
        .value("format", "parquet")
        .value("rowGroups", file.rowGroups())
        .value("filters", filters)
        .value("columnsWithoutFilter", without(Presence.ABSENT))
        .value("encryptedColumns", without(Presence.ENCRYPTED))
        .value("fileBytes", bytes);
    row("without filter", Presence.ABSENT);
    row("encrypted", Presence.ENCRYPTED);
    row("in another file", Presence.ELSEWHERE);
  }

  private String count() {
    long bytes = filters.stream().mapToLong(filter -> (Long) filter.get("bytes")).sum();
    return "%s, %s".formatted(Text.count(filters.size()), Text.bytes(bytes));
  }

  private void row(String label, Presence presence) {
    List<String> names = without(presence);
    if (!names.isEmpty()) {
      report.row(label, String.join(", ", names));
    }
  }

  private List<String> without(Presence presence) {
    return file.columns().stream()
        .filter(column -> column.presence() == presence)
        .map(Column::path)
        .distinct()
        .collect(Collectors.toList());
  }

  private void describe(Column column) {
    ForeignBloomFilter filter = file.filter(column);
    long bytes = filter.sizeInBits() / Byte.SIZE;
    double keys = filter.cardinality();
    String type = file.typeOf(column).toString();
    table.row(
        Integer.toString(column.rowGroup()),
        column.path(),
        type,
        Text.count(bytes),
        Text.percent(filter.fillRatio()),
        Double.isFinite(keys) ? Text.count(Math.round(keys)) : "unknown",
        Text.percent(filter.falsePositiveRate()));
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("rowGroup", column.rowGroup());
    values.put("column", column.path());
    values.put("type", type);
    values.put("bytes", bytes);
    values.put("fillRatio", filter.fillRatio());
    values.put("estimatedKeys", Double.isFinite(keys) ? keys : null);
    values.put("expectedRate", filter.falsePositiveRate());
    filters.add(values);
  }

  private long size() {
    try {
      return Files.size(file.path());
    } catch (IOException e) {
      throw Problem.with(file.path(), e);
    }
  }

  /** As text in lines of at most {@code columns} columns, where that is possible. */
  String text(int columns) {
    return report.text(Octets.name(file.path()))
        + (filters.isEmpty() ? "" : "\n" + table.text(columns));
  }

  String json() {
    return report.json();
  }
}
