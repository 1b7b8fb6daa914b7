package io.bloomery.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import io.bloomery.ReadOptions;
import io.bloomery.hash.Hasher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A filter whose first bytes are damaged is a damaged filter, not one of another system. */
class MagicTest {

  private static final byte[] KEY = "sixteen secrets!".getBytes(StandardCharsets.US_ASCII);
  private static final Hasher KEYED = Hasher.keyed(KEY);

  @TempDir Path directory;

  @Test
  void everyFlippedBitOfAPlainFilter() throws IOException {
    everyFlippedBit(FrameBuilder.bloom().section(3, 4).build(), Hasher.xxh3());
  }

  @Test
  void everyFlippedBitOfAKeyedFilter() throws IOException {
    everyFlippedBit(
        FrameBuilder.bloom()
            .hasher(Hasher.SIPHASH_2_4, KEYED.seedOrKeyCheck())
            .section(1, 2)
            .build(),
        KEYED);
  }

  private void everyFlippedBit(byte[] frame, Hasher hasher) throws IOException {
    Path file = Files.write(directory.resolve("sound.bloom"), frame);
    assertThat(Filters.isNative(file)).isTrue();
    assertThat(Filters.open(file, ReadOptions.defaults().withHasher(hasher))).isNotNull();
    for (int bit = 0; bit < 64; bit++) {
      byte[] damaged = frame.clone();
      damaged[bit >>> 3] ^= (byte) (1 << (bit & 7));
      Files.write(file, damaged);
      assertThat(Filters.isNative(file)).as("bit %d", bit).isTrue();
      for (Throwable defect :
          List.of(
              catchThrowable(() -> Filters.open(file)),
              catchThrowable(() -> Filters.open(file, ReadOptions.defaults().withHasher(hasher))),
              catchThrowable(() -> Filters.map(file)),
              catchThrowable(() -> Filters.map(file, ReadOptions.defaults().withHasher(hasher))),
              catchThrowable(() -> Filters.header(file)),
              catchThrowable(() -> Filters.verify(file)))) {
        assertThat(defect)
            .isInstanceOf(FilterFormatException.class)
            .hasMessageStartingWith(file + ", byte " + (bit >>> 3) + ": damaged: ")
            .hasMessageContaining("a filter begins with 89 42 4c 4d 0d 0a 1a 0a");
      }
    }
  }

  @Test
  void otherFilesAreNotOurs() throws IOException {
    Path file = directory.resolve("other");
    for (String text : List.of("", "P", "PK\u0003\u0004 an archive", "\r\n\u001A\n and BLM")) {
      Files.writeString(file, text);
      assertThat(Filters.isNative(file)).as(text).isFalse();
      assertThat(catchThrowable(() -> Filters.open(file, ReadOptions.defaults().withHasher(KEYED))))
          .isInstanceOf(FilterFormatException.class)
          .hasMessageNotContaining("damaged");
    }
  }
}
