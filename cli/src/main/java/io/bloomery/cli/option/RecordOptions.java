package io.bloomery.cli.option;

import io.bloomery.hash.Hasher;
import io.bloomery.tools.input.JsonSplitter;
import io.bloomery.tools.input.LineSplitter;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.input.RecordSplitter;
import io.bloomery.tools.input.Splitter;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options for splitting the input into records and for finding the key of a record. */
public class RecordOptions {

  /** The longest record of a fixed number of bytes. */
  private static final int MOST_BINARY = 1 << 20;

  private static final int MOST_THREADS = 64;

  @Option(
      names = "--delimiter",
      paramLabel = "D",
      converter = OneByte.class,
      description = "Keys end with this byte instead of a line end: \\0, \\t, ';', \\x1f.")
  private @Nullable Byte delimiter;

  @Option(
      names = "--binary",
      paramLabel = "N",
      description = "Keys are records of N bytes each, with nothing between them.")
  private @Nullable Integer binary;

  @Mixin private ColumnOptions columns = new ColumnOptions();

  @Mixin private JsonKeyOption json = new JsonKeyOption();

  @Mixin private OnErrorOption onError = new OnErrorOption();

  @Mixin private MaxRecordOption longest = new MaxRecordOption();

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Number of reader threads. Default: one per processor, up to 8.")
  private @Nullable Integer threads;

  /** The number of reader threads. */
  public final int threads() {
    return threads == null ? Reading.defaultThreads() : threads;
  }

  /**
   * How input is read with these options.
   *
   * @param printing whether rows are printed, and so must fit under one header
   */
  public final Reading reading(boolean printing, @Nullable Hasher hasher, boolean keepEmpty) {
    return new Reading(splitter(printing), hasher, keepEmpty, threads())
        .limitedByOption(maxRecord())
        .withBadRows(onError.rows());
  }

  /** The number of unreadable rows in all inputs; 0 unless {@code --on-error} tolerates them. */
  public final long badRows() {
    return onError.count();
  }

  /** Fails if rejected rows would go to this file, which the command writes. */
  public final void refuseRejectedRowsIn(Path written) {
    onError.refuse(written);
  }

  /** The length of the longest record, including its end. */
  public final int maxRecord() {
    return longest.bytes();
  }

  /** Fails, before anything is read, if the options contradict each other. */
  public final void check() {
    int ways =
        (delimiter == null ? 0 : 1)
            + (binary == null ? 0 : 1)
            + (columns().isEmpty() ? 0 : 1)
            + (json.places().isEmpty() ? 0 : 1);
    if (ways > 1) {
      throw new Problem("--delimiter, --binary, --column and --json-key exclude each other");
    }
    if (binary != null && (binary < 1 || binary > MOST_BINARY)) {
      throw new Problem("--binary is " + binary + "; it must be 1 to " + MOST_BINARY + " bytes");
    }
    if (binary != null && binary > maxRecord()) {
      throw new Problem(
          "--binary is %d, more than the %d bytes of --max-record".formatted(binary, maxRecord()));
    }
    columns.check();
    json.check();
    if (threads != null && (threads < 1 || threads > MOST_THREADS)) {
      throw new Problem("--threads is " + threads + "; it must be 1 to " + MOST_THREADS);
    }
    longest.check();
  }

  /** The names or numbers of the columns that are the key; none if records have no columns. */
  public final List<String> columns() {
    return columns.columns();
  }

  /** A short name of the record format, with the column separator if one is given. */
  public final String form() {
    if (delimiter != null) {
      return "--delimiter \\x%02x".formatted(delimiter);
    }
    if (binary != null) {
      return "--binary " + binary;
    }
    if (!json.places().isEmpty()) {
      return "--json-key " + String.join(" --json-key ", json.places());
    }
    return columns.form();
  }

  /**
   * The splitter for these options.
   *
   * @param printing whether rows are printed, and so must fit under one header
   */
  final Splitter splitter(boolean printing) {
    if (delimiter != null) {
      return new LineSplitter(delimiter);
    }
    if (binary != null) {
      return new RecordSplitter(binary);
    }
    if (!json.places().isEmpty()) {
      return new JsonSplitter(json.places());
    }
    return columns().isEmpty() ? new LineSplitter() : columns.splitter(printing);
  }

  /** One byte: itself, or one of {@code \0 \t \n \r \\ \xHH}. */
  public static final class OneByte implements ITypeConverter<Byte> {
    private static final Pattern HEX = Pattern.compile("\\\\x([0-9a-fA-F]{2})");

    OneByte() {}

    @Override
    public Byte convert(String text) {
      Matcher hex = HEX.matcher(text);
      if (hex.matches()) {
        return (byte) Integer.parseInt(hex.group(1), 16);
      }
      byte[] bytes = Octets.bytes(text);
      if (bytes.length == 1) {
        return bytes[0];
      }
      return switch (text) {
        case "\\0" -> (byte) 0;
        case "\\t" -> (byte) '\t';
        case "\\n" -> (byte) '\n';
        case "\\r" -> (byte) '\r';
        case "\\\\" -> (byte) '\\';
        default ->
            throw new TypeConversionException(
                "'" + text + "' is not one byte: an ASCII character, \\0, \\t or \\xHH");
      };
    }
  }
}
