package io.bloomery.cli;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.internal.frame.AtomicFile;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code bloom man}: manual pages, made from what the commands say about themselves. */
@Command(
    name = "man",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    header = "Prints manual pages.",
    description = {
      "Prints the manual page of bloom or of one of its commands, or writes them all."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {"  bloom man check | man -l -", "  bloom man --directory /usr/local/share/man/man1"})
final class ManCommand implements Callable<Integer> {

  @ParentCommand private Program program;

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "COMMAND",
      completionCandidates = CommandGroups.Names.class,
      description = "The command. Default: bloom itself.")
  private String command;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description =
          "Write all pages into this directory: bloom.1, bloom-build.1, …, in place of older ones.")
  private Path directory;

  @Override
  public Integer call() {
    CommandSpec root = spec.root();
    if (directory != null) {
      writeAll(root);
    } else if (command == null) {
      program.console().print(new ManPage(root).text());
    } else {
      CommandSpec chosen = HelpCommand.named(spec, command).getCommandSpec();
      program.console().print(new ManPage(chosen).text());
    }
    return 0;
  }

  private void writeAll(CommandSpec root) {
    if (!Files.isDirectory(directory)) {
      throw new Problem(directory + ": is not a directory");
    }
    List<CommandSpec> all = new ArrayList<>(List.of(root));
    root.subcommands().values().forEach(sub -> all.add(sub.getCommandSpec()));
    for (CommandSpec each : all) {
      Path file = directory.resolve(each.qualifiedName("-") + ".1");
      try {
        byte[] text = new ManPage(each).text().getBytes(StandardCharsets.UTF_8);
        AtomicFile.write(file, out -> out.write(text));
      } catch (IOException e) {
        throw Problem.with(file, e);
      }
    }
  }
}
