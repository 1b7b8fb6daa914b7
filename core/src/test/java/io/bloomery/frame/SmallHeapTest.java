package io.bloomery.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.Storable;
import io.bloomery.deletable.CuckooFilter;
import io.bloomery.deletable.CuckooShape;
import io.bloomery.foreign.DataSketchesFormat;
import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.LargeFiles;
import io.bloomery.foreign.registry.ForeignFormats;
import io.bloomery.frozen.ExactZoneFilter;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sound files that a heap of 72 MiB has no room for are refused, with the bytes, in any kind. */
final class SmallHeapTest {

  private static final long MIB = 1 << 20;

  @TempDir Path directory;

  /** Within the budget, within the heap but not twice, and neither. */
  private static final long[] SIZES = {20, 30, 45};

  /** Three are of at most 256 KiB; the tests have no writer of the others. */
  private static final Set<String> NO_LARGE_FORMATS =
      Set.of("bip37", "ethereum-bloom", "gnutella-qrp", "parquet", "redis-cuckoo-dump");

  @Test
  void whatIsDecodedBesideItsSections() throws Exception {
    Path cuckoo = directory.resolve("cuckoo");
    CuckooShape shape = new CuckooShape(10 * MIB, 8, CuckooShape.Partner.DIFFERENCE);
    CuckooFilter.create(shape).writeTo(cuckoo);
    Path small = directory.resolve("bloom");
    BloomFilter.create(BloomShape.of(8 * 20 * MIB, 3)).writeTo(small);
    Path coded = compressed(8 * 25 * MIB, 20 * MIB);
    List<String> lines = open(cuckoo, small, coded);
    assertThat(lines.get(0)).contains("refused", "bytes; 5", "are available");
    assertThat(lines.get(1)).isEqualTo("bloom: opened " + 8 * 20 * MIB);
    assertThat(lines.get(2)).contains("refused", "takes 6", "are available");
  }

  @Test
  void filesOfOtherSystems() throws Exception {
    Path file = directory.resolve("datasketches");
    ForeignBloomFilter filter = DataSketchesFormat.create(36_000_000, 0.01, 7);
    filter.add("key");
    filter.writeTo(file);
    assertThat(Files.size(file)).isGreaterThan(40 * MIB);
    assertThat(open(file).get(0)).doesNotContain("died");
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory-optimized", "bloomier-cascade", "secure-index", "invertible"})
  void someKinds(String kind) throws Exception {
    openInASmallHeap(Filters.kind(kind), 45);
  }

  @ParameterizedTest
  @ValueSource(strings = {"xor8", "bip158", "mozilla-cascade", "hudi-simple"})
  void someFormats(String format) throws Exception {
    Path file = directory.resolve(format);
    assertThat(LargeFiles.write(ForeignFormats.named(format), MIB * 45, file)).isTrue();
    openInASmallHeap(ForeignFormats.named(format), file, 45);
  }

  @ParameterizedTest
  @MethodSource("io.bloomery.frame.HostileFilesTest#chosenKinds")
  @Tag("long")
  void everyKind(FilterKind<?> kind) throws Exception {
    for (long size : SIZES) {
      if (kind == ExactZoneFilter.KIND) { // up to 4,096 members of four bytes
        assertThat(LargeFilters.of(kind, MIB * size)).isEmpty();
      } else {
        openInASmallHeap(kind, size);
      }
    }
  }

  static List<ForeignFormat<?>> formats() {
    return ForeignFormats.all();
  }

  @ParameterizedTest
  @MethodSource("formats")
  @Tag("long")
  void everyFormat(ForeignFormat<?> format) throws Exception {
    for (long size : SIZES) {
      Path file = directory.resolve(format.name() + "-" + size);
      boolean isLarge = LargeFiles.write(format, MIB * size, file);
      assertThat(isLarge).isNotEqualTo(NO_LARGE_FORMATS.contains(format.name()));
      if (isLarge) {
        openInASmallHeap(format, file, size);
      }
    }
  }

  private void openInASmallHeap(FilterKind<?> kind, long size) throws Exception {
    Path file = directory.resolve(kind.name() + "-" + size);
    Optional<Storable> filter = LargeFilters.of(kind, MIB * size);
    assertThat(filter).isPresent();
    filter.get().writeTo(file);
    refusedOrOpened(file, size, "");
  }

  private void openInASmallHeap(ForeignFormat<?> format, Path file, long size) throws Exception {
    refusedOrOpened(file, size, format.isRecognised() ? "" : format.name());
  }

  /** Either, and then the same JVM opens a filter of half of its heap. */
  private void refusedOrOpened(Path file, long size, String format) throws Exception {
    assertThat(Files.size(file)).isGreaterThan(MIB * size / 4);
    Path next = directory.resolve("next");
    BloomFilter.create(BloomShape.of(Byte.SIZE * MIB * 30, 3)).writeTo(next);
    List<String> lines = run(List.of(file.toString(), format, next.toString(), ""));
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0)).matches(".*: (opened \\d+|refused .* (takes|has) \\d{8,} bytes.*)");
    assertThat(lines.get(1)).startsWith("next: opened ");
    Files.delete(file);
    Files.delete(next);
  }

  /** A sparse file of a compressed filter whose code is all zeros. */
  private Path compressed(long bits, long codeBytes) throws IOException {
    byte[] header =
        new FrameBuilder()
            .kind(45)
            .number("bits", bits)
            .number("probes", 3)
            .number("scheme", 1)
            .number("ones", 7)
            .number("code bytes", codeBytes)
            .header(List.of(codeBytes / 8));
    Path file = directory.resolve("compressed");
    long pages = codeBytes / 65_536;
    CRC32C crc = new CRC32C();
    crc.update(new byte[65_536]);
    ByteBuffer trailer = ByteBuffer.allocate((int) (4 * pages)).order(ByteOrder.LITTLE_ENDIAN);
    while (trailer.hasRemaining()) {
      trailer.putInt((int) crc.getValue());
    }
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.SPARSE,
            StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(header));
      channel.write(trailer.flip(), header.length + codeBytes);
    }
    return file;
  }

  /** Lines of {@link SmallHeap}. */
  private static List<String> open(Path... files) throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>();
    for (Path file : files) {
      arguments.addAll(List.of(file.toString(), ""));
    }
    return run(arguments);
  }

  private static List<String> run(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx72m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(SmallHeap.class.getName());
    command.addAll(arguments);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).as(out).isZero();
      return out.lines().toList();
    } finally {
      process.destroyForcibly();
    }
  }
}
