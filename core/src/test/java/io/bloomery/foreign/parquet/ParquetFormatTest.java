package io.bloomery.foreign.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.dynatrace.hash4j.hashing.Hashing;
import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.ForeignSubject;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.parquet.format.BloomFilterHeader;
import org.apache.parquet.format.Util;
import org.apache.parquet.io.api.Binary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parquet's bit sets, against parquet-java. */
final class ParquetFormatTest {

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "0, 0, ef46db3751d8e999",
    "0, 2654435761, ac75fda2929b17ef",
    "1, 0, e934a84adb052768",
    "1, 2654435761, 5014607643a9b4c3",
    "4, 0, 9136a0dca57457ee",
    "14, 0, 8282dcc4994e35c8",
    "14, 2654435761, c3bd6bf63deb6df0",
    "222, 0, b641ae8cb691c174",
    "222, 2654435761, 20cb8ab7ae10c14a"
  })
  void hashIsXxh64(int length, long seed, String hash) {
    byte[] bytes = new byte[length];
    long generator = 2654435761L;
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (generator >>> 56);
      generator *= 0x9E3779B185EBCA8DL;
    }
    assertThat(Hashing.xxh64(seed).hashBytesToLong(bytes))
        .isEqualTo(Long.parseUnsignedLong(hash, 16));
  }

  @Test
  void keysOfEveryTypeAreThoseOfParquetJava() throws IOException {
    BlockSplitBloomFilter theirs = new BlockSplitBloomFilter(1 << 14);
    ForeignBloomFilter ours = ParquetFormat.ofBytes(1 << 14);
    SplittableRandom draw = Seeds.random(3);
    for (int i = 0; i < 500; i++) {
      int number = draw.nextInt();
      long wide = draw.nextLong();
      float real = (float) draw.nextDouble();
      double fine = draw.nextDouble();
      byte[] bytes = new byte[i % 50];
      draw.nextBytes(bytes);
      theirs.insertHash(theirs.hash(number));
      theirs.insertHash(theirs.hash(wide));
      theirs.insertHash(theirs.hash(real));
      theirs.insertHash(theirs.hash(fine));
      theirs.insertHash(theirs.hash(Binary.fromConstantByteArray(bytes)));
      ours.add(ParquetFormat.plain(number));
      ours.add(wide);
      ours.add(ParquetFormat.plain(real));
      ours.add(ParquetFormat.plain(fine));
      ours.add(bytes);
    }
    assertThat(bitset(ours)).isEqualTo(bitset(theirs));
    assertThat(ours.mightContain("")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {32, 64, 4096, 96, 1 << 16})
  void parquetJavaReadsWhatIsWritten(int bytes) throws IOException {
    ForeignBloomFilter ours = ParquetFormat.ofBytes(bytes);
    for (int i = 0; i < bytes / 2; i++) {
      ours.add("key-" + i);
    }
    ByteArrayInputStream in = new ByteArrayInputStream(written(ours));
    BloomFilterHeader header = Util.readBloomFilterHeader(in);
    assertThat(header.getNumBytes()).isEqualTo(bytes);
    assertThat(header.getAlgorithm().isSetBLOCK()).isTrue();
    assertThat(header.getHash().isSetXXHASH()).isTrue();
    assertThat(header.getCompression().isSetUNCOMPRESSED()).isTrue();
    BlockSplitBloomFilter theirs = new BlockSplitBloomFilter(in.readAllBytes());
    for (int i = 0; i < bytes * 2; i++) {
      boolean found = theirs.findHash(theirs.hash(Binary.fromString("key-" + i)));
      assertThat(ours.mightContain("key-" + i)).isEqualTo(found);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0.5, 1",
    "100, 0.01, 2",
    "1000, 0.01, 1",
    "5000, 0.001, 1",
    "123456, 0.05, 1",
    "9999, 1e-6, 1"
  })
  void sizesAreThoseOfParquetJavaExceptForItsRounding(long keys, double rate, int factor) {
    int bits = BlockSplitBloomFilter.optimalNumOfBits(keys, rate);
    int theirs = new BlockSplitBloomFilter(bits / 8).getBitsetSize();
    assertThat(ParquetFormat.create(keys, rate).sizeInBits() * factor).isEqualTo(theirs * 8L);
  }

  @Test
  void largestSizeIsThatOfParquetJava() {
    assertThat(ParquetFormat.create(1L << 30, 1e-4).storedBytes())
        .isBetween((128L << 20) + 1, (128L << 20) + 32);
  }

  @Test
  void rateIsAsPredicted() {
    ForeignBloomFilter filter = ParquetFormat.ofBytes(4096);
    for (int i = 0; i < 3_000; i++) {
      filter.add("key-" + Seeds.of(i));
    }
    int hits = 0;
    for (int i = 0; i < 200_000; i++) {
      hits += filter.mightContain("absent-" + Seeds.of(i)) ? 1 : 0;
    }
    Rates.assertRate(hits, 200_000, filter.falsePositiveRate(), 5);
  }

  @Test
  void draftWithMurmur3IsRefused() throws IOException {
    Path file = directory.resolve("old");
    Files.write(file, ForeignSubject.resource("/foreign/parquet/bloom_filter.bin"));
    assertThatThrownBy(() -> ParquetFormat.FORMAT.open(file))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("MurmurHash3");
    assertThatThrownBy(() -> Filters.open(file)).isInstanceOf(FilterFormatException.class);
  }

  @Test
  void otherAlgorithmsAreRefused() {
    byte[] bytes = ForeignSubject.resource("/parquet/bloom_filter.xxhash.bin");
    byte[] changed = bytes.clone();
    changed[8] = 0x2c; // the second choice of hashes
    assertThatThrownBy(() -> ParquetFormat.FORMAT.read(changed))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("XXH64");
    byte[] odd = Arrays.copyOf(bytes, bytes.length - 1);
    odd[1] = (byte) 0xfe;
    odd[2] = 15;
    assertThatThrownBy(() -> ParquetFormat.FORMAT.read(odd))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("multiple of 32");
  }

  @Test
  void argumentsAreChecked() {
    assertThatThrownBy(() -> ParquetFormat.ofBytes(33)).hasMessageContaining("33");
    assertThatThrownBy(() -> ParquetFormat.ofBytes(0)).hasMessageContaining("bytes = 0");
    assertThatThrownBy(() -> ParquetFormat.create(0, 0.1)).hasMessageContaining("expectedKeys");
    assertThatThrownBy(() -> ParquetFormat.create(1, 1)).hasMessageContaining("falsePositiveRate");
  }

  private static byte[] bitset(BlockSplitBloomFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }

  private static byte[] bitset(ForeignBloomFilter filter) throws IOException {
    byte[] all = written(filter);
    int bytes = (int) (filter.sizeInBits() / 8);
    return Arrays.copyOfRange(all, all.length - bytes, all.length);
  }

  private static byte[] written(ForeignBloomFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }
}
