package io.bloomery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.console.ApplicationCommand;
import io.bloomery.cli.console.Program;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.StandardOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Commands of two words, and commands whose module is absent, in a table made for this test. */
class CommandTableTest {

  @TempDir private Path directory;

  /** A table with an application, and with another whose module is absent. */
  private static final class Table extends CommandTable {
    @Override
    Class<?> lines(Search search) {
      if (search.at("find", CommandGroup.USE, "Finds something.")) {
        return Find.class;
      }
      if (search.at("net", CommandGroup.APPLICATIONS, "Who talks to whom?")) {
        return Net.class;
      }
      if (search.at("net flows", CommandGroup.APPLICATION, "Prints the largest flows.")) {
        return Flows.class;
      }
      if (search.at("net find", CommandGroup.APPLICATION, "Finds a packet.")) {
        throw new AssertionError("loaded without being used");
      }
      if (search.at("far", CommandGroup.APPLICATIONS, "How far is it?", Absent.MODULE)) {
        throw new AssertionError("loaded though its module is absent");
      }
      if (search.at("far off", CommandGroup.APPLICATION, "Says how far.", Absent.MODULE)) {
        throw new AssertionError("loaded though its module is absent");
      }
      if (search.at("help", CommandGroup.HELP, "Shows the help of a command.")) {
        return HelpCommand.class;
      }
      return null;
    }
  }

  /** Similar commands whose classes can all be loaded, as manual pages and completion need. */
  private static final class Loadable extends CommandTable {
    @Override
    Class<?> lines(Search search) {
      if (search.at("find", CommandGroup.USE, "Finds something.")) {
        return Find.class;
      }
      if (search.at("net", CommandGroup.APPLICATIONS, "Who talks to whom?")) {
        return Net.class;
      }
      if (search.at("net flows", CommandGroup.APPLICATION, "Prints the largest flows.")) {
        return Flows.class;
      }
      if (search.at("net find", CommandGroup.APPLICATION, "Finds a packet.")) {
        return Find.class;
      }
      if (search.at("man", CommandGroup.HELP, "Prints manual pages.")) {
        return ManCommand.class;
      }
      if (search.at("completion", CommandGroup.HELP, "Prints a script.")) {
        return CompletionCommand.class;
      }
      return null;
    }
  }

  private enum Absent implements Part {
    MODULE;

    @Override
    public String artifact() {
      return "bloomery-far";
    }

    @Override
    public Class<?> facade() {
      throw new NoClassDefFoundError("io/bloomery/far/Distance");
    }
  }

  @Command(description = "Looks at captures.", footer = "  bloom net flows --top 3")
  static final class Net extends ApplicationCommand {}

  @Command(mixinStandardHelpOptions = true, description = "Prints flows.")
  static final class Flows implements Callable<Integer> {
    @ParentCommand private Program program;

    @Option(names = "--top", description = "How many.")
    private int top = 10;

    @Override
    public Integer call() {
      program.console().print("flows: " + top + "\n");
      return 0;
    }
  }

  @Command(mixinStandardHelpOptions = true, description = "Finds.")
  static final class Find implements Callable<Integer> {
    @ParentCommand private Program program;

    @Option(names = "--near", description = "Near it.")
    private boolean near;

    @Override
    public Integer call() {
      program.console().print("found: " + near + "\n");
      return 0;
    }
  }

  private static Bloom.Run run(CommandTable table, String... words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StringWriter err = new StringWriter();
    Console console =
        new Console(
            InputStream.nullInputStream(),
            new StandardOutput(out),
            new PrintWriter(err, true),
            () -> false,
            () -> false);
    int code = new Main(table, console).run(words);
    return new Bloom.Run(code, out.toString(StandardCharsets.ISO_8859_1), err.toString());
  }

  private static Bloom.Run run(String line) {
    return run(new Table(), line.split(" ", -1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          net flows --top 3               | flows: 3
          net flows                       | flows: 10
          --color never net flows         | flows: 10
          --debug net --color never flows | flows: 10
          find --near                     | found: true
          """)
  void commandsOfOneAndTwoWordsRun(String line, String output) {
    Bloom.Run run = run(line);
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).isEqualTo(output + "\n");
    assertThat(run.code()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          net            | Missing command (see 'bloom net --help')
          net flwos      | Unknown command: 'flwos'; did you mean flows? (see 'bloom net --help')
          net flows --to | Unknown option: '--to'; did you mean --top? (see 'bloom net flows --help')
          nett flows     | Unknown command: 'nett'; did you mean net? (see 'bloom --help')
          flows          | Unknown command: 'flows' (see 'bloom --help')
          help net flwos | command flwos is unknown; did you mean flows?
          help find it   | bloom find has no command it
          """)
  void suggestionsComeFromTheApplication(String line, String message) {
    Bloom.Run run = run(line);
    assertThat(run.err()).isEqualTo("bloom: " + message + "\n");
    assertThat(run.code()).isEqualTo(2);
  }

  @Test
  void theHelpNamesApplicationsByTheirQuestions() {
    assertThat(run("help").out())
        .isEqualTo(run("--help").out())
        .contains(
            """
            Use filters:
              find  Finds something.

            Applications:
              net   Who talks to whom?

            Learn and install:
              help  Shows the help of a command.
            """)
        .doesNotContain("flows", "far");
    assertThat(run("help net").out())
        .isEqualTo(run("net --help").out())
        .startsWith("Usage: bloom net [-hV] [--debug] [--color=WHEN] COMMAND\nLooks at captures.\n")
        .contains(
            """

            Commands:
              flows  Prints the largest flows.
              find   Finds a packet.
            """)
        .contains("Examples:\n  bloom net flows --top 3\n");
    assertThat(run("help net flows").out())
        .isEqualTo(run("net flows --help").out())
        .startsWith("Usage: bloom net flows ")
        .contains("--top");
  }

  @ParameterizedTest
  @ValueSource(strings = {"far off", "far", "far --help", "help far off", "--debug far off 3"})
  void anAbsentApplicationNamesTheMissingModule(String line) {
    Bloom.Run run = run(line);
    assertThat(run.err())
        .endsWith(
            " needs bloomery-far, which is not installed: add its jar to the class path of bloom, or"
                + " its module by --add-modules\n");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run("fra").err()).doesNotContain("far");
  }

  @Test
  void commandsOfTwoWordsHaveManualPages() throws IOException {
    Bloom.Run page = run(new Loadable(), "man", "net", "flows");
    assertThat(page.out())
        .startsWith(".TH \"BLOOM\\-NET\\-FLOWS\" 1 ")
        .contains(".SH NAME\nbloom\\-net\\-flows \\- Prints the largest flows\n", "\\fB\\-\\-top")
        .endsWith(
            """
            .SH SEE ALSO
            .BR bloom (1) ,
            .BR bloom\\-net (1) ,
            .BR bloom\\-net\\-find (1)
            """);
    assertThat(run(new Loadable(), "man", "net").out())
        .contains(".SH COMMANDS\n.TP\n\\fBflows\\fR\nPrints the largest flows.\n")
        .contains(".BR bloom\\-net\\-flows (1)", ".BR bloom\\-man (1)");
    assertThat(run(new Loadable(), "man").out()).contains("\\fBnet\\fR\nWho talks to whom?\n");
    assertThat(run(new Loadable(), "man", "--directory", directory.toString()).err()).isEmpty();
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "bloom.1",
              "bloom-find.1",
              "bloom-net.1",
              "bloom-net-flows.1",
              "bloom-net-find.1",
              "bloom-man.1",
              "bloom-completion.1");
    }
  }

  @Test
  void shellsCompleteBothWords() throws Exception {
    Files.writeString(directory.resolve("script"), run(new Loadable(), "completion").out());
    Shell shell = new Shell(directory, directory.resolve("bin"));
    assertThat(ManualTest.complete(shell, "bloom", "net", "f")).isEqualTo("flows find");
    assertThat(ManualTest.complete(shell, "bloom", "net", "flows", "--t")).isEqualTo("--top");
    assertThat(ManualTest.complete(shell, "bloom", "find", "--n")).isEqualTo("--near");
    assertThat(run(new Loadable(), "completion", "fish").out())
        .contains(
            "complete -c bloom -n __fish_use_subcommand -f -a net -d 'Who talks to whom?'\n",
            "complete -c bloom -n '__fish_seen_subcommand_from net; and not"
                + " __fish_seen_subcommand_from flows find' -f -a flows -d 'Prints the largest"
                + " flows.'\n",
            "complete -c bloom -n '__fish_seen_subcommand_from net; and"
                + " __fish_seen_subcommand_from flows' -l top -x -d 'How many.'\n",
            "complete -c bloom -n '__fish_seen_subcommand_from find; and not"
                + " __fish_seen_subcommand_from net' -l near -d 'Near it.'\n");
  }
}
