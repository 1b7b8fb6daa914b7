package io.bloomery.cli;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;

/** The commands by what they are for, as the help lists them: one line each. */
enum CommandGroups {
  /** Filters at work. */
  USE(
      "Use filters",
      "build",
      "check",
      "add",
      "remove",
      "dedup",
      "count",
      "top",
      "index",
      "find",
      "secure-index"),
  /** Sets with sets. */
  COMBINE("Combine sets", "merge", "intersect", "diff", "join", "reconcile"),
  /** What a file is. */
  INSPECT("Inspect files", "info", "verify", "convert"),
  /** Which filter to take. */
  CHOOSE("Choose a filter", "plan", "plot", "bench"),
  /** The command itself. */
  HELP("Learn and install", "help", "man", "completion");

  /** The names of all commands, for completion. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.of(values()).flatMap(group -> group.commands.stream()).iterator();
    }
  }

  private final String title;

  @SuppressWarnings("ImmutableEnumChecker") // List.of
  private final List<String> commands;

  CommandGroups(String title, String... commands) {
    this.title = title;
    this.commands = List.of(commands);
  }

  /** The names of the commands. */
  List<String> commands() {
    return commands;
  }

  /** All groups, for the help. */
  static String list(Help help) {
    StringBuilder list = new StringBuilder();
    Map<String, Help> all = help.subcommands();
    for (CommandGroups group : values()) {
      list.append(list.length() == 0 ? "" : "\n").append(group.title).append(":\n");
      for (String name : group.commands) {
        String summary = summary(all.get(name).commandSpec().commandLine());
        list.append(
            "  %s%s  %s%n".formatted(help.colorScheme().commandText(name), pad(name), summary));
      }
    }
    return list.toString();
  }

  private static String pad(String name) {
    return " ".repeat(Math.max(0, "secure-index".length() - name.length()));
  }

  /** What a command does, in a few words. */
  static String summary(CommandLine command) {
    return String.join(" ", command.getCommandSpec().usageMessage().header());
  }
}
