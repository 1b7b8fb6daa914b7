package io.bloomery.foreign.parquet;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.foreign.KeyCoding;
import io.bloomery.foreign.TypedKeys;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.DateType;
import org.apache.parquet.format.DecimalType;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.IntType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.MicroSeconds;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.StringType;
import org.apache.parquet.format.TimeUnit;
import org.apache.parquet.format.TimestampType;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.UUIDType;
import org.apache.parquet.format.Util;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Types of columns, from footers that parquet-format's own classes write. */
final class ParquetTypeTest {

  @TempDir private Path directory;

  @Test
  void numbersArePlain() throws IOException {
    assertThat(key(element(Type.INT32), "-2")).isEqualTo("feffffff");
    assertThat(key(element(Type.INT64), "-2")).isEqualTo("feffffffffffffff");
    assertThat(key(element(Type.FLOAT), "1")).isEqualTo("0000803f");
    assertThat(key(element(Type.DOUBLE), "1")).isEqualTo("000000000000f03f");
    fails(element(Type.INT32), "12x", "\"12x\" is not of type INT32");
    fails(element(Type.INT32), "2147483648", "outside the range of INT32");
  }

  @Test
  void logicalTypesAreWrittenAsTheyRead() throws IOException {
    SchemaElement date = element(Type.INT32).setLogicalType(LogicalType.DATE(new DateType()));
    assertThat(key(date, "1970-01-11")).isEqualTo("0a000000").isEqualTo(key(date, "10"));
    fails(date, "yesterday", "INT32 DATE");
    SchemaElement time =
        element(Type.INT64)
            .setLogicalType(
                LogicalType.TIMESTAMP(
                    new TimestampType(true, TimeUnit.MICROS(new MicroSeconds()))));
    assertThat(key(time, "1970-01-01T00:00:00.000001Z")).isEqualTo("0100000000000000");
    assertThat(key(time, "1970-01-01T00:00:00.000001")).isEqualTo("0100000000000000");
    assertThat(key(time, "1")).isEqualTo("0100000000000000");
    fails(time, "1970-01-01T00:00:00.0000001Z", "finer");
    SchemaElement unsigned =
        element(Type.INT32).setLogicalType(LogicalType.INTEGER(new IntType((byte) 32, false)));
    assertThat(key(unsigned, "4294967295")).isEqualTo("ffffffff");
    fails(unsigned, "-1", "outside the range");
    SchemaElement signed =
        element(Type.INT32).setLogicalType(LogicalType.INTEGER(new IntType((byte) 32, true)));
    assertThat(key(signed, "-1")).isEqualTo("ffffffff");
    SchemaElement old = element(Type.INT64).setConverted_type(ConvertedType.UINT_64);
    assertThat(key(old, "18446744073709551615")).isEqualTo("ffffffffffffffff");
  }

  @Test
  void decimalsHaveTheScaleOfTheColumn() throws IOException {
    SchemaElement small = decimal(element(Type.INT32));
    assertThat(key(small, "1.5")).isEqualTo("96000000").isEqualTo(key(small, "1.50"));
    fails(small, "1.555", "more than 2 digits");
    fails(small, "abc", "DECIMAL");
    assertThat(key(decimal(element(Type.BYTE_ARRAY)), "-1.28")).isEqualTo("80");
    SchemaElement fixed = decimal(element(Type.FIXED_LEN_BYTE_ARRAY).setType_length(4));
    assertThat(key(fixed, "-1.28")).isEqualTo("ffffff80");
    fails(fixed, "100000000", "outside the range");
    SchemaElement old =
        element(Type.INT64).setConverted_type(ConvertedType.DECIMAL).setScale(3).setPrecision(9);
    assertThat(key(old, "0.001")).isEqualTo("0100000000000000");
  }

  private static SchemaElement decimal(SchemaElement element) {
    return element.setLogicalType(LogicalType.DECIMAL(new DecimalType(2, 9)));
  }

  @Test
  void byteArraysAreTextUuidOrHex() throws IOException {
    SchemaElement text =
        element(Type.BYTE_ARRAY).setLogicalType(LogicalType.STRING(new StringType()));
    assertThat(key(text, "é")).isEqualTo("c3a9");
    assertThat(hex(type(text).as(TypedKeys.Type.HEX), "00ff")).isEqualTo("00ff");
    assertThatThrownBy(() -> type(text).as(TypedKeys.Type.INT64))
        .hasMessageContaining("int64")
        .hasMessageContaining("BYTE_ARRAY STRING");
    SchemaElement fixed = element(Type.FIXED_LEN_BYTE_ARRAY).setType_length(16);
    String uuid = "00112233-4455-6677-8899-aabbccddeeff";
    String digits = uuid.replace("-", "");
    assertThat(key(fixed, digits)).isEqualTo(digits);
    assertThat(hex(type(fixed).as(TypedKeys.Type.UUID), uuid)).isEqualTo(digits);
    fails(fixed, "0011", "has 2 bytes; values of type FIXED_LEN_BYTE_ARRAY(16) have 16");
    fixed.setLogicalType(LogicalType.UUID(new UUIDType()));
    assertThat(key(fixed, uuid)).isEqualTo(digits);
    fails(fixed, "0011", "uuid");
    assertThat(key(element(Type.INT96), "000102030405060708090a0b")).hasSize(24);
  }

  @Test
  void contradictingTypesAreRefused() throws IOException {
    for (TypedKeys.Type type : TypedKeys.Type.values()) {
      if (type != TypedKeys.Type.INT64) {
        assertThatThrownBy(() -> type(element(Type.INT64)).as(type))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage(
                "keys of type %s are not possible: the column is of type INT64"
                    .formatted(type.lowerCase()));
      }
    }
    assertThat(hex(type(element(Type.INT64)).as(TypedKeys.Type.INT64), "1")).startsWith("01");
  }

  private static SchemaElement element(Type type) {
    return new SchemaElement("leaf").setType(type);
  }

  private String key(SchemaElement element, String value) throws IOException {
    return hex(type(element).assumed(), value);
  }

  private void fails(SchemaElement element, String value, String message) {
    assertThatThrownBy(() -> key(element, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  private static String hex(TypedKeys keys, String value) {
    byte[] text = value.getBytes(UTF_8);
    return HexFormat.of().formatHex(keys.bytes(text, 0, text.length));
  }

  /** The type of a column within a group, behind another column. */
  private KeyCoding type(SchemaElement leaf) throws IOException {
    List<SchemaElement> schema =
        List.of(
            new SchemaElement("root").setNum_children(2),
            new SchemaElement("before").setType(Type.BOOLEAN),
            new SchemaElement("group").setNum_children(1),
            leaf);
    ColumnMetaData meta =
        new ColumnMetaData(
            leaf.getType(),
            List.of(Encoding.PLAIN),
            List.of("group", "leaf"),
            CompressionCodec.UNCOMPRESSED,
            1,
            4,
            4,
            4);
    ColumnChunk chunk = new ColumnChunk(4).setMeta_data(meta);
    ByteArrayOutputStream footer = new ByteArrayOutputStream();
    Util.writeFileMetaData(
        new FileMetaData(1, schema, 1, List.of(new RowGroup(List.of(chunk), 4, 1))), footer);
    byte[] magic = "PAR1".getBytes(US_ASCII);
    byte[] bytes =
        ByteBuffer.allocate(12 + footer.size())
            .order(ByteOrder.LITTLE_ENDIAN)
            .put(magic)
            .put(footer.toByteArray())
            .putInt(footer.size())
            .put(magic)
            .array();
    ParquetFile file = ParquetFile.open(Files.write(directory.resolve("x.parquet"), bytes));
    return file.typeOf(file.columns().get(0));
  }
}
