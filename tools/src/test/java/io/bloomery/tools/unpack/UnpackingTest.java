package io.bloomery.tools.unpack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.bloomery.testkit.SlowStream;
import io.bloomery.tools.problem.UnreadFormatException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files that xz 5.4, bzip2 1.0.8, lz4 1.9.4, zstd 1.5.4 and Info-ZIP 3.0 wrote: {@code seq 200} is
 * small, 40 times {@code seq 700} is large.
 */
class UnpackingTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "large.xz",
        "large-sha256-blocks.xz",
        "large-two-streams.xz",
        "large.bz2",
        "large-two-streams.bz2",
        "large.lz4",
        "large-dependent.lz4",
        "large-high.lz4",
        "large-two-frames.lz4",
        "large-skippable-first.zst",
        "large.zip"
      })
  void readsWhatTheProgramsWrite(String name) throws IOException {
    for (int piece : new int[] {7, 1 << 20}) {
      assertThat(unpack(file(name), piece)).isEqualTo(seq(700).repeat(40));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "small.xz",
        "small.bz2",
        "small.lz4",
        "small.zip",
        "small-stored.zip",
        "small-streamed.zip",
        "small-in-directory.zip"
      })
  void everyTruncationAndNoWrongContentGoUnnoticed(String name) throws IOException {
    byte[] bytes = file(name);
    assertThat(unpack(bytes, 100)).isEqualTo(seq(200));
    int mark = name.endsWith("lz4") || name.endsWith("zip") ? 4 : 10;
    boolean zip = name.endsWith("zip");
    for (int length = mark; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      if (!zip || length < bytes.length - 10) { // from there on all of its list is there
        assertThatThrownBy(() -> unpack(cut, 1 << 20)).isInstanceOf(IOException.class);
      }
    }
    for (int at = mark; at < bytes.length; at++) {
      for (int bit = at % 3; bit < Byte.SIZE; bit += 3) {
        byte[] damaged = bytes.clone();
        damaged[at] ^= (byte) (1 << bit);
        try {
          if (!unpack(damaged, 1 << 20).equals(seq(200))) {
            fail("wrong content after bit %d of byte %d", bit, at);
          }
        } catch (IOException e) {
          assertThat(e.getMessage()).isNotBlank();
        }
      }
    }
  }

  @Test
  void damageIsSeenInLargeBlocks() throws IOException {
    for (String name : new String[] {"large.bz2", "large-dependent.lz4", "large.xz"}) {
      byte[] bytes = file(name);
      int noticed = 0;
      int tried = 0;
      for (int at = 20; at < bytes.length; at += 37) {
        byte[] damaged = bytes.clone();
        damaged[at] ^= 0x10;
        tried++;
        try {
          assertThat(unpack(damaged, 1 << 20)).isEqualTo(seq(700).repeat(40));
        } catch (IOException e) {
          noticed++;
        }
      }
      assertThat(noticed).isEqualTo(tried);
    }
  }

  @Test
  void runsOfEqualBytesAreRestored() throws IOException {
    String runs = "\0".repeat(300) + "y\n".repeat(35_000) + seq(300);
    assertThat(unpack(file("runs.bz2"), 1 << 20)).isEqualTo(runs);
  }

  @ParameterizedTest
  @CsvSource({
    "several.zip, is a zip archive of several files",
    "encrypted.zip, is an encrypted zip archive",
  })
  void formatsThatAreNotReadSaySo(String name, String message) throws IOException {
    byte[] bytes = file(name);
    assertThatThrownBy(() -> unpack(bytes, 1 << 20))
        .isInstanceOf(UnreadFormatException.class)
        .hasMessageStartingWith(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"small.xz", "small.bz2", "small.lz4"})
  void whatFollowsMustBeOfTheSameFormat(String name) throws IOException {
    byte[] bytes = file(name);
    assertThat(unpack(join(bytes, bytes), 100)).isEqualTo(seq(200).repeat(2));
    assertThatThrownBy(() -> unpack(join(bytes, "12\n".repeat(20).getBytes(UTF_8)), 100))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("what follows the");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "B", "BZh", "BZh9", "PK", "PKa", "P*M", "(", "7z", "\u00FD"})
  void textThatBeginsLikeAMarkIsNotPacked(String text) throws IOException {
    byte[] bytes = text.getBytes(ISO_8859_1);
    PushbackInputStream in = source(bytes, 1);
    assertThat(Unpacking.open(in)).isNull();
    assertThat(in.readAllBytes()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({"small.xz, 2, xz", "small.bz2, 5, bzip2", "small.lz4, 3, lz4", "small.zip, 3, zip"})
  void aMarkThatIsCutOffIsAnError(String name, int length, String format) throws IOException {
    byte[] cut = Arrays.copyOf(file(name), length);
    assertThatThrownBy(() -> unpack(cut, 1)).hasMessage("the " + format + " data are cut off");
  }

  @Test
  void anXzFileThatAsksForTooMuchMemoryIsRefusedBeforeItGetsAny() throws IOException {
    byte[] bytes = file("small.xz");
    int filters = 12; // header of the stream; size, flags, id, size, then the dictionary
    assertThat(bytes[filters + 2]).isEqualTo((byte) 0x21);
    bytes[filters + 4] = 40; // 4 GiB
    CRC32 crc = new CRC32();
    int size = 4 * ((bytes[filters] & 0xFF) + 1);
    crc.update(bytes, filters, size - 4);
    for (int i = 0; i < 4; i++) {
      bytes[filters + size - 4 + i] = (byte) (crc.getValue() >>> (8 * i));
    }
    assertThatThrownBy(() -> unpack(bytes, 1 << 20))
        .isInstanceOf(IOException.class)
        .hasMessageMatching("the xz data (need .* MiB to be unpacked|use something).*xz -dc");
  }

  @Test
  void checksumsOfLz4AreThoseOfXxHash() {
    Xxh32 hash = new Xxh32();
    assertThat(hash.value()).isEqualTo(0x02CC5D05);
    byte[] text = "Nobody inspects the spammish repetition".getBytes(UTF_8);
    for (int first = 0; first <= text.length; first++) {
      hash.reset();
      hash.update(text, 0, first);
      hash.update(text, first, text.length - first);
      assertThat(hash.value()).isEqualTo(0xE2293B2F);
    }
  }

  private static byte[] file(String name) throws IOException {
    try (InputStream in = UnpackingTest.class.getResourceAsStream("/unpack/" + name)) {
      return in.readAllBytes();
    }
  }

  private static String seq(int last) {
    StringBuilder lines = new StringBuilder();
    for (int i = 1; i <= last; i++) {
      lines.append(i).append('\n');
    }
    return lines.toString();
  }

  private static PushbackInputStream source(byte[] bytes, int piece) {
    return new PushbackInputStream(new SlowStream(bytes, piece, 0), Unpacking.BUFFER);
  }

  private static String unpack(byte[] bytes, int piece) throws IOException {
    PushbackInputStream in = source(bytes, piece);
    try (InputStream unpacked = Unpacking.open(in)) {
      return new String((unpacked == null ? in : unpacked).readAllBytes(), UTF_8);
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
