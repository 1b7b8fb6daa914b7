package io.bloomery.foreign.parquet;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.FilterFormatException;
import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.KeyCoding;
import io.bloomery.foreign.TypedKeys;
import io.bloomery.foreign.bytes.FileLayout;
import io.bloomery.foreign.bytes.ForeignBytes;
import io.bloomery.foreign.parquet.ParquetFile.PhysicalType;
import io.bloomery.internal.check.Arguments;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
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
  private final Map<String, Type> types;

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
   * The type of a column's values.
   *
   * @param column one of {@link #columns}, whose own type is not encrypted
   * @return the type
   */
  public Type typeOf(Column column) {
    return typeOf(types, column);
  }

  private static Type typeOf(Map<String, Type> types, Column column) {
    Type known = types.get(column.path());
    return known != null && known.physical() == column.type()
        ? known
        : new Type(
            Objects.requireNonNull(column.type(), "the type is encrypted"),
            0,
            Type.Logical.NONE,
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

  private static ForeignBloomFilter filter(ForeignBytes in, Column column, Map<String, Type> types)
      throws IOException {
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

  /**
   * The type of a Parquet column, which decides what is hashed for a value: its plain encoding.
   *
   * <p>Values are written as numbers, texts or hexadecimal digits, as the physical type has it.
   * Depending on the logical type, they can also be written as a date ({@code 2024-02-29}), a time
   * stamp ({@code 2024-02-29T12:00:00Z}), a UUID, or a decimal number, which is converted to the
   * column's scale; unsigned numbers have their whole range.
   *
   * @param physical how values are stored
   * @param length bytes of each value of a {@link PhysicalType#FIXED_LEN_BYTE_ARRAY}; 0 if unknown
   * @param logical what values mean
   * @param scale digits after the decimal point of a {@link Logical#DECIMAL}, otherwise 0
   */
  public record Type(PhysicalType physical, int length, Logical logical, int scale)
      implements KeyCoding {

    /** The meaning of values, as far as it affects how they are written. */
    public enum Logical {
      /** No more than the physical type. */
      NONE,
      /** Text. */
      STRING,
      /** A UUID. */
      UUID,
      /** A whole number divided by a power of ten. */
      DECIMAL,
      /** Days since 1970-01-01. */
      DATE,
      /** Milliseconds since 1970-01-01. */
      TIMESTAMP_MILLIS,
      /** Microseconds since 1970-01-01. */
      TIMESTAMP_MICROS,
      /** Nanoseconds since 1970-01-01. */
      TIMESTAMP_NANOS,
      /** A whole number that is not negative. */
      UNSIGNED
    }

    private static final int INT96_BYTES = 12;

    @Override
    public TypedKeys assumed() {
      return switch (physical) {
        case INT32, INT64 -> TypedKeys.of(toString(), this::integer);
        case FLOAT -> KeyCoding.Standard.LITTLE_ENDIAN.as(TypedKeys.Type.FLOAT);
        case DOUBLE -> KeyCoding.Standard.LITTLE_ENDIAN.as(TypedKeys.Type.DOUBLE);
        case INT96 -> sized(TypedKeys.Type.HEX, INT96_BYTES);
        case BYTE_ARRAY ->
            logical == Logical.DECIMAL
                ? TypedKeys.of(toString(), value -> decimal(value).toByteArray())
                : KeyCoding.Standard.BYTES.as(TypedKeys.Type.TEXT);
        case FIXED_LEN_BYTE_ARRAY ->
            logical == Logical.DECIMAL
                ? TypedKeys.of(toString(), this::fixedDecimal)
                : sized(logical == Logical.UUID ? TypedKeys.Type.UUID : TypedKeys.Type.HEX, length);
        case BOOLEAN -> throw new IllegalArgumentException("BOOLEAN columns have no filters");
      };
    }

    @Override
    public TypedKeys as(TypedKeys.Type type) {
      boolean fits =
          switch (physical) {
            case INT32 -> type == TypedKeys.Type.INT32;
            case INT64 -> type == TypedKeys.Type.INT64;
            case FLOAT -> type == TypedKeys.Type.FLOAT;
            case DOUBLE -> type == TypedKeys.Type.DOUBLE;
            case INT96, BOOLEAN -> false;
            case BYTE_ARRAY -> type == TypedKeys.Type.TEXT;
            case FIXED_LEN_BYTE_ARRAY -> type == TypedKeys.Type.UUID && logical == Logical.UUID;
          };
      if (fits) {
        return assumed();
      }
      boolean bytes =
          type == TypedKeys.Type.HEX
              || type == TypedKeys.Type.TEXT
              || (type == TypedKeys.Type.UUID && physical == PhysicalType.FIXED_LEN_BYTE_ARRAY);
      return switch (physical) {
        case BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY -> {
          if (!bytes) {
            throw refusal(type);
          }
          yield sized(type, length);
        }
        default -> throw refusal(type);
      };
    }

    private IllegalArgumentException refusal(TypedKeys.Type type) {
      return new IllegalArgumentException(
          "keys of type %s are not possible: the column is of type %s"
              .formatted(type.lowerCase(), this));
    }

    /** Keys that are not numbers: all of the given length in bytes, or of any length if it is 0. */
    private TypedKeys sized(TypedKeys.Type type, int bytes) {
      TypedKeys keys = KeyCoding.Standard.BYTES.as(type);
      if (bytes == 0) {
        return keys;
      }
      return TypedKeys.of(
          type.lowerCase(),
          value -> {
            byte[] text = value.getBytes(UTF_8);
            byte[] key = keys.bytes(text, 0, text.length);
            if (key.length != bytes) {
              throw new IllegalArgumentException(
                  "\"%s\" has %d bytes; values of type %s have %d"
                      .formatted(value, key.length, this, bytes));
            }
            return key;
          });
    }

    private byte[] integer(String value) {
      BigInteger number =
          switch (logical) {
            case DECIMAL -> decimal(value);
            case DATE -> or(value, text -> LocalDate.parse(text).toEpochDay());
            case TIMESTAMP_MILLIS -> or(value, text -> since1970(text, 1_000_000));
            case TIMESTAMP_MICROS -> or(value, text -> since1970(text, 1_000));
            case TIMESTAMP_NANOS -> or(value, text -> since1970(text, 1));
            default -> whole(value);
          };
      int bits = physical == PhysicalType.INT32 ? Integer.SIZE : Long.SIZE;
      boolean fits =
          logical == Logical.UNSIGNED
              ? number.signum() >= 0 && number.bitLength() <= bits
              : number.bitLength() < bits;
      if (!fits) {
        throw new IllegalArgumentException(
            "\"%s\" is outside the range of %s".formatted(value, this));
      }
      ByteBuffer bytes = ByteBuffer.allocate(bits / Byte.SIZE).order(ByteOrder.LITTLE_ENDIAN);
      return bits == Integer.SIZE
          ? bytes.putInt(number.intValue()).array()
          : bytes.putLong(number.longValue()).array();
    }

    private BigInteger or(String value, Function<String, Object> parser) {
      try {
        return new BigInteger(parser.apply(value).toString());
      } catch (DateTimeException | ArithmeticException e) {
        return whole(value);
      }
    }

    private static Object since1970(String text, long nanosPerUnit) {
      Instant instant =
          text.endsWith("Z")
              ? Instant.parse(text)
              : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
      BigInteger nanos =
          BigInteger.valueOf(instant.getEpochSecond())
              .multiply(BigInteger.valueOf(1_000_000_000))
              .add(BigInteger.valueOf(instant.getNano()));
      BigInteger[] parts = nanos.divideAndRemainder(BigInteger.valueOf(nanosPerUnit));
      if (parts[1].signum() != 0) {
        throw new IllegalArgumentException(
            "\"" + text + "\" is finer than the time stamps of the column");
      }
      return parts[0];
    }

    private BigInteger whole(String value) {
      try {
        return new BigInteger(value);
      } catch (NumberFormatException e) {
        throw notThis(value, e);
      }
    }

    private BigInteger decimal(String value) {
      try {
        return new BigDecimal(value).setScale(scale).unscaledValue();
      } catch (NumberFormatException e) {
        throw notThis(value, e);
      } catch (ArithmeticException e) {
        throw new IllegalArgumentException(
            "\"%s\" has more than %d digits after the point".formatted(value, scale), e);
      }
    }

    private IllegalArgumentException notThis(String value, Exception cause) {
      return new IllegalArgumentException("\"%s\" is not of type %s".formatted(value, this), cause);
    }

    private byte[] fixedDecimal(String value) {
      byte[] least = decimal(value).toByteArray();
      if (length == 0 || least.length == length) {
        return least;
      }
      if (least.length > length) {
        throw new IllegalArgumentException(
            "\"%s\" is outside the range of %s".formatted(value, this));
      }
      byte[] bytes = new byte[length];
      Arrays.fill(bytes, (byte) (least[0] < 0 ? -1 : 0));
      System.arraycopy(least, 0, bytes, length - least.length, least.length);
      return bytes;
    }

    @Override
    public String toString() {
      String stored = length == 0 ? physical.name() : physical + "(" + length + ")";
      return switch (logical) {
        case NONE -> stored;
        case DECIMAL -> stored + " DECIMAL, scale " + scale;
        default -> stored + " " + logical;
      };
    }
  }
}
