package io.bloomery.cli;

import io.bloomery.cli.console.Version;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The manual page of a command in the man macros of troff, from its names, descriptions and
 * examples.
 */
final class ManPage {

  private static final String SYNOPSIS_HEAD = "Usage: ";

  private final CommandSpec spec;
  private final Help help;
  private final StringBuilder out = new StringBuilder();

  /** Describes a command. */
  ManPage(CommandSpec spec) {
    this.spec = spec;
    this.help = new Help(spec, Help.defaultColorScheme(Ansi.OFF));
  }

  /** The text of the page. */
  String text() {
    String name = spec.qualifiedName("-");
    out.append(".TH ").append(quoted(name.toUpperCase(Locale.ROOT))).append(" 1 \"\" ");
    out.append(quoted(new Version().getVersion()[0].replace(" (unpackaged)", "")))
        .append(" \"Bloomery\"\n");
    out.append(".nh\n.ad l\n");
    List<String> description = lines(spec.usageMessage().description());
    section("NAME");
    out.append(escape(name)).append(" \\- ").append(escape(summary(spec)));
    out.append('\n');
    section("SYNOPSIS");
    out.append(".nf\n").append(escape(synopsis())).append(".fi\n");
    section("DESCRIPTION");
    paragraphs(description);
    arguments();
    commands();
    exitCodes();
    examples();
    seeAlso();
    return out.toString();
  }

  private void section(String title) {
    out.append(".SH ").append(title).append('\n');
  }

  /** What a command does, in a few words and without a full stop. */
  private static String summary(CommandSpec command) {
    return CommandModel.summary(command).replaceAll("\\.$", "");
  }

  private String synopsis() {
    String text = help.synopsis(SYNOPSIS_HEAD.length());
    return text.indent(0);
  }

  private void paragraphs(List<String> paragraphs) {
    for (int i = 0; i < paragraphs.size(); i++) {
      out.append(i == 0 ? "" : ".PP\n").append(escape(paragraphs.get(i))).append('\n');
    }
  }

  private void arguments() {
    List<PositionalParamSpec> parameters =
        spec.positionalParameters().stream().filter(p -> !p.hidden()).toList();
    List<OptionSpec> options = spec.options().stream().filter(o -> !o.hidden()).toList();
    section("OPTIONS");
    for (PositionalParamSpec parameter : parameters) {
      entry("\\fI" + escape(parameter.paramLabel()) + "\\fR", parameter);
    }
    for (OptionSpec option : options) {
      List<String> names = new ArrayList<>();
      for (String name : option.names()) {
        names.add("\\fB" + escape(name) + "\\fR");
      }
      boolean takesValue = option.arity().max() > 0;
      String value = takesValue ? " \\fI" + escape(option.paramLabel()) + "\\fR" : "";
      entry(String.join(", ", names) + value, option);
    }
  }

  private void entry(String head, ArgSpec argument) {
    out.append(".TP\n").append(head).append('\n');
    out.append(escape(String.join(" ", lines(renderedDescription(argument))))).append('\n');
  }

  /** The description with its completion candidates filled in. */
  private static String[] renderedDescription(ArgSpec argument) {
    List<String> candidates = new ArrayList<>();
    if (argument.completionCandidates() != null) {
      argument.completionCandidates().forEach(candidates::add);
    }
    return Arrays.stream(argument.description())
        .map(line -> line.replace("${COMPLETION-CANDIDATES}", String.join(", ", candidates)))
        .toArray(String[]::new);
  }

  private void commands() {
    Map<String, CommandLine> subcommands = spec.subcommands();
    if (subcommands.isEmpty()) {
      return;
    }
    section("COMMANDS");
    subcommands.forEach(
        (name, command) -> {
          out.append(".TP\n\\fB").append(escape(name)).append("\\fR\n");
          out.append(escape(CommandModel.summary(command.getCommandSpec()))).append('\n');
        });
  }

  private void exitCodes() {
    UsageMessageSpec usage = spec.root().usageMessage();
    section("EXIT STATUS");
    usage
        .exitCodeList()
        .forEach(
            (code, meaning) -> {
              out.append(".TP\n\\fB").append(escape(code.strip())).append("\\fR\n");
              out.append(escape(meaning)).append('\n');
            });
  }

  private void examples() {
    section("EXAMPLES");
    out.append(".nf\n");
    lines(spec.usageMessage().footer()).forEach(line -> out.append(escape(line)).append('\n'));
    out.append(".fi\n");
  }

  private void seeAlso() {
    section("SEE ALSO");
    List<String> pages = new ArrayList<>();
    for (CommandSpec above = spec.parent(); above != null; above = above.parent()) {
      pages.add(0, above.qualifiedName("-"));
    }
    CommandSpec list = spec.parent() == null ? spec : spec.parent();
    Stream.of(spec, list)
        .distinct()
        .flatMap(each -> each.subcommands().values().stream())
        .map(CommandLine::getCommandSpec)
        .filter(other -> other != spec)
        .forEach(other -> pages.add(other.qualifiedName("-")));
    for (int i = 0; i < pages.size(); i++) {
      out.append(".BR ").append(escape(pages.get(i))).append(" (1)");
      out.append(i == pages.size() - 1 ? "\n" : " ,\n");
    }
  }

  /** Lines as the help shows them: two percent signs are one. */
  private static List<String> lines(String[] formatted) {
    return Arrays.stream(formatted).map(line -> line.replace("%%", "%")).toList();
  }

  private static String quoted(String text) {
    return "\"" + escape(text).replace("\"", "\\(dq") + "\"";
  }

  /** Escapes what troff would read as a command or as another character. */
  private static String escape(String text) {
    StringBuilder safe = new StringBuilder();
    boolean lineStart = true;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (lineStart && (c == '.' || c == '\'')) {
        safe.append("\\&");
      }
      switch (c) {
        case '\\' -> safe.append("\\e");
        case '-' -> safe.append("\\-");
        case '\'' -> safe.append("\\(aq");
        case '`' -> safe.append("\\(ga");
        case '^' -> safe.append("\\(ha");
        case '~' -> safe.append("\\(ti");
        case '…' -> safe.append("...");
        default -> safe.append(c);
      }
      lineStart = c == '\n';
    }
    return safe.toString();
  }
}
