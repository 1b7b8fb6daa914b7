package io.bloomery.frame;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.bloomery.Filter;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.SampleFilters;
import io.bloomery.Storable;
import io.bloomery.deletable.CountingBloomFilter;
import io.bloomery.foreign.ForeignFilter;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.hadoop.HadoopCountingFilter;
import io.bloomery.foreign.hadoop.HadoopFormat;
import io.bloomery.foreign.registry.ForeignFormats;
import io.bloomery.frozen.CompressedBloomFilter;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.testkit.FaultyFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each operation of a save fails once: the old file is there or the new one, and nothing else. A
 * kind of every family, what merging and converting make, and filters of other systems.
 */
final class AtomicFileFaultTest {

  private static final String OLD = "the file that was there before";

  @TempDir private Path directory;
  private Path target;

  /** What saves itself. */
  private record Saved(String name, Writer writer) {

    @FunctionalInterface
    private interface Writer {
      void writeTo(Path file) throws IOException;
    }

    private static Saved of(String name, Filter filter) {
      return filter instanceof ForeignFilter foreign
          ? new Saved(name, foreign::writeTo)
          : new Saved(name, ((Storable) filter)::writeTo);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static List<Saved> saved() {
    Map<String, FilterKind<?>> families = new LinkedHashMap<>();
    Filters.kinds().forEach(kind -> families.putIfAbsent(kind.type().getPackageName(), kind));
    List<Saved> all = new ArrayList<>();
    for (FilterKind<?> kind : families.values()) {
      all.add(Saved.of(kind.name(), SampleFilters.of(kind)));
    }
    BloomFilter merged = filterOf("one");
    merged.merge(filterOf("other"));
    all.add(Saved.of("merged", merged));
    all.add(Saved.of("converted to compressed-bloom", CompressedBloomFilter.of(merged)));
    CountingBloomFilter counting = CountingBloomFilter.create(1_000, 0.01);
    all.add(Saved.of("converted to bloom", counting.toBloomFilter()));
    for (String name : List.of("guava", "redis-cuckoo")) {
      ForeignFormat<?> format = ForeignFormats.named(name);
      all.add(Saved.of(name, format.maker().orElseThrow().create(1_000, 0.01)));
    }
    ForeignFilter cells = HadoopCountingFilter.FORMAT.maker().orElseThrow().create(1_000, 0.01);
    all.add(Saved.of("converted to hadoop-bloom", cells.as(HadoopFormat.FORMAT).orElseThrow()));
    return all;
  }

  private static BloomFilter filterOf(String key) {
    BloomFilter filter = BloomFilter.create(BloomShape.of(100_000, 3));
    filter.add(key);
    return filter;
  }

  @BeforeEach
  void nameTarget() {
    target = directory.resolve("saved.bloom");
  }

  private List<String> save(Saved saved, int failing, boolean reported) {
    FaultyFileSystem faulty = new FaultyFileSystem(directory, failing);
    Throwable failure = catchThrowable(() -> saved.writer.writeTo(faulty.path(target)));
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

  @ParameterizedTest
  @MethodSource("saved")
  void everyFaultIsReportedAndTearsNothing(Saved saved) throws IOException {
    Files.writeString(target, OLD);
    List<String> operations = save(saved, 0, false);
    assertThat(operations)
        .startsWith("open", "lock", "open", "lock", "write")
        .endsWith(
            "force",
            "rename",
            "close",
            "close",
            "open directory",
            "force directory",
            "close directory");
    byte[] whole = Files.readAllBytes(target);
    assertThat(whole).isNotEqualTo(OLD.getBytes(UTF_8));
    int rename = operations.indexOf("rename") + 1;
    for (int failing = 1; failing <= operations.size(); failing++) {
      Files.writeString(target, OLD);
      // A file system without locks is not a fault.
      boolean locking = failing - 1 == operations.indexOf("lock");
      save(saved, failing, !locking);
      if (failing > rename || locking) {
        assertThat(target).as("after fault %d", failing).hasBinaryContent(whole);
      } else {
        assertThat(target).as("after fault %d", failing).hasContent(OLD);
      }
      assertNothingElse(failing);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Invalid argument", "Operation not supported", "Function not implemented"})
  void directoriesThatCannotBeSyncedAreNoFault(String unsupported) throws IOException {
    Saved saved = saved().get(0);
    int sync = save(saved, 0, false).indexOf("force directory") + 1;
    byte[] whole = Files.readAllBytes(target);
    Files.writeString(target, OLD);
    FaultyFileSystem faulty =
        new FaultyFileSystem(
            directory,
            sync,
            () -> {
              throw new IOException(unsupported);
            });
    saved.writer.writeTo(faulty.path(target));
    assertThat(target).hasBinaryContent(whole);
    assertNothingElse(sync);
  }

  private void assertNothingElse(int failing) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.filter(file -> !file.equals(target)))
          .as("after fault %d", failing)
          .isEmpty();
    }
  }

  @Test
  void aNewFileIsMadeWholeOrNotAtAll() throws IOException {
    Saved saved = Saved.of("bloom", filterOf("new"));
    List<String> operations = save(saved, 0, false);
    for (int failing = 1; failing <= operations.indexOf("rename") + 1; failing++) {
      Files.deleteIfExists(target);
      boolean locking = failing - 1 == operations.indexOf("lock");
      save(saved, failing, !locking);
      assertThat(Files.exists(target)).as("after fault %d", failing).isEqualTo(locking);
      assertNothingElse(failing);
    }
  }
}
