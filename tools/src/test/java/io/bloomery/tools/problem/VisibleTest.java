package io.bloomery.tools.problem;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.Seeds;
import io.bloomery.tools.name.Octets;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VisibleTest {

  private static String shown(String latin1, boolean lines, int step) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Visible visible = new Visible(out, lines);
    byte[] bytes = latin1.getBytes(ISO_8859_1);
    for (int at = 0; at < bytes.length; at += step) {
      visible.write(bytes, at, Math.min(step, bytes.length - at));
    }
    visible.end();
    return out.toString(ISO_8859_1);
  }

  /** Bytes as hexadecimal digits, before and after. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          plain text\\t              | plain text\\t
          \\x1b]0;owned\\x07         | \\\\x1b]0;owned\\\\x07
          \\x00\\x08\\x7f            | \\\\x00\\\\x08\\\\x7f
          a\\xc2\\x9bb               | a\\\\u009bb
          \\xe2\\x80\\xaeevil        | \\\\u202eevil
          \\xe2\\x81\\xa6\\xd8\\x9c  | \\\\u2066\\\\u061c
          \\xc3\\xa9\\xe2\\x82\\xac  | \\xc3\\xa9\\xe2\\x82\\xac
          \\xf0\\x9f\\x8c\\xb8       | \\xf0\\x9f\\x8c\\xb8
          \\x9b31m                   | \\\\x9b31m
          \\xff\\xfe                 | \\\\xff\\\\xfe
          \\xc0\\xaf                 | \\\\xc0\\\\xaf
          \\xe0\\x80\\xaf            | \\\\xe0\\\\x80\\\\xaf
          \\xed\\xa0\\x80            | \\\\xed\\\\xa0\\\\x80
          \\xf4\\x90\\x80\\x80       | \\\\xf4\\\\x90\\\\x80\\\\x80
          \\xe2\\x82                 | \\\\xe2\\\\x82
          \\xe2\\x82\\xe2\\x82\\xac  | \\\\xe2\\\\x82\\xe2\\x82\\xac
          \\xc3\\x1b                 | \\\\xc3\\\\x1b
          """)
  void whatATerminalObeysIsShown(String before, String after) throws IOException {
    for (int step = 1; step < 5; step++) {
      for (boolean lines : new boolean[] {false, true}) {
        assertThat(shown(bytes(before), lines, step)).isEqualTo(bytes(after));
      }
    }
  }

  private static String bytes(String text) {
    StringBuilder bytes = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      if (text.startsWith("\\\\", i)) {
        bytes.append('\\');
        i++;
      } else if (text.startsWith("\\t", i)) {
        bytes.append('\t');
        i++;
      } else if (text.startsWith("\\x", i)) {
        bytes.append((char) Integer.parseInt(text.substring(i + 2, i + 4), 16));
        i += 3;
      } else {
        bytes.append(text.charAt(i));
      }
    }
    return bytes.toString();
  }

  @Test
  void lineEndsStayWhereLinesDo() throws IOException {
    for (int step = 1; step < 4; step++) {
      assertThat(shown("a\r\nb\nc\rd\r", true, step)).isEqualTo("a\r\nb\nc\\rd\\r");
      assertThat(shown("a\r\nb\nc\rd\r", false, step)).isEqualTo("a\\r\\nb\\nc\\rd\\r");
    }
    assertThat(Visible.line("x\ny\u202e")).isEqualTo("x\\ny\\u202e");
    assertThat(Visible.lines("x\ny\u202e")).isEqualTo("x\ny\\u202e");
  }

  /** Any bytes become UTF-8 without anything to obey, and texts without it stay as they are. */
  @Test
  void nothingPasses() throws IOException {
    SplittableRandom random = Seeds.random(1);
    for (int i = 0; i < 2000; i++) {
      byte[] bytes = new byte[random.nextInt(40)];
      random.nextBytes(bytes);
      byte[] shown = Visible.line(bytes, 0, bytes.length);
      String text = new String(shown, UTF_8);
      assertThat(text.getBytes(UTF_8)).isEqualTo(shown);
      assertThat(text).doesNotContainPattern("[\\x00-\\x08\\x0A-\\x1F\\x7F-\\x9F\\u2028-\\u202E]");
      assertThat(Visible.lines(text)).isEqualTo(text); // of its own output, no more
    }
  }

  /** A name or key on one line stands for its bytes and no others, whatever they are. */
  @Test
  void aLineIsReversible() {
    byte[] parts = "\\\\\\nrxu0041ffé\n\r\t\033\u202e\u0085\uFFFD".getBytes(UTF_8);
    SplittableRandom random = Seeds.random(3);
    for (int round = 0; round < 20_000; round++) {
      byte[] name = new byte[random.nextInt(12)];
      for (int i = 0; i < name.length; i++) {
        int drawn = random.nextInt(parts.length + 2);
        name[i] = drawn < parts.length ? parts[drawn] : (byte) random.nextInt(256);
      }
      String shown = Visible.line(Octets.text(name));
      assertThat(shown.getBytes(UTF_8)).isEqualTo(Visible.line(name, 0, name.length));
      assertThat(read(shown)).as(shown).isEqualTo(name);
      assertThat(shown.chars().filter(c -> c < ' ' && c != '\t')).isEmpty();
    }
  }

  /** The bytes that a line shows: the rule of the documentation. */
  private static byte[] read(String shown) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Matcher escape =
        Pattern.compile("\\\\(\\\\|n|r|x[0-9a-f]{2}|u[0-9a-f]{4})|(?s).").matcher(shown);
    while (escape.find()) {
      String what = escape.group(1) == null ? " " : escape.group(1);
      switch (what.charAt(0)) {
        case ' ' -> bytes.writeBytes(escape.group().getBytes(UTF_8));
        case 'n' -> bytes.write('\n');
        case 'r' -> bytes.write('\r');
        case 'x' -> bytes.write(Integer.parseInt(what.substring(1), 16));
        case 'u' ->
            bytes.writeBytes(
                Character.toString(Integer.parseInt(what.substring(1), 16)).getBytes(UTF_8));
        default -> bytes.write('\\');
      }
    }
    return bytes.toByteArray();
  }
}
