package io.bloomery.cli.option;

import io.bloomery.tools.input.ColumnSplitter;
import io.bloomery.tools.problem.Problem;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the columns that form the key. */
public final class ColumnOptions {

  @Option(
      names = "--column",
      paramLabel = "C",
      description =
          "Key column of CSV or TSV: its name in the header row, or its number from 1. A,B or"
              + " repeated: keys of several columns.")
  private List<String> columns = new ArrayList<>();

  @Option(
      names = "--separator",
      paramLabel = "S",
      converter = RecordOptions.OneByte.class,
      description = "Column separator. Default: a tab if the first row has one, else ','.")
  private @Nullable Byte separator;

  @Option(
      names = "--header",
      description = "The first row is a header row; for columns given by number.")
  private boolean header;

  /** Fails, before anything is read, if the options contradict each other. */
  public void check() {
    if (columns.isEmpty() && (separator != null || header)) {
      throw new Problem("--separator and --header need --column");
    }
    if (columns.stream().anyMatch(String::isEmpty)) {
      throw new Problem("--column needs a name or a number from 1");
    }
    if (separator != null && (separator == '\n' || separator == '\r' || separator == '"')) {
      throw new Problem("--separator cannot be a line end or a quote");
    }
  }

  /** Whether any of these options is given. */
  public boolean isGiven() {
    return !columns.isEmpty() || separator != null || header;
  }

  /** The names or numbers of the columns that are the key; none if records have no columns. */
  public List<String> columns() {
    return List.copyOf(columns);
  }

  /** The column separator, or null to detect it from the first row. */
  public @Nullable Byte separator() {
    return separator;
  }

  /** Whether the first row is a header row even if every column is given by number. */
  public boolean header() {
    return header;
  }

  /** A short name of the row format, with the column separator if one is given. */
  String form() {
    return separator == null ? "lines" : "--separator \\x%02x".formatted(separator);
  }

  /** The splitter for these options. */
  ColumnSplitter splitter(boolean printing) {
    return new ColumnSplitter(columns, separator, header, printing);
  }
}
