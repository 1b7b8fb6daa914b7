package io.bloomery.foreign.parquet;

import io.bloomery.FilterFormatException;
import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.KeyCoding;
import io.bloomery.foreign.bytes.FileLayout;
import io.bloomery.foreign.bytes.ForeignBytes;
import io.bloomery.internal.check.Arguments;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The Bloom filters within a {@code .parquet} file: at most one for each column of each row group.
 * Only the footer and the requested filters are read; the file is never changed, and a filter that
 * was read is written as a separate {@link ParquetFormat} file.
 *
 * <p>Apache Parquet format: parquet.thrift (FileMetaData, RowGroup, ColumnChunk, ColumnMetaData),
 * BloomFilter.md.
 */
public final class ParquetFile {

  /** How a column's values are stored, which decides the bytes of a key. */
  public enum PhysicalType {
    /** One bit; such columns have no filters. */
    BOOLEAN,
    /** Keys are {@link ParquetFormat#plain(int)}. */
    INT32,
    /** Keys are numbers of 64 bits. */
    INT64,
    /** Keys are 12 bytes: nanoseconds of the day and the Julian day. */
    INT96,
    /** Keys are {@link ParquetFormat#plain(float)}. */
    FLOAT,
    /** Keys are {@link ParquetFormat#plain(double)}. */
    DOUBLE,
    /** Keys are texts or bytes. */
    BYTE_ARRAY,
    /** Keys are bytes, all of the same length. */
    FIXED_LEN_BYTE_ARRAY
  }

  /** Where a filter is. */
  public enum Presence {
    /** In this file. */
    PRESENT,
    /** The column has none in this row group. */
    ABSENT,
    /** The column is encrypted, and its filter with it. */
    ENCRYPTED,
    /** The column's data are in another file, and its filter with them. */
    ELSEWHERE
  }

  /**
   * A column of a row group.
   *
   * @param rowGroup number of the row group, from 0
   * @param path the column's name, prefixed by those of its parents and dots if it is nested
   * @param type how its values are stored; null if that is encrypted, too
   * @param presence whether it has a filter that can be read
   * @param offset where the filter begins in the file; 0 if there is none
   * @param length how long header and bit set are; 0 if the file does not say
   */
  public record Column(
      int rowGroup,
      String path,
      @Nullable PhysicalType type,
      Presence presence,
      long offset,
      int length) {

    /** As in the name of a format: the row group and the path. */
    private String choice() {
      return rowGroup + ":" + path;
    }
  }

  /** Files with one filter; to read one of several, use {@code parquet:GROUP:COLUMN}. */
  public static final ForeignFormat<ForeignBloomFilter> FORMAT =
      format("parquet", ParquetFile::only);

  /** By their numbers in files. */
  static final List<PhysicalType> TYPES =
      List.of(
          PhysicalType.BOOLEAN,
          PhysicalType.INT32,
          PhysicalType.INT64,
          PhysicalType.INT96,
          PhysicalType.FLOAT,
          PhysicalType.DOUBLE,
          PhysicalType.BYTE_ARRAY,
          PhysicalType.FIXED_LEN_BYTE_ARRAY);

  private static final int MAGIC_PLAIN = 0x50415231; // PAR1
  private static final int MAGIC_ENCRYPTED = 0x50415245; // PARE
  private static final int MAGIC_BYTES = 4;
  private static final int TAIL_BYTES = 8;
  private static final int MOST_NAMED = 12;

  private final Path file;
  private final List<Column> columns;
  private final Map<String, ParquetType> types;

  private ParquetFile(Path file, ParquetFooter footer) {
    this.file = file;
    this.columns = List.copyOf(footer.columns());
    this.types = Map.copyOf(footer.types());
  }

  /**
   * Reads the footer of a file.
   *
   * @param file a {@code .parquet} file
   * @return its columns
   * @throws FilterFormatException if it is damaged, or its footer is encrypted
   * @throws IOException if it cannot be read
   */
  public static ParquetFile open(Path file) throws IOException {
    try (ForeignBytes in = ForeignBytes.of(Objects.requireNonNull(file, "file"))) {
      return new ParquetFile(file, footer(in));
    }
  }

  /**
   * All columns of all row groups, also those that have no filter.
   *
   * @return an unmodifiable list in the order of the file
   */
  public List<Column> columns() {
    return columns;
  }

  /**
   * What is hashed for the values of a column. They are written as numbers, texts or hexadecimal
   * digits; depending on what the column holds also as a date ({@code 2024-02-29}), a time stamp
   * ({@code 2024-02-29T12:00:00Z}), a UUID, or a decimal number.
   *
   * @param column one of {@link #columns}, whose own type is not encrypted
   * @return the coding; its text names the column's type, such as {@code INT64 TIMESTAMP_MICROS}
   */
  public KeyCoding typeOf(Column column) {
    return typeOf(types, column);
  }

  private static ParquetType typeOf(Map<String, ParquetType> types, Column column) {
    ParquetType known = types.get(column.path());
    return known != null && known.physical() == column.type()
        ? known
        : new ParquetType(
            Objects.requireNonNull(column.type(), "the type is encrypted"),
            0,
            ParquetType.Logical.NONE,
            0);
  }

  /**
   * Reads a filter.
   *
   * @param rowGroup number of the row group, from 0
   * @param path the column's name as {@link Column#path} has it
   * @return the filter
   * @throws IllegalArgumentException if there is no such column
   * @throws FilterFormatException if the column has no readable filter, or the filter is damaged
   * @throws IOException if the file cannot be read
   */
  public ForeignBloomFilter filter(int rowGroup, String path) throws IOException {
    Objects.requireNonNull(path, "path");
    int last = columns.isEmpty() ? 0 : columns.get(columns.size() - 1).rowGroup();
    Arguments.inRange("rowGroup", rowGroup, 0, last);
    Column column = find(columns, rowGroup, path);
    if (column == null) {
      throw new IllegalArgumentException("no column is named \"" + path + "\": " + names(columns));
    }
    try (ForeignBytes in = ForeignBytes.of(file)) {
      return filter(in, column, types);
    }
  }

  /**
   * The format that reads the filter of one column, for files with several. {@code parquet:0:city}
   * names it.
   *
   * @param rowGroup the number of the row group, from 0
   * @param path the column's path, its parts joined by dots
   * @return a format that reads this filter of a Parquet file
   */
  public static ForeignFormat<ForeignBloomFilter> column(int rowGroup, String path) {
    Objects.requireNonNull(path, "path");
    return format("parquet:" + rowGroup + ":" + path, in -> named(in, rowGroup, path));
  }

  private static ForeignFormat<ForeignBloomFilter> format(
      String name, FileLayout.Reader<ForeignBloomFilter> reader) {
    return ForeignFormat.of(
        name,
        "Parquet file with Bloom filters",
        ForeignBloomFilter.class,
        new FileLayout<>(
                FileLayout.Evidence.MAGIC,
                ParquetFile::magic,
                in -> {
                  ForeignBloomFilter filter = reader.read(in);
                  in.seek(in.length());
                  return filter;
                })
            .knownBy(MAGIC_BYTES));
  }

  private static ForeignBloomFilter only(ForeignBytes in) throws IOException {
    ParquetFooter footer = footer(in);
    List<Column> columns = footer.columns();
    List<Column> present =
        columns.stream().filter(column -> column.presence() == Presence.PRESENT).toList();
    if (present.size() == 1) {
      return filter(in, present.get(0), footer.types());
    }
    if (present.size() > 1) {
      throw in.problem(
          0,
          "holds %d filters; choose one by the format parquet:GROUP:COLUMN: %s",
          present.size(),
          names(present));
    }
    boolean encrypted =
        columns.stream().anyMatch(column -> column.presence() == Presence.ENCRYPTED);
    throw in.problem(
        0,
        encrypted
            ? "holds no Bloom filter that is not encrypted"
            : "a Parquet file without Bloom filters; its writer must be told to make them");
  }

  private static ForeignBloomFilter named(ForeignBytes in, int rowGroup, String path)
      throws IOException {
    ParquetFooter footer = footer(in);
    List<Column> columns = footer.columns();
    Column column = find(columns, rowGroup, path);
    if (column == null) {
      throw in.problem(0, "has no column %d:%s: %s", rowGroup, path, names(columns));
    }
    return filter(in, column, footer.types());
  }

  private static @Nullable Column find(List<Column> columns, int rowGroup, String path) {
    return columns.stream()
        .filter(column -> column.rowGroup() == rowGroup && column.path().equals(path))
        .findFirst()
        .orElse(null);
  }

  private static String names(List<Column> columns) {
    String names =
        columns.stream().limit(MOST_NAMED).map(Column::choice).collect(Collectors.joining(", "));
    return columns.size() > MOST_NAMED ? names + ", …" : names;
  }

  private static ForeignBloomFilter filter(
      ForeignBytes in, Column column, Map<String, ParquetType> types) throws IOException {
    switch (column.presence()) {
      case ABSENT -> throw in.problem(0, "column %s has no Bloom filter", column.choice());
      case ENCRYPTED -> throw in.problem(0, "column %s is encrypted", column.choice());
      case ELSEWHERE -> throw in.problem(0, "column %s is in another file", column.choice());
      default -> in.seek(column.offset());
    }
    long end = in.length() - TAIL_BYTES;
    int bytes = ParquetFormat.header(in, end);
    long used = in.position() - column.offset() + bytes;
    if (bytes > end - in.position() || (column.length() != 0 && used > column.length())) {
      throw in.problem(
          column.offset(),
          "the filter of column %s takes %d bytes, more than there are",
          column.choice(),
          used);
    }
    return ParquetFormat.bitset(in, bytes, typeOf(types, column));
  }

  private static void magic(ForeignBytes in) throws IOException {
    in.order(ByteOrder.BIG_ENDIAN);
    int first = in.i32("PAR1");
    if (first != MAGIC_PLAIN && first != MAGIC_ENCRYPTED) {
      throw in.problem(0, "does not begin with PAR1");
    }
    in.need(TAIL_BYTES, "the length of the footer and PAR1");
    in.seek(in.length() - MAGIC_BYTES);
    int last = in.i32("PAR1");
    if (last != MAGIC_PLAIN && last != MAGIC_ENCRYPTED) {
      throw in.wrongLength(
          in.length() - MAGIC_BYTES, "a Parquet file ends with its footer and PAR1; this does not");
    }
  }

  private static ParquetFooter footer(ForeignBytes in) throws IOException {
    in.seek(0);
    magic(in);
    in.seek(in.length() - MAGIC_BYTES);
    if (in.i32("PAR1") == MAGIC_ENCRYPTED) {
      throw in.problem(in.length() - MAGIC_BYTES, "the footer is encrypted; it cannot be read");
    }
    long end = in.length() - TAIL_BYTES;
    in.seek(end);
    long length = in.order(ByteOrder.LITTLE_ENDIAN).u32("the length of the footer");
    in.within(length, 1, end - MAGIC_BYTES, "the length of the footer");
    in.seek(end - length);
    return ParquetFooter.read(in, end);
  }
}
