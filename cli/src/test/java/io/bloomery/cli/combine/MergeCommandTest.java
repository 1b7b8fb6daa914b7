package io.bloomery.cli.combine;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.cli.Runs.assertError;
import static io.bloomery.testkit.Inputs.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.AddableFilter;
import io.bloomery.Filter;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.FrequencyFilter;
import io.bloomery.Mergeable;
import io.bloomery.ReadOptions;
import io.bloomery.RemovableFilter;
import io.bloomery.Storable;
import io.bloomery.cli.Bloom;
import io.bloomery.cli.Runs;
import io.bloomery.deletable.CountingBloomFilter;
import io.bloomery.deletable.CountingShape;
import io.bloomery.foreign.DataSketchesFormat;
import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.ForeignFilter;
import io.bloomery.foreign.GuavaFormat;
import io.bloomery.frequency.CountMinFilter;
import io.bloomery.frequency.CountMinShape;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.testkit.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MergeCommandTest {

  @TempDir private Path directory;
  private Path out;

  @BeforeEach
  void nameOutput() {
    out = directory.resolve("out.bloom");
  }

  private Path build(String name, int from, int to, Object... options) {
    Path file = directory.resolve(name);
    Object[] args = new Object[options.length + 4];
    args[0] = "build";
    args[1] = "-q";
    args[2] = "-o";
    args[3] = file;
    System.arraycopy(options, 0, args, 4, options.length);
    assertThat(bloomWith(lines(from, to), args).code()).isZero();
    return file;
  }

  private static String lines(int from, int to) {
    StringBuilder lines = new StringBuilder();
    IntStream.range(from, to).forEach(i -> lines.append("key ").append(i).append('\n'));
    return lines.toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"blocked", "bloom", "split-block", "bloom-g", "striped"})
  void theResultEqualsTheFilterOfAllKeys(String kind) throws IOException {
    Path one = build("1.bloom", 0, 2000, "-n", "6000", "--kind", kind);
    Path two = build("2.bloom", 1000, 4000, "-n", "6000", "--kind", kind);
    Path three = build("3.bloom", 4000, 6000, "-n", "6000", "--kind", kind);
    Path all = build("all.bloom", 0, 6000, "-n", "6000", "--kind", kind);
    Bloom.Run run = bloom("merge", one, two, three, "-o", out);
    assertThat(run.code()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(out).hasSameBinaryContentAs(all);
    assertThat(run.out())
        .startsWith("Merged 3 filters into " + out + "\n")
        .containsPattern("kind +" + kind + "\n")
        .containsPattern(one + " +about (1,9[5-9]|2,0[0-4]).* keys?, rate [0-9.e-]+ %\n")
        .containsPattern("fill +[0-9.]+ % of the bits are set\n")
        .containsPattern("expected rate +[0-9.]+ % \\(1 in [0-9,]+\\)\n")
        .containsPattern("file size +[0-9,]+ bytes");
  }

  @Test
  void twoChoiceFiltersAreMergedToo() throws IOException {
    Path one = build("1.bloom", 0, 2000, "-n", "6000", "--kind", "two-choice");
    Path two = build("2.bloom", 2000, 4000, "-n", "6000", "--kind", "two-choice");
    // Keys chose their bits without knowing the other filter, so the union has more bits set.
    assertThat(bloom("merge", one, two, "-o", out).out()).contains("about 1,99", "about 4,1");
    assertThat(bloomWith(lines(0, 4000), "check", out, "-s").code()).isZero();
  }

  /** The list is derived from the kinds: neither this test nor the command names them. */
  @ParameterizedTest
  @ValueSource(strings = {"fuse", "cuckoo"})
  void theErrorListsTheKindsThatHelp(String kind) {
    Path file = build("x.bloom", 0, 30, "--kind", kind);
    Bloom.Run run = bloom("merge", file, file, "-o", out);
    assertError(run, file + ": kind " + kind + " cannot be merged; kinds that can: ");
    Set<String> named = Set.of(run.err().replaceFirst(".*can: ", "").strip().split(", "));
    boolean deletes = kind.equals("cuckoo");
    for (FilterKind<?> other : Filters.kinds()) {
      boolean able =
          Mergeable.class.isAssignableFrom(other.type())
              && (!deletes || RemovableFilter.class.isAssignableFrom(other.type()));
      boolean helps = able && areMerged(other.name(), deletes ? "remove" : "check");
      assertThat(named.contains(other.name())).as(other.name()).isEqualTo(helps);
    }
  }

  /**
   * Whether two files of a kind are built from keys and merged, and a command accepts the result.
   */
  private boolean areMerged(String kind, String command) {
    Path one = directory.resolve(kind + ".1");
    Path two = directory.resolve(kind + ".2");
    Path both = directory.resolve(kind + ".3");
    return bloomWith(lines(0, 9), "build", "-n", 99, "--kind", kind, "-o", one).code() == 0
        && bloomWith(lines(9, 19), "build", "-n", 99, "--kind", kind, "-o", two).code() == 0
        && bloom("merge", one, two, "-o", both).code() == 0
        && bloom(command, both, "-k", "key 3", "-k", "key 15").code() == 0;
  }

  @Test
  void countsAreAdded() throws IOException {
    CountMinFilter one = CountMinFilter.create(CountMinShape.of(4, 1000));
    CountMinFilter two = CountMinFilter.create(CountMinShape.of(4, 1000));
    one.add("x", 3);
    two.add("x", 4);
    bloom("merge", save("1", one), save("2", two), "-o", out);
    assertThat(Filters.open(out, ReadOptions.as(FrequencyFilter.class)).count("x")).isEqualTo(7);
  }

  private Path save(String name, Storable filter) {
    Path file = directory.resolve(name);
    try {
      filter.writeTo(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file;
  }

  @Test
  void guavaFiltersStayInGuavasFormat() throws IOException {
    Path one = guava("1.guava", "a", "b");
    Path two = guava("2.guava", "c", "d");
    Bloom.Run run = bloom("merge", one, two, "-o", out, "--format", "guava");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).containsPattern("kind +guava\n");
    ForeignFilter merged = GuavaFormat.FORMAT.open(out);
    for (String key : new String[] {"a", "b", "c", "d"}) {
      assertThat(merged.mightContain(key)).isTrue();
    }
    assertThat(merged.mightContain("e")).isFalse();
    Path sketch = directory.resolve("sketch");
    DataSketchesFormat.create(9, 0.01, 0).writeTo(sketch);
    Path other = build("n", 0, 9);
    assertError(bloom("merge", sketch, other, "-f", "-o", out), "only filters of one kind");
    assertError(
        bloom("merge", one, other, "-f", "-o", out, "--format", "guava"),
        "is a filter of Bloomery, not of format guava");
  }

  private Path guava(String name, String... keys) throws IOException {
    Path file = directory.resolve(name);
    byte[] empty = new byte[6 + 1024];
    empty[0] = 1; // MURMUR128_MITZ_64
    empty[1] = 7; // hash functions
    empty[5] = (byte) (1024 / Long.BYTES);
    Files.write(file, empty);
    ForeignBloomFilter filter = GuavaFormat.FORMAT.open(file);
    for (String key : keys) {
      filter.add(key);
    }
    filter.writeTo(file);
    return file;
  }

  @Test
  void theErrorNamesTheDifference() throws IOException {
    Path one = build("1.bloom", 0, 10, "-n", "6000");
    Path seed = build("3.bloom", 0, 10, "-n", "6000", "--seed", "7");
    Path kind = build("4.bloom", 0, 10, "-n", "6000", "--kind", "bloom");
    Path size = build("2.bloom", 0, 10, "-n", "7000", "--kind", "bloom");
    assertError(
        bloom("merge", kind, size, "-o", out),
        kind + " and " + size + " cannot be merged: ",
        " bits against ");
    assertError(
        bloom("merge", one, seed, "-o", out), "hash XXH3-64, seed 0 against XXH3-64, seed 7");
    assertError(
        bloom("merge", "--layers", one, seed, "-o", out),
        "hash XXH3-64, seed 0 against XXH3-64, seed 7");
    assertError(
        bloom("merge", "--layers", one, kind, "-o", out),
        kind + ": kind bloom cannot be a layer; filters of kind blocked can");
    assertError(
        bloom("merge", one, kind, "-o", out),
        one + " is of kind blocked and " + kind + " of kind bloom");
    assertThat(out).doesNotExist();
  }

  @Test
  void tooLittleRoomForAllKeysIsAnError() {
    Path one = build("1.bloom", 0, 1000, "-n", "1000", "--kind", "quotient", "-p", "0.4");
    Object[] args = new Object[40];
    Arrays.fill(args, one);
    args[0] = "merge";
    args[38] = "-o";
    args[39] = out;
    assertError(bloom(args), "cannot be merged: no room for ", "for all keys (-n)");
    assertThat(out).doesNotExist();
  }

  @Test
  void keyedFiltersNeedTheirKey() throws IOException {
    Path key = Runs.secret(directory.resolve("key"), "0123456789abcdef");
    Path other = Runs.secret(directory.resolve("other"), "0123456789abcdeF");
    Path one = build("1.bloom", 0, 10, "-n", "100", "--secret-file", key);
    Path two = build("2.bloom", 10, 20, "-n", "100", "--secret-file", key);
    Path plain = build("3.bloom", 0, 10, "-n", "100");
    assertThat(bloom("merge", one, two, "-o", out, "--secret-file", key).code()).isZero();
    Filters.open(out, ReadOptions.defaults().withHasher(Hasher.keyed(Files.readAllBytes(key))));
    assertThat(bloomWith(lines(0, 20), "check", out, "-s", "--secret-file", key).code()).isZero();
    assertError(bloom("merge", one, two, "-fo", out), "give it with --secret-file");
    assertError(bloom("merge", one, two, "-fo", out, "--secret-file", other), "wrong key");
    assertError(
        bloom("merge", one, plain, "-fo", out, "--secret-file", key), "made without a secret key");
  }

  /** Filters sized for a few percent more or fewer keys get the same shape. */
  @Test
  void filtersOfSimilarSizeAreMerged() throws IOException {
    Path monday = build("1.bloom", 0, 9_300);
    Path tuesday = build("2.bloom", 5_000, 15_100);
    assertThat(bloom("merge", monday, tuesday, "-o", out).code()).isZero();
    assertThat(out).hasSameBinaryContentAs(build("all.bloom", 0, 15_100, "-n", "10240"));
  }

  /** An empty filter with four times the size. */
  private static AddableFilter fourTimes(Filter filter) {
    if (filter instanceof BloomFilter bloom) {
      BloomShape shape = bloom.shape();
      return BloomFilter.create(
          new BloomShape(4 * shape.bits(), shape.hashesPerKey(), shape.scheme()), Hasher.xxh3());
    }
    CountingShape shape = ((CountingBloomFilter) filter).shape();
    return CountingBloomFilter.create(
        new CountingShape(
            4 * shape.counters(),
            shape.hashesPerKey(),
            shape.scheme(),
            shape.counterBits(),
            shape.overflow()),
        Hasher.xxh3());
  }

  @ParameterizedTest
  @ValueSource(strings = {"bloom", "counting"})
  void aLargerFilterIsFoldedIfItsKindSupportsIt(String kind) throws IOException {
    Path small = build("1.bloom", 0, 900, "-n", "1000", "--kind", kind);
    AddableFilter four = fourTimes(Filters.open(small));
    IntStream.range(900, 1000).forEach(i -> four.add("key " + i));
    Path large = directory.resolve("2.bloom");
    Filters.write((Storable) four, Filters.header(small).description(), large);
    Path all = build("all.bloom", 0, 1000, "-n", "1000", "--kind", kind);
    assertThat(bloom("merge", small, large, "-o", out).err()).isEmpty();
    assertThat(((Storable) Filters.open(out)).sameContent((Storable) Filters.open(all))).isTrue();
    Bloom.Run folded = bloom("merge", large, small, "-fo", out);
    assertThat(folded.err()).isEmpty();
    assertThat(folded.out()).containsPattern("folded to +[0-9,]+ bits\n");
    assertThat(((Storable) Filters.open(out)).sameContent((Storable) Filters.open(all))).isTrue();
  }

  /**
   * The advice is the same for kinds that can be folded: these sizes are no powers of two apart.
   */
  @ParameterizedTest
  @ValueSource(strings = {"bloom", "split-block", "counting"})
  void whoDoesWhatTheMessageSaysCanMerge(String kind) {
    Path small = build("1.bloom", 0, 1000, "-n", "1000", "--kind", kind);
    Path large = build("2.bloom", 1000, 2500, "-n", "1500", "--kind", kind);
    for (Path[] both : new Path[][] {{small, large}, {large, small}}) {
      assertError(
          bloom("merge", both[0], both[1], "-o", out),
          "; build both with the same options and the same -n, 1500 or more");
    }
    Path again = build("3.bloom", 0, 1000, "-n", "1500", "--kind", kind);
    assertThat(bloom("merge", again, large, "-o", out).code()).isZero();
    Path unsaid = directory.resolve("guava");
    assertThat(bloomWith(lines(0, 9), "build", "-o", unsaid, "--format", "guava").code()).isZero();
    Path other = directory.resolve("other");
    assertThat(bloomWith(lines(0, 99), "build", "-o", other, "--format", "guava").code()).isZero();
    assertThat(bloom("merge", unsaid, other, "-fo", out, "--format", "guava").err())
        .endsWith("; build both with the same options and the same -n\n");
  }

  @Test
  void tooHighARateIsAWarning() {
    Path one = build("1.bloom", 0, 1000);
    Path two = build("2.bloom", 1000, 1950);
    Bloom.Run run = bloom("merge", one, two, "-o", out, "-q");
    assertThat(run.code()).isZero();
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .startsWith("bloom: warning: " + out + ": expect ")
        .contains(" false positives, ")
        .hasLineCount(1);
  }

  @Test
  void jsonHasTheFacts() {
    Path one = build("1.bloom", 0, 1000, "-n", "2000", "--kind", "bloom");
    Path two = build("2.bloom", 1000, 2000, "-n", "2000", "--kind", "bloom");
    Map<?, ?> json = Json.object(bloom("merge", one, two, "-o", out, "--json").out());
    assertThat(json.keySet().toString())
        .isEqualTo(
            "[kind, fields, inputs, sizeInBits, fillRatio, expectedRate, estimatedKeys, file,"
                + " fileBytes]");
    assertThat(json.get("kind")).isEqualTo("bloom");
    assertThat((double) json.get("estimatedKeys")).isBetween(1942.0, 2058.0); // 5σ
    assertThat((double) json.get("fillRatio")).isBetween(0.507, 0.528);
    assertThat(((Map<?, ?>) ((List<?>) json.get("inputs")).get(1)).get("file"))
        .isEqualTo(two.toString());
  }

  @Test
  void aSingleFilterIsCopiedAndAnInputMayBeReplaced() throws IOException {
    Path one = build("1.bloom", 0, 1000, "-n", "2000");
    Path two = build("2.bloom", 1000, 2000, "-n", "2000");
    assertThat(bloom("merge", one, "-o", out).code()).isZero();
    assertThat(out).hasSameBinaryContentAs(one);
    assertError(bloom("merge", one, two, "-o", one), "exists; --force overwrites it");
    assertThat(bloom("merge", one, two, "-o", two, "--force").code()).isZero();
    assertThat(bloomWith(lines(0, 2000), "check", two, "-s").code()).isZero();
  }

  @Test
  void damageIsFoundBeforeAnythingIsWritten() throws IOException {
    Path one = build("1.bloom", 0, 1000, "-n", "2000");
    Path two = build("2.bloom", 1000, 2000, "-n", "2000");
    for (Path damaged : new Path[] {one, two}) {
      byte[] bytes = Files.readAllBytes(damaged);
      bytes[4200] ^= 4;
      Files.write(damaged, bytes);
      assertError(bloom("merge", one, two, "-o", out), damaged + ", byte ");
      bytes[4200] ^= 4;
      Files.write(damaged, bytes);
    }
    Path text = Files.writeString(directory.resolve("text"), numbers(10));
    assertError(bloom("merge", one, text, "-o", out), text + ", byte 0: not a filter");
    assertError(bloom("merge", one, directory, "-o", out), "is a directory, not a filter");
    assertError(bloom("merge", one, directory.resolve("no"), "-o", out), "no: no such file");
    assertError(bloom("merge", one, two, "-o", directory), "is a directory");
    assertThat(out).doesNotExist();
  }
}
