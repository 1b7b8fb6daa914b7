package io.bloomery.cli.file;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.testkit.Inputs.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filters;
import io.bloomery.FrameHeader.Description;
import io.bloomery.Storable;
import io.bloomery.cli.Bloom;
import io.bloomery.membership.BloomFilter;
import io.bloomery.testkit.Json;
import io.bloomery.tools.name.Octets;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Filter files describe their keys, and commands use that description. */
class DescribedFilesTest {

  private static final String NUMBERS = "17\n0042\n-3\n";

  @TempDir private Path directory;

  private Path built(String name, String keys, Object... options) {
    Path file = directory.resolve(name);
    Object[] all = new Object[options.length + 4];
    System.arraycopy(options, 0, all, 4, options.length);
    all[0] = "build";
    all[1] = "-q";
    all[2] = "-fo";
    all[3] = file;
    assertThat(bloomWith(keys, all).code()).isZero();
    return file;
  }

  private static Description said(Path file) throws IOException {
    return Filters.header(file).description();
  }

  @Test
  void buildDescribesTheKeys() throws IOException {
    Path file =
        built(
            "x",
            "id,Name\n1,a\n2,b\n",
            "--column",
            "id",
            "--type",
            "int64",
            "-n",
            "500",
            "-p",
            "0.001",
            "--created",
            "2026-01-31T12:00:00Z");
    Map<String, Object> facts = said(file).facts();
    assertThat(facts)
        .containsEntry(Description.KEY_TYPE, "int64")
        .containsEntry(Description.COLUMN, "id")
        .containsEntry(Description.EXPECTED_KEYS, 500L)
        .containsEntry(Description.PROMISED_RATE, 0.001)
        .containsEntry(Description.CREATED, 1_769_860_800L);
    assertThat(facts.get(Description.TOOL)).asString().startsWith("bloom ");
    assertThat(bloom("info", file).out())
        .containsPattern("key type +int64\n")
        .containsPattern("key column +id\n")
        .containsPattern("made for +500 keys\n")
        .containsPattern("promised rate +0.1 % \\(1 in 1,000\\)\n")
        .containsPattern("created +2026-01-31T12:00:00Z\n")
        .containsPattern("made by +bloom ");
    Map<?, ?> json = Json.object(bloom("info", "--json", file).out());
    assertThat(json.get("keyType")).isEqualTo("int64");
    assertThat(json.get("keyColumn")).isEqualTo("id");
    assertThat(json.get("madeForKeys")).isEqualTo(500.0);
    assertThat(json.get("promisedRate")).isEqualTo(0.001);
    assertThat(json.get("created")).isEqualTo("2026-01-31T12:00:00Z");
  }

  @Test
  void aColumnNameThatIsNotUtf8OrTooLongIsNotStored() throws IOException {
    String odd = Octets.text(new byte[] {'n', (byte) 0xEF});
    byte[] rows = Octets.bytes("id," + odd + "," + "x".repeat(2000) + "\n1,2,3\n");
    for (String column : List.of(odd, "x".repeat(2000))) {
      Path file = directory.resolve("x");
      assertThat(bloomWith(rows, "build", "-q", "-fo", file, "--column", column).code()).isZero();
      assertThat(said(file).text(Description.COLUMN)).isEmpty();
      assertThat(said(file).text(Description.KEY_TYPE)).contains("text");
    }
  }

  @Test
  void equalKeysAndOptionsGiveEqualFiles() {
    Path one = built("one", "b\na\n");
    Path two = built("two", "b\na\n");
    assertThat(one).hasSameBinaryContentAs(two);
  }

  @ParameterizedTest
  @ValueSource(strings = {"yesterday", "-1", "2026-01-31", "9999999999999"})
  void invalidTimesAreRefused(String time) {
    Bloom.Run run = bloomWith("a\n", "build", "-o", directory.resolve("x"), "--created=" + time);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("bloom: --created is '" + time + "'").hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource({
    "check -k 42, 0",
    "check -k 42 --type int64, 0",
    "verify --present KEYS, 0",
    "add -k 43, 0",
    "check -k 42 --type text, 2",
    "check -k 42 --type int32, 2",
    "add -k 43 --type text, 2",
    "verify --present KEYS --type text, 2",
  })
  void theTypeComesFromTheFile(String line, int code) throws IOException {
    Path file = built("x", NUMBERS, "--type", "int64");
    Path keys = Files.writeString(directory.resolve("keys"), "42\n17\n");
    byte[] before = Files.readAllBytes(file);
    String[] words = line.replace("KEYS", keys.toString()).split(" ", -1);
    Object[] args = new Object[words.length + 1];
    args[0] = words[0];
    args[1] = file;
    System.arraycopy(words, 1, args, 2, words.length - 1);
    Bloom.Run run = bloom(args);
    assertThat(run.code()).as(run.err()).isEqualTo(code);
    if (code == 2) {
      assertThat(run.err()).contains(": its keys are of type int64, not ").hasLineCount(1);
      assertThat(file).hasBinaryContent(before);
    } else {
      assertThat(run.out()).doesNotContain("certainly absent");
    }
  }

  @Test
  void binaryRecordsAreLookedUpAsTextHexOrBinary() throws IOException {
    Path file = built("x", "abcd", "--binary", "2");
    assertThat(said(file).text(Description.KEY_TYPE)).contains("bytes");
    assertThat(bloom("check", file, "-k", "ab", "-q").out()).startsWith("probably present");
    assertThat(bloom("check", file, "-k", "6162", "--type", "hex", "-q").out())
        .startsWith("probably present");
    assertThat(bloomWith("cd", "check", file, "--binary", "2", "-q").out())
        .startsWith("probably present");
    assertThat(bloom("check", file, "-k", "1", "--type", "int64").err())
        .contains("its keys are of type bytes, not int64");
  }

  /** A filter of trimmed keys trims the keys that are looked up. */
  @Test
  void trimmedKeysAreLookedUpTrimmed() throws IOException {
    Path padded = Files.writeString(directory.resolve("padded"), " apple \npear\t\n");
    Path trimmed = directory.resolve("trimmed.bloom");
    assertThat(bloom("build", padded, "-o", trimmed, "--trim", "-q").code()).isZero();
    assertThat(bloom("check", trimmed, padded, "--count", "-q").out())
        .contains("2 probably present");
    assertThat(bloom("check", trimmed, "-k", "apple").code()).isZero();
    Path plain = directory.resolve("plain.bloom");
    assertThat(bloom("build", padded, "-o", plain, "-q").code()).isZero();
    assertThat(bloom("check", plain, "-k", "apple").code()).isEqualTo(1);
    assertThat(bloom("check", plain, padded, "--count", "-q").out()).contains("2 probably present");
  }

  @Test
  void aTypeTheFileDoesNotStateGivesAWarning() throws IOException {
    BloomFilter filter = BloomFilter.create(10, 0.01);
    filter.add(42L);
    Path old = directory.resolve("old.bloom");
    filter.writeTo(old);
    Bloom.Run run = bloom("check", old, "-k", "42", "--type", "int64");
    assertThat(run.out()).isEqualTo("probably present\t42\n");
    assertThat(run.err())
        .startsWith(
            "bloom: "
                + old
                + " does not say the type of its keys; if it is not int64, the answers are wrong\n");
    assertThat(bloom("check", old, "-k", "42", "--type", "int64", "-q").err()).isEmpty();
    assertThat(bloom("info", old).out()).containsPattern("key type +the file does not say\n");
    assertThat(bloom("add", old, "-k", "43", "--type", "int64").code()).isZero();
    assertThat(said(old).isEmpty()).isTrue();
    assertThat(Filters.header(old).version()).isEqualTo(1);
  }

  @Test
  void anUnknownTypeIsRefusedAndHostileTextIsEscaped() throws IOException {
    Path file = directory.resolve("x");
    Description hostile =
        Description.NONE
            .with(Description.KEY_TYPE, "int\u001b[2J\n128")
            .with(Description.COLUMN, "a\u202eb\u0007");
    Filters.write(BloomFilter.create(10, 0.01), hostile, file);
    Bloom.Run run = bloom("check", file, "-k", "1");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("which this bloom does not know").hasLineCount(1);
    assertThat(run.err() + bloom("info", file).out())
        .doesNotContain("\u001b", "\u202e", "\u0007")
        .contains("\\x1b[2J\\n128", "a\\u202eb\\x07");
    String json = bloom("info", "--json", file).out();
    assertThat(json).doesNotContain("\u001b", "\u0007").hasLineCount(1);
  }

  @Test
  void addRemoveAndConvertKeepTheDescription() throws IOException {
    Path file = built("x", NUMBERS, "--type", "int64", "--kind", "counting", "-n", "100");
    Description before = said(file).with("of a later version", "kept");
    Filters.write((Storable) Filters.open(file), before, file);
    assertThat(bloom("add", file, "-k", "7").code()).isZero();
    assertThat(said(file)).isEqualTo(before);
    assertThat(bloom("remove", file, "-k", "007").code()).isZero();
    assertThat(said(file)).isEqualTo(before);
    Path plain = directory.resolve("plain");
    assertThat(bloom("convert", file, "-o", plain, "--to", "bloom").code()).isZero();
    assertThat(said(plain)).isEqualTo(before);
    assertThat(bloom("check", plain, "-k", "042", "-q").out()).startsWith("probably present");
  }

  @Test
  void mergeKeepsCommonFactsAndRefusesDifferentTypes() throws IOException {
    Object[] same = {"--kind", "bloom", "-n", "100", "--type", "int64", "--created", "5"};
    Path one = built("one", "1\n", same);
    Path two = built("two", "2\n", same);
    Path out = directory.resolve("out");
    Bloom.Run run = bloom("merge", one, two, "-fo", out);
    assertThat(run.code()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(said(out).text(Description.KEY_TYPE)).contains("int64");
    assertThat(said(out).number(Description.EXPECTED_KEYS)).contains(100L);
    assertThat(said(out).number(Description.CREATED)).isEmpty();
    assertThat(bloom("check", out, "-k", "1", "-k", "02", "-q").out())
        .doesNotContain("certainly absent");

    Path text = built("text", "2\n", "--kind", "bloom", "-n", "100");
    for (String command : new String[] {"merge", "intersect"}) {
      Bloom.Run refused = bloom(command, one, text, "-fo", out);
      assertThat(refused.code()).isEqualTo(2);
      assertThat(refused.err())
          .contains(
              "has keys of type int64 and "
                  + text
                  + " of type text; --mix-types combines them all the same")
          .hasLineCount(1);
      Bloom.Run forced = bloom(command, one, text, "-fo", out, "--mix-types");
      assertThat(forced.code()).isZero();
      assertThat(forced.err()).contains("the result does not record the type of its keys");
      assertThat(said(out).text(Description.KEY_TYPE)).isEmpty();
    }
  }

  @Test
  void aFileWithoutATypeDoesNotHideAConflictOfTwoOthers() throws IOException {
    Object[] same = {"--kind", "bloom", "-n", "100"};
    Path text = built("text", "1\n", same);
    Path silent = directory.resolve("silent");
    ((Storable) Filters.open(text)).writeTo(silent);
    Path numbers = built("numbers", "1\n", "--kind", "bloom", "-n", "100", "--type", "int64");
    Path out = directory.resolve("out");
    assertThat(bloom("merge", silent, text, numbers, "-o", out).err())
        .contains(text + " has keys of type text and " + numbers + " of type int64");
    assertThat(bloom("merge", silent, text, "-o", out).err())
        .contains("the result does not record the type of its keys");
    assertThat(bloom("merge", silent, silent, "-fo", out).err()).isEmpty();
  }

  @Test
  void addWarnsBeyondThePromisedRate() {
    Path file = built("x", numbers(100), "-n", "1000", "-p", "0.001");
    assertThat(bloomWith(numbers(1000), "add", file, "-q").err()).isEmpty();
    assertThat(bloomWith(numbers(3000), "add", file, "-q").err())
        .contains("has more keys than it was made for");
  }

  @Test
  void aDamagedFilterGivesNoAnswer() throws IOException {
    Path file = built("x", numbers(1000));
    byte[] bytes = Files.readAllBytes(file);
    java.util.Arrays.fill(bytes, 4096, bytes.length - 8, (byte) 0);
    Files.write(file, bytes);
    Bloom.Run run = bloom("check", file, "-k", "7");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("CRC32C").hasLineCount(1);
    assertThat(bloom("check", file, "-k", "7", "--no-verify", "-q").out())
        .isEqualTo("certainly absent\t7\n");
    assertThat(bloom("check", file, "-k", "7", "--no-verify", "--verify").err())
        .isEqualTo("bloom: --verify and --no-verify exclude each other\n");
  }

  @Test
  void noCommandMapsALargeFilterThatIsDamaged() throws IOException {
    Path file = built("x", "a\n", "-n", "14M", "--bits-per-key", "10", "--kind", "blocked");
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {-1}), 16L << 20);
    }
    for (Object[] command :
        new Object[][] {{"check", file, "-k", "a"}, {"which", "a", file}, {"info", file}}) {
      Bloom.Run run = bloom(command);
      assertThat(run.code()).isEqualTo(2);
      assertThat(run.out()).isEmpty();
      assertThat(run.err()).contains("CRC32C").hasLineCount(1);
    }
    assertThat(bloom("check", file, "-k", "a", "--no-verify").code()).isZero();
    assertThat(bloom("info", file, "--no-verify").out())
        .contains("made for")
        .doesNotContain("fill");
  }

  /** The header is enough to refuse a filter under a secret; without the secret it is verified. */
  @Test
  void infoVerifiesFiltersUnderASecret() throws IOException {
    Path key = Files.writeString(directory.resolve("secret"), "0123456789abcdef");
    Path file = built("x", "a\n", "--secret-file", key);
    assertThat(bloom("info", file).out()).contains("all pages are sound", "needs the secret key");
    byte[] bytes = Files.readAllBytes(file);
    bytes[4100] ^= 1;
    Files.write(file, bytes);
    assertThat(bloom("info", file).err()).contains("CRC32C");
    assertThat(bloom("info", file, "--secret-file", key).err()).contains("CRC32C");
  }

  /** Only root can change the owner, so other users check that their own ownership is kept. */
  @Test
  void aFileKeepsItsOwner() throws IOException {
    Path file = built("x", "a\n");
    boolean root = Files.getAttribute(file, "unix:uid").equals(0);
    if (root) {
      Files.setAttribute(file, "unix:uid", 12_345);
      Files.setAttribute(file, "unix:gid", 54_321);
    }
    Object owner = Files.getAttribute(file, "unix:uid");
    Object group = Files.getAttribute(file, "unix:gid");
    Object before = Files.getAttribute(file, "unix:ino");
    assertThat(bloom("add", file, "-k", "b").code()).isZero();
    assertThat(Files.getAttribute(file, "unix:ino")).isNotEqualTo(before);
    assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(root ? 12_345 : owner);
    assertThat(Files.getAttribute(file, "unix:gid")).isEqualTo(root ? 54_321 : group);
  }
}
