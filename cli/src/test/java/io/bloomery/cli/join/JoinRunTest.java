package io.bloomery.cli.join;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Seeds;
import io.bloomery.tools.input.ColumnSplitter;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.spill.RunHash;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Joins by either build side, in memory and spilled, against a naive join. */
class JoinRunTest {

  private static final Hasher HASHER = RunHash.hasher();

  @TempDir private Path directory;

  /**
   * All join types with either build side, over keys that repeat, are empty or contain quotes and
   * line ends; in memory, spilled, and spilled with a filter that lets nearly everything through.
   */
  @ParameterizedTest
  @CsvSource({
    "INNER, 300, 1000",
    "INNER, 1000, 300",
    "LEFT, 300, 1000",
    "LEFT, 1000, 300",
    "SEMI, 300, 1000",
    "SEMI, 1000, 300",
    "ANTI, 300, 1000",
    "ANTI, 1000, 300",
    "RIGHT, 300, 1000",
    "RIGHT, 1000, 300",
    "FULL, 300, 1000",
    "FULL, 1000, 300",
    "LEFT, 1, 1",
    "INNER, 0, 5",
    "ANTI, 5, 0",
    "LEFT, 0, 0",
    "RIGHT, 0, 5",
    "FULL, 5, 0"
  })
  void matchesTheNaiveJoin(JoinRun.Type type, int leftRows, int rightRows) throws IOException {
    SplittableRandom random = Seeds.random(leftRows + 3L * rightRows);
    List<List<String>> left = rows(random, leftRows, 2);
    List<List<String>> right = rows(random, rightRows, 3);
    Path a = Files.write(directory.resolve("a"), csv(List.of("k", "x"), left));
    Path b = Files.write(directory.resolve("b"), csv(List.of("k", "y", "z"), right));
    for (boolean keepEmpty : new boolean[] {false, true}) {
      List<List<String>> expected = naive(type, left, right, keepEmpty);
      for (boolean buildsLeft : new boolean[] {false, true}) {
        for (long memory : new long[] {1 << 30, 200_000, 0}) {
          for (long bits : new long[] {1 << 16, 512}) {
            assertThat(sorted(join(type, a, b, buildsLeft, keepEmpty, memory, bits)))
                .isEqualTo(sorted(expected));
          }
        }
      }
    }
  }

  private static List<String> sorted(List<List<String>> rows) {
    return rows.stream().map(List::toString).sorted().toList();
  }

  private static List<List<String>> join(
      JoinRun.Type type,
      Path a,
      Path b,
      boolean buildsLeft,
      boolean keepEmpty,
      long memory,
      long bits)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (CsvTable left = table(a, layout -> null);
        CsvTable right = table(b, layout -> type.rightOrder(left, layout))) {
      try (JoinRun run =
          new JoinRun(
              type,
              HASHER,
              left,
              right,
              buildsLeft,
              keepEmpty,
              memory,
              bits,
              (l, at, length, r, rightAt, rightLength) -> {
                out.write(l, at, length);
                out.write(r, rightAt, rightLength);
                out.write('\n');
              })) {
        run.run();
      }
    }
    return parse(out.toString(ISO_8859_1));
  }

  private static CsvTable table(Path file, ColumnSplitter.Arrangement arrangement) {
    ColumnSplitter splitter = new ColumnSplitter(List.of("k"), null, true).ofTable(arrangement);
    return new CsvTable(
        new KeyInput(null, List.of(file.toString())),
        file.toString(),
        splitter,
        true,
        new Reading(splitter, HASHER, false),
        bytes -> {});
  }

  private static List<List<String>> parse(String csv) {
    List<List<String>> rows = new ArrayList<>();
    List<String> row = new ArrayList<>();
    StringBuilder value = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < csv.length(); i++) {
      char c = csv.charAt(i);
      if (c == '"' && quoted && i + 1 < csv.length() && csv.charAt(i + 1) == '"') {
        value.append(csv.charAt(++i));
      } else if (c == '"') {
        quoted = !quoted;
      } else if (quoted || (c != ',' && c != '\n')) {
        value.append(c);
      } else {
        row.add(value.toString());
        value.setLength(0);
        if (c == '\n') {
          rows.add(row);
          row = new ArrayList<>();
        }
      }
    }
    return rows;
  }

  private static List<List<String>> rows(SplittableRandom random, int count, int columns) {
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<String> row = new ArrayList<>();
      int key = random.nextInt(700);
      row.add(key < 5 ? "" : key < 10 ? "odd \"" + key + "\"\n,\r\n" : "key " + key);
      while (row.size() < columns) {
        row.add(random.nextInt(3) == 0 ? "" : "v\n," + random.nextInt(5) + "\u00FF");
      }
      rows.add(row);
    }
    return rows;
  }

  private static byte[] csv(List<String> header, List<List<String>> rows) {
    StringBuilder csv = new StringBuilder(String.join(",", header)).append("\r\n");
    for (List<String> row : rows) {
      String separator = "";
      for (String value : row) {
        csv.append(separator).append('"').append(value.replace("\"", "\"\"")).append('"');
        separator = ",";
      }
      csv.append("\r\n");
    }
    return csv.toString().getBytes(ISO_8859_1);
  }

  private static List<List<String>> naive(
      JoinRun.Type type, List<List<String>> left, List<List<String>> right, boolean keepEmpty) {
    List<List<String>> all = new ArrayList<>();
    boolean[] met = new boolean[right.size()];
    for (List<String> l : left) {
      boolean match = false;
      for (int i = 0; i < right.size(); i++) {
        List<String> r = right.get(i);
        if (l.get(0).equals(r.get(0)) && (keepEmpty || !l.get(0).isEmpty())) {
          if (type != JoinRun.Type.SEMI && type != JoinRun.Type.ANTI) {
            all.add(List.of(l.get(0), l.get(1), r.get(1), r.get(2)));
          }
          match = true;
          met[i] = true;
        }
      }
      if (type == (match ? JoinRun.Type.SEMI : JoinRun.Type.ANTI)) {
        all.add(l);
      } else if (!match && (type == JoinRun.Type.LEFT || type == JoinRun.Type.FULL)) {
        all.add(List.of(l.get(0), l.get(1), "", ""));
      }
    }
    for (int i = 0; i < met.length; i++) {
      if (!met[i] && (type == JoinRun.Type.RIGHT || type == JoinRun.Type.FULL)) {
        List<String> r = right.get(i);
        all.add(List.of(r.get(0), "", r.get(1), r.get(2)));
      }
    }
    return all;
  }

  /**
   * 1,500 rows per side share one key: its partition exceeds the memory however often it is split.
   */
  @Test
  void rowsOfOneKeyMayExceedTheMemory() throws IOException {
    StringBuilder text = new StringBuilder("k,v\n");
    for (int i = 0; i < 1_500; i++) {
      text.append("same,").append("x".repeat(200)).append(i).append('\n');
    }
    Path big = Files.writeString(directory.resolve("big"), text);
    long[] rows = new long[1];
    try (CsvTable left = table(big, layout -> null);
        CsvTable right = table(big, layout -> JoinRun.Type.INNER.rightOrder(left, layout))) {
      try (JoinRun run =
          new JoinRun(
              JoinRun.Type.INNER,
              HASHER,
              left,
              right,
              true,
              false,
              150_000,
              1 << 16,
              (l, a, n, r, b, m) -> rows[0]++)) {
        run.run();
        assertThat(run.spilled()).isPositive();
      }
    }
    assertThat(rows[0]).isEqualTo(1_500L * 1_500);
  }
}
