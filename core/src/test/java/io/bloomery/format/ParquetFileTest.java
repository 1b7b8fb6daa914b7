package io.bloomery.format;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import io.bloomery.format.ParquetFile.Column;
import io.bloomery.format.ParquetFile.PhysicalType;
import io.bloomery.format.ParquetFile.Presence;
import io.bloomery.testing.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnCryptoMetaData;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.EncryptionWithColumnKey;
import org.apache.parquet.format.EncryptionWithFooterKey;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
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
      assertThat(((ForeignBloomFilter) chosen.open(file)).words()).isEqualTo(filter.words());
      ForeignBloomFilter rebuilt = ParquetFormat.ofBytes(number(row.get("num_bytes")));
      own.forEach(rebuilt::add);
      assertThat(rebuilt.words()).isEqualTo(filter.words());
    }
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
  void fileWithoutFiltersSaysSo() throws IOException {
    Path file = file(parquet(chunk("a.b", 0)));
    assertThatThrownBy(() -> Filters.open(file))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("without Bloom filters");
    assertThat(ParquetFile.open(file).columns())
        .containsExactly(new Column(0, "a.b", PhysicalType.INT32, Presence.ABSENT, 0, 0));
  }

  @Test
  void encryptedColumnsSaySo() throws IOException {
    ColumnChunk byFooterKey = chunk("plain.name", 4);
    byFooterKey.setCrypto_metadata(
        ColumnCryptoMetaData.ENCRYPTION_WITH_FOOTER_KEY(new EncryptionWithFooterKey()));
    ColumnChunk byOwnKey = chunk("secret", 4);
    byOwnKey.setMeta_data(null);
    byOwnKey.setCrypto_metadata(
        ColumnCryptoMetaData.ENCRYPTION_WITH_COLUMN_KEY(
            new EncryptionWithColumnKey(List.of("very", "secret"))));
    byOwnKey.setEncrypted_column_metadata(new byte[20]);
    Path file = file(parquet(byFooterKey, byOwnKey));
    assertThatThrownBy(() -> Filters.open(file))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("encrypted");
    ParquetFile parquet = ParquetFile.open(file);
    assertThat(parquet.columns())
        .containsExactly(
            new Column(0, "plain.name", PhysicalType.INT32, Presence.ENCRYPTED, 0, 0),
            new Column(0, "very.secret", null, Presence.ENCRYPTED, 0, 0));
    assertThatThrownBy(() -> parquet.filter(0, "very.secret"))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("encrypted");
  }

  @Test
  void encryptedFooterSaysSo() throws IOException {
    byte[] bytes = parquet(chunk("a", 0));
    bytes[3] = 'E';
    bytes[bytes.length - 1] = 'E';
    assertThatThrownBy(() -> Filters.open(file(bytes)))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("footer is encrypted");
  }

  @Test
  void columnOfAnotherFileSaysSo() throws IOException {
    ColumnChunk chunk = chunk("a", 4);
    chunk.setFile_path("part-1.parquet");
    Path file = file(parquet(chunk));
    assertThatThrownBy(() -> ParquetFile.open(file).filter(0, "a"))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("another file");
  }

  @Test
  void deepNestingEnds() throws IOException {
    ByteArrayOutputStream footer = new ByteArrayOutputStream();
    for (int i = 0; i < 100_000; i++) {
      footer.write(0x1c); // field 1 of each structure is a structure
    }
    assertThatThrownBy(() -> Filters.open(file(enclosed(footer.toByteArray()))))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("nested deeper");
    footer.reset();
    for (int i = 0; i < 100_000; i++) {
      footer.write(0x19); // a list of one list, in each
    }
    assertThatThrownBy(() -> Filters.open(file(enclosed(footer.toByteArray()))))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("nested deeper");
  }

  @Test
  void unknownFieldsOfEveryTypeArePassedOver() throws IOException {
    byte[] footer = {
      (byte) 0xa1, // field 10, a truth value
      0x1b,
      1,
      (byte) 0x88,
      1,
      'a',
      1,
      'b', // a map of a text to a text
      0x1b,
      1,
      (byte) 0x85,
      1,
      'a',
      2, // a map of a text to a number
      0x1b,
      0, // an empty map
      0x1a,
      0x23,
      7,
      8, // a set of two bytes
      0x19,
      0x21,
      1,
      2, // a list of two truth values
      0x17,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0, // a real number
      0x1d,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0, // a UUID
      0x13,
      5, // a byte
      0x14,
      5, // a number of 16 bits
      0x06,
      100,
      5, // field 50, a number of 64 bits
      0
    };
    Path file = file(enclosed(footer));
    assertThat(ParquetFile.open(file).columns()).isEmpty();
    footer[footer.length - 1] = 0x0e; // no type
    assertThatThrownBy(() -> ParquetFile.open(file(enclosed(footer))))
        .isInstanceOf(FilterFormatException.class);
  }

  @Test
  void damagedFilesAreReadOrRefused() throws IOException {
    byte[] sound =
        ForeignSubject.resource("/foreign/parquet/data_index_bloom_encoding_stats.parquet");
    SplittableRandom draw = new SplittableRandom(11);
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

  private static ColumnChunk chunk(String path, long filterAt) {
    ColumnMetaData meta =
        new ColumnMetaData(
            Type.INT32,
            List.of(Encoding.PLAIN),
            List.of(path.split("\\.", -1)),
            CompressionCodec.UNCOMPRESSED,
            1,
            4,
            4,
            4);
    meta.setKey_value_metadata(List.of(new KeyValue("k")));
    if (filterAt > 0) {
      meta.setBloom_filter_offset(filterAt);
    }
    ColumnChunk chunk = new ColumnChunk(4);
    chunk.setMeta_data(meta);
    return chunk;
  }

  private static byte[] parquet(ColumnChunk... chunks) throws IOException {
    FileMetaData meta =
        new FileMetaData(
            1, List.of(new SchemaElement("root")), 1, List.of(new RowGroup(List.of(chunks), 4, 1)));
    ByteArrayOutputStream footer = new ByteArrayOutputStream();
    Util.writeFileMetaData(meta, footer);
    return enclosed(footer.toByteArray());
  }

  private static byte[] enclosed(byte[] footer) {
    return ByteBuffer.allocate(4 + footer.length + 8)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put("PAR1".getBytes(US_ASCII))
        .put(footer)
        .putInt(footer.length)
        .put("PAR1".getBytes(US_ASCII))
        .array();
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
