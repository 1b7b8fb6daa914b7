package io.bloomery.tools.name;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OctetsTest {

  @TempDir private Path directory;

  /** Bytes are written as the characters of ISO 8859-1. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "plain",
        "caf\u00c3\u00a9",
        "caf\u00e9",
        "\u00ff\u00fe",
        "a\u00c3",
        "\u00c3",
        "\u00ef\u00bf\u00bd\u00ff", // U+FFFD itself before a byte that is not UTF-8
        "\u00ed\u00a0\u0080\u00ed\u00b3\u00bf", // surrogates in UTF-8
        "\u00c0\u0080", // an overlong form
        "\u00f0\u009f\u0098\u0080\u00e9", // an emoji, then a lone byte
        "\u00f0\u009f\u0098",
        "\u00f4\u0090\u0080\u0080"
      })
  void everyByteComesBack(String octets) {
    byte[] bytes = octets.getBytes(ISO_8859_1);
    String text = Octets.text(bytes);
    assertThat(Octets.bytes(text)).isEqualTo(bytes);
    assertThat(Octets.isText(text))
        .isEqualTo(Arrays.equals(new String(bytes, UTF_8).getBytes(UTF_8), bytes));
    if (!octets.isEmpty()) {
      assertThat(Octets.name(Octets.path(text))).isEqualTo(text);
      assertThat(Octets.name(Octets.path("/" + text + "/x"))).isEqualTo("/" + text + "/x");
      assertThat(Octets.name(Octets.path("../" + text + "/"))).isEqualTo("../" + text);
      assertThat(Octets.name(Octets.path("//a//" + text))).isEqualTo("/a/" + text);
    }
  }

  @Test
  void everyPairOfBytesComesBack() {
    byte[] bytes = new byte[2];
    for (int pair = 0; pair < 1 << 16; pair++) {
      bytes[0] = (byte) (pair >> 8);
      bytes[1] = (byte) pair;
      byte[] again = Octets.bytes(Octets.text(bytes));
      if (again.length != 2 || again[0] != bytes[0] || again[1] != bytes[1]) {
        assertThat(again).isEqualTo(bytes);
      }
    }
  }

  @Test
  void filesOfAnyNameAreOpenedListedAndNamed() throws IOException {
    String name = Octets.text(new byte[] {'a', (byte) 0xff, ' ', '%', (byte) 0xe9});
    Path file = directory.resolve(Octets.path(name));
    Files.writeString(file, "here");
    try (DirectoryStream<Path> found = Files.newDirectoryStream(directory)) {
      Path only = found.iterator().next();
      assertThat(Octets.name(only.getFileName())).isEqualTo(name);
      assertThat(only).isEqualTo(file);
    }
    try (InputStream in = Octets.open(Octets.name(file))) {
      assertThat(in.readAllBytes()).asString(UTF_8).isEqualTo("here");
    }
    Path folder = Files.createDirectory(directory.resolve(Octets.path(name + "d")));
    assertThat(Octets.name(folder)).isEqualTo(Octets.name(directory) + "/" + name + "d");
  }

  @Test
  void theWholeNameBeginsWithThePresentDirectory() {
    assertThat(Octets.absolute(Path.of("a"))).isEqualTo(Path.of("a").toAbsolutePath());
    assertThat(Octets.absolute(Path.of("/a"))).isEqualTo(Path.of("/a"));
  }
}
