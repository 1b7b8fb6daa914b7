package io.bloomery.tools.input;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.testkit.Seeds;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CsvRowsTest {

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
  void rowsAreCutAsTheStandardSays(String input, String expected) throws IOException {
    String bytes = input.replace('R', '\r').replace('N', '\n');
    List<String> rows = new ArrayList<>();
    for (List<String> row : read(bytes, true, 1)) {
      rows.add(String.join("|", row));
    }
    assertThat(String.join(" / ", rows)).isEqualTo(expected.replace('R', '\r').replace('N', '\n'));
  }

  @Test
  void anEmptyStreamHasNoRows() throws IOException {
    assertThat(read("", true, 1)).isEmpty();
    assertThat(read("\n\r\n", true, 1)).isEmpty();
    assertThat(read("\u00EF\u00BB\u00BF", true, 1)).isEmpty();
  }

  @Test
  void aByteOrderMarkIsNoPartOfTheFirstName() throws IOException {
    assertThat(read("\u00EF\u00BB\u00BFid,\u00EF\u00BB\u00BF\n", true, 1))
        .containsExactly(List.of("id", "\u00EF\u00BB\u00BF"));
    assertThat(read("\u00EF\u00BB", true, 1)).containsExactly(List.of("\u00EF\u00BB"));
  }

  @Test
  void withoutQuotesAQuoteIsAByte() throws IOException {
    assertThat(read("\"a,b\"\n\"\n", false, 1))
        .containsExactly(List.of("\"a", "b\""), List.of("\""));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 65_536})
  void anyRowsComeBackHoweverTheyArrive(int chunk) throws IOException {
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
  void rowsAndFieldsAreAlsoGivenAsTheyWereRead() throws IOException {
    CsvRows rows = rows("h\r\n\"a\"\"\",\"b\nc\",d\r\n", true, 1);
    assertThat(rows.next()).isTrue();
    assertThat(rows.next()).isTrue();
    Text text = new Text();
    rows.row(text);
    rows.raw(0, text);
    rows.value(0, text);
    assertThat(text.all).containsExactly("\"a\"\"\",\"b\nc\",d", "\"a\"\"\"", "a\"");
    assertThat(rows.fields()).isEqualTo(3);
  }

  @Test
  void rowsKnowTheirLines() throws IOException {
    CsvRows rows = rows("a\n\n\"b\n\nb\"\nc\n", true, 3);
    List<Long> lines = new ArrayList<>();
    while (rows.next()) {
      lines.add(rows.line());
    }
    assertThat(lines).containsExactly(1L, 3L, 6L);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "`aN\"bNcN` ~ line 2: a quote is opened and never closed",
        "`aN\"bN\"c,dN` ~ line 3: text after a closing quote",
        "`\"a\" ,b` ~ line 1: text after a closing quote",
        "`\"a\"R` ~ line 1: text after a closing quote",
      })
  void wrongQuotesAreNamedWithTheirLine(String input, String message) {
    assertThatThrownBy(() -> read(input.replace('N', '\n').replace('R', '\r'), true, 1))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(message);
  }

  private static List<List<String>> read(String csv, boolean quotes, int chunk) throws IOException {
    CsvRows rows = rows(csv, quotes, chunk);
    List<List<String>> all = new ArrayList<>();
    while (rows.next()) {
      Text row = new Text();
      for (int i = 0; i < rows.fields(); i++) {
        rows.value(i, row);
      }
      all.add(row.all);
    }
    assertThat(rows.next()).isFalse();
    return all;
  }

  private static CsvRows rows(String csv, boolean quotes, int chunk) throws IOException {
    char separator = quotes ? ',' : '\t';
    InputStream in =
        new ByteArrayInputStream(csv.replace(',', separator).getBytes(ISO_8859_1)) {
          @Override
          public synchronized int read(byte[] bytes, int offset, int length) {
            return super.read(bytes, offset, Math.min(chunk, length));
          }
        };
    return new CsvRows(in, (byte) separator, Block.LONGEST);
  }

  private static final class Text implements KeySink {
    private final List<String> all = new ArrayList<>();

    @Override
    public void key(byte[] bytes, int offset, int length) {
      all.add(new String(bytes, offset, length, ISO_8859_1));
    }
  }
}
