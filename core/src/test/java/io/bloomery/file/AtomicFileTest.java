package io.bloomery.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomery.Filters;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file is replaced as a whole or not at all. */
class AtomicFileTest {

  @TempDir Path directory;
  private Path target;

  @BeforeEach
  void existingFile() throws IOException {
    target = Files.writeString(directory.resolve("target.bloom"), "old");
  }

  @Test
  void replaces() throws IOException {
    AtomicFile.write(target, text("new"));
    assertThat(target).hasContent("new");
    assertThat(names()).containsExactly("target.bloom");
  }

  @Test
  void makesANewFileInTheWorkingDirectoryOfARelativePath() throws IOException {
    Path relative = Path.of("").toAbsolutePath().relativize(directory.resolve("new.bloom"));
    AtomicFile.write(relative, text("new"));
    assertThat(directory.resolve("new.bloom")).hasContent("new");
  }

  @Test
  void aFailureMidwayLeavesTheTargetAndNothingElse() throws IOException {
    for (Throwable failure :
        List.of(
            new IOException("disk full"), new IllegalStateException(), new StackOverflowError())) {
      assertThatThrownBy(
              () ->
                  AtomicFile.write(
                      target,
                      out -> {
                        out.write(new byte[100_000]);
                        AtomicFileTest.<RuntimeException>sneak(failure);
                      }))
          .isSameAs(failure);
      assertThat(target).hasContent("old");
      assertThat(names()).containsExactly("target.bloom");
    }
  }

  @Test
  void aFailureMidwayOfANewFileLeavesNothing() throws IOException {
    Files.delete(target);
    assertThatThrownBy(
            () ->
                AtomicFile.write(
                    target,
                    out -> {
                      out.write(1);
                      throw new IOException("disk full");
                    }))
        .hasMessage("disk full");
    assertThat(names()).isEmpty();
  }

  @Test
  void anInterruptLeavesTheTarget() throws IOException {
    BloomFilter filter = BloomFilter.create(BloomShape.of(1 << 20, 3));
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> filter.writeTo(target))
          .isInstanceOf(ClosedByInterruptException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(target).hasContent("old");
    assertThat(names()).containsExactly("target.bloom");
  }

  @Test
  void whatAKilledProcessLeftIsRemoved() throws IOException {
    Path left = leftBehind();
    Files.write(left, new byte[1_000]);
    AtomicFile.write(target, text("new"));
    assertThat(target).hasContent("new");
    assertThat(names()).containsExactly("target.bloom");
  }

  /** Its lock says that the process lives. */
  @Test
  void whatAnotherProcessWritesIsLeftAlone() throws IOException {
    Path left = leftBehind();
    Process other = lock(left);
    try {
      AtomicFile.write(target, text("new"));
      assertThat(target).hasContent("new");
      assertThat(left).exists();
    } finally {
      other.destroyForcibly();
    }
    assertThat(other.onExit().join().exitValue()).isNotZero();
    AtomicFile.write(target, text("newer"));
    assertThat(target).hasContent("newer");
    assertThat(names()).containsExactly("target.bloom");
  }

  /** In a directory that others may write to, they can take the names of temporary files. */
  @ParameterizedTest
  @ValueSource(strings = {"pipe", "dangling link", "link to a file", "directory"})
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void whatIsNoFileIsLeftAlone(String what) throws Exception {
    Path left = leftBehind();
    Path other = Files.writeString(directory.resolve("other"), "other");
    Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rw-------"));
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rw-rw-rw-"));
    switch (what) {
      case "pipe" ->
          assertThat(new ProcessBuilder("mkfifo", left.toString()).start().waitFor()).isZero();
      case "dangling link" -> Files.createSymbolicLink(left, directory.resolve("none"));
      case "link to a file" -> Files.createSymbolicLink(left, other);
      default -> Files.createDirectory(left);
    }
    AtomicFile.write(target, text("new"));
    assertThat(target).hasContent("new");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target)))
        .isEqualTo("rw-rw-rw-");
    assertThat(other).hasContent("other");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(other)))
        .isEqualTo("rw-------");
    assertThat(names())
        .containsExactlyInAnyOrder("target.bloom", "other", left.getFileName().toString());
  }

  /** The name of the temporary file that the next process would use. */
  private Path leftBehind() throws IOException {
    List<Path> seen = new ArrayList<>();
    AtomicFile.write(
        target,
        out -> {
          try (Stream<Path> files = Files.list(directory)) {
            files.filter(file -> !file.equals(target)).forEach(seen::add);
          }
          out.write('x');
        });
    assertThat(seen).hasSize(1);
    return seen.get(0);
  }

  /** A process that makes and locks a file until it is killed. */
  private static Process lock(Path file) throws IOException {
    Path source = Files.createTempFile(file.getParent().getParent(), "Lock", ".java");
    Files.writeString(
        source,
        """
        import java.nio.channels.FileChannel;
        import java.nio.file.*;
        class Lock {
          public static void main(String[] args) throws Exception {
            FileChannel.open(Path.of(args[0]), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE).lock();
            System.out.println("locked");
            System.in.read();
          }
        }
        """);
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                source.toString(),
                file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertThat(process.inputReader().readLine()).isEqualTo("locked");
    Files.delete(source);
    return process;
  }

  /** 8 threads, 50 times each: every version is whole, and nothing is left. */
  @Test
  void threadsMayReplaceTheSameFile() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(8);
    try {
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < 400; i++) {
        String text = ("version " + i + "\n").repeat(1_000);
        writers.add(
            pool.submit(
                () -> {
                  AtomicFile.write(target, text(text));
                  assertThat(new HashSet<>(Files.readAllLines(target))).hasSize(1);
                  return null;
                }));
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    } finally {
      pool.shutdown();
    }
    assertThat(names()).containsExactly("target.bloom");
  }

  @Test
  void aMissingDirectoryIsAnError() {
    Path nowhere = directory.resolve("missing").resolve("a.bloom");
    assertThatThrownBy(() -> AtomicFile.write(nowhere, text("new")))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void aDirectoryIsAnError() {
    assertThatThrownBy(() -> AtomicFile.write(directory, text("new")))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("is a directory");
  }

  @Test
  void aLinkStaysAndItsFileIsReplaced() throws IOException {
    Path other = Files.createDirectory(directory.resolve("other"));
    Path link = Files.createSymbolicLink(other.resolve("link"), Path.of("../target.bloom"));
    AtomicFile.write(link, text("new"));
    assertThat(link).isSymbolicLink().hasContent("new");
    assertThat(target).isRegularFile().hasContent("new");
  }

  @Test
  void anotherNameOfTheFileKeepsItsContent() throws IOException {
    AtomicFile.write(target, text("old"));
    Path name = Files.createLink(directory.resolve("name"), target);
    AtomicFile.write(target, text("new"));
    assertThat(target).hasContent("new");
    assertThat(name).hasContent("old");
  }

  @Test
  void aDanglingLinkStaysAndItsTargetIsCreated() throws IOException {
    Path made = directory.resolve("made");
    Path first = Files.createSymbolicLink(directory.resolve("first"), Path.of("made"));
    Path second = Files.createSymbolicLink(directory.resolve("second"), first.getFileName());
    AtomicFile.write(second, text("new"));
    assertThat(first).isSymbolicLink();
    assertThat(second).isSymbolicLink();
    assertThat(made).hasContent("new");
  }

  @Test
  void aLoopOfLinksIsAnError() throws IOException {
    Path loop = directory.resolve("loop");
    Files.createSymbolicLink(loop, Path.of("loop"));
    assertThatThrownBy(() -> AtomicFile.write(loop, text("new")))
        .isInstanceOf(FileSystemException.class);
    assertThat(loop).isSymbolicLink();
  }

  @Test
  void permissionsOfAReplacedFileStay() throws IOException {
    assumeTrue(FileSystems.getDefault().supportedFileAttributeViews().contains("posix"));
    for (String permissions : List.of("rw-------", "rw-rw-rw-", "r--r-----")) {
      Files.setPosixFilePermissions(target, PosixFilePermissions.fromString(permissions));
      AtomicFile.write(target, text(permissions));
      assertThat(target).hasContent(permissions);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target)))
          .isEqualTo(permissions);
    }
  }

  @Test
  void aNewFileHasTheUsualPermissions() throws IOException {
    assumeTrue(FileSystems.getDefault().supportedFileAttributeViews().contains("posix"));
    Path saved = directory.resolve("saved");
    AtomicFile.write(saved, text("new"));
    Path usual = Files.createFile(directory.resolve("usual"));
    assertThat(Files.getPosixFilePermissions(saved))
        .isEqualTo(Files.getPosixFilePermissions(usual));
  }

  @Test
  void aDeviceIsWrittenAndNotReplaced() throws IOException {
    Path device = Path.of("/dev/null");
    assumeTrue(Files.exists(device), "this system has no /dev/null");
    BloomFilter.create(BloomShape.of(1000, 3)).writeTo(device);
    assertThat(Files.readAttributes(device, BasicFileAttributes.class).isOther()).isTrue();
  }

  @Test
  void aFilterReplacesWhatWasThere() throws IOException {
    BloomFilter filter = BloomFilter.create(BloomShape.of(1000, 3));
    filter.add("key");
    filter.writeTo(target);
    assertThat(Filters.open(target).mightContain("key")).isTrue();
    assertThat(names()).containsExactly("target.bloom");
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private static AtomicFile.Contents text(String text) {
    return (OutputStream out) -> out.write(text.getBytes(UTF_8));
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable failure) throws T {
    throw (T) failure;
  }
}
