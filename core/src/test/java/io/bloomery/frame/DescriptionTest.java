package io.bloomery.frame;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.AddableFilter;
import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.FrameHeader;
import io.bloomery.FrameHeader.Description;
import io.bloomery.SampleFilters;
import io.bloomery.Storable;
import io.bloomery.membership.BloomFilter;
import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a file says about its keys and its origin. */
class DescriptionTest {

  private static final byte TEXT = 3;

  @TempDir private Path directory;

  @Test
  void theGoldenFileIsReadAndWrittenAsEver() throws IOException {
    byte[] golden = GoldenFiles.resource(GoldenFiles.DESCRIBED_FILE);
    Path file = Files.write(directory.resolve("golden"), golden);
    FrameHeader header = Filters.verify(file);
    assertThat(header.version()).isEqualTo(2);
    assertThat(header.description()).isEqualTo(GoldenFiles.DESCRIPTION);
    assertThat(header.description().facts().keySet())
        .containsExactlyElementsOf(GoldenFiles.DESCRIPTION.facts().keySet());
    Storable filter = (Storable) Filters.open(file);
    assertThat(filter.toBytes()).isEqualTo(GoldenFiles.bytes("bloom"));
    assertThat(SampleFilters.hits(filter)).isEqualTo(GoldenFiles.hits("bloom"));
    Path again = directory.resolve("again");
    Filters.write(filter, header.description(), again);
    assertThat(again).hasBinaryContent(golden);
    assertThat(header.inWords()).containsEntry("column", "e-mail,Straße");
  }

  @Test
  void everyKindKeepsItsDescriptionAndItsAnswers() throws IOException {
    Path file = directory.resolve("x");
    Description long16k = longest();
    for (FilterKind<?> kind : Filters.kinds()) {
      if (SampleFilters.of(kind) instanceof Storable sample) {
        for (Description description : new Description[] {GoldenFiles.DESCRIPTION, long16k}) {
          Filters.write(sample, description, file);
          FrameHeader header = Filters.verify(file);
          assertThat(header.description()).isEqualTo(description);
          assertThat(Files.size(file)).isEqualTo(header.frameBytes());
          byte[] bytes = Filters.toBytes(sample, description);
          assertThat(file).hasBinaryContent(bytes);
          assertThat(Filters.header(bytes)).isEqualTo(header);
          assertThat(((Storable) Filters.open(file)).toBytes()).isEqualTo(sample.toBytes());
          assertThat(Filters.map(file)).isExactlyInstanceOf(kind.type());
        }
        Filters.write(sample, Description.NONE, file);
        assertThat(file).hasBinaryContent(sample.toBytes());
        assertThat(Filters.toBytes(sample, Description.NONE)).isEqualTo(sample.toBytes());
      }
    }
  }

  /** Only what the header needs is read. */
  @Test
  void theHeaderOfBytes() throws IOException {
    byte[] golden = GoldenFiles.resource(GoldenFiles.DESCRIBED_FILE);
    FrameHeader header = Filters.header(golden);
    assertThat(header.description()).isEqualTo(GoldenFiles.DESCRIPTION);
    assertThat(Filters.header(Arrays.copyOf(golden, header.headerBytes()))).isEqualTo(header);
    for (int length : new int[] {0, 7, 63, header.headerBytes() - 1}) {
      assertThatThrownBy(() -> Filters.header(Arrays.copyOf(golden, length)))
          .isInstanceOf(FilterFormatException.class)
          .hasMessageStartingWith("bytes, byte ");
    }
  }

  private static Description longest() {
    Description all = Description.NONE;
    for (int i = 0; i < 15; i++) {
      all = all.with("t" + i, "ü".repeat(512));
    }
    int left = Description.MAX_BYTES - all.storedBytes() - 2 - 1 - 2;
    all = all.with("x", "x".repeat(left));
    assertThat(all.storedBytes()).isEqualTo(Description.MAX_BYTES);
    Description full = all;
    assertThatThrownBy(() -> full.with("x", "x".repeat(left + 1)))
        .hasMessage("a description of 16385 bytes; up to 16384 are possible");
    return all;
  }

  @Test
  void aViewIsWrittenUnderItsLock() throws IOException {
    BloomFilter filter = BloomFilter.create(100, 0.01);
    filter.add("key");
    Path file = directory.resolve("x");
    Filters.write(
        AddableFilter.Locked.of(filter, new ReentrantReadWriteLock()),
        GoldenFiles.DESCRIPTION,
        file);
    assertThat(Filters.header(file).description()).isEqualTo(GoldenFiles.DESCRIPTION);
    Filter read = Filters.open(file);
    assertThat(read.mightContain("key")).isTrue();
  }

  @Test
  void whatBothSayIsCommon() {
    Description one = Description.NONE.with("a", 1L).with("b", "x").with("c", 0.5);
    Description two = Description.NONE.with("c", 0.5).with("b", "y").with("a", 1L);
    assertThat(one.common(two).facts()).isEqualTo(Map.of("a", 1L, "c", 0.5));
    assertThat(one.text("b")).contains("x");
    assertThat(one.text("a")).isEmpty();
    assertThat(one.number("a")).contains(1L);
  }

  @ParameterizedTest
  @CsvSource({
    "'', x",
    "ü, x",
    "key type, 1",
    "created, -1",
    "created, 253402300800",
    "expected keys, -1",
    "expected keys, 0.5",
    "promised rate, 0.0",
    "promised rate, NaN",
    "promised rate, 1.5",
    "tool, ''",
  })
  void whatCannotBeStoredIsRefused(String name, String text) {
    Object value =
        text.matches("-?[0-9]+")
            ? (Object) Long.valueOf(text)
            : text.matches("[0-9.]+|NaN") ? (Object) Double.valueOf(text) : text;
    assertThatThrownBy(() -> Description.NONE.with(name, value))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void onlyThreeTypesAndTextsOfUnicodeAreStored() {
    for (Object bad : new Object[] {1, "\ud800", "x".repeat(1025)}) {
      assertThatThrownBy(() -> Description.NONE.with("name", bad))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void forgedDescriptionsSayWhatIsWrong() throws IOException {
    int at = 72 + 14 + 16 + 16;
    assertDefect(text("key type", "text"), b -> b.putInt(52, 0), 52, "description length = 0");
    assertDefect(text("a", "b"), b -> b.putInt(52, -1), 52, "description length = 4294967295");
    assertDefect(text("a", "b"), b -> b.putInt(52, 16_385), 52, "description length = 16385");
    assertDefect(text("a", "b"), b -> b.putInt(52, 7), at, "the header ends 6 bytes on");
    assertDefect(text("a", "b"), b -> b.putInt(52, 5), 52, "it must be 6");
    assertDefect(text("a", "b"), b -> b.putShort(8, (short) 1), 52, "must be 0");
    assertDefect(text("a", "b"), b -> b.put(at, (byte) 4), at, "type 4 in the description");
    assertDefect(text("a", "b"), b -> b.putShort(at + 3, (short) -1), at + 5, "the header ends 1");
    assertDefect(text("a", "b"), b -> b.put(at + 5, (byte) 0xFF), at, "is not UTF-8");
    assertDefect(text("a", "b"), b -> b.put(at + 1, (byte) 255), at + 2, "the header ends");
    assertDefect(text("a", ""), b -> {}, at, "is not 1…1024 bytes");
    assertDefect(text("a\n", "b"), b -> {}, at, "printable ASCII");
    assertDefect(text("a", "x".repeat(1025)), b -> {}, at, "is not 1…1024 bytes");
    assertDefect(join(text("a", "b"), text("a", "c")), b -> {}, at + 6, "\"a\" twice");
    assertDefect(text("created", "now"), b -> {}, at, "\"created\" is not a Long");
  }

  private void assertDefect(
      byte[] description, java.util.function.Consumer<ByteBuffer> edit, int offset, String message)
      throws IOException {
    byte[] frame =
        FrameBuilder.bloom()
            .section(3, 4)
            .described(description)
            .edit(b -> edit.accept(b.order(ByteOrder.LITTLE_ENDIAN)))
            .build();
    Path file = Files.write(directory.resolve("forged"), frame);
    assertThatThrownBy(() -> Filters.header(file))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("byte " + offset + ":")
        .hasMessageContaining(message);
  }

  /** Changed bytes of the description, with right checksums: refused with a reason, or sound. */
  @Test
  void forgeries() throws IOException {
    byte[] golden = GoldenFiles.resource(GoldenFiles.DESCRIBED_FILE);
    int end = ByteBuffer.wrap(golden).order(ByteOrder.LITTLE_ENDIAN).getInt(12) - 4;
    SplittableRandom random = Seeds.random(77);
    for (int i = 0; i < Effort.of(20_000); i++) {
      byte[] forged = golden.clone();
      for (int edits = 1 + random.nextInt(3); edits > 0; edits--) {
        int at = random.nextInt(4) == 0 ? 52 + random.nextInt(4) : random.nextInt(100, end);
        forged[at] = (byte) random.nextInt(random.nextBoolean() ? 4 : 256);
      }
      HostileFrame.check(FrameBuilder.reseal(forged));
    }
  }

  private static byte[] text(String name, String value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] text = value.getBytes(UTF_8);
    out.write(TEXT);
    out.write(name.length());
    out.writeBytes(name.getBytes(UTF_8));
    out.write(text.length);
    out.write(text.length >> 8);
    out.writeBytes(text);
    return out.toByteArray();
  }

  private static byte[] join(byte[] one, byte[] two) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(one);
    out.writeBytes(two);
    return out.toByteArray();
  }
}
