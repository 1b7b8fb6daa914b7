package io.bloomery.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.foreign.TypedKeys;
import io.bloomery.hash.Hasher;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

/** A key has one hash in Spark, in Java and on the command line. */
final class SparkKeysTest {

  private static final Hasher HASHER = Hasher.xxh3();

  @Test
  void theCommandLineHashesTheSame() {
    cli(TypedKeys.Type.INT64, "-42", DataTypes.LongType, -42L);
    cli(TypedKeys.Type.INT64, "-42", DataTypes.IntegerType, -42);
    cli(TypedKeys.Type.INT64, "-42", DataTypes.ShortType, (short) -42);
    cli(TypedKeys.Type.INT64, "-42", DataTypes.ByteType, (byte) -42);
    cli(TypedKeys.Type.TEXT, "Zürich", DataTypes.StringType, "Zürich");
    cli(TypedKeys.Type.TEXT, "", DataTypes.StringType, "");
    cli(TypedKeys.Type.HEX, "00ff10", DataTypes.BinaryType, new byte[] {0, -1, 16});
    cli(TypedKeys.Type.HEX, "01", DataTypes.BooleanType, true);
    cli(TypedKeys.Type.DOUBLE, "0.1", DataTypes.DoubleType, 0.1);
    cli(TypedKeys.Type.FLOAT, "0.1", DataTypes.FloatType, 0.1f);
    cli(TypedKeys.Type.DOUBLE, "0", DataTypes.DoubleType, -0.0);
    cli(TypedKeys.Type.INT64, "19782", DataTypes.DateType, LocalDate.of(2024, 2, 29));
    cli(
        TypedKeys.Type.INT64,
        "1709210096000007",
        DataTypes.TimestampType,
        Instant.parse("2024-02-29T12:34:56.000007Z"));
    cli(TypedKeys.Type.TEXT, "-1.5", DataTypes.createDecimalType(9, 3), new BigDecimal("-1.500"));
    cli(TypedKeys.Type.TEXT, "1200", DataTypes.createDecimalType(38, 2), new BigDecimal("1200.00"));
    cli(TypedKeys.Type.TEXT, "0", DataTypes.createDecimalType(9, 3), new BigDecimal("0.000"));
  }

  private static void cli(TypedKeys.Type typed, String text, DataType type, Object value) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    assertThat(SparkKeys.of(type).hashValue(value))
        .as(type + " " + text)
        .isEqualTo(TypedKeys.ofBloomery(typed).hash(HASHER, bytes, 0, bytes.length));
  }

  @Test
  void structsAreTheFieldsOfAFunnel() {
    StructType inner = new StructType().add("x", DataTypes.IntegerType);
    StructType type =
        new StructType()
            .add("id", DataTypes.LongType)
            .add("name", DataTypes.StringType)
            .add("price", DataTypes.createDecimalType(9, 2))
            .add("ok", DataTypes.BooleanType)
            .add("at", inner)
            .add("raw", DataTypes.BinaryType)
            .add("none", DataTypes.StringType);
    Row row =
        RowFactory.create(
            7L, "ab", new BigDecimal("2.50"), true, RowFactory.create(3), new byte[] {1, 2}, null);
    long expected =
        HASHER.hash(
            row,
            (r, into) ->
                into.put(7L)
                    .put("ab")
                    .put("2.5")
                    .put(true)
                    .put(r, (ignored, part) -> part.put(3L))
                    .put(new byte[] {1, 2})
                    .putNullable((String) null, io.bloomery.hash.Funnel.text()));
    assertThat(SparkKeys.of(type).hashValue(row)).isEqualTo(expected);
  }

  /** Rows as tasks see them: encoded, in one array, at an offset. */
  @Test
  void encodedRowsHashTheSame() {
    StructType type =
        new StructType()
            .add("text", DataTypes.StringType)
            .add("raw", DataTypes.BinaryType)
            .add("price", DataTypes.createDecimalType(30, 2))
            .add("date", DataTypes.DateType);
    Row row =
        RowFactory.create(
            "ключ", new byte[] {9, 8, 7}, new BigDecimal("12.30"), LocalDate.of(1969, 12, 31));
    List<InternalRow> rows =
        LocalSpark.session()
            .createDataFrame(List.of(row), type)
            .queryExecution()
            .toRdd()
            .toJavaRDD()
            .map(InternalRow::copy)
            .collect();
    for (int i = 0; i < type.length(); i++) {
      SparkKeys keys = SparkKeys.of(type.fields()[i].dataType());
      assertThat(keys.hash(rows.get(0), i)).isEqualTo(keys.hashValue(row.get(i)));
    }
  }

  @Test
  void seedsTravel() throws IOException, ClassNotFoundException {
    SparkKeys keys = SparkKeys.of(DataTypes.LongType, Hasher.xxh3(99));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ObjectOutputStream objects = new ObjectOutputStream(out)) {
      objects.writeObject(keys);
    }
    SparkKeys again =
        (SparkKeys) new ObjectInputStream(new ByteArrayInputStream(out.toByteArray())).readObject();
    assertThat(again.hashValue(5L)).isEqualTo(Hasher.xxh3(99).hash(5L));
    assertThat(again.hasher()).isEqualTo(Hasher.xxh3(99));
  }

  @Test
  void whatCannotBeAKeyIsRefused() {
    for (String type : List.of("array<int>", "map<int,int>", "interval day to second", "variant")) {
      assertThatThrownBy(() -> SparkKeys.of(DataType.fromDDL(type)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("cannot be keys");
    }
    assertThatThrownBy(() -> SparkKeys.of(DataType.fromDDL("string collate UNICODE_CI")))
        .hasMessageContaining("UNICODE_CI")
        .hasMessageContaining("collation_key");
    assertThatThrownBy(() -> SparkKeys.of(DataTypes.LongType, Hasher.keyed(new byte[16])))
        .hasMessageContaining("secret");
  }
}
