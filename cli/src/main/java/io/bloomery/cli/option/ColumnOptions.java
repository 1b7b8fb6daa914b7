package io.bloomery.cli.option;

import io.bloomery.tools.input.ColumnSplitter;
import io.bloomery.tools.problem.Problem;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which columns of a row are the key. */
public final class ColumnOptions {

  @Option(
      names = "--column",
      paramLabel = "C",
      description =
          "Keys are a column of CSV or TSV: its name in the first row, or its number from 1. A,B or"
              + " repeated: keys of several columns.")
  private List<String> columns = new ArrayList<>();

  @Option(
      names = "--separator",
      paramLabel = "S",
      converter = RecordOptions.OneByte.class,
      description = "What separates columns. Default: a tab if the first row has one, else ','.")
  private @Nullable Byte separator;

  @Option(
      names = "--header",
      description = "The first row is a header row; for a column that is given by its number.")
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

  /** What separates columns, null to see from the first row. */
  public @Nullable Byte separator() {
    return separator;
  }

  /** Whether the first row is a header row also where all columns have numbers. */
  public boolean header() {
    return header;
  }

  /** What a row is, and what separates its columns if that is given: in a few words. */
  String form() {
    return separator == null ? "lines" : "--separator \\x%02x".formatted(separator);
  }

  /** Finds rows and keys as these options say. */
  ColumnSplitter splitter(boolean printing) {
    return new ColumnSplitter(columns, separator, header, printing);
  }
}
