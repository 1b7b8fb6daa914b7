package io.bloomery.cli.count;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.CraftedKeys;
import io.bloomery.frequency.CountMinFilter;
import io.bloomery.frequency.CountMinShape;
import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Seeds;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.LineSplitter;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.spill.Rereading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopRunTest {

  @TempDir private Path directory;

  /** Two keys share a hash: the first is kept and hides the second, which is more frequent. */
  @Test
  void anExactListIsExactDespiteEqualHashes() throws IOException {
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

  /** Counters of 8 bits stop at 255: nothing is certain then, unless all keys are counted. */
  @Test
  void aSaturatedCounterProvesNothing() throws IOException {
    Hasher hasher = Hasher.xxh3();
    Path file = directory.resolve("lines");
    Files.writeString(file, "a\n".repeat(300) + "b\n".repeat(254) + "a\n".repeat(700));
    Reading reading = new Reading(new LineSplitter((byte) '\n'), hasher, false, 1);
    for (boolean exact : new boolean[] {false, true}) {
      CountMinFilter filter = CountMinFilter.create(new CountMinShape(4, 1024, 8, true), hasher);
      TopRun run = new TopRun(filter, 10, 5, 1);
      KeyInput input = new KeyInput(Console.system(), List.of(file.toString()));
      try (Rereading rereading = new Rereading(input, reading, bytes -> {})) {
        if (exact) {
          run.runExactly(rereading, 8_000_000);
        } else {
          run.read(rereading);
          run.conclude();
        }
      }
      assertThat(run.isSaturated()).isTrue();
      assertThat(run.isProven()).isEqualTo(exact);
      assertThat(run.top().get(0).count()).isEqualTo(exact ? 1000 : 255);
    }
  }

  /** Streams of about 6,000 lines in which it is hard to keep the right keys. */
  private static Map<String, List<String>> streams() {
    SplittableRandom random = Seeds.random(11);
    Map<String, List<String>> streams = new LinkedHashMap<>();
    List<String> zipf = new ArrayList<>();
    List<String> uniform = new ArrayList<>();
    for (int i = 0; i < 6_000; i++) {
      zipf.add("z" + (int) Math.exp(random.nextDouble() * Math.log(3_000)));
      uniform.add("u" + random.nextInt(600));
    }
    streams.put("zipf", zipf);
    streams.put("uniform", uniform);
    List<String> rising = new ArrayList<>(zipf);
    rising.sort(Comparator.comparingInt(key -> Collections.frequency(zipf, key)));
    streams.put("rarest first", rising);
    List<String> falling = new ArrayList<>(rising);
    Collections.reverse(falling);
    streams.put("most frequent first", falling);
    List<String> ties = new ArrayList<>();
    for (int i = 0; i < 6_000; i++) {
      ties.add("t" + i % 300);
    }
    streams.put("all ties", ties);
    streams.put("each once", IntStream.range(0, 6_000).mapToObj(i -> "o" + i).toList());
    List<String> late = new ArrayList<>(ties);
    late.addAll(Collections.nCopies(25, "late"));
    streams.put("a key only at the end", late);
    List<String> evicted = new ArrayList<>(Collections.nCopies(20, "first"));
    for (int i = 0; i < 250; i++) {
      evicted.addAll(Collections.nCopies(21, "e" + i)); // each outnumbers "first" and evicts it
    }
    evicted.add("first");
    evicted.add("first");
    streams.put("the first is evicted", evicted);
    List<String> overtaken = new ArrayList<>(Collections.nCopies(40, "largest"));
    for (int round = 0; round < 39; round++) {
      for (int i = 0; i < 150; i++) {
        overtaken.add("w" + i);
      }
    }
    streams.put("collisions evict the largest before the end", overtaken);
    return streams;
  }

  /**
   * Compares exact counts with the bounds: nine streams, from few to many counters, lists of one
   * key to all keys, with and without a minimum count, each with approximate and exact counting.
   */
  @Test
  void boundsHoldForEveryList() throws IOException {
    int missed = 0; // lists that lack a key more frequent than a listed one
    for (Map.Entry<String, List<String>> stream : streams().entrySet()) {
      Map<String, Long> model = new HashMap<>();
      stream.getValue().forEach(key -> model.merge(key, 1L, Long::sum));
      Path file = Files.write(directory.resolve("stream"), stream.getValue());
      for (int width : new int[] {8, 64, 4_096}) {
        for (int kept : new int[] {1, 7, 100, 10_000}) {
          for (int wanted : new int[] {1, 5, 100, Integer.MAX_VALUE}) {
            for (long least : new long[] {1, 20}) {
              for (boolean exact : new boolean[] {false, true}) {
                if (wanted > kept && wanted < Integer.MAX_VALUE) {
                  continue;
                }
                String what =
                    "%s %d %d %d %d %b"
                        .formatted(stream.getKey(), width, kept, wanted, least, exact);
                missed += check(what, file, model, new int[] {width, kept, wanted}, least, exact);
              }
            }
          }
        }
      }
    }
    assertThat(missed).isGreaterThan(50); // otherwise the streams are too easy
  }

  private static int check(
      String what, Path file, Map<String, Long> model, int[] sizes, long least, boolean exact)
      throws IOException {
    Hasher hasher = Hasher.xxh3(Seeds.random(sizes[0]).nextLong());
    CountMinShape shape = CountMinShape.of(2, sizes[0]).withConservativeUpdate();
    TopRun run = new TopRun(CountMinFilter.create(shape, hasher), sizes[1], sizes[2], least);
    KeyInput input = new KeyInput(Console.system(), List.of(file.toString()));
    Reading reading = new Reading(new LineSplitter(), hasher, false, 1);
    try (Rereading lines = new Rereading(input, reading, bytes -> {})) {
      if (exact) {
        run.runExactly(lines, 8_000_000);
      } else {
        run.read(lines);
        run.conclude();
      }
    }
    Map<String, Long> unlisted = new HashMap<>(model);
    long lowest = Long.MAX_VALUE;
    for (var each : run.top()) {
      long truth = unlisted.remove(new String(each.key(), UTF_8));
      lowest = Math.min(lowest, truth);
      if (truth < each.least() || truth > each.count() || each.count() < least) {
        throw new AssertionError(what + ": " + truth + " is outside " + each);
      }
      if (exact && each.least() < each.count()) {
        throw new AssertionError(what + ": not exact: " + each);
      }
    }
    long highest = unlisted.values().stream().mapToLong(Long::longValue).max().orElse(0);
    if (highest >= run.completeFrom()) {
      throw new AssertionError(what + ": not listed " + highest + " >= " + run.completeFrom());
    }
    boolean full = run.top().size() == sizes[2];
    boolean right = full ? highest <= lowest : highest < least;
    if (run.isProven() && !right) {
      throw new AssertionError(what + ": proven, but " + highest + " is not listed");
    }
    if (exact && !run.isProven()) {
      throw new AssertionError(what + ": not proven");
    }
    return right ? 0 : 1;
  }
}
