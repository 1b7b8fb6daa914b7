package io.bloomery.cli;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The completion script for fish: a line per command and option. */
final class FishCompletion {

  private static final String COMMAND = "complete -c bloom";
  private static final String SEEN = "__fish_seen_subcommand_from ";

  private FishCompletion() {}

  /** The script for a command with subcommands, which may have subcommands too. */
  static String script(CommandLine root) {
    StringBuilder script = new StringBuilder();
    CommandSpec bloom = root.getCommandSpec();
    options(script, bloom, "__fish_use_subcommand");
    for (CommandLine each : bloom.subcommands().values()) {
      CommandSpec first = each.getCommandSpec();
      String typed = SEEN + first.name() + without(applicationsWith(bloom, first.name()));
      command(script, first, "__fish_use_subcommand");
      options(script, first, "'" + typed + "'");
      for (CommandLine below : first.subcommands().values()) {
        CommandSpec second = below.getCommandSpec();
        command(script, second, "'" + typed + without(first.subcommands().keySet()) + "'");
        options(script, second, "'" + typed + "; and " + SEEN + second.name() + "'");
      }
    }
    return script.toString();
  }

  /** The applications that have a command with the name of one of a single word. */
  private static Set<String> applicationsWith(CommandSpec bloom, String name) {
    Set<String> applications = new TreeSet<>();
    bloom
        .subcommands()
        .forEach(
            (first, command) -> {
              if (command.getSubcommands().containsKey(name)) {
                applications.add(first);
              }
            });
    return applications;
  }

  private static String without(Set<String> words) {
    return words.isEmpty() ? "" : "; and not " + SEEN + String.join(" ", words);
  }

  private static void command(StringBuilder script, CommandSpec command, String condition) {
    line(
        script,
        "-n " + condition,
        "-f -a " + command.name(),
        "-d " + quoted(CommandModel.summary(command)));
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
