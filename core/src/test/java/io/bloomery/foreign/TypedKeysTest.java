package io.bloomery.foreign;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;
import com.google.common.hash.Funnels;
import com.google.common.hash.PrimitiveSink;
import io.bloomery.Filter;
import io.bloomery.foreign.bitcoin.Bip37Format;
import io.bloomery.foreign.parquet.ParquetFormat;
import io.bloomery.foreign.redis.RedisBloomFilter;
import io.bloomery.foreign.registry.ForeignFormats;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.hive.common.util.BloomKFilter;
import org.apache.orc.util.BloomFilterUtf8;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnJre;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys that are written as text are hashed as each system hashes values of their type. */
final class TypedKeysTest {

  private static final int[] WHOLE = {0, 1, -1, 42, -1_000_000, Integer.MAX_VALUE};
  private static final double[] REAL = {0, -0.0, 0.1, -2.5, 1e300, 3.0};

  @ParameterizedTest
  @CsvSource({
    "guava/long-5000-0.03.bin, guava, 5000",
    "spark/v1-long-3000-30000bits.bin, spark, 3000",
    "spark/v2-long-3000-30000bits-seed42.bin, spark, 3000",
    "datasketches/long-1000-16384bits-5h-seed9001.sk, datasketches, 1000",
    "hive/bloomk-long-3000.bin, hive-bloomk, 3000",
    "orc/long-1000-0.01.words.pb, orc, 1000",
    "xor/xor8-1000.bin, xor8, 1000",
    "xor/fuse8-1000.bin, fuse8, 1000",
    "xor/fuse16-1000.bin, fuse16, 1000"
  })
  void filesOfNumbersHoldTheirNumbers(String file, String format, int keys) throws IOException {
    ForeignFilter filter =
        ForeignFormats.named(format).read(ForeignSubject.resource("/foreign/" + file));
    TypedKeys numbers = filter.keyCoding().as(TypedKeys.Type.INT64);
    assertThat(IntStream.range(0, keys))
        .allMatch(
            i -> numbers.mightContain(filter, Long.toString(RedisSubjects.number(i))), format);
    long hits =
        IntStream.range(keys, 2 * keys)
            .filter(i -> numbers.mightContain(filter, Long.toString(RedisSubjects.number(i))))
            .count();
    assertThat(hits).isLessThan(keys / 10);
  }

  @Test
  void guavaFunnels() throws IOException {
    for (int i : WHOLE) {
      String text = Integer.toString(i);
      guava(Funnels.integerFunnel(), i, TypedKeys.Type.INT32, text);
      guava(Funnels.longFunnel(), (long) i, TypedKeys.Type.INT64, text);
    }
    for (double real : REAL) {
      guava(
          (Double x, PrimitiveSink to) -> to.putDouble(x), real, TypedKeys.Type.DOUBLE, "" + real);
      guava(
          (Float x, PrimitiveSink to) -> to.putFloat(x),
          (float) real,
          TypedKeys.Type.FLOAT,
          "" + (float) real);
    }
    guava(Funnels.unencodedCharsFunnel(), "ключ", TypedKeys.Type.UTF16, "ключ");
    guava(Funnels.stringFunnel(UTF_8), "ключ", TypedKeys.Type.TEXT, "ключ");
    guava(Funnels.byteArrayFunnel(), new byte[] {0, -1, 16}, TypedKeys.Type.HEX, "0x00fF10");
  }

  private static <T> void guava(Funnel<? super T> funnel, T key, TypedKeys.Type type, String text)
      throws IOException {
    BloomFilter<T> theirs = BloomFilter.create(funnel, 100, 1e-6);
    theirs.put(key);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    theirs.writeTo(out);
    finds(GuavaFormat.FORMAT.read(out.toByteArray()), type, text);
  }

  private static void finds(ForeignFilter filter, TypedKeys.Type type, String text) {
    assertThat(filter.keyCoding().as(type).mightContain(filter, text)).as(type + text).isTrue();
    assertThat(filter.keyCoding().as(TypedKeys.Type.TEXT).mightContain(filter, text + "?"))
        .isFalse();
  }

  @Test
  void parquetPlainEncoding() throws IOException {
    for (int i : WHOLE) {
      parquet((filter, x) -> filter.insertHash(filter.hash(x)), i, TypedKeys.Type.INT32, "" + i);
      parquet(
          (filter, x) -> filter.insertHash(filter.hash(x)), (long) i, TypedKeys.Type.INT64, "" + i);
    }
    for (double real : REAL) {
      parquet(
          (filter, x) -> filter.insertHash(filter.hash(x)), real, TypedKeys.Type.DOUBLE, "" + real);
      parquet(
          (filter, x) -> filter.insertHash(filter.hash(x)),
          (float) real,
          TypedKeys.Type.FLOAT,
          "" + (float) real);
    }
  }

  private static <T> void parquet(
      BiConsumer<BlockSplitBloomFilter, T> adder, T key, TypedKeys.Type type, String text)
      throws IOException {
    BlockSplitBloomFilter theirs = new BlockSplitBloomFilter(1024);
    adder.accept(theirs, key);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    theirs.writeTo(out);
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    ParquetFormat.ofBytes(1024).writeTo(file);
    byte[] bytes = file.toByteArray();
    System.arraycopy(out.toByteArray(), 0, bytes, bytes.length - 1024, 1024);
    finds(ParquetFormat.FORMAT.read(bytes), type, text);
  }

  @Test
  void hiveOrcAndSpark() throws IOException {
    for (int i : WHOLE) {
      String text = Integer.toString(i);
      hive(filter -> filter.addInt(i), TypedKeys.Type.INT32, text);
      hive(filter -> filter.addLong(i), TypedKeys.Type.INT64, text);
      orc(filter -> filter.addLong(i), TypedKeys.Type.INT32, text);
      orc(filter -> filter.addLong(i), TypedKeys.Type.INT64, text);
      spark(i, TypedKeys.Type.INT32, text);
      spark((long) i, TypedKeys.Type.INT64, text);
    }
    for (double real : REAL) {
      float narrow = (float) real;
      hive(filter -> filter.addDouble(real), TypedKeys.Type.DOUBLE, "" + real);
      hive(filter -> filter.addFloat(narrow), TypedKeys.Type.FLOAT, "" + narrow);
      orc(filter -> filter.addDouble(real), TypedKeys.Type.DOUBLE, "" + real);
      orc(filter -> filter.addDouble(narrow), TypedKeys.Type.FLOAT, "" + narrow);
    }
  }

  @Test
  @EnabledOnJre(
      value = {JRE.JAVA_17, JRE.JAVA_21},
      disabledReason = "datasketches-memory 3 refuses other versions of Java")
  void dataSketches() throws IOException {
    for (int i : WHOLE) {
      sketch(filter -> filter.update((long) i), TypedKeys.Type.INT32, Integer.toString(i));
      sketch(filter -> filter.update((long) i), TypedKeys.Type.INT64, Integer.toString(i));
    }
    for (double real : REAL) {
      sketch(filter -> filter.update(real), TypedKeys.Type.DOUBLE, "" + real);
    }
  }

  private static void hive(Consumer<BloomKFilter> adder, TypedKeys.Type type, String text)
      throws IOException {
    BloomKFilter theirs = BloomKFilter.build(100);
    adder.accept(theirs);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BloomKFilter.serialize(out, theirs);
    finds(HiveFormat.FORMAT.read(out.toByteArray()), type, text);
  }

  private static void orc(Consumer<BloomFilterUtf8> adder, TypedKeys.Type type, String text)
      throws IOException {
    BloomFilterUtf8 theirs = new BloomFilterUtf8(100, 1e-6);
    adder.accept(theirs);
    long[] words = theirs.getBitSet();
    ByteBuffer bytes = ByteBuffer.allocate(8 * words.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(words);
    finds(OrcFormat.bitset(theirs.getNumHashFunctions()).read(bytes.array()), type, text);
  }

  private static void spark(Object key, TypedKeys.Type type, String text) throws IOException {
    org.apache.spark.util.sketch.BloomFilter theirs =
        org.apache.spark.util.sketch.BloomFilter.create(100, 1e-6);
    theirs.put(key);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    theirs.writeTo(out);
    finds(SparkFormat.FORMAT.read(out.toByteArray()), type, text);
  }

  private static void sketch(
      Consumer<org.apache.datasketches.filters.bloomfilter.BloomFilter> adder,
      TypedKeys.Type type,
      String text)
      throws IOException {
    var theirs =
        org.apache.datasketches.filters.bloomfilter.BloomFilterBuilder.createByAccuracy(100, 1e-6);
    adder.accept(theirs);
    finds(DataSketchesFormat.FORMAT.read(theirs.toByteArray()), type, text);
  }

  @Test
  void cassandraSerializesKeys() throws IOException {
    ForeignFilter filter =
        CassandraFormat.FORMAT.read(ForeignSubject.resource("/foreign/cassandra/4.1-3000-0.01.db"));
    TypedKeys numbers = filter.keyCoding().as(TypedKeys.Type.INT64);
    TypedKeys texts = filter.keyCoding().assumed();
    for (int i = 0; i < 3_000; i += 2) {
      assertThat(texts.mightContain(filter, "key-" + i)).isTrue();
      assertThat(numbers.mightContain(filter, "" + RedisSubjects.number(i + 1))).isTrue();
    }
    UUID uuid = new UUID(0x0011223344556677L, 0x8899aabbccddeeffL);
    assertThat(hex(filter, TypedKeys.Type.UUID, uuid.toString()))
        .isEqualTo("00112233445566778899aabbccddeeff");
    assertThat(hex(filter, TypedKeys.Type.INT32, "-2")).isEqualTo("fffffffe");
    assertThat(hex(filter, TypedKeys.Type.DOUBLE, "1")).isEqualTo("3ff0000000000000");
  }

  private static String hex(ForeignFilter filter, TypedKeys.Type type, String text) {
    byte[] utf8 = text.getBytes(UTF_8);
    return HexFormat.of().formatHex(filter.keyCoding().as(type).bytes(utf8, 0, utf8.length));
  }

  @Test
  void ethereumAndBitcoinKeysAreHexadecimal() {
    ForeignBloomFilter logs = EthereumFormat.create();
    byte[] address = HexFormat.of().parseHex("00112233445566778899aabbccddeeff00112233");
    logs.add(address);
    TypedKeys keys = logs.keyCoding().assumed();
    assertThat(keys.mightContain(logs, "0x00112233445566778899aabbccddeeff00112233")).isTrue();
    assertThatThrownBy(() -> keys.mightContain(logs, "zebra"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("\"zebra\" is not of type hex: an even number of hexadecimal digits");
    assertThat(Bip37Format.FORMAT.keyCoding().assumed().type()).isEqualTo("hex");
  }

  @Test
  void numbersAreRefusedWhereTheSystemHasNone() {
    assertThatThrownBy(() -> SparkFormat.FORMAT.keyCoding().as(TypedKeys.Type.DOUBLE))
        .hasMessageContaining("double")
        .hasMessageContaining("whole");
    assertThatThrownBy(
            () -> ForeignFormats.named("hadoop-bloom").keyCoding().as(TypedKeys.Type.INT64))
        .hasMessageContaining("type hex");
    for (TypedKeys.Type type : TypedKeys.Type.values()) {
      if (type != TypedKeys.Type.INT64) {
        assertThatThrownBy(() -> XorSingleHeaderFilter.FORMAT_XOR8.keyCoding().as(type))
            .hasMessageContaining("numbers of 64 bits");
      }
    }
  }

  @Test
  void xorKeysAreUnsigned() throws IOException {
    long[] numbers = {-1, 5, Long.MIN_VALUE};
    XorSingleHeaderFilter filter =
        XorSingleHeaderFilter.ofKeys(XorSingleHeaderFilter.Kind.FUSE16, numbers);
    TypedKeys keys = filter.keyCoding().assumed();
    assertThat(keys.mightContain(filter, "18446744073709551615")).isTrue();
    assertThat(keys.mightContain(filter, "-1")).isTrue();
    assertThat(keys.mightContain(filter, "0xffffffffffffffff")).isTrue();
    assertThat(keys.mightContain(filter, "9223372036854775808")).isTrue();
    assertThatThrownBy(() -> keys.mightContain(filter, "zebra")).hasMessageContaining("int64");
  }

  @Test
  void redisNumbersAreTheirDigits() {
    RedisBloomFilter filter = RedisBloomFilter.create(100, 1e-6, 2);
    filter.add("-7");
    assertThat(filter.keyCoding().as(TypedKeys.Type.INT64).mightContain(filter, "-07")).isTrue();
    assertThatThrownBy(() -> filter.keyCoding().as(TypedKeys.Type.FLOAT))
        .hasMessageContaining("float");
  }

  @Test
  void filtersOfBloomeryTakeNumbersAsLong() {
    var filter = io.bloomery.membership.BloomFilter.create(100, 1e-9);
    filter.add(-42L);
    filter.add(Double.doubleToLongBits(0.1));
    filter.add("zebra");
    assertThat(has(filter, TypedKeys.Type.INT32, "-42")).isTrue();
    assertThat(has(filter, TypedKeys.Type.INT64, "-42")).isTrue();
    assertThat(has(filter, TypedKeys.Type.DOUBLE, "0.1")).isTrue();
    assertThat(has(filter, TypedKeys.Type.FLOAT, "0.1")).isFalse();
    assertThat(has(filter, TypedKeys.Type.TEXT, "zebra")).isTrue();
    assertThat(has(filter, TypedKeys.Type.HEX, "7a65627261")).isTrue();
    assertThat(has(filter, TypedKeys.Type.TEXT, "-42")).isFalse();
  }

  private static boolean has(Filter filter, TypedKeys.Type type, String key) {
    return TypedKeys.ofBloomery(type).mightContain(filter, key);
  }

  @ParameterizedTest
  @CsvSource({
    "INT32, 12x", "INT32, 2147483648", "INT64, 9223372036854775808", "INT64, 0x", "INT64, ' 1'",
    "FLOAT, one", "DOUBLE, ''", "HEX, 123", "HEX, xyz0", "UUID, 1-2-3-4-5",
    "UUID, 00112233445566778899aabbccddeeff"
  })
  void badValuesAreNamed(TypedKeys.Type type, String value) {
    byte[] text = value.getBytes(UTF_8);
    assertThatThrownBy(() -> TypedKeys.ofBloomery(type).bytes(text, 0, text.length))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"" + value + "\" is not of type " + type.lowerCase());
  }
}
