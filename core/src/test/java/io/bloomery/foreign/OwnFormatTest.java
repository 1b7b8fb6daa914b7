package io.bloomery.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.FilterFormatException;
import io.bloomery.foreign.bytes.FileLayout;
import io.bloomery.foreign.bytes.ForeignBytes;
import io.bloomery.hash.Hasher;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A format that the library does not know, by exported types alone; docs/formats.md names it. */
final class OwnFormatTest {

  private static final int MAGIC = 0x4F574E31; // "OWN1"

  /** {@code OWN1}, then k and the number of bytes in 4 bytes each, then the bits. */
  private static final ForeignFormat<ForeignBloomFilter> FORMAT =
      ForeignFormat.of(
          "own",
          "a format of our own",
          ForeignBloomFilter.class,
          new FileLayout<>(FileLayout.Evidence.MAGIC, OwnFormatTest::header, OwnFormatTest::read)
              .knownBy(4));

  private record Scheme(int hashesPerKey) implements ForeignBloomFilter.Scheme {
    @Override
    public ForeignFormat<ForeignBloomFilter> format() {
      return FORMAT;
    }

    @Override
    public void indexes(byte[] bytes, int offset, int length, long bits, long[] out) {
      for (int i = 0; i < out.length; i++) {
        out[i] = Long.remainderUnsigned(Hasher.xxh3(i).hash(bytes, offset, length), bits);
      }
    }

    @Override
    public Map<String, Object> fields() {
      return Map.of();
    }

    @Override
    public long storedBytes(long bits, long[] words) {
      return 12 + bits / 8;
    }

    @Override
    public void write(long bits, long[] words, OutputStream out) throws IOException {
      new ForeignBytes.Output(out, ByteOrder.BIG_ENDIAN)
          .i32(MAGIC)
          .i32(hashesPerKey)
          .i32((int) (bits / 8))
          .bits(words, bits / 8)
          .flush();
    }
  }

  private static Scheme header(ForeignBytes in) throws IOException {
    in.order(ByteOrder.BIG_ENDIAN).within(in.i32("the magic number"), MAGIC, MAGIC, "magic");
    Scheme scheme = new Scheme((int) in.within(in.i32("k"), 1, 64, "k"));
    in.needExactly(in.within(in.u32("the length"), 1, 1 << 20, "length"), "the bits");
    return scheme;
  }

  private static ForeignBloomFilter read(ForeignBytes in) throws IOException {
    Scheme scheme = header(in);
    long bytes = in.remaining();
    return new ForeignBloomFilter(scheme, 8 * bytes, in.bits(bytes, "the bits"));
  }

  @Test
  void isWrittenReadAndChecked(@TempDir Path directory) throws IOException {
    ForeignBloomFilter filter = new ForeignBloomFilter(new Scheme(3), 1024, new long[16]);
    filter.add("alpha");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    Path file = Files.write(directory.resolve("own"), out.toByteArray());

    ForeignBloomFilter again = FORMAT.open(file);

    assertThat(again.mightContain("alpha")).isTrue();
    assertThat(again.mightContain("beta")).isFalse();
    assertThat(Files.size(file)).isEqualTo(12 + 128);
    byte[] cut = Arrays.copyOf(out.toByteArray(), 100);
    assertThatThrownBy(() -> FORMAT.read(cut))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("the bits: 128 bytes are needed, 88 are left");
  }
}
