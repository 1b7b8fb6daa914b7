package io.bloomery.cli;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomSeen;
import static io.bloomery.cli.Bloom.bloomWith;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys and file names from untrusted sources, on a terminal, in messages and in JSON. */
class UntrustedTextTest {

  private static final String EVIL = "\033[2J\u202egnp.exe";
  private static final String SHOWN = "\\x1b[2J\\u202egnp.exe";

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dedup -q",
        "count -q",
        "count -q --exact",
        "count -q --total",
        "top -q",
        "diff - EMPTY --only left",
        "check FILTER --mode absent",
        "check FILTER",
        "join - RIGHT --on 1 --no-header -q",
      })
  void controlCharactersInKeysAreEscapedOnATerminal(String line) throws IOException {
    Path empty = Files.createFile(directory.resolve("empty"));
    Path right = Files.writeString(directory.resolve("right"), EVIL + "\n");
    Path filter = directory.resolve("x.bloom");
    assertThat(bloomWith("a\n", "build", "-o", filter).code()).isZero();
    String words = line.replace("EMPTY", empty.toString()).replace("FILTER", filter.toString());
    Object[] args = words.replace("RIGHT", right.toString()).split(" ");
    byte[] keys = (EVIL + "\n").getBytes(UTF_8);
    Bloom.Run seen = bloomSeen(keys, args);
    Bloom.Run piped = bloomWith(keys, args);
    assertThat(piped.out()).contains(EVIL);
    assertThat(seen.out()).isEqualTo(piped.out().replace(EVIL, SHOWN));
  }

  @Test
  void lineEndsInKeysAreEscapedOnATerminal() {
    byte[] keys = "a\nb\0a\nb\0".getBytes(UTF_8);
    assertThat(bloomSeen(keys, "top", "-q", "--delimiter", "\\0").out())
        .isEqualTo("2\t0\ta\\nb\\x00");
    assertThat(bloomWith(keys, "top", "-q", "--delimiter", "\\0").out()).isEqualTo("2\t0\ta\nb\0");
  }

  /** Messages and reports escape file names even when they do not go to a terminal. */
  @Test
  void fileNamesDoNotBreakMessagesAndReports() throws IOException {
    Path file = directory.resolve("x\ny" + EVIL);
    String shown = directory + "/x\\ny" + SHOWN;
    assertThat(bloom("info", file).err()).isEqualTo("bloom: " + shown + ": no such file\n");
    assertThat(bloom("dedup", file, "--debug").err())
        .doesNotContain(EVIL)
        .endsWith("bloom: " + shown + ": no such file\n");
    assertThat(bloom("check", "--nosuch" + EVIL).err()).doesNotContain(EVIL).hasLineCount(1);
    Bloom.Run built = bloomWith("a\n", "build", "-o", file);
    assertThat(built.out()).startsWith("Built " + shown + "\n").doesNotContain(EVIL);
    assertThat(bloom("info", file).out()).startsWith(shown + "\n");
    assertThat(bloom("merge", file, file, "-fo", file).out()).doesNotContain(EVIL);
    Map<?, ?> json = Json.object(bloom("info", file, "--json").out());
    assertThat(json.get("file")).isEqualTo(file.toString());
  }

  @Test
  void findEscapesNamesOnATerminal() throws IOException {
    Path file = Files.writeString(directory.resolve("x\n" + EVIL), "needle\n");
    Path index = directory.resolve("i.index");
    assertThat(bloom("index", directory, "-o", index, "-q").code()).isZero();
    assertThat(bloomSeen(new byte[0], "find", "needle", index).out())
        .isEqualTo(directory + "/x\\n" + SHOWN + "\n");
    assertThat(bloom("find", "needle", index).out()).isEqualTo(file + "\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"top --json", "count --exact --json", "count --json --keys-file KEYS"})
  void jsonKeepsBytesThatAreNotUtf8(String line) throws IOException {
    byte[] keys = "caf\u00e9\ncaf\u00e8\nna\u00c3\u00afve\n".getBytes(ISO_8859_1);
    Path file = Files.write(directory.resolve("keys"), keys);
    Object[] args = line.replace("KEYS", file.toString()).split(" ");
    List<Map<?, ?>> json = Json.lines(bloomWith(keys, args).out());
    List<Object> texts = new ArrayList<>();
    List<Object> bytes = new ArrayList<>();
    for (Map<?, ?> entry : json.subList(0, json.size() - 1)) { // the last is the summary
      texts.add(entry.get("key"));
      bytes.add(entry.get("keyBase64"));
    }
    assertThat(texts).containsExactlyInAnyOrder("caf\\xe9", "caf\\xe8", "na\u00efve");
    assertThat(bytes).containsExactlyInAnyOrder(base64("caf\u00e9"), base64("caf\u00e8"), null);
  }

  private static String base64(String latin1) {
    return Base64.getEncoder().encodeToString(latin1.getBytes(ISO_8859_1));
  }

  @ParameterizedTest
  @CsvSource({"rw-------, false", "r--------, false", "rw-r-----, true", "rw----r--, true"})
  void aSecretThatOthersCanReadGivesOneWarning(String mode, boolean warned) throws IOException {
    Path secret = Files.writeString(directory.resolve("secret"), "0".repeat(32));
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString(mode));
    Path filter = directory.resolve("x.bloom");
    Bloom.Run built = bloomWith("a\n", "build", "-o", filter, "--secret-file", secret);
    String warning =
        "bloom: warning: %s: others can read this secret; chmod 600 %s\n".formatted(secret, secret);
    assertThat(built.err()).isEqualTo(warned ? warning : "");
    assertThat(built.code()).isZero();
    assertThat(bloom("add", filter, "--key", "b", "--secret-file", secret).err())
        .isEqualTo(warned ? warning : "");
    Path out = directory.resolve("y.bloom");
    assertThat(bloom("merge", filter, filter, filter, "-o", out, "--secret-file", secret).err())
        .isEqualTo(warned ? warning : "");
  }
}
