package io.bloomery.cli;

import io.bloomery.cli.console.Version;
import io.bloomery.file.AtomicFile;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom man}: manual pages, made from the help of the commands. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Prints the manual page of bloom or of one of its commands, or writes them all."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {"  bloom man check | man -l -", "  bloom man --directory /usr/local/share/man/man1"})
final class ManCommand implements Callable<Integer> {

  @ParentCommand private Main bloom;

  @Parameters(
      arity = "0..*",
      paramLabel = "COMMAND",
      completionCandidates = Commands.Names.class,
      description = "The command, of one word or two. Default: bloom itself.")
  private List<String> words = new ArrayList<>();

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description =
          "Write all pages into this directory: bloom.1, bloom-build.1, …, replacing older ones.")
  private @Nullable Path directory;

  @Override
  public Integer call() {
    CommandSpec root = bloom.commandLine(bloom.model().all()).getCommandSpec();
    if (directory != null) {
      writeAll(root, directory);
    } else {
      bloom.console().print(new ManPage(CommandModel.below(root, words)).text());
    }
    return 0;
  }

  private static void writeAll(CommandSpec root, Path directory) {
    if (!Files.isDirectory(directory)) {
      throw new Problem(directory, "is not a directory");
    }
    for (CommandSpec each : withAllBelow(root)) {
      Path file = directory.resolve(each.qualifiedName("-") + ".1");
      try {
        byte[] text = new ManPage(each).text().getBytes(StandardCharsets.UTF_8);
        AtomicFile.write(file, out -> out.write(text));
      } catch (IOException e) {
        throw Problem.with(file, e);
      }
    }
  }

  private static List<CommandSpec> withAllBelow(CommandSpec command) {
    List<CommandSpec> all = new ArrayList<>(List.of(command));
    command.subcommands().values().forEach(each -> all.addAll(withAllBelow(each.getCommandSpec())));
    return all;
  }
}
