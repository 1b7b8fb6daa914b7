package io.bloomery.cli;

import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.problem.Suggestion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The table of commands for the option parser, built only as far as needed: inspecting the options
 * of all commands takes longer than running most of them.
 */
final class CommandModel implements IHelpSectionRenderer {

  private final CommandTable table;
  private final Main main;

  CommandModel(CommandTable table, Main main) {
    this.table = table;
    this.main = main;
  }

  /** The part of the model that these arguments need. */
  CommandSpec of(String... args) {
    Optional<CommandEntry> asked = table.asked(args);
    if (asked.isEmpty()) {
      return summaries();
    }
    boolean isFirst = args[0].equals(first(asked.get()));
    CommandSpec bloom = isFirst ? bare() : summaries(first(asked.get()));
    add(bloom, asked.get());
    return bloom;
  }

  /** All commands with their options. */
  CommandSpec all() {
    CommandSpec bloom = described();
    for (CommandEntry entry : table.below("")) {
      CommandSpec spec = spec(entry);
      for (CommandEntry each : table.below(entry.words())) {
        spec.addSubcommand(null, new CommandLine(spec(each)));
      }
      bloom.addSubcommand(null, new CommandLine(spec));
    }
    return bloom;
  }

  /**
   * The {@code bloom} command with the names and summaries of its subcommands, as its help shows
   * them.
   */
  CommandSpec summaries() {
    return summaries("");
  }

  /** The subcommand of {@code bloom} that these words name. */
  static CommandSpec below(CommandSpec bloom, List<String> words) {
    CommandSpec found = bloom;
    for (String word : words) {
      CommandLine next = found.subcommands().get(word);
      if (next == null) {
        throw new Problem(
            found.subcommands().isEmpty()
                ? "%s has no command %s".formatted(found.qualifiedName(), word)
                : Suggestion.unknown("command", word, found.subcommands().keySet()));
      }
      found = next.getCommandSpec();
    }
    return found;
  }

  private static String first(CommandEntry entry) {
    return entry.application().isEmpty() ? entry.words() : entry.application();
  }

  /** Only what is needed to pass arguments on to a command. */
  private CommandSpec bare() {
    CommandSpec bloom = CommandSpec.wrapWithoutInspection(main).name("bloom");
    main.setSpec(bloom);
    return bloom.addMixin("global", CommandSpec.forAnnotatedObject(main.global()));
  }

  private CommandSpec described() {
    CommandSpec bloom = CommandSpec.wrapWithoutInspection(main);
    main.setSpec(bloom);
    Command own = Main.class.getAnnotation(Command.class);
    bloom.updateCommandAttributes(own, CommandLine.defaultFactory());
    bloom.mixinStandardHelpOptions(true);
    bloom.addMixin("global", CommandSpec.forAnnotatedObject(main.global()));
    return bloom;
  }

  private CommandSpec summaries(String except) {
    CommandSpec bloom = described();
    for (CommandEntry entry : table.below("")) {
      if (!entry.words().equals(except)) {
        bloom.addSubcommand(null, summary(entry));
      }
    }
    return bloom;
  }

  /** Adds a command, with the application that it belongs to or with its own subcommands. */
  private void add(CommandSpec bloom, CommandEntry entry) {
    if (entry.application().isEmpty()) {
      CommandSpec spec = spec(entry);
      for (CommandEntry each : table.below(entry.words())) {
        spec.addSubcommand(null, summary(each));
      }
      bloom.addSubcommand(null, new CommandLine(spec));
    } else {
      CommandSpec application = spec(table.line(entry.application()).orElseThrow());
      application.addSubcommand(null, new CommandLine(spec(entry)));
      bloom.addSubcommand(null, new CommandLine(application));
    }
  }

  private static CommandSpec spec(CommandEntry entry) {
    return named(entry, new CommandLine(entry.type()).getCommandSpec());
  }

  private static CommandSpec summary(CommandEntry entry) {
    return named(entry, CommandSpec.create());
  }

  private static CommandSpec named(CommandEntry entry, CommandSpec spec) {
    spec.name(entry.name());
    spec.usageMessage().header(entry.summary());
    if (entry.group() == CommandGroup.APPLICATIONS) {
      spec.usageMessage().commandListHeading("%n").synopsisSubcommandLabel("COMMAND");
    }
    return spec;
  }

  /** The section of the help that lists commands by group, one per line. */
  @Override
  public String render(Help help) {
    CommandSpec spec = help.commandSpec();
    List<CommandEntry> listed =
        new ArrayList<>(table.below(spec.parent() == null ? "" : spec.name()));
    int width = listed.stream().mapToInt(entry -> entry.name().length()).max().orElse(0);
    StringBuilder list = new StringBuilder();
    for (CommandGroup group : CommandGroup.values()) {
      List<CommandEntry> members = new ArrayList<>(listed);
      members.removeIf(entry -> entry.group() != group);
      if (!members.isEmpty()) {
        list.append(list.length() == 0 ? "" : "\n").append(group.title()).append(":\n");
      }
      for (CommandEntry entry : members) {
        String pad = " ".repeat(width - entry.name().length());
        list.append(
            "  %s%s  %s%n"
                .formatted(help.colorScheme().commandText(entry.name()), pad, entry.summary()));
      }
    }
    return list.toString();
  }

  /** What a command does, in a few words. */
  static String summary(CommandSpec command) {
    return String.join(" ", command.usageMessage().header());
  }

  /** Leaves out of the help what the list of commands already shows. */
  void format(CommandLine commandLine) {
    List<String> sections = new ArrayList<>(commandLine.getHelpSectionKeys());
    sections.remove(UsageMessageSpec.SECTION_KEY_HEADER);
    commandLine.setHelpSectionKeys(sections);
    Map<String, IHelpSectionRenderer> renderers = new HashMap<>(commandLine.getHelpSectionMap());
    renderers.put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, this);
    commandLine.setHelpSectionMap(renderers);
  }
}
