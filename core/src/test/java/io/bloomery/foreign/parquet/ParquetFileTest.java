package io.bloomery.foreign.parquet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.ForeignFilter;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.ForeignSubject;
import io.bloomery.foreign.TypedKeys;
import io.bloomery.foreign.parquet.ParquetFile.Column;
import io.bloomery.foreign.parquet.ParquetFile.PhysicalType;
import io.bloomery.foreign.parquet.ParquetFile.Presence;
import io.bloomery.foreign.registry.ForeignFormats;
import io.bloomery.testkit.Json;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Util;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters within Parquet files that parquet-mr, parquet-rs and Arrow wrote. */
final class ParquetFileTest {

  private static final String ARROW = "/foreign/parquet/arrow-bloom-words.parquet";
  private static final List<String> VALUES =
      List.of(
          "Hello",
          "This is",
          "a",
          "test",
          "How",
          "are you",
          "doing ",
          "today",
          "the quick",
          "brown fox",
          "jumps",
          "over",
          "the lazy",
          "dog");

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "data_index_bloom_encoding_stats.parquet",
        "data_index_bloom_encoding_with_length.parquet"
      })
  void fileWithOneFilterOpens(String name) throws IOException {
    Path file = file(ForeignSubject.resource("/foreign/parquet/" + name));
    Filter filter = Filters.open(file);
    assertThat(VALUES).allMatch(filter::mightContain);
    assertThat(filter.mightContain("absent")).isFalse();
    assertThat(ForeignFormats.candidates(file)).singleElement().isSameAs(ParquetFile.FORMAT);
    Column column = ParquetFile.open(file).columns().get(0);
    assertThat(column.path()).isEqualTo("String");
    assertThat(column.type()).isEqualTo(PhysicalType.BYTE_ARRAY);
    boolean stats = name.contains("stats");
    assertThat(column.offset()).isEqualTo(stats ? 192 : 253);
    assertThat(column.length()).isEqualTo(stats ? 0 : 2064);

    Path copy = directory.resolve("copy");
    ((ForeignFilter) filter).writeTo(copy);
    Filter again = Filters.open(copy);
    assertThat(((ForeignFilter) again).format()).isSameAs(ParquetFormat.FORMAT);
    assertThat(VALUES).allMatch(again::mightContain);
  }

  @Test
  void columnsAreListedWithPlaceAndType() throws IOException {
    ParquetFile parquet = ParquetFile.open(file(ForeignSubject.resource(ARROW)));
    List<Column> expected = new ArrayList<>();
    for (Map<?, ?> row : arrowFacts()) {
      Object offset = row.get("bloom_filter_offset");
      expected.add(
          new Column(
              number(row.get("row_group")),
              (String) row.get("column"),
              PhysicalType.valueOf((String) row.get("physical_type")),
              offset == null ? Presence.ABSENT : Presence.PRESENT,
              offset == null ? 0 : number(offset),
              offset == null ? 0 : number(row.get("bloom_filter_length"))));
    }
    assertThat(parquet.columns()).isEqualTo(expected);
  }

  @Test
  void filtersAnswerForTheValuesOfTheirColumn() throws IOException {
    byte[] bytes = ForeignSubject.resource(ARROW);
    Path file = file(bytes);
    ParquetFile parquet = ParquetFile.open(file);
    for (Map<?, ?> row : arrowFacts()) {
      if (row.get("set_bits") == null) {
        continue;
      }
      int group = number(row.get("row_group"));
      String column = (String) row.get("column");
      ForeignBloomFilter filter = parquet.filter(group, column);
      assertThat(filter.bitsSet()).isEqualTo(number(row.get("set_bits")));
      List<byte[]> own = values(bytes, group, column);
      assertThat(own).hasSize(2_000).allMatch(filter::mightContain);
      assertThat(values(bytes, 1 - group, column).stream().filter(filter::mightContain))
          .hasSize(number(row.get("other_row_group_values_that_match")));

      ForeignFormat<?> chosen = ForeignFormats.named("parquet:" + group + ":" + column);
      assertThat(((ForeignBloomFilter) chosen.open(file)).toLongArray())
          .isEqualTo(filter.toLongArray());
      ForeignBloomFilter rebuilt = ParquetFormat.ofBytes(number(row.get("num_bytes")));
      own.forEach(rebuilt::add);
      assertThat(rebuilt.toLongArray()).isEqualTo(filter.toLongArray());
    }
  }

  @Test
  void everyValueOfEveryColumnIsFoundByItsText() throws IOException {
    byte[] bytes = ForeignSubject.resource(ARROW);
    ParquetFile parquet = ParquetFile.open(file(bytes));
    for (Column column : parquet.columns()) {
      if (column.presence() != Presence.PRESENT) {
        continue;
      }
      ForeignBloomFilter filter = parquet.filter(column.rowGroup(), column.path());
      TypedKeys keys = filter.keyCoding().assumed();
      assertThat(filter.keyCoding()).isEqualTo(parquet.typeOf(column));
      for (byte[] value : values(bytes, column.rowGroup(), column.path())) {
        String text = text(column.type(), value);
        assertThat(keys.mightContain(filter, text)).as(column + ": " + text).isTrue();
      }
    }
  }

  private static String text(PhysicalType type, byte[] value) {
    ByteBuffer plain = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
    return switch (type) {
      case INT32 -> Integer.toString(plain.getInt());
      case INT64 -> Long.toString(plain.getLong());
      case DOUBLE -> Double.toString(plain.getDouble());
      case BYTE_ARRAY -> new String(value, UTF_8);
      default -> HexFormat.of().formatHex(value);
    };
  }

  @Test
  void severalFiltersAreNamed() throws IOException {
    Path file = file(ForeignSubject.resource(ARROW));
    assertThatThrownBy(() -> Filters.open(file))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("10 filters")
        .hasMessageContaining("parquet:GROUP:COLUMN")
        .hasMessageContaining("0:word, 0:i32");
    assertThatThrownBy(() -> ForeignFormats.named("parquet:0:none").open(file))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("0:word");
    assertThatThrownBy(() -> ForeignFormats.named("parquet:0:nobloom").open(file))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("no Bloom filter");
    assertThatThrownBy(() -> ForeignFormats.named("parquet:word"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("parquet:GROUP:COLUMN");
    ParquetFile parquet = ParquetFile.open(file);
    assertThatThrownBy(() -> parquet.filter(2, "word"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 … 1");
    assertThatThrownBy(() -> parquet.filter(0, "none"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0:word");
  }

  @Test
  void damagedFilesAreReadOrRefused() throws IOException {
    byte[] sound =
        ForeignSubject.resource("/foreign/parquet/data_index_bloom_encoding_stats.parquet");
    SplittableRandom draw = Seeds.random(11);
    int refused = 0;
    for (int trial = 0; trial < 20_000; trial++) {
      byte[] bytes = sound.clone();
      for (int i = 0; i <= trial % 4; i++) {
        bytes[draw.nextInt(bytes.length)] = (byte) draw.nextInt(256);
      }
      try {
        ParquetFile.FORMAT.read(bytes).mightContain("Hello");
      } catch (FilterFormatException e) {
        refused++;
      }
    }
    assertThat(refused).isBetween(1_000, 19_000);
    for (int length = 0; length < sound.length; length++) {
      byte[] cut = Arrays.copyOf(sound, length);
      assertThatThrownBy(() -> ParquetFile.FORMAT.read(cut))
          .isInstanceOf(FilterFormatException.class);
    }
  }

  private Path file(byte[] bytes) throws IOException {
    return Files.write(directory.resolve("file.parquet"), bytes);
  }

  private static List<Map<?, ?>> arrowFacts() {
    Map<?, ?> facts = (Map<?, ?>) Json.resource("/foreign/parquet/arrow-bloom-words.json");
    List<Map<?, ?>> rows = new ArrayList<>();
    ((List<?>) facts.get("column_chunks")).forEach(row -> rows.add((Map<?, ?>) row));
    return rows;
  }

  private static int number(Object value) {
    return ((Double) value).intValue();
  }

  /** The values of a column chunk in plain encoding, read through parquet-format's own classes. */
  private static List<byte[]> values(byte[] bytes, int group, String column) throws IOException {
    int footerLength =
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(bytes.length - 8);
    int footerAt = bytes.length - 8 - footerLength;
    FileMetaData meta =
        Util.readFileMetaData(new ByteArrayInputStream(bytes, footerAt, footerLength));
    SchemaElement schema =
        meta.getSchema().stream().filter(s -> s.getName().equals(column)).findFirst().orElseThrow();
    ColumnMetaData chunk =
        meta.getRow_groups().get(group).getColumns().stream()
            .map(ColumnChunk::getMeta_data)
            .filter(m -> m.getPath_in_schema().equals(List.of(column)))
            .findFirst()
            .orElseThrow();
    List<byte[]> values = new ArrayList<>();
    int at = (int) chunk.getData_page_offset();
    while (values.size() < chunk.getNum_values()) {
      ByteArrayInputStream in = new ByteArrayInputStream(bytes, at, bytes.length - at);
      PageHeader page = Util.readPageHeader(in);
      ByteBuffer data =
          ByteBuffer.wrap(bytes, bytes.length - in.available(), page.getCompressed_page_size())
              .order(ByteOrder.LITTLE_ENDIAN);
      at = data.limit();
      if (schema.getRepetition_type() == FieldRepetitionType.OPTIONAL) {
        int levels = data.getInt();
        data.position(data.position() + levels);
      }
      for (int i = 0; i < page.getData_page_header().getNum_values(); i++) {
        byte[] value = new byte[length(schema, data)];
        data.get(value);
        values.add(value);
      }
    }
    return values;
  }

  private static int length(SchemaElement schema, ByteBuffer data) {
    return switch (schema.getType()) {
      case INT32, FLOAT -> 4;
      case INT64, DOUBLE -> 8;
      case BYTE_ARRAY -> data.getInt();
      default -> schema.getType_length();
    };
  }
}
