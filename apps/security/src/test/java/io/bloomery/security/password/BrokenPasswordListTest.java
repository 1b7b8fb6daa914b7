package io.bloomery.security.password;

import static io.bloomery.security.password.PasswordList.Reason.LISTED;
import static io.bloomery.security.password.PasswordListTest.sha1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.FilterFormatException;
import io.bloomery.membership.BloomFilter;
import io.bloomery.security.password.PasswordList.Built;
import io.bloomery.security.password.PasswordList.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lists with broken lines, and files that are no list or a damaged one. */
final class BrokenPasswordListTest {

  @TempDir private Path directory;

  private Path file(String name, String content) throws IOException {
    return Files.writeString(directory.resolve(name), content);
  }

  private void build(PasswordOptions options, Path file) throws IOException {
    PasswordList.build(List.of(file), directory.resolve("list.bloom"), options);
  }

  private static Optional<Reason> check(PasswordList list, String password) {
    return list.check(password.toCharArray());
  }

  @Test
  void brokenLinesAreCountedAndNotRepeated() throws Exception {
    String good = sha1("good") + ":3\n";
    String broken = "hunter2\n" + sha1("x") + ":0\n" + sha1("y") + ":many\n" + sha1("z") + "|7\n";
    Path file = file("hashes", good + broken);
    Built built =
        PasswordList.build(List.of(file), directory.resolve("l.bloom"), PasswordOptions.DEFAULT);
    assertThat(built.passwords()).isEqualTo(1);
    assertThat(built.brokenLines()).isEqualTo(4);
    assertThat(built.broken()).hasSize(3);
    assertThat(built.broken().get(0))
        .endsWith("hashes, line 2: shorter than 40 hexadecimal digits");
    assertThat(built.broken().toString()).doesNotContain("hunter2");

    Path target = directory.resolve("strict.bloom");
    assertThatThrownBy(
            () -> PasswordList.build(List.of(file), target, PasswordOptions.DEFAULT.strictly()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("line 2")
        .hasMessageNotContaining("hunter2");
    assertThat(target).doesNotExist();
  }

  /** A broken first line does not make passwords of digests, which would refuse nobody. */
  @Test
  void theFirstLineAloneDoesNotDecide() throws Exception {
    String digests = sha1("one") + ":3\n" + sha1("two") + ":1\n";
    for (String first :
        List.of("# a comment\n", "hash:count\n", "\n\n" + sha1("cut").substring(1))) {
      Path file = file("hashes", first + "\n" + digests);
      Path target = directory.resolve("l.bloom");
      Built built = PasswordList.build(List.of(file), target, PasswordOptions.DEFAULT);
      assertThat(built.brokenLines()).isEqualTo(1);
      assertThat(built.passwords()).isEqualTo(2);
      assertThat(check(PasswordList.open(target), "two")).contains(LISTED);
      assertThatThrownBy(
              () -> PasswordList.build(List.of(file), target, PasswordOptions.DEFAULT.strictly()))
          .hasMessageContaining("line ");
    }
    // Passwords that happen to be hexadecimal do not make digests of passwords either.
    Path plain =
        file("plain", sha1("x") + "\n" + "d41d8cd98f00b204e9800998ecf8427e\n" + "a\n".repeat(3));
    Path target = directory.resolve("p.bloom");
    Built built = PasswordList.build(List.of(plain), target, PasswordOptions.DEFAULT);
    assertThat(built.passwords()).isEqualTo(5);
    assertThat(check(PasswordList.open(target), "a")).contains(LISTED);
  }

  @Test
  void aListWithoutAGoodLineIsAnError() throws IOException {
    assertThatThrownBy(() -> build(PasswordOptions.DEFAULT, file("empty", "\n\n")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no password");
    PasswordOptions sha1 = PasswordOptions.DEFAULT.withInput(PasswordOptions.Input.SHA1);
    assertThatThrownBy(() -> build(sha1, file("plain", "hunter2\n")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("line 1")
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void otherAndDamagedFiles() throws IOException {
    Path other = directory.resolve("other.bloom");
    BloomFilter.create(100, .01).writeTo(other);
    assertThatThrownBy(() -> PasswordList.open(other))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not a list of passwords");
    Path target = directory.resolve("list.bloom");
    PasswordList.build(List.of(file("words", "secret\n")), target, PasswordOptions.DEFAULT);
    byte[] bytes = Files.readAllBytes(target);
    for (int length : new int[] {0, 7, 100, bytes.length - 1}) {
      Path cut = Files.write(directory.resolve("cut"), Arrays.copyOf(bytes, length));
      assertThatThrownBy(() -> PasswordList.open(cut)).isInstanceOf(IOException.class);
    }
    byte[] flipped = bytes.clone();
    flipped[4096] ^= 1; // the first byte of the payload
    Path damaged = Files.write(directory.resolve("damaged"), flipped);
    assertThatThrownBy(() -> PasswordList.open(damaged))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("CRC32C");
    assertThatThrownBy(() -> PasswordList.open(directory.resolve("absent")))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> build(PasswordOptions.DEFAULT, directory.resolve("absent")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no such file");
  }
}
