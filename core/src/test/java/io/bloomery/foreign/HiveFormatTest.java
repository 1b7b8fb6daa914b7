package io.bloomery.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.FilterFormatException;
import io.bloomery.foreign.registry.ForeignFormats;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.hive.common.util.BloomKFilter;
import org.apache.orc.util.BloomFilter;
import org.apache.orc.util.BloomFilterUtf8;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters of Hive and ORC, against hive-storage-api and orc-core. */
final class HiveFormatTest {

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(longs = {1, 10, 100, 1000, 5000, 100_000})
  void sizesAreThoseOfHive(long keys) {
    BloomKFilter theirs = BloomKFilter.build(keys);
    ForeignBloomFilter ours = HiveFormat.create(keys, 0.05);
    assertThat(ours.sizeInBits()).isEqualTo(theirs.getBitSize());
    assertThat(ours.hashesPerKey()).isEqualTo(theirs.getNumHashFunctions());
  }

  @Test
  void hiveAndThisWriteTheSameBytes() throws IOException {
    BloomKFilter theirs = BloomKFilter.build(2_000);
    ForeignBloomFilter ours = HiveFormat.create(2_000, 0.05);
    SplittableRandom draw = Seeds.random(9);
    for (int i = 0; i < 500; i++) {
      byte[] bytes = new byte[i % 40];
      draw.nextBytes(bytes);
      long number = draw.nextLong();
      int small = draw.nextInt();
      double real = draw.nextDouble();
      theirs.addBytes(bytes);
      theirs.addLong(number);
      theirs.addInt(small);
      theirs.addDouble(real);
      ours.add(bytes);
      ours.add(number);
      ours.add(ByteBuffer.allocate(4).putInt(small).array());
      ours.add(Double.doubleToLongBits(real));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BloomKFilter.serialize(out, theirs);
    assertThat(written(ours)).isEqualTo(out.toByteArray());
  }

  @Test
  void hiveReadsWhatIsWritten() throws IOException {
    ForeignBloomFilter ours = HiveFormat.create(1_000, 0.01);
    IntStream.range(0, 1_000).forEach(i -> ours.add("key-" + i));
    BloomKFilter theirs = BloomKFilter.deserialize(new ByteArrayInputStream(written(ours)));
    for (int i = 0; i < 5_000; i++) {
      assertThat(theirs.testString("key-" + i)).isEqualTo(ours.mightContain("key-" + i));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "42040, 513, 0.05, 0.051",
    "20000, 244, 0.05, 0.058",
    "42000, 512, 0.05, 0.084",
    "20000, 375, 0.01, 0.0125",
    "27300, 512, 0.01, 0.0273",
    "20000, 749, 0.0001, 0.00112"
  })
  void ratesArePredictedFromTheBlocks(int keys, int blocks, double asked, double known) {
    double[] rates = new double[20];
    for (int set = 0; set < rates.length; set++) {
      ForeignBloomFilter filter = HiveFormat.create(keys, asked);
      assertThat(filter.sizeInBits()).isEqualTo(blocks * 512L);
      String name = set + "-key-";
      IntStream.range(0, keys).forEach(i -> filter.add(name + Seeds.of(i)));
      rates[set] = filter.falsePositiveRate();
      if (set == 0) {
        int absent = 300_000;
        IntStream others = IntStream.range(0, absent);
        long hits = others.filter(i -> filter.mightContain("no-" + Seeds.of(i))).count();
        Rates.assertRate(hits, absent, rates[set], 5);
      }
    }
    Rates.assertMean(rates, known, 5, 0.02); // known in two or three digits
  }

  @Test
  void emptyAndFullFiltersHaveTheirRates() {
    assertThat(HiveFormat.create(100, 0.01).falsePositiveRate()).isZero();
    ForeignBloomFilter one = HiveFormat.create(1_000, 0.01);
    one.add("zebra");
    assertThat(one.falsePositiveRate()).isBetween(0.0, 1e-6);
    ForeignBloomFilter full = HiveFormat.create(1, 0.3);
    IntStream.range(0, 20_000).forEach(i -> full.add("key-" + i));
    assertThat(full.falsePositiveRate()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"1, 0.05", "10, 0.01", "100, 0.0001", "1000, 0.01", "5000, 0.05", "100000, 0.0001"})
  void sizesAreThoseOfOrc(long keys, double rate) {
    BloomFilterUtf8 theirs = new BloomFilterUtf8(keys, rate);
    ForeignBloomFilter ours = OrcFormat.create(keys, rate);
    assertThat(ours.sizeInBits()).isEqualTo(theirs.getBitSize());
    assertThat(ours.hashesPerKey()).isEqualTo(theirs.getNumHashFunctions());
  }

  @Test
  void orcAndThisSetTheSameBits() {
    BloomFilterUtf8 theirs = new BloomFilterUtf8(2_000, 0.01);
    ForeignBloomFilter ours = OrcFormat.create(2_000, 0.01);
    SplittableRandom draw = Seeds.random(10);
    for (int i = 0; i < 500; i++) {
      byte[] bytes = new byte[i % 40];
      draw.nextBytes(bytes);
      long number = draw.nextLong();
      double real = draw.nextDouble();
      theirs.addBytes(bytes, 0, bytes.length);
      theirs.addLong(number);
      theirs.addDouble(real);
      theirs.addString("ключ-" + i);
      ours.add(bytes);
      ours.add(number);
      ours.add(Double.doubleToLongBits(real));
      ours.add("ключ-" + i);
    }
    assertThat(ours.toLongArray()).isEqualTo(theirs.getBitSet());
    for (long i = 0; i < 10_000; i++) {
      assertThat(ours.mightContain(i)).isEqualTo(theirs.testLong(i));
    }
  }

  @Test
  void orcMessageOfWordsIsReadAndWritten() throws IOException {
    byte[] bytes = ForeignSubject.resource("/foreign/orc/long-1000-0.01.words.pb");
    ForeignBloomFilter filter = OrcFormat.FORMAT.read(bytes);
    assertThat(written(filter)).isEqualTo(bytes);
    assertThat(filter.storedBytes()).isEqualTo(bytes.length);
    assertThat(filter.fields()).containsEntry("form", "bitset");
    BloomFilter theirs = new BloomFilter(1_000, 0.01);
    IntStream.range(0, 1_000).forEach(i -> theirs.addLong(RedisSubjects.number(i)));
    assertThat(filter.toLongArray()).isEqualTo(theirs.getBitSet());
    assertThat(IntStream.range(0, 1_000))
        .allMatch(i -> filter.mightContain(RedisSubjects.number(i)));
    Path file = Files.write(directory.resolve("orc"), bytes);
    assertThat(ForeignFormats.open(file, "orc").format()).isSameAs(OrcFormat.FORMAT);
  }

  @Test
  void orcBitSetIsReadWithItsBitsPerKey() throws IOException {
    byte[] bytes = ForeignSubject.resource("/foreign/orc/utf8bitset-5000-0.05.bin");
    ForeignFormat<?> format = ForeignFormats.named("orc:4");
    assertThat(format).isSameAs(OrcFormat.bitset(4));
    ForeignBloomFilter filter = (ForeignBloomFilter) format.read(bytes);
    assertThat(filter.format()).isSameAs(format);
    assertThat(written(filter)).isEqualTo(bytes);
    ForeignBloomFilter message =
        OrcFormat.FORMAT.read(ForeignSubject.resource("/foreign/orc/string-5000-0.05.utf8.pb"));
    assertThat(filter.toLongArray()).isEqualTo(message.toLongArray());
    assertThat(IntStream.range(0, 20_000))
        .allMatch(i -> filter.mightContain("key-" + i) == message.mightContain("key-" + i));
  }

  @Test
  void bytesThatAreNoBitSetAreRefused() throws IOException {
    String text = "The quick brown fox jumps over the lazy dog. ".repeat(64);
    assertThatThrownBy(() -> OrcFormat.bitset(7).read(text.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("no bit set of a Bloom filter: bit ");
    for (int keys = 0; keys < 6_000; keys = keys * 2 + 1) {
      ForeignBloomFilter filter = OrcFormat.create(2_000, 0.001);
      for (long i = 0; i < keys; i++) {
        filter.add(i);
      }
      byte[] bits = new byte[(int) (filter.sizeInBits() / 8)];
      ByteBuffer.wrap(bits).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().put(filter.toLongArray());
      assertThat(OrcFormat.bitset(10).read(bits).toLongArray()).isEqualTo(filter.toLongArray());
    }
  }

  @Test
  void whatIsMissingOrWrongIsNamed() {
    assertThatThrownBy(() -> ForeignFormats.named("orc:many")).hasMessageContaining("orc:4");
    assertThatThrownBy(() -> ForeignFormats.named("orc:0")).hasMessageContaining("1 … 127");
    assertThatThrownBy(() -> OrcFormat.bitset(4).read(new byte[12]))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("12 bytes");
    assertThatThrownBy(() -> HiveFormat.FORMAT.read(new byte[] {4, 0, 0, 0, 9}))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("blocks of 8");
    assertThatThrownBy(() -> OrcFormat.create(1, 0)).hasMessageContaining("falsePositiveRate");
    assertThatThrownBy(() -> OrcFormat.create(1L << 35, 0.01)).hasMessageContaining("bits");
    assertThatThrownBy(() -> HiveFormat.create(0, 0.1)).hasMessageContaining("expectedKeys");
  }

  private static byte[] written(ForeignFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }
}
