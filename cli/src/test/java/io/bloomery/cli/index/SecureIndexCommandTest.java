package io.bloomery.cli.index;

import static io.bloomery.cli.Bloom.bloom;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecureIndexCommandTest {

  @TempDir private Path directory;

  private Path letters;
  private Path index;
  private Path secret;

  @BeforeEach
  void makeFiles() throws IOException {
    letters = Files.createDirectories(directory.resolve("letters/old")).getParent();
    index = directory.resolve("letters.bloom");
    secret = directory.resolve("secret");
    Files.writeString(letters.resolve("a.txt"), "Meet me at NOON, by the river. Zu\u0308rich!\n");
    Files.writeString(letters.resolve("b.txt"), "Not at noon: at nine. Zürich");
    Files.writeString(letters.resolve("empty.txt"), "");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(gz()))) {
      out.write("packed at midnight".getBytes(ISO_8859_1));
    }
  }

  private Path gz() {
    return letters.resolve("old/c.txt.gz");
  }

  private Bloom.Run build(Object... more) {
    List<Object> words =
        new ArrayList<>(
            List.of("secure-index", "build", letters, "-o", index, "--secret-file", secret));
    words.addAll(Arrays.asList(more));
    return bloom(words.toArray());
  }

  private Bloom.Run search(Object... words) {
    List<Object> line = new ArrayList<>(List.of("secure-index", "search"));
    line.addAll(Arrays.asList(words));
    line.addAll(List.of(index, "--secret-file", secret));
    return bloom(line.toArray());
  }

  private String[] names(String... names) {
    return Arrays.stream(names)
        .map(name -> letters.resolve(name).toString())
        .toArray(String[]::new);
  }

  @Test
  void documentsAreFoundByTheirWords() throws IOException {
    Bloom.Run built = build("--generate-secret", "-p", "1e-6");
    assertThat(built.err()).isEmpty();
    assertThat(built.code()).isZero();
    assertThat(built.out()).contains("documents     4\n").contains("up to 8 per document");
    assertThat(search("noon").out().lines()).containsExactly(names("a.txt", "b.txt"));
    assertThat(search("River").out().lines()).containsExactly(names("a.txt"));
    assertThat(search("ZÜRICH").out().lines()).containsExactly(names("a.txt", "b.txt"));
    assertThat(search("midnight").out().lines()).containsExactly(names("old/c.txt.gz"));
    assertThat(search("nine", "midnight").out().lines())
        .containsExactly(names("b.txt", "old/c.txt.gz"));
    assertThat(search("nine", "noon", "--all-words").out().lines()).containsExactly(names("b.txt"));
    Bloom.Run none = search("nobody");
    assertThat(none.out()).isEmpty();
    assertThat(none.err()).startsWith("0 of 4 documents; ");
    assertThat(none.code()).isEqualTo(1);
    Bloom.Run quiet = search("noon", "-q");
    assertThat(quiet.out().lines()).containsExactly(names("a.txt", "b.txt"));
    assertThat(quiet.err()).isEmpty();
    assertThat(quiet.code()).isZero();
    assertThat(search("noon", "--json").out())
        .startsWith("{\"document\":\"" + names("a.txt")[0] + "\"}\n")
        .contains(
            "{\"file\":\"" + index + "\",\"documentsFound\":2,\"documentsSearched\":4,\"expected")
        .hasLineCount(3);
    String file = Files.readString(index, ISO_8859_1);
    assertThat(file).doesNotContain("noon", Files.readString(secret).strip());
    assertThat(bloom("info", index).out()).contains("secure-index, SecureIndex (kind 77)");
    assertThat(bloom("verify", index).code()).isZero();
  }

  @Test
  void aGeneratedSecretIsReadableByItsOwnerOnly() throws IOException {
    assertThat(build("--generate-secret", "-q").code()).isZero();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secret)))
        .isEqualTo("rw-------");
    assertThat(Files.readString(secret)).matches("[0-9a-f]{64}\n");
    Bloom.Run again = build("--generate-secret", "--force");
    assertThat(again.err()).contains("secret: exists; leave out --generate-secret").hasLineCount(1);
    assertThat(again.code()).isEqualTo(2);
    assertThat(build("--force", "-q").code()).isZero();
    assertThat(build().err()).contains("exists; --force overwrites it");
  }

  @Test
  void trapdoorsSearchWithoutTheSecret() {
    assertThat(build("--generate-secret", "-p", "1e-6", "-q").code()).isZero();
    Bloom.Run made = bloom("secure-index", "trapdoor", "Noon", index, "--secret-file", secret);
    assertThat(made.code()).isZero();
    String trapdoor = made.out().strip();
    assertThat(trapdoor).matches("[0-9a-f]{96,}");
    Bloom.Run found = bloom("secure-index", "search", "--trapdoor", trapdoor, index);
    assertThat(found.out().lines()).containsExactly(names("a.txt", "b.txt"));
    String bent = (trapdoor.startsWith("00") ? "01" : "00") + trapdoor.substring(2);
    Bloom.Run other = bloom("secure-index", "search", "--trapdoor", bent, index);
    assertThat(other.err()).isEqualTo("bloom: wrong key: the trapdoor is of another index\n");
    assertThat(bloom("secure-index", "search", "--trapdoor", "noon", index).err())
        .isEqualTo("bloom: not a trapdoor, which is 96 or more hexadecimal digits\n");
    assertThat(search("--trapdoor", trapdoor).err()).contains("leave out --secret-file");
  }

  @Test
  void plainWordsAreRefusedAsKeys() {
    assertThat(build("--generate-secret", "-q").code()).isZero();
    Bloom.Run words = bloom("check", index, "-k", "noon");
    assertThat(words.code()).isEqualTo(2);
    assertThat(words.err()).contains("secure-index are trapdoors of words, which --type hex takes");
    String trapdoor =
        bloom("secure-index", "trapdoor", "noon", index, "--secret-file", secret).out().strip();
    Bloom.Run asked = bloom("check", index, "--type", "hex", "-k", trapdoor);
    assertThat(asked.out()).startsWith("probably present");
    assertThat(asked.code()).isZero();
  }

  @Test
  void anotherSecretIsAnError() throws IOException {
    assertThat(build("--generate-secret", "-q").code()).isZero();
    Path right = Files.move(secret, directory.resolve("right"));
    Files.writeString(secret, "0".repeat(64));
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r--r--"));
    Bloom.Run run = search("noon");
    assertThat(run.err())
        .contains("others can read this secret")
        .endsWith(
            index
                + ": wrong key: the index was made with another secret, or its shape was changed\n");
    assertThat(run.code()).isEqualTo(2);
    Files.writeString(secret, "too short");
    assertThat(search("noon").err()).contains("a secret is 16 or 32 raw bytes");
    secret = right;
    assertThat(search("noon").code()).isZero();
  }

  @Test
  void filesThatAreNotDocumentsAreLeftOut() throws IOException {
    Files.write(letters.resolve("binary"), new byte[] {'n', 'o', 'o', 'n', ' ', 0, 1});
    secret = letters.resolve("key");
    index = letters.resolve("own.bloom");
    Bloom.Run run = build("--generate-secret");
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .contains("documents     4\n", "1 file that looks binary (--text takes them): ");
    Bloom.Run text = build("--text", "--force", "--json");
    assertThat(text.out()).contains("\"documents\":5,\"documentsLeftOut\":0,\"maxWords\":8,");
    assertThat(search("noon").out().lines()).contains(names("binary"));
    Files.write(gz(), Arrays.copyOf(Files.readAllBytes(gz()), 20));
    Bloom.Run damaged = build("--force", "--json");
    assertThat(damaged.err()).startsWith("bloom: warning: " + gz() + ": ").hasLineCount(1);
    assertThat(damaged.code()).isEqualTo(2);
    assertThat(damaged.out()).contains("\"documents\":3,\"documentsLeftOut\":2");
    Bloom.Run few = build("--force", "--max-words", "5");
    assertThat(few.err()).contains("a.txt: more than 5 different words").hasLineCount(2);
  }

  @Test
  void mistakesGetAOneLineError() {
    Object[][] lines = {
      {"a secret is needed", "build", letters, "-o", index},
      {"with --generate-secret a new one", "build", letters, "-o", index},
      {"a secret is needed", "search", "x", index},
      {"-o FILE", "build", letters, "--secret-file", secret, "--generate-secret"},
      {"no such file", "build", "nosuch", "-o", index, "--secret-file", secret},
      {"secret: no such file", "build", letters, "-o", index, "--secret-file", secret},
      {"a word and an index", "search", index, "--secret-file", secret},
      {"nosuch: no such file", "search", "x", "nosuch", "--secret-file", secret},
      {"is a directory", "search", "x", letters, "--secret-file", secret},
      {"-o is not for search", "search", "x", index, "-o", "y", "--secret-file", secret},
      {"--trapdoor is not for build", "build", letters, "--trapdoor"},
      {"did you mean build", "buidl", letters},
      {
        "it must be at most",
        "build",
        letters,
        "-o",
        index,
        "--secret-file",
        "s",
        "--max-words",
        "1e9"
      },
    };
    for (Object[] line : lines) {
      Object[] words = line.clone();
      words[0] = "secure-index";
      Bloom.Run run = bloom(words);
      assertThat(run.err()).as(Arrays.toString(words)).contains((String) line[0]).hasLineCount(1);
      assertThat(run.code()).isEqualTo(2);
      assertThat(run.out()).isEmpty();
    }
  }

  @Test
  void severalWordsAreRefusedAsOne() {
    assertThat(build("--generate-secret", "-q").code()).isZero();
    assertThat(search("at noon").err())
        .isEqualTo("bloom: 'at noon' is not one word of letters and digits\n");
    assertThat(search("…").err()).contains("is not one word");
    assertThat(bloom("secure-index", "search", "x", secret, "--secret-file", secret).code())
        .isEqualTo(2);
  }

  @Test
  void wordsAcrossReadBuffersAreFound() throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    for (int i = 0; i < 30_000; i++) {
      text.write(("w" + i % 3_000 + "é ").getBytes(UTF_8));
    }
    Files.write(letters.resolve("long"), text.toByteArray());
    Files.writeString(letters.resolve("wide"), "x".repeat(100_000));
    assertThat(build("--generate-secret", "-p", "1e-6").out()).contains("up to 4,096 per document");
    assertThat(search("w2999É").out().lines()).containsExactly(names("long"));
    assertThat(search("x".repeat(300)).out().lines()).containsExactly(names("wide"));
  }

  /** A 32-byte secret gives each filter its own key; a 16-byte one is the key of every filter. */
  @Test
  void filtersUnderASecretHaveTheirOwnNonces() throws IOException {
    Files.writeString(secret, "0123456789abcdef".repeat(4) + "\n");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    Path keys = Files.writeString(directory.resolve("keys"), "a\nb\nc\n");
    Path one = directory.resolve("one.bloom");
    Path two = directory.resolve("two.bloom");
    for (Path filter : List.of(one, two)) {
      assertThat(bloom("build", keys, "-o", filter, "--secret-file", secret).code()).isZero();
      assertThat(bloom("check", filter, "--key", "b", "--secret-file", secret).code()).isZero();
      assertThat(bloom("info", filter, "--secret-file", secret).out()).contains(", nonce ");
    }
    assertThat(Files.readAllBytes(one)).isNotEqualTo(Files.readAllBytes(two));
    Path both = directory.resolve("both.bloom");
    assertThat(bloom("merge", one, two, "-o", both, "--secret-file", secret).code()).isEqualTo(2);
    assertThat(bloom("dedup", keys, "--secret-file", secret).err())
        .contains("a key of 16 bytes is needed here, not a secret of 32");
    Files.writeString(secret, "0123456789abcdef".repeat(2) + "\n");
    assertThat(bloom("check", one, "--key", "b", "--secret-file", secret).err())
        .contains("wrong key");
  }
}
