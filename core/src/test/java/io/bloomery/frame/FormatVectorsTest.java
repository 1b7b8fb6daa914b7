package io.bloomery.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.SampleFilters;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.code.RiceBlocks;
import io.bloomery.internal.numeric.RibbonLayout;
import io.bloomery.internal.solve.Ribbon;
import io.bloomery.window.DecayingBloomFilter;
import io.bloomery.window.DecayingShape;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The vectors of docs/format/*.md are what the code does. */
final class FormatVectorsTest {

  private static final Path PAGES = Path.of("..", "docs", "format");

  /** The cells of a table, without code marks; {@code rows} of them, so that none is forgotten. */
  private static List<String[]> table(String page, String name, int rows) throws IOException {
    List<String> lines = Files.readAllLines(PAGES.resolve(page));
    int at = lines.indexOf("<!-- vectors: " + name + " -->");
    assertThat(at).as(name).isNotNegative();
    List<String[]> found = new ArrayList<>();
    for (int i = at + 3; lines.get(i).startsWith("|"); i++) {
      String row = lines.get(i).replace("`", "");
      String[] cells = row.substring(1, row.length() - 1).split("\\|");
      found.add(Arrays.stream(cells).map(String::strip).toArray(String[]::new));
    }
    assertThat(found).as(name).hasSize(rows);
    return found;
  }

  private static long hex(String digits) {
    return Long.parseUnsignedLong(digits, 16);
  }

  @Test
  void ribbonLayouts() throws IOException {
    for (String[] row : table("frozen.md", "ribbon-layout", 8)) {
      RibbonLayout layout =
          new RibbonLayout(
              Long.parseLong(row[0]), Integer.parseInt(row[1]), Integer.parseInt(row[2]));
      assertThat(layout.words()).isEqualTo(Long.parseLong(row[3]));
      assertThat(
              Arrays.stream(layout.layers())
                  .map(each -> each.chunks() + " × " + each.chunkSlots() + ", " + each.narrow())
                  .collect(Collectors.joining("; ")))
          .isEqualTo(row[4]);
    }
  }

  /** A slot counts if its coefficient is set, and a key matches where parity is fingerprint. */
  @Test
  void ribbonQueries() throws IOException {
    for (String[] row : table("frozen.md", "ribbon-query", 6)) {
      int columns = Integer.parseInt(row[1]);
      RibbonLayout layout = new RibbonLayout(Long.parseLong(row[0]), columns, 0);
      int number = Integer.parseInt(row[5].replaceFirst(" .*", ""));
      RibbonLayout.Layer[] layers = layout.layers();
      assertThat(row[5]).isEqualTo(number + " of " + layers.length);
      Words words = Words.allocate(layout.words(), false);
      Ribbon ribbon = new Ribbon(layout, hex(row[2]), Integer.parseInt(row[3]), words);
      long h = hex(row[4]);
      long[] heap = words.writable();
      for (int i = 0; i < number; i++) {
        Arrays.fill(
            heap, Words.BASE + layers[i].thresholds(), Words.BASE + layers[i + 1].thresholds(), -1);
      }
      RibbonLayout.Layer layer = layers[number];
      long start = Long.parseLong(row[6]) * layer.chunkSlots() + Long.parseLong(row[7]);
      long coefficients = hex(row[8]);
      for (int b = -1; b <= 64; b++) {
        long slot = start + b;
        if (slot >= 0 && slot < (long) layer.chunks() * layer.chunkSlots()) {
          int word = Words.BASE + layer.firstWord() + (int) (slot / 64) * columns;
          heap[word] ^= 1L << slot;
          boolean counts = b >= 0 && b < 64 && (coefficients >>> b & 1) != 0;
          assertThat(ribbon.get(h)).as(row[4] + " " + b).isEqualTo(counts ? 1 : 0);
          heap[word] ^= 1L << slot;
        }
      }
      int first = Words.BASE + layer.firstWord() + (int) (start / 64) * columns;
      long fingerprint = hex(row[9]);
      for (int j = 0; j < columns; j++) {
        heap[first + j] |= (fingerprint >>> j & 1) << start;
      }
      assertThat(ribbon.matches(h)).isTrue();
      for (int j = 0; j < columns; j++) {
        heap[first + j] ^= 1L << start;
        assertThat(ribbon.matches(h)).isFalse();
        heap[first + j] ^= 1L << start;
      }
    }
  }

  @Test
  void golombCodes() throws IOException {
    for (String[] row : table("frozen.md", "golomb", 4)) {
      long[] numbers =
          Arrays.stream(row[3].split(" "))
              .filter(number -> !number.isEmpty())
              .mapToLong(Long::parseLong)
              .toArray();
      RiceBlocks blocks =
          RiceBlocks.encode(
              numbers,
              numbers.length,
              Long.parseLong(row[0]),
              Integer.parseInt(row[1]),
              Long.parseLong(row[2]));
      assertThat(blocks.layout().streamBits()).isEqualTo(Long.parseLong(row[4]));
      assertThat(blocks.layout().deviationBits()).isEqualTo(Integer.parseInt(row[5]));
      assertThat(printed(blocks.stream())).isEqualTo(row[6]);
      assertThat(printed(blocks.index())).isEqualTo(row[7]);
    }
  }

  private static String printed(Words words) {
    long end = words.length();
    while (end > 0 && words.get(end - 1) == 0) {
      end--;
    }
    return LongStream.range(0, end)
        .mapToObj(i -> Long.toHexString(words.get(i)))
        .collect(Collectors.joining(" "));
  }

  @Test
  void decayingCells() throws IOException {
    for (String[] row : table("window.md", "decaying", 5)) {
      DecayingShape shape =
          new DecayingShape(
              Long.parseLong(row[0]), 1, Long.parseLong(row[1]), Long.parseLong(row[2]), true);
      long h = hex(row[3]);
      long[] clock = {Long.parseLong(row[4])};
      DecayingBloomFilter filter =
          DecayingBloomFilter.create(shape, Hasher.xxh3(), () -> Instant.ofEpochMilli(clock[0]));
      filter.addHash(h);
      int bits = Integer.parseInt(row[5]);
      assertThat(shape.cellBits()).isEqualTo(bits);
      ByteBuffer frame =
          ByteBuffer.wrap(SampleFilters.bytes(filter)).order(ByteOrder.LITTLE_ENDIAN);
      int cell = Integer.parseInt(row[6]);
      for (int word = 0; word < frame.getLong(40) / 8; word++) {
        long expected =
            word == cell / (64 / bits) ? Long.parseLong(row[8]) << (cell % (64 / bits) * bits) : 0;
        assertThat(frame.getLong(4096 + 8 * word)).as("word " + word).isEqualTo(expected);
      }
      long dead = Long.parseLong(row[9]);
      clock[0] = dead - 1;
      assertThat(filter.mightContainHash(h)).isTrue();
      clock[0] = dead;
      assertThat(filter.mightContainHash(h)).isFalse();
    }
  }
}
