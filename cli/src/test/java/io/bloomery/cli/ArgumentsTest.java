package io.bloomery.cli;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An argument that begins with @ is taken literally, not as a file of arguments. */
class ArgumentsTest {

  @TempDir private Path directory;
  private String argument;
  private Path filter;

  @BeforeEach
  void makeFiles() throws IOException {
    argument = "@" + Files.writeString(directory.resolve("args"), "--help\nsecret\n");
    filter = directory.resolve("x.bloom");
    assertThat(bloomWith("a\n@a\n", "build", "-o", filter).code()).isZero();
  }

  static Stream<String> commands() {
    return Bloom.commandLine().getSubcommands().keySet().stream();
  }

  @Test
  void aKeyMayBeginWithAt() {
    for (String option : new String[] {"--key", "-k"}) {
      assertThat(bloom("check", filter, option, argument).out())
          .isEqualTo("certainly absent\t" + argument + "\n");
    }
    assertThat(bloom("check", filter, "--key=" + argument, "--key", "@a", "@@a").err())
        .isEqualTo("bloom: @@a: no such file\n");
    assertThat(bloom("add", filter, "--key", argument).code()).isZero();
    assertThat(bloom("check", filter, "--key", argument).out())
        .isEqualTo("probably present\t" + argument + "\n");
    assertThat(bloom("count", "-q", "--exact", "--key", argument).out())
        .isEqualTo("0\t" + argument + "\n");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void noCommandReadsArgumentsFromAFile(String command) {
    Bloom.Run run = bloom(command, argument);
    assertThat(run.out()).doesNotContain("Usage:", "secret");
    assertThat(run.err()).startsWith("bloom: ").doesNotContain("'secret'").hasLineCount(1);
    assertThat(run.code()).isEqualTo(2);
  }

  @Test
  void theProgramReadsNoArgumentsFromAFile() {
    Bloom.Run run = bloom(argument);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("bloom: Unknown command: '" + argument + "'").hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"info", "dedup", "count", "top", "find a", "check x", "diff @nosuch"})
  void aMissingFileIsNamedWithItsAt(String line) {
    Object[] words = (line + " @nosuch").replace(" x", " " + filter).split(" ");
    assertThat(bloom(words).err()).isEqualTo("bloom: @nosuch: no such file\n");
  }

  /** The launcher passes arguments on unchanged, and Java does not expand them. */
  @Test
  void theLauncherReadsNoArgumentsFromAFile() throws Exception {
    Shell shell = new Shell(directory, directory.resolve("bin"));
    assertThat(
            shell
                .run("bloom check x.bloom -s --key @args; bloom info @args; bloom dedup -q @args")
                .text())
        .isEqualTo("bloom: @args: no such file\n".repeat(2));
  }
}
