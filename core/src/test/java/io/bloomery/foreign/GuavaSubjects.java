package io.bloomery.foreign;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.foreign.hadoop.HadoopCountingFilter;
import io.bloomery.foreign.hadoop.HadoopDynamicFilter;
import io.bloomery.foreign.hadoop.HadoopFormat;
import io.bloomery.testkit.Json;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Files of Guava, Spark, Hadoop and DataSketches, written by those libraries (Apache-2.0). */
public final class GuavaSubjects {

  private GuavaSubjects() {}

  public static List<ForeignSubject> all() {
    List<ForeignSubject> subjects = new ArrayList<>(goldenFiles());
    subjects.add(hudi("simple_10000_000001_murmur", HadoopFormat.FORMAT));
    subjects.add(hudi("simple_5000_000001_jenkins", HadoopFormat.FORMAT));
    subjects.add(hudi("dynamic_200_000001_murmur_1000", HadoopDynamicFilter.FORMAT));
    return subjects;
  }

  private static List<ForeignSubject> goldenFiles() {
    return List.of(
        subject("guava/utf8-10000-0.01.bin", GuavaFormat.FORMAT, 10_000, 30_000, i -> text(i)),
        subject("guava/long-5000-0.03.bin", GuavaFormat.FORMAT, 5_000, 15_000, i -> number(i)),
        subject(
            "guava/chars-1000-0.001.bin",
            GuavaFormat.FORMAT,
            1_000,
            3_000,
            i -> ("ключ-" + i).getBytes(UTF_16LE)),
        texts("spark/v1-string-10000-0.01.bin", SparkFormat.FORMAT, 10_000, 30_000),
        texts("spark/v2-string-10000-0.01-seed0.bin", SparkFormat.FORMAT, 10_000, 30_000),
        texts("spark/default-string-2000-0.03.bin", SparkFormat.FORMAT, 2_000, 6_000),
        numbers("spark/v1-long-3000-30000bits.bin", SparkFormat.FORMAT, 3_000, 9_000),
        numbers("spark/v2-long-3000-30000bits-seed42.bin", SparkFormat.FORMAT, 3_000, 9_000),
        texts("hadoop/bloom-murmur-1000.bin", HadoopFormat.FORMAT, 1_000, 3_000),
        texts("hadoop/bloom-jenkins-1000.bin", HadoopFormat.FORMAT, 1_000, 3_000),
        texts("hadoop/counting-murmur-500.bin", HadoopCountingFilter.FORMAT, 500, 1_500),
        texts("hadoop/dynamic-murmur-1000-nr300.bin", HadoopDynamicFilter.FORMAT, 1_000, 3_000),
        texts(
            "datasketches/string-10000-0.01-seed123.sk", DataSketchesFormat.FORMAT, 10_000, 30_000),
        numbers(
            "datasketches/long-1000-16384bits-5h-seed9001.sk",
            DataSketchesFormat.FORMAT,
            1_000,
            3_000));
  }

  private static ForeignSubject texts(String file, ForeignFormat<?> format, int added, int end) {
    return subject(file, format, added, end, i -> text(i));
  }

  private static ForeignSubject numbers(String file, ForeignFormat<?> format, int added, int end) {
    return subject(file, format, added, end, i -> number(i));
  }

  /** A filter of Hudi's tests: a comment, then Base64 of what Hadoop writes; all keys are in it. */
  private static ForeignSubject hudi(String name, ForeignFormat<?> format) {
    String keys = afterComment(ForeignSubject.unpacked("/foreign/hudi/all_10000.keys.data.gz"));
    String filter = afterComment(ForeignSubject.resource("/foreign/hudi/" + name + ".bf.data"));
    return new ForeignSubject(
        "hudi/" + name,
        format,
        Base64.getMimeDecoder().decode(filter),
        Stream.of(keys.split(",")).map(key -> key.strip().getBytes(UTF_8)).toList(),
        List.of(),
        List.of(),
        true);
  }

  private static String afterComment(byte[] file) {
    String text = new String(file, UTF_8);
    return text.substring(text.indexOf("*/") + 2).strip();
  }

  /** A file of foreign/facts.json: keys below {@code added} are in it, those from there on not. */
  public static ForeignSubject subject(
      String file, ForeignFormat<?> format, int added, int end, IntFunction<byte[]> key) {
    Map<?, ?> facts =
        ((List<?>) Json.resource("/foreign/facts.json"))
            .stream()
                .map(row -> (Map<?, ?>) row)
                .filter(row -> row.get("file").equals(file))
                .findFirst()
                .orElseThrow();
    Set<Integer> matching = new HashSet<>();
    ((List<?>) facts.get("probe_i_that_match")).forEach(i -> matching.add(((Double) i).intValue()));
    return new ForeignSubject(
        file,
        format,
        ForeignSubject.resource("/foreign/" + file),
        IntStream.range(0, added).mapToObj(key).toList(),
        IntStream.range(added, end).mapToObj(key).toList(),
        matching.stream().sorted().map(key::apply).toList(),
        true);
  }

  public static byte[] text(int i) {
    return ("key-" + i).getBytes(UTF_8);
  }

  public static byte[] number(int i) {
    return ForeignFilter.littleEndian(i * 2654435761L - 1234567890123L);
  }
}
