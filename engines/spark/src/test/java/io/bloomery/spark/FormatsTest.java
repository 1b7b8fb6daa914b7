package io.bloomery.spark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filter;
import io.bloomery.foreign.AddableForeignFilter;
import io.bloomery.foreign.ForeignFilter;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.bitcoin.Bip158Filter;
import io.bloomery.foreign.registry.ForeignFormats;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

/** Every format of another system is a filter for SQL. */
final class FormatsTest {

  private static final SparkSession SPARK = LocalSpark.session();
  private static final Path FILES = Path.of("../../core/src/test/resources");
  private static final int KEYS = 100;

  /** A filter, and keys that are in it. */
  private record Sample(SharedFilter filter, List<byte[]> present) {}

  /** One query over files that the other systems wrote, or, if there is none, a filter of ours. */
  @Test
  void everyFormatIsBroadcast() throws IOException {
    List<Row> rows = new ArrayList<>();
    Map<String, Integer> found = new LinkedHashMap<>();
    for (Map.Entry<String, Sample> each : samples().entrySet()) {
      Sample sample = each.getValue();
      Filter filter = sample.filter().filter();
      BloomeryFilters.register(SPARK, "format " + each.getKey(), filter);
      for (byte[] key : sample.present()) {
        rows.add(RowFactory.create("format " + each.getKey(), key, true));
      }
      int hits = 0;
      for (int i = 0; i < KEYS; i++) {
        byte[] key = "none-%03d".formatted(i).getBytes(UTF_8); // some hold keys of 8 bytes only
        boolean hit = filter.mightContain(key);
        hits += hit ? 1 : 0;
        rows.add(RowFactory.create("format " + each.getKey(), key, hit));
      }
      found.put(each.getKey(), hits);
    }
    assertThat(found.keySet())
        .containsExactlyInAnyOrderElementsOf(
            ForeignFormats.all().stream().map(ForeignFormat::name).toList());
    // Hudi's own file holds 10,000 keys in room for 1,000: it is full, and finds every key.
    assertThat(found.remove("hudi-dynamic")).isEqualTo(KEYS);
    assertThat(found).allSatisfy((name, hits) -> assertThat(hits).isLessThan(KEYS / 2));
    StructType schema =
        new StructType()
            .add("name", DataTypes.StringType)
            .add("key", DataTypes.BinaryType)
            .add("expected", DataTypes.BooleanType);
    List<Row> wrong =
        SPARK
            .createDataFrame(rows, schema)
            .where("bloomery.contains(name, key) <> expected")
            .collectAsList();
    assertThat(wrong).isEmpty();
    found.put("hudi-dynamic", KEYS);
    found.keySet().forEach(name -> BloomeryFilters.unregister(SPARK, "format " + name));
  }

  private static Map<String, Sample> samples() throws IOException {
    Map<String, Sample> all = new LinkedHashMap<>();
    IntFunction<byte[]> text = i -> ("key-" + i).getBytes(UTF_8);
    IntFunction<byte[]> number = i -> ForeignFilter.littleEndian(i * 2654435761L - 1234567890123L);
    for (String[] file :
        new String[][] {
          {"guava", "guava/utf8-10000-0.01.bin"},
          {"spark", "spark/v2-string-10000-0.01-seed0.bin"},
          {"hadoop-bloom", "hadoop/bloom-murmur-1000.bin"},
          {"hadoop-counting", "hadoop/counting-murmur-500.bin"},
          {"hadoop-dynamic", "hadoop/dynamic-murmur-1000-nr300.bin"},
          {"datasketches", "datasketches/string-10000-0.01-seed123.sk"},
          {"hive-bloomk", "hive/bloomk-string-3000.bin"},
          {"orc", "orc/string-5000-0.05.utf8.pb"}
        }) {
      all.put(file[0], ofFile("foreign/" + file[1], file[0], keys(text)));
    }
    all.put("xor8", ofFile("foreign/xor/xor8-1000.bin", "xor8", keys(number)));
    all.put("fuse8", ofFile("foreign/xor/fuse8-1000.bin", "fuse8", keys(number)));
    all.put("fuse16", ofFile("foreign/xor/fuse16-1000.bin", "fuse16", keys(number)));
    for (String[] file :
        new String[][] {
          {"cassandra", "4.1-3000-0.01.db"},
          {"cassandra-3", "3.11-3000-0.01.db"},
          {"cassandra-2", "2-3000-0.01.db"}
        }) {
      all.put(
          file[0], ofFile("foreign/cassandra/" + file[1], file[0], keys(i -> text.apply(2 * i))));
    }
    all.put(
        "mozilla-cascade", ofFile("cascade/domains-v1-murmur.mlbf", "mozilla-cascade", domains()));
    all.put(
        "parquet-bitset",
        ofFile(
            "parquet/bloom_filter.xxhash.bin", "parquet-bitset", List.of("hello".getBytes(UTF_8))));
    String words = "foreign/parquet/arrow-bloom-words.parquet";
    all.put("parquet", ofFile(words, "parquet:0:word", wordsOf(words)));
    all.put(
        "squid-digest",
        ofFile("foreign/squid/store_digest-a.bin", "squid-digest", cachedByASquid()));
    all.put("ethereum-bloom", receipt());
    List<byte[]> undeleted = // every tenth key was deleted
        IntStream.range(0, KEYS).filter(i -> i % 10 > 0).mapToObj(text).toList();
    all.put("redis-bloom-dump", dump("bf-fixed-1000-0.01", "redis-bloom-dump", keys(text)));
    all.put("redis-cuckoo-dump", dump("cf-1000-b2", "redis-cuckoo-dump", undeleted));
    all.put("hudi-simple", hudi("simple_10000_000001_murmur", "hudi-simple"));
    all.put("hudi-dynamic", hudi("dynamic_200_000001_murmur_1000", "hudi-dynamic"));
    for (ForeignFormat<?> format : ForeignFormats.all()) {
      if (!all.containsKey(format.name())) {
        ForeignFilter filter = made(format, keys(text));
        all.put(format.name(), new Sample(SharedFilter.of(filter), keys(text)));
      }
    }
    return all;
  }

  private static List<byte[]> keys(IntFunction<byte[]> key) {
    return IntStream.range(0, KEYS).mapToObj(key).toList();
  }

  private static Sample ofFile(String file, String format, List<byte[]> present)
      throws IOException {
    byte[] bytes = Files.readAllBytes(FILES.resolve(file));
    SharedFilter named = SharedFilter.ofBytes(bytes, format);
    // A format that is recognised needs no name; several filters in a file do.
    if (ForeignFormats.named(format).isRecognised() && !format.contains(":")) {
      assertThat(SharedFilter.ofBytes(bytes).bytes()).as(file).isEqualTo(bytes);
    }
    return new Sample(named, present);
  }

  private static Sample dump(String file, String format, List<byte[]> present) throws IOException {
    String json = Files.readString(FILES.resolve("foreign/redis/" + file + ".json"));
    Matcher dump = Pattern.compile("\"dump_base64\": ?\"([^\"]+)\"").matcher(json);
    assertThat(dump.find()).isTrue();
    byte[] bytes = Base64.getDecoder().decode(dump.group(1));
    return new Sample(SharedFilter.ofBytes(bytes, format), present);
  }

  /** A filter of Hudi's tests, behind a comment; a list of keys, all of which are in it. */
  private static Sample hudi(String file, String format) throws IOException {
    String text = Files.readString(FILES.resolve("foreign/hudi/" + file + ".bf.data"));
    byte[] bytes = text.substring(text.indexOf("*/") + 2).strip().getBytes(UTF_8);
    Path list = FILES.resolve("foreign/hudi/all_10000.keys.data.gz");
    try (InputStream in = new GZIPInputStream(Files.newInputStream(list))) {
      String keys = new String(in.readAllBytes(), UTF_8);
      List<byte[]> present =
          Stream.of(keys.substring(keys.indexOf("*/") + 2).split(",", -1))
              .limit(KEYS)
              .map(key -> key.strip().getBytes(UTF_8))
              .toList();
      return new Sample(SharedFilter.ofBytes(bytes, format), present);
    }
  }

  private static ForeignFilter made(ForeignFormat<?> format, List<byte[]> keys) {
    if (format == Bip158Filter.FORMAT) {
      return Bip158Filter.ofKeys(keys, new byte[32]);
    }
    AddableForeignFilter filter = format.maker().orElseThrow().create(1_000, 0.01);
    keys.forEach(filter::add);
    return filter;
  }

  /** The first one with a log, whose address is a key. */
  private static Sample receipt() throws IOException {
    String json = Files.readString(FILES.resolve("foreign/ethereum/logs-bloom.json"));
    Matcher log =
        Pattern.compile("(?s)\"address\": ?\"0x(\\w{40})\".*?\"logsBloom\": ?\"0x(\\w{512})\"")
            .matcher(json);
    assertThat(log.find()).isTrue();
    HexFormat hex = HexFormat.of();
    return new Sample(
        SharedFilter.ofBytes(hex.parseHex(log.group(2)), "ethereum-bloom"),
        List.of(hex.parseHex(log.group(1))));
  }

  /** Of the first row group. */
  private static List<byte[]> wordsOf(String file) {
    return SPARK
        .read()
        .parquet(FILES.resolve(file).toString())
        .select("word")
        .limit(KEYS)
        .collectAsList()
        .stream()
        .map(row -> row.getString(0).getBytes(UTF_8))
        .toList();
  }

  private static List<byte[]> domains() throws IOException {
    byte[] packed = Files.readAllBytes(FILES.resolve("cascade/domains-in.txt.gz"));
    String lines;
    try (var in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      lines = new String(in.readAllBytes(), UTF_8);
    }
    return bytes(lines.lines());
  }

  private static List<byte[]> cachedByASquid() throws IOException {
    return bytes(
        Files.readAllLines(FILES.resolve("foreign/squid/cached-a.tsv")).stream()
            .skip(1)
            .map(line -> line.split("\t", -1)[1]));
  }

  private static List<byte[]> bytes(Stream<String> texts) {
    return texts.limit(KEYS).map(text -> text.getBytes(UTF_8)).toList();
  }
}
