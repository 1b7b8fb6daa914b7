package io.bloomery.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.AddableFilter;
import io.bloomery.Filter;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.Storable;
import io.bloomery.Variant;
import io.bloomery.deletable.CuckooFilter;
import io.bloomery.deletable.CuckooShape;
import io.bloomery.foreign.DataSketchesFormat;
import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Shape;
import io.bloomery.testkit.Keys;
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
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sound files that a heap of 72 MiB has no room for are refused, with the bytes, in any kind. */
final class SmallHeapTest {

  private static final long MIB = 1 << 20;

  @TempDir Path directory;

  @Test
  void whatIsDecodedBesideItsSections() throws Exception {
    Path cuckoo = directory.resolve("cuckoo");
    CuckooShape shape = new CuckooShape(10 * MIB, 8, CuckooShape.Partner.DIFFERENCE);
    CuckooFilter.create(shape).writeTo(cuckoo);
    Path small = directory.resolve("bloom");
    BloomFilter.create(BloomShape.of(8 * 20 * MIB, 3)).writeTo(small);
    Path coded = compressed(8 * 25 * MIB, 20 * MIB);
    List<String> lines = run(List.of(cuckoo, small, coded));
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
    assertThat(run(List.of(file)).get(0)).doesNotContain("died");
  }

  /** Empty filters of every kind that can be added to, of 20, 30 and 45 MiB. */
  @Test
  @Tag("long")
  void everyKind() throws Exception {
    int files = 0;
    for (FilterKind<?> kind : Filters.kinds()) {
      for (long size : new long[] {20, 30, 45}) {
        Path file = directory.resolve(kind.name() + "-" + size);
        if (writeEmpty(kind, 8 * MIB * size, file)) {
          files++;
          List<String> lines = run(List.of(file));
          assertThat(lines).hasSize(1);
          assertThat(lines.get(0)).matches(".*: (opened|refused) .*");
          Files.delete(file);
        }
      }
    }
    assertThat(files).isGreaterThan(60);
  }

  private static boolean writeEmpty(FilterKind<?> kind, long bits, Path file) throws IOException {
    for (Variant variant : kind.variants()) {
      Optional<Shape> shape = variant.fit(Needs.forBudget(bits / 16, bits)).shape();
      if (shape.isPresent() && !variant.isStatic()) {
        Filter filter = variant.create(shape.get(), Hasher.xxh3());
        if (filter instanceof AddableFilter keys && filter instanceof Storable stored) {
          keys.add(Keys.hash(1));
          stored.writeTo(file);
          return true;
        }
      }
    }
    return false;
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
  private static List<String> run(List<Path> files) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx72m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(SmallHeap.class.getName());
    files.forEach(file -> command.add(file.toString()));
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
