package io.bloomery.format;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.testing.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Files of Guava, Spark, Hadoop and DataSketches, written by those libraries (Apache-2.0). */
final class GuavaSubjects {

  private GuavaSubjects() {}

  static List<ForeignSubject> all() {
    return List.of(
        subject("guava/utf8-10000-0.01.bin", GuavaFormat.FORMAT, 10_000, 30_000, i -> text(i)),
        subject("guava/long-5000-0.03.bin", GuavaFormat.FORMAT, 5_000, 15_000, i -> number(i)),
        subject(
            "guava/chars-1000-0.001.bin",
            GuavaFormat.FORMAT,
            1_000,
            3_000,
            i -> ("ключ-" + i).getBytes(UTF_16LE)));
  }

  /** A file of foreign/facts.json: keys below {@code added} are in it, those from there on not. */
  static ForeignSubject subject(
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

  static byte[] text(int i) {
    return ("key-" + i).getBytes(UTF_8);
  }

  static byte[] number(int i) {
    return ForeignFilter.littleEndian(i * 2654435761L - 1234567890123L);
  }
}
