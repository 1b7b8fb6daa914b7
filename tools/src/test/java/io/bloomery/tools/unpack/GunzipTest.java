package io.bloomery.tools.unpack;

import static io.bloomery.testkit.Inputs.gzip;
import static io.bloomery.testkit.Inputs.numbers;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.testkit.SlowStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PushbackInputStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GunzipTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 100, 1 << 20})
  void readsAllMembersHoweverTheyArrive(int piece) throws IOException {
    byte[] both = join(gzip(numbers(3000)), gzip(""), gzip("the end"));
    assertThat(unpack(both, piece)).isEqualTo(numbers(3000) + "the end");
  }

  @Test
  void skipsTheOptionalPartsOfAHeader() throws IOException {
    byte[] plain = gzip("text");
    byte[] header = Arrays.copyOf(plain, 10);
    header[3] = 2 | 4 | 8 | 16;
    byte[] parts = "\003\000abcname\000comment\000\001\002".getBytes(ISO_8859_1);
    byte[] rest = Arrays.copyOfRange(plain, 10, plain.length);
    assertThat(unpack(join(header, parts, rest), 100)).isEqualTo("text");
  }

  @Test
  void zerosAfterTheEndAreFillingAndAnythingElseIsAnError() throws IOException {
    assertThat(unpack(join(gzip("text"), new byte[1000]), 100)).isEqualTo("text");
    assertThatThrownBy(() -> unpack(join(gzip("text"), new byte[] {'x'}), 100))
        .hasMessage("what follows the gzip data is not gzip data");
  }

  @Test
  void everyTruncationIsAnError() throws IOException {
    byte[] bytes = gzip("some text, some text");
    for (int length = 3; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> unpack(cut, 100)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void aWrongChecksumOrLengthIsAnError() throws IOException {
    for (int fromEnd = 1; fromEnd <= 8; fromEnd++) {
      byte[] bytes = gzip("text");
      bytes[bytes.length - fromEnd] ^= 1;
      assertThatThrownBy(() -> unpack(bytes, 100)).hasMessageStartingWith("damaged gzip data");
    }
  }

  private static String unpack(byte[] bytes, int piece) throws IOException {
    PushbackInputStream in =
        new PushbackInputStream(new SlowStream(bytes, piece, 0), Gunzip.BUFFER);
    assertThat(Marks.startsWith(in, Gunzip.MAGIC)).isTrue();
    try (Gunzip unpacked = new Gunzip(in)) {
      return new String(unpacked.readAllBytes(), UTF_8);
    }
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
