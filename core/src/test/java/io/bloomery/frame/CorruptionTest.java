package io.bloomery.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.fail;

import io.bloomery.FilterFormatException;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.MappedFilter;
import io.bloomery.ReadOptions;
import io.bloomery.SampleFilters;
import io.bloomery.Storable;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every flipped bit, every truncation and every byte too many is noticed and located. */
class CorruptionTest {

  private static final long BUDGET = 1 << 20;
  private static final int PADDED = 4096;

  @TempDir Path directory;

  static List<FilterKind<?>> kinds() {
    return Filters.kinds();
  }

  /**
   * Every bit of header, words and checksums. The padding between header and words is the same for
   * all kinds and read by the same loop: all bits for the first kind, and one of 64 for the others,
   * the next one for the next kind.
   */
  @ParameterizedTest
  @MethodSource("kinds")
  void everyFlippedBit(FilterKind<?> kind) {
    byte[] frame = SampleFilters.bytes(SampleFilters.of(kind));
    int header = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).getInt(12);
    boolean all = kind == Filters.kinds().get(0);
    for (int bit = 0; bit < 8 * frame.length; bit++) {
      int at = bit >>> 3;
      if (all || at < header || at >= PADDED || ((bit + kind.id()) & 63) == 0) {
        frame[at] ^= (byte) (1 << (bit & 7));
        long offset = defect(frame, frame.length).offset();
        if (offset < 0 || offset > frame.length) {
          fail("bit %d is reported at byte %d", bit, offset);
        }
        frame[at] ^= (byte) (1 << (bit & 7));
      }
    }
  }

  /** Within the padding every length for the first kind, and one of eight for the others. */
  @ParameterizedTest
  @MethodSource("kinds")
  void everyTruncation(FilterKind<?> kind) {
    byte[] frame = SampleFilters.bytes(SampleFilters.of(kind));
    int header = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).getInt(12);
    boolean all = kind == Filters.kinds().get(0);
    for (int length = 1; length < frame.length; length++) {
      if (all || length <= header || length >= PADDED || ((length + kind.id()) & 7) == 0) {
        FilterFormatException defect = defect(frame, length);
        if (defect.offset() != length || !defect.getMessage().contains("missing")) {
          fail("cut to %d bytes: %s", length, defect);
        }
      }
    }
    assertThatThrownBy(
            () ->
                Filters.read(
                    new ByteArrayInputStream(frame, 0, 0),
                    ReadOptions.defaults().withLimit(BUDGET)))
        .isInstanceOf(EOFException.class);
  }

  @Test
  void truncationsOfAFile() throws IOException {
    byte[] frame = SampleFilters.bytes(SampleFilters.of(Filters.kind("bloom")));
    Path file = Files.write(directory.resolve("cut.bloom"), frame);
    try (var channel = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
      for (int length = frame.length - 1; length >= 0; length -= length > 160 ? 17 : 1) {
        channel.truncate(length);
        assertDefect(file, length);
      }
    }
  }

  @Test
  void flippedBitsOfTheHeaderAndThePaddingOfAMappedFile() throws IOException {
    byte[] frame = SampleFilters.bytes(SampleFilters.of(Filters.kind("bloom")));
    Path file = Files.write(directory.resolve("flipped.bloom"), frame);
    for (int bit = 0; bit < 8 * 4096; bit += bit < 8 * 160 ? 5 : 251) {
      byte[] flipped = frame.clone();
      flipped[bit >>> 3] ^= (byte) (1 << (bit & 7));
      Files.write(file, flipped);
      assertThatThrownBy(() -> Filters.map(file)).isInstanceOf(FilterFormatException.class);
      assertThatThrownBy(() -> Filters.header(file)).isInstanceOf(FilterFormatException.class);
    }
  }

  @Test
  void trailingBytesOfAFile() throws IOException {
    byte[] frame = SampleFilters.bytes(SampleFilters.of(Filters.kind("bloom")));
    Path file =
        Files.write(directory.resolve("long.bloom"), Arrays.copyOf(frame, frame.length + 1));
    assertDefect(file, frame.length);
    assertThatThrownBy(() -> Filters.open(file))
        .hasMessageContaining("has " + (frame.length + 1) + " bytes; the frame has ");
  }

  @Test
  void theDamagedPageIsNamed() throws IOException {
    BloomFilter filter = BloomFilter.create(BloomShape.of(3 * 8 * 65_536 + 64, 2));
    Path file = directory.resolve("pages.bloom");
    ((Storable) filter).writeTo(file);
    byte[] frame = Files.readAllBytes(file);
    assertThat(Filters.verify(file).pages()).isEqualTo(4);
    for (int page = 0; page < 4; page++) {
      byte[] damaged = frame.clone();
      damaged[4096 + page * 65_536 + 7] ^= 1;
      Files.write(file, damaged);

      for (Throwable defect :
          List.of(
              catchThrowable(() -> Filters.open(file)),
              catchThrowable(() -> Filters.map(file, ReadOptions.defaults().verified())),
              catchThrowable(
                  () -> MappedFilter.map(file, ReadOptions.as(BloomFilter.class).verified())),
              catchThrowable(() -> Filters.verify(file)))) {
        assertThat(defect)
            .isInstanceOf(FilterFormatException.class)
            .hasMessageStartingWith(file + ", byte " + (4096 + page * 65_536) + ": page " + page);
      }
      assertThat(Filters.map(file)).isNotNull();
    }
  }

  private static void assertDefect(Path file, long offset) {
    for (Throwable defect :
        List.of(
            catchThrowable(() -> Filters.open(file)),
            catchThrowable(() -> Filters.map(file)),
            catchThrowable(() -> Filters.header(file)),
            catchThrowable(() -> Filters.verify(file)))) {
      assertThat(defect).isInstanceOf(FilterFormatException.class);
      assertThat(((FilterFormatException) defect).offset()).isEqualTo(offset);
      assertThat(((FilterFormatException) defect).source()).isEqualTo(file.toString());
    }
  }

  private static FilterFormatException defect(byte[] frame, int length) {
    try {
      Filters.read(
          new ByteArrayInputStream(frame, 0, length), ReadOptions.defaults().withLimit(BUDGET));
    } catch (FilterFormatException e) {
      return e;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    throw new AssertionError("damage was not noticed");
  }
}
