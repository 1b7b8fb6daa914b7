package io.bloomery.tools.input;

import static io.bloomery.testkit.Inputs.gzip;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.testkit.SlowStream;
import io.bloomery.tools.problem.Problem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Encodings and formats of files of keys. */
class TextFormatsTest {

  private static final String TEXT = "one\r\nn\u00e4chste\n\u4e00\ud83d\ude00\n";

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 1 << 15})
  void utf16BecomesUtf8HoweverItArrives(int piece) throws IOException {
    String text = TEXT.repeat(1000);
    for (Charset charset : new Charset[] {UTF_16LE, UTF_16BE}) {
      byte[] bytes = ("\uFEFF" + text).getBytes(charset);
      PushbackInputStream in = new PushbackInputStream(new SlowStream(bytes, piece, 0), 2);
      try (InputStream utf8 = Utf16.open(in)) {
        assertThat(new String(utf8.readAllBytes(), UTF_8)).isEqualTo(text);
      }
    }
  }

  @Test
  void halvesOfCharactersAreErrors() throws IOException {
    Path last = write("last", units("ab\uD800"));
    assertThatThrownBy(() -> keys(last)).isInstanceOf(Problem.class).hasMessageContaining("within");
    for (String text : new String[] {"\uDC00ab", "\uD800ab"}) {
      Path file = write("half", units(text));
      assertThatThrownBy(() -> keys(file))
          .isInstanceOf(Problem.class)
          .hasMessageContaining("malformed");
    }
  }

  private static byte[] units(String text) {
    byte[] bytes = new byte[2 + 2 * text.length()];
    bytes[0] = (byte) 0xFF;
    bytes[1] = (byte) 0xFE;
    for (int i = 0; i < text.length(); i++) {
      bytes[2 + 2 * i] = (byte) text.charAt(i);
      bytes[3 + 2 * i] = (byte) (text.charAt(i) >>> 8);
    }
    return bytes;
  }

  @Test
  void marksOfEncodingsAreNotPartOfAKey() throws IOException {
    List<String> expected = List.of("one", "n\u00e4chste", "\u4e00\ud83d\ude00");
    assertThat(keys(write("8", ("\uFEFF" + TEXT).getBytes(UTF_8)))).isEqualTo(expected);
    assertThat(keys(write("16", ("\uFEFF" + TEXT).getBytes(UTF_16LE)))).isEqualTo(expected);
    assertThat(keys(write("16b", ("\uFEFF" + TEXT).getBytes(UTF_16BE)))).isEqualTo(expected);
    assertThat(keys(write("8.gz", gzip("\uFEFF" + TEXT)))).isEqualTo(expected);
    assertThat(keys(write("later", "a\n\uFEFFb".getBytes(UTF_8)))).containsExactly("a", "\uFEFFb");
    assertThat(keys(write("only", "\uFEFF\nx".getBytes(UTF_8)))).containsExactly("x");
  }

  @Test
  void recordsOfBytesAreNotDecoded() throws IOException {
    byte[] bytes = {(byte) 0xFF, (byte) 0xFE, 0, 0, (byte) 0xFE, (byte) 0xFF, 0, 1};
    List<Integer> lengths = new ArrayList<>();
    read(write("records", bytes), new RecordSplitter(4), block -> lengths.add(block.count()));
    assertThat(lengths).containsExactly(2);
  }

  @Test
  void formatsThatAreNotReadAreNamed() throws IOException {
    assertRefused("7z\u00BC\u00AF'\u001C\0\4", "a 7z archive; 7z x -so FILE | bloom … ");
    assertRefused("Rar!\u001A\u0007\u0001\0", "a rar archive; unrar p -inul FILE | bloom … ");
    assertRefused("\u001F\u009D\u0090", "packed by compress; gzip -dc FILE | bloom … ");
    assertRefused("Obj\u0001\4", "an Avro file; for keys export a column as text");
    assertRefused("%PDF-1.7\n", "a PDF document; pdftotext FILE - | bloom … ");
    assertRefused("\u00FF\u00FE\0\0a\0\0\0", "text in UTF-32; iconv ");
    assertRefused("\0\0\u00FE\u00FF\0\0\0a", "text in UTF-32; iconv ");
    assertRefused(new String(resource("small.lzma"), ISO_8859_1), "packed by lzma; xz -dc FILE ");
    assertRefused(new String(resource("small-legacy.lz4"), ISO_8859_1), "packed by lz4 -l; ");
  }

  private void assertRefused(String bytes, String message) throws IOException {
    Path file = write("x", bytes.getBytes(ISO_8859_1));
    assertThatThrownBy(() -> keys(file))
        .isInstanceOf(Problem.class)
        .hasMessageStartingWith(
            file + ": is not a file of keys but " + message.replace("FILE", file.toString()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"small.tar.gz", "small.tar.xz"})
  void archivesOfTarAreNamed(String name) throws IOException {
    Path file = write(name, resource(name));
    assertThatThrownBy(() -> keys(file))
        .isInstanceOf(Problem.class)
        .hasMessageStartingWith(file + ": is not a file of keys but a tar archive");
  }

  @Test
  void twicePackedIsNamed() throws IOException {
    ByteArrayOutputStream outer = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(outer)) {
      out.write(gzip("x\n"));
    }
    Path file = write("f", outer.toByteArray());
    assertThatThrownBy(() -> keys(file))
        .isInstanceOf(Problem.class)
        .hasMessage(file + ": is packed twice, by gzip inside; unpack it first");
  }

  @Test
  void brotliIsKnownByItsNameAndOnlyIfItIsNotText() throws IOException {
    byte[] brotli = {0x1B, 0x0A, 0, (byte) 0xF8, 0x25, 0, (byte) 0xC2, (byte) 0xB1};
    Path file = write("keys.br", brotli);
    assertThatThrownBy(() -> keys(file))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("packed by Brotli; brotli -dc " + file + " | bloom …");
    assertThat(keys(write("com.br", "caf\u00e9.com.br\n\tx\n".getBytes(UTF_8)))).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"small.xz", "small.bz2", "small.lz4", "small.zip"})
  void damagedFilesAreNamed(String name) throws IOException {
    byte[] bytes = resource(name);
    assertThat(keys(write(name, bytes))).hasSize(200).contains("1", "200");
    Path cut = write("cut-" + name, Arrays.copyOf(bytes, bytes.length / 2));
    assertThatThrownBy(() -> keys(cut))
        .isInstanceOf(Problem.class)
        .hasMessageStartingWith(cut + ", near byte ")
        .hasMessageEndingWith(" data are cut off");
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = TextFormatsTest.class.getResourceAsStream("/unpack/" + name)) {
      return in.readAllBytes();
    }
  }

  private Path write(String name, byte[] bytes) throws IOException {
    return Files.write(directory.resolve(name), bytes);
  }

  private static List<String> keys(Path file) {
    List<String> keys = new ArrayList<>();
    read(
        file,
        new LineSplitter(),
        block -> {
          for (int i = 0; i < block.count(); i++) {
            int start = block.keyStarts()[i];
            keys.add(new String(block.bytes(), start, block.keyEnds()[i] - start, UTF_8));
          }
          return true;
        });
    return keys;
  }

  private static void read(Path file, Splitter splitter, BlockSink sink) {
    new KeyInput(null, List.of(file.toString()))
        .read(new Reading(splitter, null, false, 1), sink, bytes -> {});
  }
}
