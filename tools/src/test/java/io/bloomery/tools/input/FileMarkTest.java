package io.bloomery.tools.input;

import static io.bloomery.testkit.Inputs.gzip;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.membership.BloomFilter;
import io.bloomery.testkit.SlowStream;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.io.PushbackInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileMarkTest {

  @TempDir private Path directory;

  @Test
  void aFilterIsKnownByWhatTheLibraryWrites() throws IOException {
    byte[] frame = BloomFilter.create(10, 0.1).toBytes();
    assertThat(mark(frame)).isEqualTo(FileMark.FILTER);
    for (int length = 0; length < 8; length++) {
      assertThat(mark(Arrays.copyOf(frame, length))).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "P",
        "PAR1\n",
        "PAR1,x\n",
        "PAR1PAR1",
        "BLMIDX\n",
        "BLM",
        "\u0089PNG",
        "\n\u0001"
      })
  void textThatBeginsLikeAMarkIsKeys(String text) throws IOException {
    assertThat(mark(text.getBytes(ISO_8859_1))).isNull();
  }

  @Test
  void aSketchIsKnownByEachOfItsPreambles() throws IOException {
    for (String preamble : List.of("\2", "\3", "\n")) {
      FileMark mark = mark((preamble + "\1\7\16").getBytes(ISO_8859_1));
      assertThat(mark.refusal("s.hll"))
          .isEqualTo(
              "is not a file of keys but a sketch of different keys; bloom distinct s.hll reads and"
                  + " merges sketches");
    }
  }

  @Test
  void theFileIsRefusedBeforeAnythingIsReadAlsoWhenItIsPacked() throws IOException {
    Path index = directory.resolve("i");
    Files.write(index, "BLMIDX\0\1rest".getBytes(ISO_8859_1));
    assertRefused(index, ": is not a file of keys but an index; bloom find searches it");
    Path parquet = directory.resolve("p.gz");
    Files.write(parquet, gzip("PAR1\25\4\25"));
    assertRefused(parquet, ": is not a file of keys but a Parquet file");
  }

  private static void assertRefused(Path file, String message) {
    Console none = null;
    assertThatThrownBy(() -> new KeyInput(none, List.of(file.toString())))
        .isInstanceOf(Problem.class)
        .hasMessageStartingWith(file + message);
  }

  /** The mark of these bytes, which are still there afterwards. */
  private static FileMark mark(byte[] bytes) throws IOException {
    PushbackInputStream in = new PushbackInputStream(new SlowStream(bytes, 3, 0), FileMark.LONGEST);
    FileMark mark = FileMark.next(in, true);
    assertThat(in.readAllBytes()).isEqualTo(bytes);
    return mark;
  }
}
