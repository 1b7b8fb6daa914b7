package io.bloomery.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.FaultyFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another process changes what has the name of a temporary file between two steps of a save. */
final class TemporaryRaceTest {

  @TempDir private Path directory;
  private Path target;
  private Path temporary;

  @BeforeEach
  void nameOfTheTemporaryFile() throws IOException {
    target = directory.resolve("saved.bloom");
    AtomicFile.write(target, out -> temporary = files().get(0));
    Files.writeString(target, "old");
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> !file.equals(target)).toList();
    }
  }

  /** Saves while something happens before an operation. */
  private List<String> save(int operation, FaultyFileSystem.Event event) throws IOException {
    FaultyFileSystem system = new FaultyFileSystem(directory, operation, event);
    AtomicFile.write(system.path(target), out -> out.write("new".getBytes(UTF_8)));
    return system.operations();
  }

  private void replaceTemporary() throws IOException {
    Files.delete(temporary);
    Files.writeString(temporary, "of another process");
  }

  /** Another process removes a leftover and writes its own file under that name. */
  @Test
  void aLeftoverThatWasReplacedBeforeItWasLockedStays() throws IOException {
    Files.writeString(temporary, "left behind");
    List<String> operations = save(3, this::replaceTemporary);
    assertThat(operations).startsWith("open", "open", "lock", "close", "open", "lock");
    assertThat(target).hasContent("new");
    assertThat(temporary).hasContent("of another process");
    assertThat(files()).containsExactly(temporary);
  }

  /** Another process removes the leftover only; the name is free again. */
  @Test
  void aLeftoverThatWasRemovedBeforeItWasLocked() throws IOException {
    Files.writeString(temporary, "left behind");
    save(3, () -> Files.delete(temporary));
    assertThat(target).hasContent("new");
    assertThat(files()).isEmpty();
  }

  /** Another process takes the new file for a leftover, since it is not locked yet. */
  @Test
  void aNewFileThatWasReplacedBeforeItWasLockedIsGivenUp() throws IOException {
    List<String> operations = save(2, this::replaceTemporary);
    assertThat(target).hasContent("new");
    assertThat(operations).startsWith("open", "lock", "open", "lock", "close");
  }

  @Test
  void aNewFileThatWasRemovedBeforeItWasLockedIsMadeAgain() throws IOException {
    save(2, () -> Files.delete(temporary));
    assertThat(target).hasContent("new");
    assertThat(files()).isEmpty();
  }
}
