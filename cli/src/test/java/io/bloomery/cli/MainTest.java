package io.bloomery.cli;

import static io.bloomery.cli.Bloom.bloom;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.console.Failures;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.StandardOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {

  @TempDir private Path directory;

  @Test
  void versionNamesTheProgram() {
    Bloom.Run run = bloom("--version");
    assertThat(run.code()).isZero();
    assertThat(run.out()).startsWith("bloom ");
  }

  static Stream<String> commands() {
    return Stream.concat(Stream.of(""), Bloom.commandLine().getSubcommands().keySet().stream());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void helpGoesToStandardOutputAndFits80Columns(String command) {
    Bloom.Run run = command.isEmpty() ? bloom("--help") : bloom(command, "--help");
    assertThat(run.code()).isZero();
    assertThat(run.out()).startsWith("Usage: bloom").contains("Examples:");
    assertThat(run.out().lines()).allMatch(line -> line.length() <= 80);
    assertThat(run.err()).isEmpty();
  }

  @Test
  void helpCommandEqualsHelpOption() {
    assertThat(bloom("help").out()).isEqualTo(bloom("--help").out());
    for (String command : Bloom.commandLine().getSubcommands().keySet()) {
      assertThat(bloom("help", command).out()).isEqualTo(bloom(command, "--help").out());
    }
    Bloom.Run unknown = bloom("help", "chek");
    assertThat(unknown.err()).isEqualTo("bloom: command chek is unknown; did you mean check?\n");
    assertThat(unknown.code()).isEqualTo(2);
  }

  @Test
  void helpListsEachCommandOnOneLine() {
    String help = bloom("help").out();
    Set<String> commands = Bloom.commandLine().getSubcommands().keySet();
    for (String command : commands) {
      assertThat(help).containsPattern("\n  " + command + " +[A-Z][^\n]{9,}[.?]\n");
    }
    assertThat(help.lines().filter(line -> line.matches("[A-Z][a-z ]+:"))).hasSize(8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          chek x                        | Unknown command: 'chek'; did you mean check?
          pl                            | Unknown command: 'pl'; did you mean plan or plot?
          frobnicate                    | Unknown command: 'frobnicate' (see 'bloom --help')
          check x --fromat spark        | Unknown option: '--fromat'; did you mean --format?
          diff a b --memory=8M          | Unknown option: '--memory=8M'; did you mean --memory-limit?
          check x --mode absnt          | is not one of: annotate, present, absent; did you mean absent?
          plot fil                      | is not one of: rate, fill, growth; did you mean fill?
          --color alway info x          | is not one of: auto, always, never; did you mean always?
          plan -n 5 x                   | Unexpected argument: 'x' (see 'bloom plan --help')
          build x -o y --kind cukoo     | kind cukoo is unknown; did you mean cuckoo?
          bench --kinds bloom,fus       | kind fus is unknown; did you mean fuse?
          plan -n 5 --explain ribbn     | --explain ribbn is unknown; did you mean ribbon?
          build x -o y --format sprak   | --format sprak is unknown; did you mean spark?
          info x --format gauva         | format gauva is unknown; did you mean guava?
          """)
  void mistypedNamesGetSuggestions(String line, String message) throws IOException {
    Path keys = Files.writeString(directory.resolve("x"), "a\n");
    String words = line.replaceAll("\\bx\\b", keys.toString());
    words = words.replaceAll("-o y", "-o " + directory.resolve("y"));
    Bloom.Run run = bloom((Object[]) words.split(" ", -1));
    assertThat(run.err()).contains(message.replace("'x'", "'" + keys + "'")).hasLineCount(1);
    assertThat(run.code()).isEqualTo(2);
  }

  @Test
  void helpListsTheExitCodes() {
    assertThat(bloom("--help").out())
        .contains("Exit codes:\n    0   ", "\n    1   ", "\n    2   ", "\n  130   ", "\n  141   ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--debug info nosuch", "info nosuch --debug", "info --debug nosuch"})
  void debugShowsWhereAnErrorComesFrom(String line) {
    Bloom.Run run = bloom((Object[]) line.split(" ", -1));
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .contains("\tat io.bloomery.cli.")
        .contains("NoSuchFileException")
        .endsWith("bloom: nosuch: no such file\n");
    assertThat(bloom("info", "nosuch").err()).isEqualTo("bloom: nosuch: no such file\n");
  }

  @Test
  void coloursCanBeRequested() {
    assertThat(bloom("info", "--help").out()).doesNotContain("\033[");
    assertThat(bloom("--color", "always", "info", "--help").out()).contains("\033[");
    assertThat(bloom("info", "--help", "--color=Always").out()).contains("\033[");
    assertThat(bloom("info", "--help", "--color", "never").out()).doesNotContain("\033[");
    assertThat(bloom("info", "x", "--color", "blue").err()).contains("--color").hasLineCount(1);
  }

  @Test
  void noCommandIsAnErrorThatShowsTheUsage() {
    Bloom.Run run = bloom();
    assertThat(run.code()).isEqualTo(Failures.USAGE);
    assertThat(run.err()).contains("Missing command").contains("Usage: bloom");
    assertThat(run.out()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nosuch",
        "--nosuch",
        "build",
        "build -o x --nosuch",
        "build -o x -p 2",
        "build -o x -p 0",
        "build -o x -p many",
        "build -o x -p 1% --bits-per-key 10",
        "build -o x -n 0",
        "build -o x -n 1.5",
        "build -o x -n many",
        "build -o x --seed many",
        "build -o x --binary many",
        "check",
        "check x --mode maybe",
        "info",
      })
  void wrongUsageIsOneLineAndCode2(String line) {
    Bloom.Run run = bloom((Object[]) line.split(" ", -1));
    assertThat(run.code()).isEqualTo(Failures.USAGE);
    assertThat(run.err()).startsWith("bloom: ").contains("--help')").hasLineCount(1);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void aClosedPipeEndsTheCommandQuietly() {
    StringWriter err = new StringWriter();
    assertThat(Main.run(consoleThatFailsWith("Broken pipe", err), "--help")).isEqualTo(141);
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void outputThatCannotBeWrittenIsAnError() throws IOException {
    Path filter = directory.resolve("x.bloom");
    assertThat(Bloom.bloomWith("a\n", "build", "-o", filter).code()).isZero();
    StringWriter err = new StringWriter();
    Console full = consoleThatFailsWith("No space left on device", err);
    assertThat(Main.run(full, "info", filter.toString())).isEqualTo(2);
    assertThat(err.toString()).isEqualTo("bloom: standard output: No space left on device\n");
  }

  private static Console consoleThatFailsWith(String message, StringWriter err) {
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException(message);
          }
        };
    return new Console(
        InputStream.nullInputStream(),
        new StandardOutput(broken),
        new PrintWriter(err, true),
        () -> false,
        () -> false);
  }
}
