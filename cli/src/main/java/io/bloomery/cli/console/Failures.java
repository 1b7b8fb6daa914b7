package io.bloomery.cli.console;

import io.bloomery.ConstructionException;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Shutdown;
import io.bloomery.tools.console.StandardOutput;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.problem.Suggestion;
import io.bloomery.tools.problem.Visible;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reports each error in one line and returns the exit code. */
public final class Failures {

  /** Exit code for an invalid command line and for every other error. */
  public static final int USAGE = 2;

  private Failures() {}

  /** Reports an invalid command line. */
  public static int usage(Console console, ParameterException e) {
    CommandLine command = e.getCommandLine();
    debug(console, e);
    if (command.getParent() == null
        && command.getParseResult() != null
        && command.getParseResult().originalArgs().isEmpty()) {
      console.say("bloom: " + e.getMessage());
      command.usage(console.err());
    } else {
      String name = command.getCommandSpec().qualifiedName();
      console.say("bloom: " + usage(e) + " (see '" + name + " --help')");
    }
    return USAGE;
  }

  private static String usage(ParameterException e) {
    CommandSpec command = e.getCommandLine().getCommandSpec();
    if (e instanceof UnmatchedArgumentException unmatched) {
      String word = unmatched.getUnmatched().get(0);
      if (unmatched.isUnknownOption()) {
        List<String> options =
            command.options().stream()
                .filter(option -> !option.hidden())
                .flatMap(option -> Stream.of(option.names()))
                .toList();
        return "Unknown option: '%s'%s".formatted(word, Suggestion.hint(word, options));
      }
      return command.subcommands().isEmpty()
          ? "Unexpected argument: '%s'".formatted(word)
          : "Unknown command: '%s'%s"
              .formatted(word, Suggestion.hint(word, command.subcommands().keySet()));
    }
    ArgSpec argument = e.getArgSpec();
    if (argument == null || argument.completionCandidates() == null || e.getValue() == null) {
      return String.valueOf(e.getMessage());
    }
    Iterable<String> values = argument.completionCandidates();
    String message =
        argument.typeInfo().isEnum()
            ? "Invalid value for %s: '%s' is not one of: %s"
                .formatted(name(argument), e.getValue(), String.join(", ", values))
            : e.getMessage();
    return message + Suggestion.hint(e.getValue(), values);
  }

  private static String name(ArgSpec argument) {
    return argument instanceof OptionSpec option
        ? "option '" + option.longestName() + "'"
        : "'" + argument.paramLabel() + "'";
  }

  /** Reports a failed command. */
  public static int report(Console console, Throwable e) {
    if (e instanceof StandardOutput.Closed) {
      return StandardOutput.Closed.EXIT_CODE;
    }
    if (!Shutdown.isBegun()) {
      debug(console, e);
      console.say("bloom: " + text(e));
    }
    return USAGE;
  }

  private static String text(Throwable e) {
    if (e instanceof Problem) {
      return String.valueOf(e.getMessage());
    }
    if (e instanceof IllegalArgumentException refused) {
      return ArgumentWords.of(refused);
    }
    if (e instanceof OutOfMemoryError) {
      return "not enough memory: %d MiB of heap; BLOOM_JAVA_OPTS=-Xmx8g gives 8 GiB"
          .formatted(Runtime.getRuntime().maxMemory() >> 20);
    }
    if (e instanceof InternalError) {
      return "a file was cut short while it was in use";
    }
    if (e instanceof UncheckedIOException failed && failed.getCause() != null) {
      return String.valueOf(failed.getCause().getMessage());
    }
    if (e instanceof ConstructionException) { // says what was tried, and what may help
      return e.getMessage() + " (bloom build --secret-file FILE)";
    }
    return "unexpected " + e + " (--debug shows where)";
  }

  private static void debug(Console console, Throwable e) {
    if (console.debug()) {
      StringWriter trace = new StringWriter();
      e.printStackTrace(new PrintWriter(trace, true));
      console.err().print(Visible.lines(trace.toString()));
    }
  }
}
