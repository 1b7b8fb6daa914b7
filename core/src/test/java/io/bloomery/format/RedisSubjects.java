package io.bloomery.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Files of RedisBloom, Parquet, Hive, Cassandra and xor. */
final class RedisSubjects {

  private RedisSubjects() {}

  static List<ForeignSubject> all() {
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
    return all;
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
