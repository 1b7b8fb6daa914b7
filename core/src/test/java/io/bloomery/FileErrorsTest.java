package io.bloomery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomery.hash.Hasher;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.membership.BloomFilter;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
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
