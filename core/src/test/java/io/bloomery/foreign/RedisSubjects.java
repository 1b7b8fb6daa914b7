package io.bloomery.foreign;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.foreign.parquet.ParquetFormat;
import io.bloomery.foreign.redis.RedisBloomFilter;
import io.bloomery.foreign.redis.RedisCuckooFilter;
import io.bloomery.foreign.redis.RedisDump;
import io.bloomery.testkit.Json;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Files of RedisBloom, Parquet, Hive, Cassandra and xor. */
public final class RedisSubjects {

  private RedisSubjects() {}

  public static List<ForeignSubject> all() {
    List<ForeignSubject> all = new ArrayList<>();
    all.add(
        few(
            "parquet bloom_filter.xxhash.bin",
            ParquetFormat.FORMAT,
            "/parquet/bloom_filter.xxhash.bin",
            "hello",
            "parquet",
            "bloom",
            "filter"));
    all.add(RedisDump.of("bf-default-insert-500").subject(RedisBloomFilter.FORMAT, 500, 1));
    all.add(
        RedisDump.of("bf-scaling-100-0.001-x2-to-1500").subject(RedisBloomFilter.FORMAT, 1500, 1));
    all.add(RedisDump.of("cf-1000-b2").subject(RedisCuckooFilter.FORMAT, 600, 10));
    all.add(RedisDump.of("cf-512-b4-expanding").subject(RedisCuckooFilter.FORMAT, 1500, 10));
    all.add(
        GuavaSubjects.subject(
            "hive/bloomk-string-3000.bin", HiveFormat.FORMAT, 3_000, 9_000, GuavaSubjects::text));
    all.add(
        GuavaSubjects.subject(
            "hive/bloomk-long-3000.bin",
            HiveFormat.FORMAT,
            3_000,
            9_000,
            i -> ByteBuffer.allocate(8).putLong(number(i)).array()));
    all.add(javaScript("target-1000-0.01.json", 1_000));
    all.add(javaScript("three-buckets-3.json", 4));
    all.add(orcMessage());
    all.add(cassandra("4.1-3000-0.01.db", CassandraFormat.FORMAT));
    all.add(cassandra("3.11-3000-0.01.db", CassandraFormat.FORMAT_3));
    all.add(cassandra("2-3000-0.01.db", CassandraFormat.FORMAT_2));
    all.add(xor("xor8-1000.bin", XorSingleHeaderFilter.FORMAT_XOR8, 1_000, 10_000));
    all.add(xor("fuse8-1000.bin", XorSingleHeaderFilter.FORMAT_FUSE8, 1_000, 10_000));
    all.add(xor("fuse8-js-2000.bin", XorSingleHeaderFilter.FORMAT_FUSE8, 2_000, 20_000));
    all.add(xor("fuse8-3.bin", XorSingleHeaderFilter.FORMAT_FUSE8, 3, 30));
    all.add(xor("fuse16-1000.bin", XorSingleHeaderFilter.FORMAT_FUSE16, 1_000, 70_000));
    return all;
  }

  /** The number of a key in files with numbers. */
  public static long number(int i) {
    return i * 2654435761L - 1234567890123L;
  }

  /** The message around the bits of foreign/orc/utf8bitset-5000-0.05.bin, with its answers. */
  private static ForeignSubject orcMessage() {
    ForeignSubject bits =
        GuavaSubjects.subject(
            "orc/utf8bitset-5000-0.05.bin", OrcFormat.FORMAT, 5_000, 15_000, GuavaSubjects::text);
    return new ForeignSubject(
        "orc/string-5000-0.05.utf8.pb",
        OrcFormat.FORMAT,
        ForeignSubject.resource("/foreign/orc/string-5000-0.05.utf8.pb"),
        bits.present(),
        bits.absent(),
        bits.matching(),
        true);
  }

  /** Keys in one, two and four bytes of UTF-8, of which the last are two code units. */
  private static ForeignSubject javaScript(String file, int added) {
    Map<?, ?> facts = (Map<?, ?>) Json.resource("/foreign/bloomfilter-js/facts.json");
    IntFunction<byte[]> key =
        i ->
            (i % 3 == 0
                    ? "key-" + i
                    : i % 3 == 1 ? "schl\u00fcssel-" + i + "-\u65e5\u672c" : "\ud83d\ude00" + i)
                .getBytes(UTF_8);
    return new ForeignSubject(
        file,
        BloomfilterJsFormat.FORMAT,
        ForeignSubject.resource("/foreign/bloomfilter-js/" + file),
        IntStream.range(0, added).mapToObj(key).toList(),
        IntStream.range(added, added + 5_000).mapToObj(key).toList(),
        RedisDump.numbers(facts.get(file)).stream().map(key::apply).toList(),
        true);
  }

  private static ForeignSubject cassandra(String file, ForeignFormat<?> format) {
    Map<?, ?> facts = (Map<?, ?>) Json.resource("/foreign/cassandra/facts.json");
    IntFunction<byte[]> key =
        i -> i % 2 == 0 ? GuavaSubjects.text(i) : ByteBuffer.allocate(8).putLong(number(i)).array();
    return new ForeignSubject(
        file,
        format,
        ForeignSubject.resource("/foreign/cassandra/" + file),
        IntStream.range(0, 3_000).mapToObj(key).toList(),
        IntStream.range(3_000, 15_000).mapToObj(key).toList(),
        RedisDump.numbers(facts.get(file)).stream().map(key::apply).toList(),
        false);
  }

  private static ForeignSubject xor(String file, ForeignFormat<?> format, int added, int end) {
    Map<?, ?> facts = (Map<?, ?>) Json.resource("/foreign/xor/facts.json");
    return new ForeignSubject(
        file,
        format,
        ForeignSubject.resource("/foreign/xor/" + file),
        IntStream.range(0, added).mapToObj(GuavaSubjects::number).toList(),
        IntStream.range(added, end).mapToObj(GuavaSubjects::number).toList(),
        RedisDump.numbers(facts.get(file)).stream()
            .filter(i -> i < end)
            .map(GuavaSubjects::number)
            .toList(),
        true);
  }

  /** A file with few keys, for which none of 10,000 others is mistaken. */
  private static ForeignSubject few(
      String name, ForeignFormat<?> format, String resource, String... keys) {
    return new ForeignSubject(
        name,
        format,
        ForeignSubject.resource(resource),
        Stream.of(keys).map(key -> key.getBytes(UTF_8)).toList(),
        IntStream.range(0, 10_000).mapToObj(GuavaSubjects::text).toList(),
        List.of(),
        true);
  }
}
