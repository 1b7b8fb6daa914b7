package io.bloomery.cli.join;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.cli.Runs.assertError;
import static io.bloomery.testkit.Inputs.gzip;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.cli.Main;
import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Json;
import io.bloomery.testkit.Seeds;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.StandardOutput;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.LineSplitter;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.spill.Rereading;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DiffCommandTest {

  @TempDir private Path directory;

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  @Test
  void printsTheKeysOfEitherSide() throws IOException {
    Path a = write("a", "one\ntwo\ntwo\nthree\n\nfour\n");
    Path b = write("b", "four\r\nfive\r\nfive\r\nthree\r\n");
    Bloom.Run run = bloom("diff", a, b);
    assertThat(run.code()).isZero();
    assertThat(bloom("diff", a, b, "--exit-code").code()).isEqualTo(1);
    assertThat(bloom("diff", a, b, "-q").out()).as("-q keeps results").isEqualTo(run.out());
    assertThat(bloom("diff", a, b, "-q").err()).isEmpty();
    assertThat(run.out().lines()).containsExactlyInAnyOrder("< one", "< two", "> five");
    assertThat(run.err())
        .isEqualTo(
            "5 keys against 4: 2 only left, 1 only right, 2 in both; compared in memory; 1 empty"
                + " key skipped\n");
  }

  @Test
  void orderAndRepetitionsDoNotMatter() throws IOException {
    Path a = write("a", "one\ntwo\nthree\n");
    Path b = write("b", "three\none\ntwo\none");
    assertThat(bloom("diff", a, b, "--exit-code").code()).isZero();
    assertThat(bloom("diff", a, b).out()).isEmpty();
    assertThat(bloom("diff", a, a, "-s").code()).isZero();
    Path empty = write("empty", "");
    assertThat(bloom("diff", empty, empty, "--exit-code").code()).isZero();
    assertThat(bloom("diff", a, empty).out().lines()).containsExactly("< one", "< two", "< three");
    assertThat(bloom("diff", empty, a, "--only", "left", "--exit-code").code()).isZero();
    assertThat(bloom("diff", empty, a, "--only", "right").out()).isEqualTo("one\ntwo\nthree\n");
  }

  @ParameterizedTest
  @CsvSource({"left, one", "right, four", "LEFT, one"})
  void onlyPrintsBareKeys(String side, String expected) throws IOException {
    Path a = write("a", "one\ntwo\nthree\none\n");
    Path b = write("b", "two\nthree\nfour\n");
    Bloom.Run run = bloom("diff", a, b, "--only", side, "--exit-code");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out()).isEqualTo(expected + "\n");
    assertThat(run.err()).contains(" 1 only " + side.toLowerCase(Locale.ROOT));
  }

  /** Random sets of many sizes, with repetitions, arbitrary bytes and common prefixes. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
  void randomSetsMatchTheModel(int seed) throws IOException {
    SplittableRandom random = Seeds.random(seed);
    String left = lines(random, random.nextInt(1, 3000), random.nextInt(1, 4));
    String right = lines(random, random.nextInt(1, 3000), random.nextInt(1, 4));
    Path a = Files.write(directory.resolve("a"), left.getBytes(ISO_8859_1));
    Path b = Files.write(directory.resolve("b"), right.getBytes(ISO_8859_1));
    Set<String> ofA = new TreeSet<>(List.of(left.split("\n", -1)));
    Set<String> ofB = new TreeSet<>(List.of(right.split("\n", -1)));
    ofA.remove("");
    ofB.remove("");
    Set<String> expected = new TreeSet<>();
    ofA.stream().filter(key -> !ofB.contains(key)).forEach(key -> expected.add("< " + key));
    ofB.stream().filter(key -> !ofA.contains(key)).forEach(key -> expected.add("> " + key));
    Bloom.Run run = bloom("diff", a, b, "--exit-code");
    List<String> found = run.latin1().lines().toList();
    assertThat(found).doesNotHaveDuplicates().hasSameSizeAs(expected);
    assertThat(new TreeSet<>(found)).isEqualTo(expected);
    assertThat(run.code()).isEqualTo(expected.isEmpty() ? 0 : 1);
    assertThat(bloomWith(Files.readAllBytes(a), "diff", "-", b).latin1().lines().sorted())
        .as("a pipe is stored for the second pass")
        .containsExactlyElementsOf(new TreeSet<>(found));
    assertThat(bloom("diff", b, a, "-s").code()).isEqualTo(run.code());
    Set<String> common = new TreeSet<>(ofA);
    common.retainAll(ofB);
    Bloom.Run both = bloom("diff", a, b, "--only", "both", "--exit-code");
    List<String> shared = both.latin1().lines().toList();
    assertThat(shared).doesNotHaveDuplicates();
    assertThat(new TreeSet<>(shared)).isEqualTo(common);
    assertThat(both.code()).isEqualTo(run.code());
    assertThat(bloom("diff", a, b, "--only", "both", "-s").code()).isEqualTo(run.code());
  }

  private static String lines(SplittableRandom random, int count, int most) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < count; i++) {
      for (int j = random.nextInt(0, most + 1); j > 0; j--) {
        char c = (char) random.nextInt(14, 256);
        lines.append(c);
      }
      lines.append('\n');
    }
    return lines.toString();
  }

  /** 200,000 keys in so little memory that filters fill up and partitions are split again. */
  @Test
  void littleMemoryStillGivesExactAnswers() throws IOException {
    StringBuilder left = new StringBuilder();
    StringBuilder right = new StringBuilder();
    Set<String> expected = new TreeSet<>();
    for (int i = 0; i < 100_000; i++) {
      String key = "a key that is long enough to fill a small memory " + i * 7919;
      if (i % 1000 == 3) {
        expected.add("< " + key);
      } else {
        right.append(key).append('\n');
      }
      if (i % 1000 == 4) {
        expected.add("> " + key);
      } else {
        left.append(key).append('\n');
      }
    }
    KeyInput a = new KeyInput(null, List.of(write("a", left.toString()).toString()));
    KeyInput b = new KeyInput(null, List.of(write("b", right.toString()).toString()));
    Hasher hasher = Hasher.xxh3();
    Reading reading = new Reading(new LineSplitter(), hasher, false);
    Set<String> found = new TreeSet<>();
    DiffRun run =
        new DiffRun(
            hasher,
            160_000,
            EnumSet.of(DiffRun.Side.LEFT, DiffRun.Side.RIGHT),
            (side, bytes, offset, length) ->
                assertThat(
                        found.add(
                            (side == DiffRun.Side.LEFT ? "< " : "> ")
                                + new String(bytes, offset, length, ISO_8859_1)))
                    .isTrue(),
            false);
    try (Rereading first = new Rereading(a, reading, bytes -> {});
        Rereading second = new Rereading(b, reading, bytes -> {})) {
      run.run(first, second);
    }
    assertThat(found).isEqualTo(expected);
    assertThat(run.count(DiffRun.Side.BOTH)).isEqualTo(99_800);
    assertThat(run.spilled()).isGreaterThan(1_000_000);
  }

  @Test
  void countsAreTextOrJson() throws IOException {
    Path a = Files.write(directory.resolve("a.gz"), gzip("one\ntwo\n"));
    Path b = write("b", "two\nthree\n");
    assertThat(bloom("diff", a, b, "--count").out())
        .startsWith("2 keys against 2: 1 only left, 1 only right, 1 in both; ");
    Map<?, ?> json = Json.object(bloom("diff", a, b, "-c", "--json").out());
    assertThat(json.toString())
        .startsWith(
            "{left="
                + a
                + ", right="
                + b
                + ", leftKeys=2.0, rightKeys=2.0, onlyLeft=1.0,"
                + " onlyRight=1.0, inBoth=1.0, settledByFilters=");
    assertThat(json.keySet())
        .hasToString(
            "[left, right, leftKeys, rightKeys, onlyLeft, onlyRight, inBoth, settledByFilters,"
                + " compared, inMemory, temporaryBytes, emptyKeysSkipped, badRows]");
    assertThat(bloom("diff", a, b, "-s").out()).isEmpty();
    assertThat(bloom("diff", a, b, "-s").err()).isEmpty();
  }

  /**
   * 300,000 keys per side, from files and pipes, with 8 MB and with ample memory: the same lines.
   */
  @Test
  void memoryAffectsOnlyTheOrder() throws IOException {
    StringBuilder left = new StringBuilder();
    StringBuilder right = new StringBuilder();
    for (int i = 0; i < 300_000; i++) {
      left.append("line number ").append(i * 3).append('\n');
      right.append("line number ").append(i * 5).append('\n');
    }
    Path a = write("a", left.toString());
    Path b = write("b", right.toString());
    Bloom.Run inMemory = bloom("diff", a, b, "--json");
    assertThat(inMemory.out()).contains("\"inMemory\":true,\"temporaryBytes\":0,");
    List<String> lines = bloom("diff", a, b).out().lines().toList();
    assertThat(lines.subList(0, 3))
        .containsExactly("< line number 3", "< line number 6", "< line number 9");
    assertThat(lines.get(lines.size() - 1)).isEqualTo("> line number 1499995");
    Bloom.Run byFilters = bloom("diff", a, b, "--memory-limit", "8M");
    assertThat(byFilters.err()).contains(" settled by filters, ");
    assertThat(new TreeSet<>(byFilters.out().lines().toList())).isEqualTo(new TreeSet<>(lines));
    for (Object[] line :
        new Object[][] {{"diff", "-", b}, {"diff", "-", b, "--memory-limit", "8M"}}) {
      assertThat(new TreeSet<>(bloomWith(left.toString(), line).out().lines().toList()))
          .isEqualTo(new TreeSet<>(lines));
    }
    List<String> common = new ArrayList<>();
    for (int i = 0; i < 900_000; i += 15) {
      common.add("line number " + i);
    }
    assertThat(bloom("diff", a, b, "--only", "both", "-q").out().lines().toList())
        .isEqualTo(common);
    Bloom.Run both = bloom("diff", a, b, "--only", "both", "--memory-limit", "8M");
    assertThat(both.err())
        .startsWith("300,000 keys against 300,000: 60,000 in both; ")
        .contains("settled by filters");
    assertThat(both.out().lines().sorted().toList()).isEqualTo(common.stream().sorted().toList());
    assertThat(bloom("diff", a, b, "-s", "--memory-limit", "8M").code()).isEqualTo(1);
    assertThat(bloomWith(left.toString(), "diff", "-", a, "-s").code()).isZero();
  }

  @Test
  void emptyLinesAreKeysOnRequest() throws IOException {
    Path a = write("a", "\none\n");
    Path b = write("b", "one\n");
    assertThat(bloom("diff", a, b, "--exit-code").code()).isZero();
    assertThat(bloom("diff", a, b, "--keep-empty").out()).isEqualTo("< \n");
  }

  @Test
  void keysCanBeColumnsDelimitedOrOfFixedLength() throws IOException {
    Path a = write("a.csv", "id,x\n1,a\n2,\"b\nb\"\n");
    Path b = write("b.csv", "y;id\nq;2\nq;3\n".replace(';', '\t'));
    assertThat(bloom("diff", a, b, "--column", "id").out()).isEqualTo("< 1\n> 3\n");
    Path c = write("c", "one\0t\nwo\0");
    Path d = write("d", "one\0three\0");
    assertThat(bloom("diff", c, d, "--delimiter", "\\0", "--only", "left").out())
        .isEqualTo("t\nwo\0");
    Path e = write("e", "abcd");
    Path f = write("f", "cdef");
    assertThat(bloom("diff", e, f, "--binary", "2").out()).isEqualTo("< 6162\n> 6566\n");
    assertThat(bloom("diff", e, f, "--binary", "2", "--only", "right").out()).isEqualTo("ef");
  }

  @Test
  void aFilterIsRefusedAsAFileOfKeys() throws IOException {
    Path filter = directory.resolve("x.bloom");
    bloomWith("one\n", "build", "-o", filter);
    Path a = write("a", "one\n");
    assertError(
        bloom("diff", filter, a), "'bloom check " + filter + " " + a + " --mode absent' prints");
    assertError(bloom("diff", a, filter), "is a filter, not a file of keys");
  }

  @Test
  void wrongUseIsExplained() throws IOException {
    Path a = write("a", "one\n");
    byte[] packed = gzip("one\ntwo\n");
    packed[packed.length - 5] ^= 1;
    Path damaged = Files.write(directory.resolve("damaged.gz"), packed);
    assertError(bloom("diff", "-", "-"), "only one of the two can be standard input");
    assertError(bloom("diff", a, directory.resolve("no")), "no: no such file");
    assertError(bloom("diff", directory, a), "is a directory");
    assertError(bloom("diff", a, damaged), damaged + ", near byte ", "damaged gzip data");
    assertError(bloom("diff", a, a, "--memory-limit", "1M"), "it must be 8M or more");
    assertError(bloom("diff", a), "Missing required parameter");
  }

  @Test
  void aClosedPipeEndsTheCommandQuietly() throws IOException {
    Path a = write("a", "x".repeat(100_000) + "\n" + "y".repeat(100_000) + "\n");
    Path b = write("b", "");
    StringWriter err = new StringWriter();
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    Console console =
        new Console(
            InputStream.nullInputStream(),
            new StandardOutput(broken),
            new PrintWriter(err, true),
            () -> false,
            () -> false);
    assertThat(Main.run(console, "diff", a.toString(), b.toString())).isEqualTo(141);
    assertThat(err.toString()).isEmpty();
  }
}
