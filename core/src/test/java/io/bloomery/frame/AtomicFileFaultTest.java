package io.bloomery.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.bloomery.Filters;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.testing.FaultyFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each operation of a save fails once: the old filter is there or the new one, and nothing else.
 */
final class AtomicFileFaultTest {

  @TempDir Path directory;

  private List<String> save(BloomFilter filter, int failing, boolean reported) {
    Path target = directory.resolve("saved.bloom");
    FaultyFileSystem faulty = new FaultyFileSystem(directory, failing);
    Throwable failure = catchThrowable(() -> filter.writeTo(faulty.path(target)));
    if (reported) {
      assertThat(failure)
          .as("%d of %s", failing, faulty.operations())
          .isInstanceOf(IOException.class)
          .hasMessageContaining(FaultyFileSystem.MESSAGE);
    } else {
      assertThat(failure).isNull();
    }
    return faulty.operations();
  }

  private static BloomFilter filterOf(String key) {
    BloomFilter filter = BloomFilter.create(BloomShape.of(100_000, 3));
    filter.add(key);
    return filter;
  }

  @Test
  void everyFaultIsReportedAndTearsNothing() throws IOException {
    List<String> operations = save(filterOf("old"), 0, false);
    assertThat(operations)
        .startsWith("open", "lock", "write")
        .endsWith(
            "force", "rename", "close", "open directory", "force directory", "close directory");
    int rename = operations.indexOf("rename") + 1;
    Path target = directory.resolve("saved.bloom");
    for (int failing = 1; failing <= operations.size(); failing++) {
      filterOf("old").writeTo(target);
      // A file system without locks is no fault.
      boolean locking = operations.get(failing - 1).equals("lock");
      save(filterOf("new"), failing, !locking);
      boolean isNew = failing > rename || locking;
      assertThat(Filters.open(target).mightContain("new")).as("%d", failing).isEqualTo(isNew);
      assertThat(Filters.open(target).mightContain("old")).isEqualTo(!isNew);
      try (Stream<Path> files = Files.list(directory)) {
        assertThat(files).as("after fault %d", failing).containsExactly(target);
      }
    }
  }

  @Test
  void aNewFileIsMadeWholeOrNotAtAll() throws IOException {
    List<String> operations = save(filterOf("first"), 0, false);
    Path target = directory.resolve("saved.bloom");
    for (int failing = 1; failing <= operations.indexOf("rename") + 1; failing++) {
      Files.deleteIfExists(target);
      save(filterOf("new"), failing, !operations.get(failing - 1).equals("lock"));
      try (Stream<Path> files = Files.list(directory)) {
        assertThat(files.filter(file -> !file.equals(target))).isEmpty();
      }
    }
  }
}
