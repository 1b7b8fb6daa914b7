package io.bloomery.spark;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import java.io.Serial;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.BinaryView;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Turns values of one Spark type into the 64-bit hashes that filters store. The same key has the
 * same hash here, in Java and on the command line:
 *
 * <table>
 * <caption>Keys</caption>
 * <tr><th>Spark</th><th>Java</th><th>{@code bloom --type}</th></tr>
 * <tr><td>long, int, short, byte</td><td>{@code add(long)}</td><td>{@code int64}</td></tr>
 * <tr><td>string, of the collation UTF8_BINARY</td><td>{@code add("…")}</td><td>{@code text}</td></tr>
 * <tr><td>binary</td><td>{@code add(byte[])}</td><td>{@code hex}</td></tr>
 * <tr><td>date</td><td>{@code add(date.toEpochDay())}</td><td>{@code int64}</td></tr>
 * <tr><td>timestamp, with or without a time zone</td><td>{@code add(microseconds since
 * 1970)}</td><td>{@code int64}</td></tr>
 * <tr><td>decimal</td><td>{@code add(d.stripTrailingZeros().toPlainString())}</td><td>{@code
 * text}</td></tr>
 * <tr><td>double, float</td><td>{@code add(Double.doubleToLongBits(d))}</td><td>{@code
 * double}</td></tr>
 * <tr><td>boolean</td><td>{@code add(new byte[] {1})}, or 0</td><td>{@code hex}</td></tr>
 * <tr><td>struct</td><td>{@code add(o, (o, into) -> into.put(…).put(…))}</td><td></td></tr>
 * </table>
 *
 * <p>Values that are equal in Spark have one hash: decimals of any scale, 0.0 and -0.0, every NaN.
 * NULL is not a key and has no hash, but a field of a struct may be NULL.
 *
 * <p>Immutable; travels with tasks. Any number of threads may use one.
 */
public final class SparkKeys implements Serializable {

  private static final long serialVersionUID = 1;

  /** How a value is read, and which bytes it is. */
  private enum Form {
    BOOLEAN,
    BYTE,
    SHORT,
    INT,
    LONG,
    FLOAT,
    DOUBLE,
    STRING,
    BINARY,
    DECIMAL,
    STRUCT
  }

  private final DataType type;
  private final Form form;
  private final SparkKeys @Nullable [] fields; // of a struct
  private final long seed;
  private transient Hasher hasher;

  private SparkKeys(DataType type, long seed) {
    this.type = type;
    this.form = form(type);
    this.seed = seed;
    this.hasher = Hasher.xxh3(seed);
    if (type instanceof StructType struct) {
      fields = new SparkKeys[struct.length()];
      for (int i = 0; i < fields.length; i++) {
        fields[i] = new SparkKeys(struct.fields()[i].dataType(), seed);
      }
    } else {
      fields = null;
    }
  }

  /**
   * Keys of a type under the library's default hasher.
   *
   * @param type a column's type
   * @return the keys
   * @throws IllegalArgumentException if values of the type cannot be keys: arrays, maps, intervals,
   *     variants, and strings whose collation makes different texts equal
   */
  public static SparkKeys of(DataType type) {
    return of(type, Hasher.xxh3());
  }

  /**
   * Keys of a type under a hasher.
   *
   * @param type a column's type
   * @param hasher {@link Hasher#xxh3()} or {@link Hasher#xxh3(long)}; a secret key does not travel
   *     with tasks
   * @return the keys
   * @throws IllegalArgumentException if values of the type cannot be keys, or the hasher is keyed
   */
  public static SparkKeys of(DataType type, Hasher hasher) {
    Objects.requireNonNull(type, "type");
    return new SparkKeys(type, seed(hasher));
  }

  /** The seed from which a hasher is recreated on another machine. */
  static long seed(Hasher hasher) {
    if (hasher.isKeyed()) {
      throw new IllegalArgumentException(
          "a keyed hasher cannot be used in Spark: its secret would be sent to every executor and"
              + " stored in logs of plans; use Hasher.xxh3(seed)");
    }
    return hasher.seedOrKeyCheck();
  }

  private static Form form(DataType type) {
    if (type instanceof LongType
        || type instanceof TimestampType
        || type instanceof TimestampNTZType) {
      return Form.LONG;
    }
    if (type instanceof IntegerType || type instanceof DateType) {
      return Form.INT;
    }
    if (type instanceof StringType text) {
      if (!text.supportsBinaryEquality()) {
        throw new IllegalArgumentException(
            "strings of the collation %s cannot be keys: texts of different bytes are equal; use"
                    .formatted(text.collationName())
                + " collation_key(column), which is binary");
      }
      return Form.STRING;
    }
    if (type instanceof BinaryType) {
      return Form.BINARY;
    }
    if (type instanceof DecimalType) {
      return Form.DECIMAL;
    }
    if (type instanceof ShortType) {
      return Form.SHORT;
    }
    if (type instanceof ByteType) {
      return Form.BYTE;
    }
    if (type instanceof DoubleType) {
      return Form.DOUBLE;
    }
    if (type instanceof FloatType) {
      return Form.FLOAT;
    }
    if (type instanceof BooleanType) {
      return Form.BOOLEAN;
    }
    if (type instanceof StructType) {
      return Form.STRUCT;
    }
    throw new IllegalArgumentException(
        "values of type "
            + type.simpleString()
            + " cannot be keys; numbers, text, binary, dates, timestamps, decimals, booleans and"
            + " structs of those can");
  }

  /**
   * The type of the values.
   *
   * @return as given
   */
  public DataType type() {
    return type;
  }

  /**
   * The hasher of the keys.
   *
   * @return the hasher of filters that hold these keys
   */
  public Hasher hasher() {
    return hasher;
  }

  /**
   * The hash of a value that is not NULL, in Spark's own representation of rows.
   *
   * @param row a row, or the fields of a struct
   * @param ordinal the column, from 0; its value is not NULL
   * @return 64 bits
   */
  public long hash(SpecializedGetters row, int ordinal) {
    return switch (form) {
      case LONG -> hasher.hash(row.getLong(ordinal));
      case INT -> hasher.hash((long) row.getInt(ordinal));
      case SHORT -> hasher.hash((long) row.getShort(ordinal));
      case BYTE -> hasher.hash((long) row.getByte(ordinal));
      case DOUBLE -> hash(hasher, row.getDouble(ordinal));
      case FLOAT -> hash(hasher, row.getFloat(ordinal));
      case BOOLEAN -> hash(hasher, row.getBoolean(ordinal));
      case STRING -> hash(hasher, row.getUTF8String(ordinal));
      case BINARY ->
          row instanceof UnsafeRow unsafe
              ? hash(hasher, unsafe.getBinaryView(ordinal))
              : hasher.hash(row.getBinary(ordinal));
      case DECIMAL -> hash(hasher, decimal(row, ordinal));
      case STRUCT -> hash(row.getStruct(ordinal, fieldCount()));
    };
  }

  /**
   * The hash of a struct.
   *
   * @param struct its fields, which may be NULL
   * @return 64 bits
   */
  public long hash(InternalRow struct) {
    return hasher.hash(struct, fieldsFunnel());
  }

  /**
   * The hash of a value as Spark's Java API has it: {@code Long}, {@code String}, {@code byte[]},
   * {@code java.sql.Date} or {@code LocalDate}, {@code Timestamp} or {@code Instant}, {@code
   * BigDecimal}, {@code Row}.
   *
   * @param value a value of the type, not null
   * @return 64 bits
   */
  public long hashValue(Object value) {
    Objects.requireNonNull(value, "value");
    Object internal = CatalystTypeConverters.createToCatalystConverter(type).apply(value);
    return hash(new GenericInternalRow(new Object[] {internal}), 0);
  }

  private Decimal decimal(SpecializedGetters row, int ordinal) {
    DecimalType decimal = (DecimalType) type;
    return row.getDecimal(ordinal, decimal.precision(), decimal.scale());
  }

  private int fieldCount() {
    return Objects.requireNonNull(fields).length;
  }

  private Funnel<SpecializedGetters> fieldsFunnel() {
    SparkKeys[] each = Objects.requireNonNull(fields);
    return (row, into) -> {
      for (int i = 0; i < each.length; i++) {
        each[i].put(row, i, into);
      }
    };
  }

  private void put(SpecializedGetters row, int ordinal, Funnel.Fields into) {
    if (row.isNullAt(ordinal)) {
      into.putNullable(null, Funnel.bytes());
      return;
    }
    switch (form) {
      case LONG -> into.put(row.getLong(ordinal));
      case INT -> into.put(row.getInt(ordinal));
      case SHORT -> into.put(row.getShort(ordinal));
      case BYTE -> into.put(row.getByte(ordinal));
      case DOUBLE -> into.put(normal(row.getDouble(ordinal)));
      case FLOAT -> into.put(normal(row.getFloat(ordinal)));
      case BOOLEAN -> into.put(row.getBoolean(ordinal));
      case STRING -> into.put(row.getUTF8String(ordinal).getBytes());
      case BINARY -> into.put(row.getBinary(ordinal));
      case DECIMAL -> into.put(bytes(decimal(row, ordinal)));
      case STRUCT -> into.put(row.getStruct(ordinal, fieldCount()), fieldsFunnel());
    }
  }

  /** The hash of text, without a copy where its bytes are in an array. */
  static long hash(Hasher hasher, UTF8String text) {
    return text.getBaseObject() instanceof byte[] bytes
        ? hasher.hash(bytes, offset(text), text.numBytes())
        : hasher.hash(text.getBytes());
  }

  /** Where in its array a text begins. */
  static int offset(UTF8String text) {
    return (int) (text.getBaseOffset() - Platform.BYTE_ARRAY_OFFSET);
  }

  private static long hash(Hasher hasher, BinaryView view) {
    return view.getBaseObject() instanceof byte[] bytes
        ? hasher.hash(
            bytes, (int) (view.getBaseOffset() - Platform.BYTE_ARRAY_OFFSET), view.numBytes())
        : hasher.hash(view.getBytes());
  }

  private static long hash(Hasher hasher, Decimal number) {
    return hasher.hash(bytes(number));
  }

  private static long hash(Hasher hasher, double number) {
    return hasher.hash(bits(number));
  }

  private static long hash(Hasher hasher, boolean value) {
    return hasher.hash(bytes(value));
  }

  /** The number that represents a real number; 0.0 and -0.0 have the same one. */
  static long bits(double number) {
    return Double.doubleToLongBits(normal(number));
  }

  /** The bytes of a truth value. */
  static byte[] bytes(boolean value) {
    return new byte[] {(byte) (value ? 1 : 0)};
  }

  /** The bytes of a struct. */
  byte[] bytes(InternalRow struct) {
    return Funnel.Fields.bytesOf(struct, fieldsFunnel());
  }

  /** A type whose values have the same hashes, and of which generated code knows fewer. */
  DataType widened() {
    return switch (form) {
      case BYTE, SHORT -> DataTypes.LongType;
      case INT -> type instanceof DateType ? type : DataTypes.LongType;
      case FLOAT -> DataTypes.DoubleType;
      default -> type;
    };
  }

  /** The name of the type for {@code bloom --type}; null if it has none. */
  @Nullable String bloomType() {
    List<String> all = bloomTypes();
    return all.isEmpty() ? null : all.get(0);
  }

  /** All types of {@code bloom} whose keys may be such values, the usual one first. */
  List<String> bloomTypes() {
    return switch (form) {
      case LONG, INT, SHORT, BYTE -> List.of("int64", "int32");
      case STRING -> List.of("text");
      case DECIMAL -> List.of("text", "number");
      case BINARY -> List.of("hex", "uuid", "utf16");
      case BOOLEAN -> List.of("hex");
      case DOUBLE, FLOAT -> List.of("double", "float");
      case STRUCT -> List.of();
    };
  }

  /**
   * A name of the type. Types have one name if equal values of them have the same hash, as all
   * whole numbers and all decimals; within a struct, whole numbers of different types differ.
   */
  String typeName() {
    return switch (form) {
      case INT, SHORT, BYTE, FLOAT -> widened().catalogString();
      case STRING -> "string";
      case DECIMAL -> "decimal";
      case STRUCT ->
          Arrays.stream(Objects.requireNonNull(fields))
              .map(SparkKeys::fieldName)
              .collect(Collectors.joining(",", "struct<", ">"));
      default -> type.catalogString();
    };
  }

  private String fieldName() {
    return switch (form) {
      case INT, SHORT, BYTE, FLOAT -> type.catalogString();
      default -> typeName();
    };
  }

  private static double normal(double number) {
    return number == 0 ? 0 : number;
  }

  /** The digits of a decimal, without zeros at the end. */
  static byte[] bytes(Decimal number) {
    return number.toJavaBigDecimal().stripTrailingZeros().toPlainString().getBytes(UTF_8);
  }

  @Serial
  private Object readResolve() {
    return new SparkKeys(type, seed);
  }

  @Override
  public String toString() {
    return type.simpleString() + ", " + hasher;
  }
}
