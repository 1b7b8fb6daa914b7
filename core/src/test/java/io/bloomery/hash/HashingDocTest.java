package io.bloomery.hash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.probe.Probes;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.secure.KeyedFilters;
import io.bloomery.secure.Secret;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every vector of docs/hashing.md is what the code computes. */
final class HashingDocTest {

  /** Where the payload of a frame with a short header begins. */
  private static final int PAYLOAD = 4096;

  @Test
  void bytes() throws IOException {
    List<String[]> rows = table("bytes", 4, 24);
    for (String[] row : rows) {
      assertHash(hasher(row).hash(bytes(row[2])), row, 3);
    }
  }

  @Test
  void text() throws IOException {
    for (String[] row : table("text", 5, 33)) {
      String text = text(row[2]);
      assertThat(HexFormat.of().formatHex(text.getBytes(UTF_8))).isEqualTo(row[3]);
      assertHash(hasher(row).hash(text), row, 4);
      assertHash(hasher(row).hash(bytes(row[3])), row, 4);
    }
  }

  @Test
  void numbers() throws IOException {
    for (String[] row : table("longs", 5, 18)) {
      long number = Long.parseLong(row[2]);
      byte[] bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
      assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(row[3]);
      assertHash(hasher(row).hash(number), row, 4);
    }
  }

  @Test
  void checkValues() throws IOException {
    for (String[] row : table("check", 3, 3)) {
      Hasher hasher = Hasher.keyed(bytes(row[0]));
      assertHash(hasher.seedOrKeyCheck(), row, 1);
      assertHash(hasher.hash("bloomery key check"), row, 2);
    }
  }

  @Test
  void derivedKeys() throws IOException {
    for (String[] row : table("derived", 3, 3)) {
      try (Secret secret = Secret.of(bytes(row[0]))) {
        Hasher hasher = KeyedFilters.of(secret).hasher(bytes(row[1]));
        assertThat(hasher).isEqualTo(Hasher.keyed(bytes(row[2]), bytes(row[1])));
        assertThat(hasher.hash("x")).isEqualTo(Hasher.keyed(bytes(row[2])).hash("x"));
      }
    }
  }

  @Test
  void stream() throws IOException {
    for (String[] row : table("stream", 5, 4)) {
      for (int i = 0; i < 4; i++) {
        assertHash(Mix.stream(Long.parseUnsignedLong(row[0], 16), i), row, 1 + i);
      }
    }
  }

  @Test
  void indexes() throws IOException {
    List<String[]> rows = table("indexes", 5, 108);
    for (String[] row : rows) {
      Probes probes =
          new Probes(IndexScheme.valueOf(row[0]), Long.parseLong(row[2]), Integer.parseInt(row[3]));
      long[] into = new long[probes.count()];
      probes.indexes(Long.parseUnsignedLong(row[1], 16), into);
      assertThat(Arrays.stream(into).mapToObj(String::valueOf).collect(Collectors.joining(" ")))
          .as(String.join(" ", row))
          .isEqualTo(row[4]);
    }
    assertThat(rows.stream().map(row -> row[0]).distinct())
        .containsExactlyInAnyOrder(
            Arrays.stream(IndexScheme.values()).map(Enum::name).toArray(String[]::new));
  }

  @Test
  void numbersOfTheSchemes() throws IOException {
    for (IndexScheme scheme : IndexScheme.values()) {
      assertThat(document())
          .anyMatch(line -> line.startsWith("| " + scheme + " | " + scheme.wireId() + " | "));
      assertThat(IndexScheme.ofWireId(scheme.wireId())).isEqualTo(scheme);
    }
  }

  @Test
  void blocks() throws IOException {
    List<String[]> rows = table("blocks", 6, 16);
    for (String[] row : rows) {
      int wordsPerKey = Integer.parseInt(row[2]);
      BlockedBloomFilter filter =
          BlockedBloomFilter.create(
              new BlockShape(
                  Long.parseLong(row[0]),
                  Integer.parseInt(row[1]),
                  wordsPerKey,
                  wordsPerKey * Integer.parseInt(row[3])));
      filter.addHash(Long.parseUnsignedLong(row[4], 16));
      assertThat(setWords(filter)).as(String.join(" ", row)).isEqualTo(row[5]);
    }
    assertThat(rows.stream().map(row -> row[1] + "/" + row[2]).distinct())
        .containsExactlyInAnyOrder("64/1", "128/2", "256/2", "256/4", "512/2", "512/4", "512/8");
  }

  /** The words of a filter that are not 0, as docs/hashing.md prints them. */
  private static String setWords(BlockedBloomFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    ByteBuffer frame = ByteBuffer.wrap(out.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
    List<String> words = new ArrayList<>();
    for (int i = 0; i < filter.sizeInBits() / Long.SIZE; i++) {
      long word = frame.getLong(PAYLOAD + i * Long.BYTES);
      if (word != 0) {
        words.add(i + ":" + Long.toHexString(word));
      }
    }
    return String.join(" ", words);
  }

  private static void assertHash(long actual, String[] row, int column) {
    assertThat(HexFormat.of().toHexDigits(actual)).as(String.join(" ", row)).isEqualTo(row[column]);
  }

  private static Hasher hasher(String[] row) {
    return switch (row[0]) {
      case "xxh3" -> Hasher.xxh3(Long.parseUnsignedLong(row[1]));
      case "siphash" -> Hasher.keyed(bytes(row[1]));
      default -> throw new AssertionError("function " + row[0]);
    };
  }

  /** Hexadecimal digits, or one byte and how often it is repeated. */
  private static byte[] bytes(String cell) {
    int times = cell.indexOf(" × ");
    return HexFormat.of()
        .parseHex(
            times < 0
                ? cell
                : cell.substring(0, times).repeat(Integer.parseInt(cell.substring(times + 3))));
  }

  /** A quoted string with {@code \}{@code uXXXX}. */
  private static String text(String cell) {
    String quoted = cell.substring(1, cell.length() - 1);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < quoted.length(); i++) {
      if (quoted.charAt(i) == '\\') {
        text.append((char) Integer.parseInt(quoted.substring(i + 2, i + 6), 16));
        i += 5;
      } else {
        text.append(quoted.charAt(i));
      }
    }
    return text.toString();
  }

  /** The cells of the table after a marker, without backticks; header and rule are left out. */
  private static List<String[]> table(String name, int columns, int rows) throws IOException {
    List<String> lines = document();
    int at = lines.indexOf("<!-- vectors: " + name + " -->");
    assertThat(at).as("marker of table %s", name).isNotNegative();
    List<String[]> cells = new ArrayList<>();
    for (int i = at + 3; i < lines.size() && lines.get(i).startsWith("|"); i++) {
      String[] row = lines.get(i).substring(1).split("\\|", -1);
      assertThat(row).as(lines.get(i)).hasSize(columns + 1);
      cells.add(
          Arrays.stream(row)
              .limit(columns)
              .map(cell -> cell.strip().replace("`", ""))
              .toArray(String[]::new));
    }
    assertThat(cells).as("table %s", name).hasSize(rows);
    return cells;
  }

  private static List<String> document() throws IOException {
    Path file = Path.of("..", "docs", "hashing.md");
    assertThat(file).as("tests run in the directory of their module").exists();
    return Files.readAllLines(file, UTF_8);
  }
}
