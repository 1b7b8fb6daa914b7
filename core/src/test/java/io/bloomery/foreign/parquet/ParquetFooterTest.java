package io.bloomery.foreign.parquet;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import io.bloomery.foreign.parquet.ParquetFile.Column;
import io.bloomery.foreign.parquet.ParquetFile.PhysicalType;
import io.bloomery.foreign.parquet.ParquetFile.Presence;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnCryptoMetaData;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.EncryptionWithColumnKey;
import org.apache.parquet.format.EncryptionWithFooterKey;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Footers of Parquet files, made with the classes of parquet-format or by hand. */
final class ParquetFooterTest {

  @TempDir private Path directory;

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

  /** The footer is the first of 32 structures, one in another. */
  @Test
  void thirtyTwoStructuresNest() throws IOException {
    assertThat(ParquetFile.open(file(enclosed(nested(31)))).columns()).isEmpty();
    assertThatThrownBy(() -> ParquetFile.open(file(enclosed(nested(32)))))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("nested deeper than 32");
  }

  private static byte[] nested(int structures) {
    byte[] footer = new byte[2 * structures + 1]; // each ends with 0, and so does the footer
    Arrays.fill(footer, 0, structures, (byte) 0x1c);
    footer[0] = (byte) 0xac; // field 10, which is unknown
    return footer;
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

  private Path file(byte[] bytes) throws IOException {
    return Files.write(directory.resolve("file.parquet"), bytes);
  }
}
