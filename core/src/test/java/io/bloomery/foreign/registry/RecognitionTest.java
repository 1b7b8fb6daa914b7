package io.bloomery.foreign.registry;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.ForeignSubject;
import io.bloomery.membership.BloomFilter;
import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which files are recognised as filters of another system, and which are not. */
final class RecognitionTest {

  @TempDir private Path directory;

  /** Of lengths up to 5,000, most of them short, and 256 often. */
  @Test
  void randomFilesAreNoFilters() throws IOException {
    SplittableRandom draw = Seeds.random(12);
    for (int i = 0; i < Effort.of(2_000); i++) {
      int length = i % 4 != 1 ? i % 600 : i % 3 == 0 ? 256 : draw.nextInt(5_000);
      byte[] bytes = new byte[length];
      draw.nextBytes(bytes);
      refused(bytes);
    }
  }

  @Test
  void zerosOnesTextAndCountersAreNoFilters() throws IOException {
    for (int length = 0; length < 600; length += length < 32 ? 1 : 13) {
      byte[] bytes = new byte[length];
      refused(bytes);
      Arrays.fill(bytes, (byte) -1);
      refused(bytes);
      for (int i = 0; i < length; i++) {
        bytes[i] = (byte) i;
      }
      refused(bytes);
      String text = "The quick brown fox jumps over the lazy dog. ".repeat(14).substring(0, length);
      refused(text.getBytes(UTF_8));
      refused(Arrays.copyOf(text.getBytes(UTF_16LE), length));
    }
  }

  /** Small numbers fill the headers of many formats that have no magic number. */
  @Test
  void smallNumbersAreNoFilters() throws IOException {
    SplittableRandom draw = Seeds.random(13);
    for (int i = 0; i < Effort.of(6_000); i++) {
      byte[] bytes = new byte[1 + i % 72];
      int values = 2 + i % 3;
      for (int at = 0; at < bytes.length; at++) {
        bytes[at] = (byte) draw.nextInt(values);
      }
      unopened(bytes);
    }
    for (int i = 0; i < Effort.of(3_000); i++) {
      int width = 2 << i % 3;
      ByteBuffer numbers = ByteBuffer.allocate(width * (1 + i % 24));
      numbers.order(i % 2 == 0 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
      long first = i / 24 % 8 - 2L;
      for (int at = 0; at < numbers.limit(); at += width) {
        long value = i % 5 == 0 ? first + at / width : draw.nextInt(4);
        switch (width) {
          case 2 -> numbers.putShort(at, (short) value);
          case 4 -> numbers.putInt(at, (int) value);
          default -> numbers.putLong(at, value);
        }
      }
      unopened(numbers.array());
    }
  }

  @Test
  void repeatedBytesAreNoFilters() throws IOException {
    for (int value = 0; value < 256; value++) {
      for (int length : new int[] {1, 7, 14, 20, 33, 64, 100, 256}) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        unopened(bytes);
      }
    }
  }

  /** The formats whose files have a magic number; docs/formats.md says which one. */
  @Test
  void formatsWithAMagicNumberAreThoseOfThePage() throws IOException {
    List<String> recognised = new ArrayList<>();
    for (String row : Files.readAllLines(Path.of("../docs/formats.md"))) {
      String[] cells = row.split(" *\\| *", -1);
      if (cells.length > 5 && cells[1].startsWith("[`") && !cells[5].equals("no")) {
        recognised.add(cells[1].substring(2, cells[1].indexOf('`', 2)));
      }
    }
    assertThat(recognised)
        .containsExactlyInAnyOrder(
            "bloomfilter-js",
            "datasketches",
            "gnutella-qrp",
            "hudi-dynamic",
            "hudi-simple",
            "parquet",
            "parquet-bitset",
            "redis-bloom",
            "redis-bloom-dump",
            "redis-cuckoo-dump",
            "squid-digest")
        .containsExactlyInAnyOrderElementsOf(
            ForeignFormats.all().stream()
                .filter(ForeignFormat::isRecognised)
                .<String>map(ForeignFormat::name)
                .toList());
  }

  private Throwable unopened(byte[] bytes) throws IOException {
    Path file = Files.write(directory.resolve("file"), bytes);
    Throwable failure = catchThrowable(() -> Filters.open(file));
    assertThat(failure)
        .as(() -> bytes.length + " bytes: " + Arrays.toString(bytes))
        .isInstanceOf(FilterFormatException.class);
    return failure;
  }

  private void refused(byte[] bytes) throws IOException {
    assertThat(unopened(bytes))
        .message()
        .containsAnyOf("not a filter: ", "could be ")
        .doesNotContain("begins like");
  }

  @Test
  void weakFormatsMustBeNamed() throws IOException {
    Path file = Files.write(directory.resolve("file"), new byte[256]);
    assertThatThrownBy(() -> Filters.open(file))
        .hasMessageEndingWith(
            "its content does not say what it is; it could be ethereum-bloom: name that format to"
                + " read it as such");
    assertThat(ForeignFormats.open(file, "ethereum-bloom").sizeInBits()).isEqualTo(2048);
  }

  @ParameterizedTest
  @CsvSource({
    "datasketches/string-10000-0.01-seed123.sk, orc:7, datasketches",
    "orc/string-5000-0.05.utf8.pb, orc:4, orc",
    "guava/utf8-10000-0.01.bin, cassandra, guava",
    "guava/utf8-10000-0.01.bin, spark, guava",
    "spark/v1-string-10000-0.01.bin, orc:3, spark",
    "parquet/arrow-bloom-words.parquet, orc:3, parquet",
    "hive/bloomk-long-3000.bin, guava, hive-bloomk"
  })
  void contradictingNamesAreErrors(String name, String format, String found) throws IOException {
    byte[] bytes = ForeignSubject.resource("/foreign/" + name);
    Path file = Files.write(directory.resolve("file"), bytes);
    assertThatThrownBy(() -> ForeignFormats.open(file, format))
        .isInstanceOf(FilterFormatException.class)
        .hasMessage(file + ", byte 0: is of format " + found + ", not " + format);
  }

  @Test
  void filtersOfBloomeryAreOfNoOtherFormat() throws IOException {
    Path file = directory.resolve("file");
    BloomFilter.create(1000, 0.01).writeTo(file);
    for (String format : new String[] {"orc:4", "guava", "ethereum-bloom", "parquet:0:x"}) {
      assertThatThrownBy(() -> ForeignFormats.open(file, format))
          .isInstanceOf(FilterFormatException.class)
          .hasMessageContaining("is a filter of Bloomery, not of format " + format);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "parquet/arrow-bloom-words.parquet, 200000, parquet",
    "parquet/arrow-bloom-words.parquet, 4, parquet",
    "spark/v1-string-10000-0.01.bin, 5000, spark",
    "spark/v2-string-10000-0.01-seed0.bin, 100, spark",
    "hadoop/bloom-murmur-1000.bin, 100, hadoop-bloom or hadoop-counting",
    "datasketches/string-10000-0.01-seed123.sk, 500, datasketches",
    "squid/store_digest-a.bin, 400, squid-digest",
    "xor/fuse8-1000.bin, 100, fuse8"
  })
  void damageIsNamed(String name, int length, String format) throws IOException {
    byte[] bytes = ForeignSubject.resource("/foreign/" + name);
    Path file = Files.write(directory.resolve("file"), Arrays.copyOf(bytes, length));
    assertThatThrownBy(() -> Filters.open(file))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining(file + ", byte 0: begins like a filter of format " + format)
        .hasMessageContaining("but is cut short or damaged: byte ");
  }
}
