package io.bloomery.cli.security;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.bloomery.cli.Bloom;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PasswordCommandTest {

  /** The SHA-1 of "password". */
  private static final String SHA1 = "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8";

  @TempDir private Path directory;

  private Path words;
  private Path hashes;
  private Path list;

  @BeforeEach
  void makeFiles() throws IOException {
    words = Files.writeString(directory.resolve("words"), "letmein\nhunter2\n");
    hashes = Files.writeString(directory.resolve("hashes"), SHA1 + ":99\nhunter2\n");
    list = directory.resolve("list.bloom");
  }

  private Bloom.Run build(Object... words) {
    Object[] line = new Object[words.length + 4];
    System.arraycopy(new Object[] {"password", "build", "-o", list}, 0, line, 0, 4);
    System.arraycopy(words, 0, line, 4, words.length);
    return bloom(line);
  }

  @Test
  void passwordsOfStandardInput() {
    assertThat(build(words, "--one-change", "-p", "1e-9").code()).isZero();
    Bloom.Run run = bloomWith("hunter2\r\nhunter3\ntr0mbone", "password", "check", list);
    assertThat(run.out()).isEqualTo("listed\none change away\nnot listed\n");
    assertThat(run.err()).isEqualTo("3 passwords: 1 listed, 1 one change away\n");
    assertThat(run.code()).isEqualTo(1);

    run = bloomWith("tr0mbone\n", "password", "check", list);
    assertThat(run.out()).isEqualTo("not listed\n");
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
  }

  @Test
  void aLineThatIsTooLongIsNamed() {
    assertThat(build(words).code()).isZero();
    Bloom.Run run = bloomWith("a\nb\n" + "x".repeat(5_000), "password", "check", list, "-q");
    assertThat(run.err()).isEqualTo("bloom: standard input, line 3: longer than 4,096 bytes\n");
    assertThat(run.code()).isEqualTo(2);
  }

  @Test
  void json() {
    assertThat(build(words, "--json").out()).contains("\"passwords\":2,\"brokenLines\":0");
    Bloom.Run run = bloomWith("hunter2\nother\n", "password", "check", list, "--json", "-q");
    assertThat(run.out())
        .isEqualTo(
            """
            {"line":1,"refused":true,"reason":"listed"}
            {"line":2,"refused":false,"reason":null}
            """);
    assertThat(run.err()).isEmpty();
    assertThat(bloom("password", "info", list, "--json").out())
        .contains("\"digest\":\"SHA-1\",\"oneChange\":false,\"countClasses\":false");
  }

  @Test
  void frequentPasswords() {
    Bloom.Run run = build(hashes, "--count-classes", "-p", "1e-9");
    assertThat(run.err()).contains("1 line skipped: ", "line 2: shorter than 40");
    assertThat(run.err()).doesNotContain("hunter2");
    assertThat(check("--minimum-count", 10).code()).isEqualTo(1);
    assertThat(check("--minimum-count", 100).code()).isZero();
    assertThat(check("--minimum-count", 11).err()).contains("1, 10, 100 or 1000");
    assertThat(bloom("password", "info", list).out()).contains("10, 100 and 1,000");
  }

  private Bloom.Run check(Object... more) {
    return bloomWith("password\n", "password", "check", list, more[0], more[1]);
  }

  @Test
  void mistakes() {
    assertThat(build(hashes, "--strict").err()).contains("line 2").doesNotContain("hunter2");
    assertThat(build(hashes, "--one-change").err()).contains("only passwords can be changed");
    assertThat(build(directory.resolve("absent")).err()).contains("absent: no such file");
    assertThat(build("-").code()).isEqualTo(2);
    assertThat(list).doesNotExist();
    assertThat(build(words).code()).isZero();
    assertThat(build(words).err()).contains("--force");
    assertThat(check("--minimum-count", 10).err()).contains("--count-classes");
    assertThat(bloomWith("", "password", "check", list).err()).contains("no password");
    assertThat(bloomWith("x".repeat(5000), "password", "check", list).err()).contains("longer");
    assertThat(bloomWith("a\n", "password", "check", words).code()).isEqualTo(2);
    Bloom.Run argument = bloom("password", "check", list, "hunter2");
    assertThat(argument.code()).isEqualTo(2);
    assertThat(argument.err()).contains("never an argument").doesNotContain("hunter2");
    for (String option : new String[] {"--password", "-p", "--password=hunter2"}) {
      argument = bloom("password", "check", list, option, "hunter2");
      assertThat(argument.code()).isEqualTo(2);
      assertThat(argument.err()).doesNotContain("hunter2");
    }
    assertThatThrownBy(
            () -> PasswordInput.take("p\uFFFDss".toCharArray(), typed -> fail("is not checked")))
        .hasMessageContaining("not UTF-8");
    assertThat(bloom("password").code()).isEqualTo(2);
  }
}
