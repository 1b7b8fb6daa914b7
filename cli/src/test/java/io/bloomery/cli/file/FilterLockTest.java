package io.bloomery.cli.file;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filter;
import io.bloomery.Filters;
import io.bloomery.cli.Bloom;
import io.bloomery.cli.BloomProcess;
import io.bloomery.tools.file.FilterLock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands in separate processes that change the same filter concurrently. */
@Timeout(300)
class FilterLockTest {

  private static final String WAITING = "waiting for another bloom";

  @TempDir private Path directory;
  private Path filter;

  @BeforeEach
  void build() {
    filter = directory.resolve("k.bloom");
    assertThat(build("k.bloom", "first\n").code()).isZero();
  }

  private Bloom.Run build(String name, String keys) {
    Path file = directory.resolve(name);
    return bloomWith(keys, "build", "-fo", file, "-n", 1000, "-p", "1e-9", "--kind", "counting");
  }

  private List<Path> lockFiles() {
    try (var files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".lock")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts a command that holds the lock until its input ends. */
  private BloomProcess holder(Object... words) throws IOException, InterruptedException {
    BloomProcess holder = BloomProcess.start(words);
    BloomProcess.await(() -> lockFiles().stream().anyMatch(FilterLockTest::isLocked), "the lock");
    return holder;
  }

  private static boolean isLocked(Path lockFile) {
    try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE)) {
      return channel.tryLock() == null;
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void assertDone(BloomProcess process) throws InterruptedException {
    assertThat(process.exitCode()).as(process.err()).isZero();
  }

  private void assertHas(String... keys) throws IOException {
    Filter opened = Filters.open(filter);
    assertThat(keys).allMatch(opened::mightContain);
    assertThat(opened.mightContain("never added")).isFalse();
    assertThat(lockFiles()).isEmpty();
  }

  @Test
  void twoAddsKeepTheKeysOfBoth() throws Exception {
    try (BloomProcess one = holder("add", filter, "-q")) {
      one.type("a\n");
      try (BloomProcess two = BloomProcess.start("add", filter, "--key", "z")) {
        two.awaitErr(WAITING);
        one.type("b\n");
        one.endInput();
        assertDone(one);
        assertDone(two);
        assertThat(two.out()).containsPattern("certainly new +1\n");
        assertThat(two.err()).hasLineCount(1);
      }
    }
    assertHas("first", "a", "b", "z");
  }

  @Test
  void noWaitFails() throws Exception {
    try (BloomProcess one = holder("add", filter, "-q")) {
      Bloom.Run two = bloom("add", filter, "--key", "z", "--no-wait");
      assertThat(two.code()).isEqualTo(2);
      assertThat(two.err()).contains("is being changed by another bloom").hasLineCount(1);
      one.endInput();
      assertDone(one);
    }
    assertThat(bloom("add", filter, "--key", "z", "--no-wait").code()).isZero();
    assertHas("first", "z");
  }

  @Test
  void waitGivesUpAfterItsTime() throws Exception {
    try (BloomProcess one = holder("add", filter, "-q")) {
      long start = System.nanoTime();
      Bloom.Run two = bloom("add", filter, "--key", "z", "--wait", "1200ms");
      assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(1_200_000_000L);
      assertThat(two.code()).isEqualTo(2);
      assertThat(two.err()).contains(WAITING).hasLineCount(2);
      assertThat(two.err()).contains("is still being changed by another bloom after 1.2 s");
      Bloom.Run soon = bloom("add", filter, "--key", "z", "--wait", "50ms");
      assertThat(soon.err()).contains("bloom after 0.05 s").hasLineCount(1);
      one.endInput();
      assertDone(one);
    }
    assertThat(bloom("add", filter, "--key", "z", "--wait", "1s").code()).isZero();
    assertThat(bloom("add", filter, "--key", "z", "--wait", "1s", "--no-wait").err())
        .isEqualTo("bloom: --wait and --no-wait exclude each other\n");
    assertHas("first", "z");
  }

  @Test
  void aKilledProcessReleasesTheLock() throws Exception {
    try (BloomProcess one = holder("add", filter, "-q")) {
      one.type("a\n");
      try (BloomProcess two = BloomProcess.start("add", filter, "--key", "z", "-q")) {
        two.awaitErr(WAITING);
        one.kill();
        assertThat(one.exitCode()).isEqualTo(128 + 9);
        assertDone(two);
      }
    }
    assertHas("first", "z");
  }

  @Test
  void aLockFileLeftBehindIsUsedAndDeleted() throws Exception {
    try (BloomProcess one = holder("add", filter, "-q")) {
      one.kill();
      assertThat(one.exitCode()).isEqualTo(128 + 9);
    }
    assertThat(lockFiles()).hasSize(1);
    assertThat(bloom("add", filter, "--key", "z", "--no-wait").code()).isZero();
    assertHas("first", "z");
  }

  @Test
  void ctrlCLeavesNoLockFile() throws Exception {
    try (BloomProcess one = holder("add", filter, "-q")) {
      one.type("a\n");
      new ProcessBuilder("kill", "-INT", Long.toString(one.pid())).start().waitFor();
      assertThat(one.exitCode()).isEqualTo(130);
    }
    assertHas("first");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "merge k.bloom o.bloom -f -o k.bloom",
        "intersect k.bloom k.bloom -f -o k.bloom",
        "convert k.bloom -f -o k.bloom",
        "count --filter k.bloom -f -o k.bloom keys -k a",
      })
  void commandsThatReadAndReplaceTheFileWaitForTheLock(String line) throws Exception {
    String kind = line.startsWith("intersect") ? "bloom" : "counting";
    for (String name : List.of("k.bloom", "o.bloom")) {
      Path file = directory.resolve(name);
      bloomWith("first\n", "build", "-fo", file, "-n", 1000, "-p", "1e-9", "--kind", kind);
    }
    Files.writeString(directory.resolve("keys"), "other\n");
    String words = line.replaceAll("([ko]\\.bloom|keys)", directory + "/$1");
    try (BloomProcess one = holder("add", filter, "-q");
        BloomProcess two = BloomProcess.start((Object[]) words.split(" ", -1))) {
      two.awaitErr(WAITING);
      one.type("a\n");
      one.endInput();
      assertDone(one);
      assertDone(two);
    }
    assertHas("first", "a");
  }

  @Test
  void removeWaitsForAdd() throws Exception {
    try (BloomProcess one = holder("add", filter, "-q");
        BloomProcess two = BloomProcess.start("remove", filter, "--key", "first", "-q")) {
      two.awaitErr(WAITING);
      one.type("a\n");
      one.endInput();
      assertDone(one);
      assertDone(two);
    }
    assertHas("a");
    assertThat(Filters.open(filter).mightContain("first")).isFalse();
    try (BloomProcess one = holder("remove", filter, "-q")) {
      assertThat(bloom("remove", filter, "--key", "a", "--no-wait").code()).isEqualTo(2);
      one.kill();
      assertThat(one.exitCode()).isEqualTo(128 + 9);
    }
    assertThat(bloom("remove", filter, "--key", "a", "-q").code()).isZero();
    assertHas();
  }

  @Test
  void aFilterReplacedWhileWaitingIsReadAgain() throws Exception {
    build("new.bloom", "new\n");
    try (BloomProcess one = holder("add", filter, "-q");
        BloomProcess two = BloomProcess.start("add", filter, "--key", "z", "-q")) {
      two.awaitErr(WAITING);
      one.kill();
      Files.move(directory.resolve("new.bloom"), filter, StandardCopyOption.ATOMIC_MOVE);
      assertDone(two);
    }
    assertHas("z");
  }

  @Test
  void aSymbolicLinkIsTheSameFile() throws Exception {
    Path link = Files.createSymbolicLink(directory.resolve("link"), filter);
    try (BloomProcess one = holder("add", filter, "-q")) {
      assertThat(bloom("add", link, "--key", "z", "--no-wait").err()).contains("another bloom");
      one.endInput();
      assertDone(one);
    }
    try (BloomProcess one = holder("add", link, "-q");
        BloomProcess two = BloomProcess.start("add", link, "--key", "z", "-q")) {
      two.awaitErr(WAITING);
      build("new.bloom", "new\n");
      Path other = Files.createSymbolicLink(directory.resolve("l"), directory.resolve("new.bloom"));
      Files.move(other, link, StandardCopyOption.ATOMIC_MOVE);
      one.type("a\n");
      one.endInput();
      assertDone(one);
      assertDone(two);
    }
    assertThat(link).isSymbolicLink();
    assertHas("first", "a");
    assertThat(Filters.open(filter).mightContain("z")).isFalse();
    assertThat(Filters.open(directory.resolve("new.bloom")).mightContain("z")).isTrue();
  }

  /** Adds many keys, each with a separate command. */
  static final class Many {
    private Many() {}

    public static void main(String... args) {
      for (int i = 0; i < Integer.parseInt(args[2]); i++) {
        if (bloom("add", args[0], "--key", args[1] + i, "-q").code() != 0) {
          throw new AssertionError("add failed");
        }
      }
    }
  }

  @Test
  void concurrentProcessesLoseNoKeys() throws Exception {
    List<BloomProcess> all = new ArrayList<>();
    try {
      for (String name : List.of("a", "b", "c")) {
        all.add(BloomProcess.startMain(Many.class.getName(), filter, name, 40));
      }
      for (BloomProcess each : all) {
        assertDone(each);
      }
    } finally {
      all.forEach(BloomProcess::close);
    }
    assertHas(
        IntStream.range(0, 40)
            .boxed()
            .flatMap(i -> List.of("a" + i, "b" + i, "c" + i).stream())
            .toArray(String[]::new));
  }

  /** Simulates a process that finishes and deletes the lock file this one has just created. */
  @Test
  void aLockFileThatDisappearsIsCreatedAgain() throws Exception {
    FilterLock lock = FilterLock.on(filter, waited -> {});
    Path lockFile = lockFiles().get(0);
    lock.close();
    AtomicBoolean ended = new AtomicBoolean();
    Thread other =
        new Thread(
            () -> {
              while (!ended.get()) {
                lockFile.toFile().delete();
              }
            });
    other.start();
    try {
      for (int round = 0; round < 2_000; round++) {
        FilterLock.on(filter, waited -> {}).close();
      }
    } finally {
      ended.set(true);
      other.join();
    }
  }

  @Test
  void threadsOfOneProcessExcludeEachOther() throws Exception {
    int[] inside = new int[1];
    int[] turns = new int[1];
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          new Thread(
              () -> {
                for (int round = 0; round < 50; round++) {
                  try (FilterLock lock = FilterLock.on(filter, waited -> {})) {
                    assertThat(lock.path()).isEqualTo(filter);
                    assertThat(++inside[0]).isEqualTo(1);
                    turns[0]++;
                    inside[0]--;
                  }
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(turns[0]).isEqualTo(200);
    assertThat(lockFiles()).isEmpty();
  }

  @Test
  void aDirectoryThatCannotBeWrittenIsNamed() throws IOException {
    Path closed = Files.createDirectory(directory.resolve("closed"));
    Path inside = Files.copy(filter, closed.resolve("k.bloom"));
    assertThat(closed.toFile().setWritable(false)).isTrue();
    try {
      if (!Files.isWritable(closed)) { // root may write everywhere
        assertThat(bloom("add", inside, "--key", "z").err())
            .contains("its directory " + closed.toRealPath() + " is not writable");
      }
    } finally {
      assertThat(closed.toFile().setWritable(true)).isTrue();
    }
  }

  /** In a directory that others may write to, they can take the name of the lock file. */
  @ParameterizedTest
  @ValueSource(strings = {"pipe", "dangling link", "link to a file"})
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void somethingElseWithTheNameOfTheLockIsRefused(String what) throws Exception {
    Path lockFile;
    try (FilterLock lock = FilterLock.on(filter, waited -> {})) {
      assertThat(lock.path()).isEqualTo(filter.toRealPath());
      lockFile = lockFiles().get(0);
    }
    Path other = Files.writeString(directory.resolve("other"), "other");
    Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rw-------"));
    switch (what) {
      case "pipe" ->
          assertThat(new ProcessBuilder("mkfifo", lockFile.toString()).start().waitFor()).isZero();
      case "dangling link" -> Files.createSymbolicLink(lockFile, directory.resolve("none"));
      default -> Files.createSymbolicLink(lockFile, other);
    }
    byte[] before = Files.readAllBytes(filter);
    Bloom.Run run = bloomWith("second\n", "add", filter);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .contains(lockFile.getFileName() + ": is not a regular file, and has the name of a lock");
    assertThat(Files.readAllBytes(filter)).isEqualTo(before);
    assertThat(other).hasContent("other");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(other)))
        .isEqualTo("rw-------");
    assertThat(directory.resolve("none")).doesNotExist();
  }
}
