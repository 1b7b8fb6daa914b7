package io.bloomery.cli.option;

import static io.bloomery.cli.Bloom.bloom;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Seeds;
import io.bloomery.tools.input.BlockSink;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.LineSplitter;
import io.bloomery.tools.input.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Results do not depend on {@code --threads}. */
class ThreadsTest {

  @TempDir private Path directory;
  private Path lines;

  /** 120,000 skewed lines, five blocks of input. */
  @BeforeEach
  void write() throws IOException {
    SplittableRandom random = Seeds.random(11);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 120_000; i++) {
      text.append("line ").append((int) Math.exp(random.nextDouble() * 10.5)).append('\n');
    }
    lines = Files.writeString(directory.resolve("lines"), text);
  }

  private List<Object> command(String line, int threads) {
    List<Object> words = new ArrayList<>(List.of((Object[]) line.split(" ", -1)));
    words.replaceAll(word -> word.equals("LINES") ? lines : word);
    words.addAll(List.of("--threads", threads));
    return words;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dedup LINES -q",
        "dedup LINES -q --exact",
        "dedup LINES -q -p 10%",
        "dedup LINES -q --last 1000",
        "count LINES -q --total --memory 4KiB",
        "count LINES -q --memory 64KiB",
        "count LINES --exact -q",
        "count LINES --exact -q --order first",
        "top LINES -l 100 --memory 16KiB --keep 200",
        "diff LINES LINES"
      })
  void outputsAreTheSame(String line) {
    Bloom.Run one = bloom(command(line, 1).toArray());
    for (int threads : new int[] {2, 5}) {
      Bloom.Run many = bloom(command(line, threads).toArray());
      assertThat(many.code()).isEqualTo(one.code());
      assertThat(many.latin1()).isEqualTo(one.latin1());
      assertThat(many.err()).isEqualTo(one.err());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"blocked", "bloom", "fuse", "ribbon", "cuckoo", "scalable", "count-min", "recent"})
  void filtersAreTheSame(String kind) throws IOException {
    byte[] one = built(kind, 1);
    for (int threads : new int[] {2, 5}) {
      assertThat(built(kind, threads)).isEqualTo(one);
    }
  }

  private byte[] built(String kind, int threads) throws IOException {
    Path out = directory.resolve("f.bloom");
    String line = "build LINES -q -f -n 60000 --kind " + kind + " -o " + out;
    assertThat(bloom(command(line, threads).toArray()).code()).isZero();
    return Files.readAllBytes(out);
  }

  @Test
  void aSingleThreadIsTheCallersThread() {
    Thread caller = Thread.currentThread();
    Reading reading = new Reading(new LineSplitter(), null, false, 1);
    List<Thread> seen = new ArrayList<>();
    BlockSink sink =
        block -> {
          seen.add(Thread.currentThread());
          return true;
        };
    new KeyInput(null, List.of(lines.toString())).read(reading, sink, bytes -> {});
    assertThat(seen).isNotEmpty().containsOnly(caller);
  }
}
