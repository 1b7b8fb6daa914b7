package io.bloomery.cli.count;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.CraftedKeys;
import io.bloomery.frequency.CountMinFilter;
import io.bloomery.frequency.CountMinShape;
import io.bloomery.hash.Hasher;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.LineSplitter;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.spill.Rereading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopRunTest {

  @TempDir private Path directory;

  /** Two keys with one hash: the first is kept and hides the second, which is more frequent. */
  @Test
  void anExactListIsExactAlsoIfHashesAreEqual() throws IOException {
    Hasher hasher = Hasher.xxh3();
    byte[] hidden = "hidden".getBytes(UTF_8);
    String kept = new String(CraftedKeys.of(hasher.hash(hidden)), ISO_8859_1);
    String lines = (kept + "\0").repeat(3) + "hidden\0".repeat(5) + "other\0".repeat(4);
    Path file = Files.writeString(directory.resolve("lines"), lines, ISO_8859_1);
    TopRun run = new TopRun(CountMinFilter.create(CountMinShape.of(4, 1024), hasher), 10, 1, 1);
    Reading reading = new Reading(new LineSplitter((byte) 0), hasher, false, 1);
    KeyInput input = new KeyInput(Console.system(), List.of(file.toString()));
    try (Rereading rereading = new Rereading(input, reading, bytes -> {})) {
      run.runExactly(rereading, 8_000_000);
    }
    assertThat(run.top()).hasSize(1);
    assertThat(run.top().get(0).key()).isEqualTo(hidden);
    assertThat(run.top().get(0).count()).isEqualTo(5);
    assertThat(run.isProven()).isTrue();
  }
}
