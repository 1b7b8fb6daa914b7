package io.bloomery.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.AddableFilter;
import io.bloomery.Filter;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.FrameHeader;
import io.bloomery.ReadOptions;
import io.bloomery.SampleFilters;
import io.bloomery.Storable;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What was written comes back, for every kind and by every way of reading. */
class RoundTripTest {

  @TempDir Path directory;

  static List<FilterKind<?>> kinds() {
    return Filters.kinds();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void fileToHeap(FilterKind<?> kind) throws IOException {
    Filter filter = SampleFilters.of(kind);
    Path file = directory.resolve("sample.bloom");
    ((Storable) filter).writeTo(file);

    Filter opened = Filters.open(file);

    assertThat(opened).isExactlyInstanceOf(kind.type());
    assertThat(file).hasBinaryContent(SampleFilters.bytes(opened));
    assertSameAnswers(opened, filter);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void fileToMappedMemory(FilterKind<?> kind) throws IOException {
    Filter filter = SampleFilters.of(kind);
    Path file = directory.resolve("sample.bloom");
    ((Storable) filter).writeTo(file);

    Filter mapped = Filters.map(file);

    assertThat(mapped).isExactlyInstanceOf(kind.type());
    assertSameAnswers(mapped, filter);
    assertThat(SampleFilters.bytes(mapped)).isEqualTo(SampleFilters.bytes(filter));
    if (mapped instanceof AddableFilter addable) {
      assertThatThrownBy(() -> addable.add("a key that is not in it"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("read-only");
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void mappedFilterOutlivesTheReplacementOfItsFile(FilterKind<?> kind) throws IOException {
    Filter filter = SampleFilters.of(kind);
    Path file = directory.resolve("sample.bloom");
    ((Storable) filter).writeTo(file);
    Filter mapped = Filters.map(file);

    ((Storable) mapped).writeTo(file);

    assertSameAnswers(mapped, filter);
    assertSameAnswers(Filters.open(file), filter);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void streamOfSeveral(FilterKind<?> kind) throws IOException {
    Filter filter = SampleFilters.of(kind);
    byte[] one = SampleFilters.bytes(filter);
    byte[] three = new byte[3 * one.length];
    for (int i = 0; i < 3; i++) {
      System.arraycopy(one, 0, three, i * one.length, one.length);
    }
    InputStream in = new Trickle(three);

    for (int i = 0; i < 3; i++) {
      assertSameAnswers(Filters.read(in, ReadOptions.defaults().withLimit(one.length)), filter);
    }
    assertThatThrownBy(() -> Filters.read(in, ReadOptions.defaults().withLimit(one.length)))
        .isInstanceOf(EOFException.class);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void storedBytesAreWhatIsWritten(FilterKind<?> kind) throws IOException {
    Filter filter = SampleFilters.of(kind);
    Path file = directory.resolve("sample.bloom");
    ((Storable) filter).writeTo(file);

    long stored = ((Storable) filter).storedBytes();

    assertThat(stored).isEqualTo(SampleFilters.bytes(filter).length).isEqualTo(Files.size(file));
    assertThat(Filters.verify(file).frameBytes()).isEqualTo(stored);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void headerSaysAllInWords(FilterKind<?> kind) throws IOException {
    Path file = directory.resolve("sample.bloom");
    ((Storable) SampleFilters.of(kind)).writeTo(file);

    FrameHeader header = Filters.header(file);

    assertThat(header.kind()).isSameAs(kind);
    assertThat(header.version()).isEqualTo(1);
    assertThat(header.isKeyed()).isFalse();
    assertThat(header.inWords())
        .containsEntry("kind", kind.name() + " (" + kind.id() + "), " + kind.type().getSimpleName())
        .containsEntry("hash", kind.isHashed() ? "XXH3-64, seed 0" : "none")
        .containsKeys(header.fields().keySet().toArray(String[]::new))
        .doesNotContainKey("probes");
    assertThat(header.fields()).hasSameSizeAs(header.numbers());
    assertThat(header.fields().get("hashes per key")).isEqualTo(header.numbers().get("probes"));
  }

  @Test
  void aStreamStaysOpen() throws IOException {
    boolean[] closed = new boolean[1];
    InputStream in =
        new ByteArrayInputStream(SampleFilters.bytes(SampleFilters.of(Filters.kind(1)))) {
          @Override
          public void close() {
            closed[0] = true;
          }
        };

    Filters.read(in, ReadOptions.defaults().withLimit(1 << 20));

    assertThat(closed[0]).isFalse();
    assertThat(in.read()).isEqualTo(-1);
  }

  private static void assertSameAnswers(Filter actual, Filter expected) {
    assertThat(SampleFilters.hasAllKeys(actual)).isTrue();
    assertThat(SampleFilters.hits(actual)).isEqualTo(SampleFilters.hits(expected));
    assertThat(actual.sizeInBits()).isEqualTo(expected.sizeInBits());
    assertThat(actual.falsePositiveRate()).isEqualTo(expected.falsePositiveRate());
  }

  /** Delivers a few bytes at a time, as sockets do. */
  private static final class Trickle extends InputStream {

    private final InputStream in;

    Trickle(byte[] bytes) {
      in = new ByteArrayInputStream(bytes);
    }

    @Override
    public int read() throws IOException {
      return in.read();
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      return in.read(target, offset, Math.min(length, 1000));
    }
  }
}
