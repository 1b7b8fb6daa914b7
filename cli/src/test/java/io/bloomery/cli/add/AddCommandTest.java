package io.bloomery.cli.add;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.testkit.Inputs.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filter;
import io.bloomery.Filters;
import io.bloomery.FrequencyFilter;
import io.bloomery.HashedFilter;
import io.bloomery.ReadOptions;
import io.bloomery.RemovableFilter;
import io.bloomery.cli.Bloom;
import io.bloomery.cli.BloomProcess;
import io.bloomery.cli.Runs;
import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.GuavaFormat;
import io.bloomery.testkit.Json;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddCommandTest {

  @TempDir private Path directory;
  private Path filter;

  @BeforeEach
  void build() {
    filter = directory.resolve("x.bloom");
    bloomWith(numbers(1000), "build", "-o", filter, "--kind", "blocked", "-n", 2000, "-p", "1e-6");
  }

  @Test
  void addsKeysAndCountsTheNewOnes() throws IOException {
    Bloom.Run run = bloomWith("999\nnew\n\nnewer\n", "add", filter, "--key", "newest");
    assertThat(run.code()).isZero();
    assertThat(run.err()).isEmpty();
    // With keys on the command line, standard input is not read.
    assertThat(run.out()).containsPattern("keys read +1\n");
    run = bloomWith("999\nnew\n\nnewer\nnewest\n", "add", filter);
    assertThat(run.out())
        .startsWith("Added to " + filter + "\n")
        .containsPattern("kind +blocked\n")
        .containsPattern("keys read +4\n")
        .containsPattern("certainly new +2\n")
        .containsPattern("probably known +2\n")
        .containsPattern("empty keys +1 skipped\n")
        .containsPattern("expected rate +.*, before ");
    Filter opened = Filters.open(filter);
    assertThat(Stream.of("0", "999", "new", "newer", "newest")).allMatch(opened::mightContain);
    assertThat(opened.mightContain("newst")).isFalse();
  }

  @Test
  void jsonHasTheReport() {
    Map<?, ?> json = Json.object(bloomWith("1\na\n", "add", filter, "--json").out());
    assertThat(json.get("file")).isEqualTo(filter.toString());
    assertThat(json.get("kind")).isEqualTo("blocked");
    assertThat(json.get("keysRead")).isEqualTo(2.0);
    assertThat(json.get("certainlyNew")).isEqualTo(1.0);
    assertThat(json.get("probablyKnown")).isEqualTo(1.0);
    assertThat((Double) json.get("expectedRate"))
        .isGreaterThan((Double) json.get("expectedRateBefore"));
  }

  @Test
  void addingGivesTheSameBytesAsBuilding() throws IOException {
    Path whole = directory.resolve("whole.bloom");
    bloomWith(numbers(2000), "build", "-o", whole, "--kind", "blocked", "-n", 2000, "-p", "1e-6");
    bloomWith(numbers(2000), "add", filter, "-q");
    assertThat(filter).hasSameBinaryContentAs(whole);
  }

  @Test
  void permissionsAndSymbolicLinksAreKept() throws IOException {
    Files.setPosixFilePermissions(filter, PosixFilePermissions.fromString("rw-r-----"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), filter);
    assertThat(bloom("add", link, "--key", "new").code()).isZero();
    assertThat(Files.isSymbolicLink(link)).isTrue();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(filter)))
        .isEqualTo("rw-r-----");
    assertThat(Filters.open(filter).mightContain("new")).isTrue();
  }

  @Test
  void withoutKeysTheFileIsNotRewritten() throws IOException {
    Object before = Files.readAttributes(filter, "unix:ino").get("ino");
    assertThat(bloomWith("\n", "add", filter).out()).containsPattern("keys read +0\n");
    assertThat(Files.readAttributes(filter, "unix:ino").get("ino")).isEqualTo(before);
  }

  @Test
  void warnsAboutMoreKeysThanTheFilterWasMadeFor() {
    Bloom.Run run = bloomWith(numbers(8000), "add", filter, "-q");
    assertThat(run.code()).isZero();
    assertThat(run.err())
        .startsWith("bloom: warning: " + filter + " has more keys than it was made for: expect ")
        .endsWith("; build a larger one with bloom build -n\n")
        .hasLineCount(1);
    assertThat(bloom("add", filter).err()).isEmpty(); // nothing was added
  }

  @Test
  void frozenKindsSayWhatToDo() throws IOException {
    bloomWith("a\n", "build", "-fo", filter, "--kind", "fuse");
    byte[] before = Files.readAllBytes(filter);
    assertError(
        bloom("add", filter, "--key", "b"),
        "kind fuse takes no more keys; build a new filter of all keys with bloom build");
    assertThat(filter).hasBinaryContent(before);
  }

  @Test
  void aFullFilterIsLeftUnchanged() throws IOException {
    bloomWith("a\n", "build", "-fo", filter, "--kind", "cuckoo", "-n", 100);
    byte[] before = Files.readAllBytes(filter);
    assertError(
        bloomWith(numbers(10_000), "add", filter),
        ": is full, and the file is as it was; build a larger filter");
    assertThat(filter).hasBinaryContent(before);
    assertThat(directory).isDirectoryNotContaining("glob:**.tmp");
  }

  @Test
  void kindsWithDeletesStoreEachKeyOnceAndCountingKindsEachRepetition() throws IOException {
    bloomWith("", "build", "-fo", filter, "--kind", "cuckoo", "-n", 100, "-p1e-6");
    bloomWith("a\nb\na\n", "add", filter);
    RemovableFilter removable = Filters.open(filter, ReadOptions.as(RemovableFilter.class));
    assertThat(removable.remove("a")).isTrue();
    assertThat(removable.mightContain("a")).isFalse();
    bloomWith("", "build", "-fo", filter, "--kind", "count-min", "-n", 100, "-p1e-6");
    bloomWith("a\nb\na\n", "add", filter);
    assertThat(Filters.open(filter, ReadOptions.as(FrequencyFilter.class)).count("a")).isEqualTo(2);
  }

  @Test
  void aKeyedFilterNeedsItsKeyAndKeepsIt() throws IOException {
    Path right = Runs.secret(directory.resolve("right"), "0123456789abcdef");
    Path wrong = Runs.secret(directory.resolve("wrong"), "0123456789abcdeF");
    bloomWith("one\n", "build", "-fo", filter, "--secret-file", right);
    long check = Filters.header(filter).seedOrKeyCheck();
    assertError(bloom("add", filter, "--key", "a"), "made with a secret key");
    assertError(bloom("add", filter, "--key", "a", "--secret-file", wrong), "wrong key");
    assertThat(bloom("add", filter, "--key", "a", "--secret-file", right).code()).isZero();
    assertThat(Filters.header(filter).seedOrKeyCheck()).isEqualTo(check);
    assertThat(bloom("check", filter, "-k", "a", "-k", "one", "--secret-file", right).code())
        .isZero();
  }

  @Test
  void filtersOfOtherSystemsUseTheirOwnHash() throws IOException {
    ForeignBloomFilter guava = GuavaFormat.create(1000, 1e-6);
    guava.add("one");
    Path file = directory.resolve("guava");
    guava.writeTo(file);
    Bloom.Run run = bloomWith("one\ntwo\n", "add", file, "--format", "guava");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).containsPattern("kind +guava\n").containsPattern("certainly new +1\n");
    assertThat(bloom("add", file, "-k", "two").err())
        .contains("could be guava: name it with --format to read it as such")
        .hasLineCount(1);
    Path twin = directory.resolve("twin");
    guava.add("two");
    guava.writeTo(twin);
    assertThat(file).hasSameBinaryContentAs(twin);
    assertThat(bloomWith("one\nthree\ntwo\n", "check", file, "--format", "guava").out())
        .isEqualTo("probably present\tone\ncertainly absent\tthree\nprobably present\ttwo\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nosuch|nosuch: no such file",
        "DIR|: is a directory, not a filter",
        "TEXT --key a|: not a filter",
        "EMPTY --key a|, byte 0: ",
        "FILTER nosuch|nosuch: no such file",
        "FILTER DIR|: is a directory",
        "FILTER FILTER|: is not a file of keys but a filter; bloom which asks several",
        "TEXT TEXT|: is also the input",
        "FILTER --binary 3|ends within a record",
        "FILTER --column x|no column is named",
      })
  void errorsAreOneLineAndChangeNothing(String args, String message) throws IOException {
    Path text = Files.writeString(directory.resolve("text"), "no filter at all");
    Path empty = Files.writeString(directory.resolve("empty"), "");
    byte[] before = Files.readAllBytes(filter);
    String line =
        args.replace("DIR", directory.toString())
            .replace("FILTER", filter.toString())
            .replace("TEXT", text.toString())
            .replace("EMPTY", empty.toString());
    Bloom.Run run = bloomWith("abcd", (Object[]) ("add " + line).split(" ", -1));
    assertError(run, message);
    assertThat(filter).hasBinaryContent(before);
    assertThat(text).hasContent("no filter at all");
  }

  /** Adds keys one by one to the file given as its argument, until it is killed. */
  static final class Endless {
    private Endless() {}

    public static void main(String... args) {
      for (int i = Integer.parseInt(args[1]); ; i++) {
        if (bloom("add", args[0], "--key", "k" + i).code() != 0) {
          throw new AssertionError("add failed");
        }
        System.err.println(i);
      }
    }
  }

  @Test
  @Timeout(120)
  void aKilledProcessLeavesTheOldOrTheNewFile() throws IOException, InterruptedException {
    bloomWith(
        "", "build", "-fo", filter, "-n", "1M",
        "-p1e-6"); // large enough that writing takes a while
    SplittableRandom random = Seeds.random(1);
    int next = 0;
    for (int round = 0; round < 8; round++) {
      int last;
      try (BloomProcess child =
          BloomProcess.startMain(Endless.class.getName(), filter, Integer.toString(next))) {
        child.awaitErr(next + round % 3 + "\n"); // one to three adds
        TimeUnit.MICROSECONDS.sleep(random.nextInt(200_000));
        child.kill();
        assertThat(child.exitCode()).isEqualTo(128 + 9);
        last = next + (int) child.err().chars().filter(c -> c == '\n').count() - 1;
      }
      HashedFilter opened = Filters.open(filter, ReadOptions.as(HashedFilter.class));
      assertThat(IntStream.rangeClosed(0, last)).allMatch(i -> opened.mightContain("k" + i));
      next = last + 1;
    }
    assertThat(next).isGreaterThanOrEqualTo(1 + 2 + 3 + 1 + 2 + 3 + 1 + 2);
  }

  private static void assertError(Bloom.Run run, String message) {
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("bloom: ").contains(message).hasLineCount(1);
    assertThat(run.out()).isEmpty();
  }
}
