package io.bloomery.tools.input;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.testkit.Seeds;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.StandardOutput;
import io.bloomery.tools.problem.Problem;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of CSV and TSV, read block by block: what the standard says, however they arrive. */
class BlockReaderTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        // The examples of RFC 4180, section 2, and what it leaves open.
        "aaa,bbb,cccRNzzz,yyy,xxxRN ~ aaa|bbb|ccc / zzz|yyy|xxx",
        "aaa,bbb,cccRNzzz,yyy,xxx ~ aaa|bbb|ccc / zzz|yyy|xxx",
        "`\"aaa\",\"bRNbb\",\"ccc\"RNzzz,yyy,xxx` ~ aaa|bRNbb|ccc / zzz|yyy|xxx",
        "`\"aaa\",\"b\"\"bb\",\"ccc\"` ~ `aaa|b\"bb|ccc`",
        "a,b,cNd,e,fN ~ a|b|c / d|e|f",
        "NNaNRNNbRNN ~ a / b",
        ",,N,N ~ || / |",
        "`\"\"N\"\",\"\"N` ~ ` / |`",
        "`a\"b,c\"\"dN` ~ `a\"b|c\"\"d`",
        "`\"\"\"\",\"\"\"a\"\"\"N` ~ `\"|\"a\"`",
        "`a, \"b\"N` ~ `a| \"b\"`",
        "aRb,cRN ~ aRb|c",
        "a,bR ~ a|bR",
        "`\"a\"RNb` ~ a / b",
      })
  void rowsAreCutAsTheStandardSays(String input, String expected) {
    String bytes = input.replace('R', '\r').replace('N', '\n');
    List<String> rows = new ArrayList<>();
    for (List<String> row : read(bytes, true, 1)) {
      rows.add(String.join("|", row));
    }
    assertThat(String.join(" / ", rows)).isEqualTo(expected.replace('R', '\r').replace('N', '\n'));
  }

  @Test
  void anEmptyStreamHasNoRows() {
    assertThat(read("", true, 1)).isEmpty();
    assertThat(read("\n\r\n", true, 1)).isEmpty();
    assertThat(read("\u00EF\u00BB\u00BF", true, 1)).isEmpty();
  }

  @Test
  void aByteOrderMarkIsNoPartOfTheFirstName() {
    assertThat(read("\u00EF\u00BB\u00BFid,\u00EF\u00BB\u00BF\n", true, 1))
        .containsExactly(List.of("id", "\u00EF\u00BB\u00BF"));
    assertThat(read("\u00EF\u00BB", true, 1)).containsExactly(List.of("\u00EF\u00BB"));
  }

  @Test
  void withoutQuotesAQuoteIsAByte() {
    assertThat(read("\"a,b\"\n\"\n", false, 1))
        .containsExactly(List.of("\"a", "b\""), List.of("\""));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 65_536})
  void anyRowsComeBackHoweverTheyArrive(int chunk) {
    SplittableRandom random = Seeds.random(chunk);
    List<List<String>> rows = new ArrayList<>();
    StringBuilder csv = new StringBuilder();
    for (int i = 0; i < 3000; i++) {
      List<String> row = new ArrayList<>();
      for (int j = random.nextInt(1, i == 7 ? 1000 : 6); j > 0; j--) {
        row.add(value(random));
      }
      append(csv, row, random);
      rows.add(row);
    }
    assertThat(read(csv.toString(), true, chunk)).isEqualTo(rows);
  }

  private static String value(SplittableRandom random) {
    StringBuilder value = new StringBuilder();
    for (int i = random.nextInt(8); i > 0; i--) {
      value.append("ab,\"\r\n\u00FF ".charAt(random.nextInt(8)));
    }
    return value.append("x".repeat(random.nextInt(1000) == 0 ? 70_000 : 0)).toString();
  }

  private static void append(StringBuilder csv, List<String> row, SplittableRandom random) {
    for (int i = 0; i < row.size(); i++) {
      String value = row.get(i);
      boolean needed = value.matches("(?s).*[,\"\r\n].*") || (value.isEmpty() && row.size() == 1);
      boolean quoted = needed || random.nextInt(4) == 0;
      csv.append(i > 0 ? "," : "").append(quoted ? '"' + value.replace("\"", "\"\"") + '"' : value);
    }
    csv.append(random.nextBoolean() ? "\n" : "\r\n");
  }

  @Test
  void rowsKnowTheirLines() {
    assertThatThrownBy(() -> read("a\n\n\"b\n\nb\"\n\"c\"d\n", true, 3))
        .isInstanceOf(Problem.class)
        .hasMessageStartingWith("standard input, line 6: the row \"\"c\"d\" goes on");
  }

  @Test
  void rowsOfATableHaveAsManyFieldsAsTheFirst() {
    ColumnSplitter table =
        new ColumnSplitter(List.of("2"), (byte) ',', false).ofTable(layout -> null);
    assertThatThrownBy(() -> read(stream("a,b\n1,2\n1,2,3\n", 65_536), table))
        .isInstanceOf(Problem.class)
        .hasMessage("standard input, line 3: the row \"1,2,3\" has 3 fields; the first row has 2");
  }

  /** Fields in another order, some of them empty, between other separators. */
  @Test
  void rowsOfATableMayBeArranged() {
    ColumnSplitter table =
        new ColumnSplitter(List.of("2"), (byte) ',', false)
            .ofTable(layout -> new RowOrder(layout.width(), (byte) ';', List.of(-1, 2, -1, 0)));
    List<String> printed = new ArrayList<>();
    try (BlockReader reader = open(stream("a,b,\"c;\"\r\n,2,3", 65_536), table)) {
      for (Block block = reader.next(); block != null; block = reader.next()) {
        for (int i = 0; i < block.count(); i++) {
          int start = block.starts()[i];
          printed.add(new String(block.bytes(), start, block.ends()[i] - start, ISO_8859_1));
        }
      }
    }
    assertThat(printed).containsExactly(";\"c;\";;a\r\n", ";3;;");
  }

  @Test
  void theEndOfTheFirstFields() {
    byte[] row = "\"a,\"\"\",b,,c".getBytes(ISO_8859_1);
    assertThat(
            IntStream.rangeClosed(0, 5)
                .map(count -> RowLayout.fieldsEnd(row, 0, row.length, count, (byte) ',')))
        .containsExactly(0, 6, 8, 9, 11, 11);
  }

  @ParameterizedTest
  @CsvSource({
    "'a,b', false",
    "',b', true",
    "'a,', true",
    "'a,,b', true",
    "'\"a,,\",b', false",
    "'\"\"\",\",', true",
    "'\"\"\"\",\"\"\"\"', false"
  })
  void emptyValuesOfAKey(String key, boolean expected) {
    byte[] bytes = ("x" + key).getBytes(ISO_8859_1);
    assertThat(KeyRow.hasEmptyValue(bytes, 1, bytes.length - 1)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "`aN\"bNcN` ~ line 2: the row \"\"b\" has a quote that is never closed",
        "`aN\"bN\"c,dN` ~ line 2: the row \"\"b\" goes on after a closing quote",
        "`\"a\" ,b` ~ line 1: the row \"\"a\" ,b\" goes on after a closing quote",
        "`\"a\"R` ~ line 1: the row",
      })
  void wrongQuotesAreNamedWithTheirLine(String input, String message) {
    assertThatThrownBy(() -> read(input.replace('N', '\n').replace('R', '\r'), true, 1))
        .isInstanceOf(Problem.class)
        .hasMessageStartingWith("standard input, " + message);
  }

  private static List<List<String>> read(String csv, boolean quotes, int chunk) {
    char separator = quotes ? ',' : '\t';
    return read(
        stream(csv.replace(',', separator), chunk),
        new ColumnSplitter(List.of("1"), (byte) separator, false));
  }

  private static InputStream stream(String text, int chunk) {
    return new ByteArrayInputStream(text.getBytes(ISO_8859_1)) {
      @Override
      public synchronized int read(byte[] bytes, int offset, int length) {
        return super.read(bytes, offset, Math.min(chunk, length));
      }
    };
  }

  private static BlockReader open(InputStream in, ColumnSplitter splitter) {
    Console console =
        new Console(
            in,
            new StandardOutput(OutputStream.nullOutputStream()),
            new PrintWriter(Writer.nullWriter()),
            () -> false,
            () -> false);
    return new KeyInput(console, List.of("-"))
        .open(new Reading(splitter, null, true, 1, 64).limited(Block.LONGEST), bytes -> {});
  }

  private static List<List<String>> read(InputStream in, ColumnSplitter splitter) {
    List<List<String>> all = new ArrayList<>();
    try (BlockReader reader = open(in, splitter)) {
      for (Block block = reader.next(); block != null; block = reader.next()) {
        for (int i = 0; i < block.count(); i++) {
          List<byte[]> values = block.layout().values(block, block.starts()[i]);
          all.add(values.stream().map(value -> new String(value, ISO_8859_1)).toList());
        }
      }
    }
    return all;
  }
}
