package io.bloomery.cli;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The completion script for fish: a line per command and option. */
final class FishCompletion {

  private static final String COMMAND = "complete -c bloom";

  private FishCompletion() {}

  /** The script for a command with subcommands. */
  static String script(CommandLine root) {
    StringBuilder script = new StringBuilder();
    options(script, root.getCommandSpec(), "__fish_use_subcommand");
    root.getSubcommands()
        .forEach(
            (name, command) -> {
              CommandSpec spec = command.getCommandSpec();
              if (!spec.usageMessage().hidden()) {
                line(
                    script,
                    "-n __fish_use_subcommand",
                    "-f -a " + name,
                    "-d " + quoted(String.join(" ", spec.usageMessage().header())));
                options(script, spec, "'__fish_seen_subcommand_from " + name + "'");
              }
            });
    return script.toString();
  }

  private static void options(StringBuilder script, CommandSpec command, String condition) {
    for (OptionSpec option : command.options()) {
      if (!option.hidden()) {
        List<String> words = new ArrayList<>();
        words.add("-n " + condition);
        for (String name : option.names()) {
          words.add(name.startsWith("--") ? "-l " + name.substring(2) : "-s " + name.substring(1));
        }
        if (option.arity().max() > 0) {
          words.add(value(option));
        }
        String[] description = option.description();
        if (description.length > 0) {
          words.add("-d " + quoted(firstSentence(String.join(" ", description))));
        }
        line(script, words.toArray(String[]::new));
      }
    }
  }

  /** What follows the option: one of some words, a file, or anything else. */
  private static String value(OptionSpec option) {
    Iterable<String> values = option.completionCandidates();
    if (values != null) {
      return "-x -a " + quoted(String.join(" ", values));
    }
    Class<?> type = option.typeInfo().getType();
    return type == Path.class || type == File.class ? "-r -F" : "-x";
  }

  private static String firstSentence(String text) {
    int end = text.indexOf(". ");
    return (end < 0 ? text : text.substring(0, end + 1)).replace("%%", "%");
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }

  private static void line(StringBuilder script, String... words) {
    script.append(COMMAND).append(' ').append(String.join(" ", words)).append('\n');
  }
}
