package io.bloomery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomery.foreign.ForeignFilter;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.SparkFormat;
import io.bloomery.foreign.bitcoin.Bip158Filter;
import io.bloomery.foreign.parquet.ParquetFile;
import io.bloomery.foreign.registry.ForeignFormats;
import io.bloomery.frozen.FuseFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.membership.BloomFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever goes wrong with a file, the message names it as the caller did. */
class FileErrorsTest {

  private static final ReadOptions<BloomFilter> ANOTHER_TYPE = ReadOptions.as(BloomFilter.class);

  @TempDir Path directory;

  private static BlockedBloomFilter filter() {
    return BlockedBloomFilter.create(1000, 0.01);
  }

  private static void assertNamed(
      Path file, Class<? extends IOException> type, ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(type).message().startsWith(file.toString());
  }

  private static void assertUnreadable(Path file, Class<? extends IOException> type) {
    assertNamed(file, type, () -> Filters.open(file));
    assertNamed(file, type, () -> Filters.open(file, ReadOptions.as(BlockedBloomFilter.class)));
    assertNamed(file, type, () -> Filters.map(file));
    assertNamed(file, type, () -> MappedFilter.map(file));
    assertNamed(file, type, () -> Filters.header(file));
    assertNamed(file, type, () -> Filters.verify(file));
  }

  @Test
  void whatIsNoFile() {
    assertUnreadable(directory.resolve("none.bloom"), NoSuchFileException.class);
    assertUnreadable(directory, FileSystemException.class);
    assertNamed(directory, FileSystemException.class, () -> Filters.isNative(directory));
  }

  /** Files of other systems, and files of keys. */
  private static void assertUnreadableToo(Path file, Class<? extends IOException> type) {
    assertNamed(file, type, () -> ForeignFormats.open(file));
    assertNamed(file, type, () -> ForeignFormats.open(file, "guava"));
    assertNamed(file, type, () -> ForeignFormats.candidates(file));
    assertNamed(file, type, () -> ParquetFile.open(file));
    assertNamed(file, type, () -> Bip158Filter.open(file, new byte[32]));
    for (ForeignFormat<?> format : ForeignFormats.all()) {
      assertNamed(file, type, () -> format.open(file));
    }
    assertNamed(file, type, () -> FuseFilter.builder().addLines(file));
  }

  @Test
  void whatIsNoFileOfAnotherSystem() {
    assertUnreadableToo(directory.resolve("none.bloom"), NoSuchFileException.class);
    assertUnreadableToo(directory, IOException.class);
  }

  @Test
  void whatIsDamagedOfAnotherSystem() throws IOException {
    Path empty = Files.createFile(directory.resolve("empty.bin"));
    Path text = Files.writeString(directory.resolve("text.bin"), "x".repeat(1000));
    for (Path file : List.of(empty, text)) {
      Class<FilterFormatException> type = FilterFormatException.class;
      assertNamed(file, type, () -> ForeignFormats.open(file));
      assertNamed(file, type, () -> ForeignFormats.open(file, "guava"));
      assertNamed(file, type, () -> ParquetFile.open(file));
    }
  }

  /** A mapped file is read when a key is looked up. What is left of its page is zero. */
  @Test
  void whatIsTruncatedLater() throws IOException {
    Path file = directory.resolve("truncated.bloom");
    BlockedBloomFilter filter = filter();
    LongStream.range(0, 1000).forEach(filter::add);
    filter.writeTo(file);
    BlockedBloomFilter mapped = Filters.map(file, ReadOptions.as(BlockedBloomFilter.class));
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(Filters.header(file).payloadOffset() + Long.BYTES);
    }
    assertThatThrownBy(() -> LongStream.range(0, 1000).forEach(mapped::mightContain))
        .isInstanceOf(UncheckedIOException.class)
        .hasStackTraceContaining(file + ": was truncated or overwritten");
  }

  @Test
  void filtersOfOtherSystemsThatCannotBeWritten() {
    ForeignFilter filter = SparkFormat.create(10, 0.01);
    assertNamed(directory, FileSystemException.class, () -> filter.writeTo(directory));
    Path nowhere = directory.resolve("none").resolve("a.bin");
    assertNamed(nowhere, NoSuchFileException.class, () -> filter.writeTo(nowhere));
  }

  @Test
  void whatIsNoFilter() throws IOException {
    Path empty = Files.createFile(directory.resolve("empty.bloom"));
    assertUnreadable(empty, FilterFormatException.class);
    Path text = Files.writeString(directory.resolve("text.bloom"), "no filter");
    assertUnreadable(text, FilterFormatException.class);
  }

  @Test
  void whatIsDamagedOrLeftOut() throws IOException {
    byte[] bytes = filter().toBytes();
    for (int length : new int[] {8, 20, 100, bytes.length - 1}) {
      Path part = directory.resolve("part-" + length);
      assertUnreadable(
          Files.write(part, Arrays.copyOf(bytes, length)), FilterFormatException.class);
    }
    byte[] damaged = bytes.clone();
    damaged[bytes.length - 10] ^= 1;
    Path file = Files.write(directory.resolve("damaged.bloom"), damaged);
    assertNamed(file, FilterFormatException.class, () -> Filters.open(file));
    assertNamed(file, FilterFormatException.class, () -> Filters.verify(file));
    damaged[20] ^= 1;
    assertUnreadable(
        Files.write(directory.resolve("header.bloom"), damaged), FilterFormatException.class);
  }

  @Test
  void whatTheOptionsRefuse() throws IOException {
    Path file = directory.resolve("a.bloom");
    filter().writeTo(file);
    Class<FilterFormatException> type = FilterFormatException.class;
    assertNamed(file, type, () -> Filters.open(file, ANOTHER_TYPE));
    assertNamed(file, type, () -> Filters.map(file, ANOTHER_TYPE));
    assertNamed(file, type, () -> Filters.open(file, ReadOptions.defaults().withLimit(100)));
    ReadOptions<Filter> otherHasher = ReadOptions.defaults().withHasher(Hasher.xxh3(9));
    assertNamed(file, type, () -> Filters.open(file, otherHasher));
    assertNamed(file, type, () -> Filters.map(file, otherHasher));
  }

  @Test
  void whatCannotBeWritten() throws IOException {
    assertNamed(directory, FileSystemException.class, () -> filter().writeTo(directory));
    Path nowhere = directory.resolve("none").resolve("a.bloom");
    assertNamed(nowhere, NoSuchFileException.class, () -> filter().writeTo(nowhere));
    Path below = Files.createFile(directory.resolve("file")).resolve("a.bloom");
    assertNamed(below, FileSystemException.class, () -> filter().writeTo(below));
    Path loop = directory.resolve("loop");
    Files.createSymbolicLink(loop, Path.of("loop"));
    assertNamed(loop, FileSystemException.class, () -> filter().writeTo(loop));
    Path tooLong = directory.resolve("x".repeat(300));
    assertNamed(tooLong, FileSystemException.class, () -> filter().writeTo(tooLong));
    Filters.write(filter(), FrameHeader.Description.NONE, directory.resolve("a.bloom"));
    assertNamed(
        nowhere,
        NoSuchFileException.class,
        () -> Filters.write(filter(), FrameHeader.Description.NONE, nowhere));
  }

  @Test
  void aFullDisk() {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.isWritable(full));
    assertNamed(full, FileSystemException.class, () -> filter().writeTo(full));
    assertThatThrownBy(() -> filter().writeTo(full)).hasMessageContaining("No space left");
  }

  @Test
  void aDirectoryThatIsNotWritable() throws IOException {
    Path closed = Files.createDirectory(directory.resolve("closed"));
    assumeTrue(closed.toFile().setWritable(false) && !Files.isWritable(closed));
    Path file = closed.resolve("a.bloom");
    assertNamed(file, AccessDeniedException.class, () -> filter().writeTo(file));
    assertThat(closed.toFile().setWritable(true)).isTrue();
  }
}
