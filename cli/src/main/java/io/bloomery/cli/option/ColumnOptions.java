package io.bloomery.cli.option;

import io.bloomery.tools.input.ColumnSplitter;
import io.bloomery.tools.input.JsonSplitter;
import io.bloomery.tools.input.Splitter;
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
      names = "--json-key",
      paramLabel = "PATH",
      description =
          "Keys are a value of each line, which is JSON: .user.id, .\"user id\", .tags[0]. Repeated:"
              + " keys of several values.")
  private List<String> places = new ArrayList<>();

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
    if (!columns.isEmpty() && !places.isEmpty()) {
      throw new Problem("--column and --json-key exclude each other");
    }
    if (!places.isEmpty()) {
      new JsonSplitter(places);
    }
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
    return isRows() || separator != null || header;
  }

  /** Whether keys are a part of a row or line. */
  boolean isRows() {
    return !columns.isEmpty() || !places.isEmpty();
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
    if (!places.isEmpty()) {
      return "--json-key " + String.join(" --json-key ", places);
    }
    return separator == null ? "lines" : "--separator \\x%02x".formatted(separator);
  }

  /** Finds rows and keys as these options say. */
  Splitter splitter(boolean printing) {
    if (!places.isEmpty()) {
      return new JsonSplitter(places);
    }
    return new ColumnSplitter(columns, separator, header, printing);
  }
}
