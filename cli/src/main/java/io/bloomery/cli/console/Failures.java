package io.bloomery.cli.console;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Tells the user what went wrong, in one line, and gives the exit code. */
public final class Failures {

  /** Exit code for a command line that could not be understood, and for every other error. */
  public static final int USAGE = 2;

  private Failures() {}

  /** A command line that was not understood. */
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
      console.say("bloom: " + e.getMessage() + " (see '" + name + " --help')");
    }
    return USAGE;
  }

  /** A command that failed. */
  public static int report(Console console, Throwable e) {
    if (e instanceof StandardOutput.Closed) {
      return StandardOutput.Closed.EXIT_CODE;
    }
    debug(console, e);
    console.say("bloom: " + text(e));
    return USAGE;
  }

  private static String text(Throwable e) {
    if (e instanceof Problem || e instanceof IllegalArgumentException) {
      return e.getMessage();
    }
    if (e instanceof OutOfMemoryError) {
      return "not enough memory: %d MiB of heap; BLOOM_JAVA_OPTS=-Xmx8g gives 8 GiB"
          .formatted(Runtime.getRuntime().maxMemory() >> 20);
    }
    if (e instanceof InternalError) {
      return "a file was cut short while it was in use";
    }
    return "unexpected " + e + " (--debug shows where)";
  }

  private static void debug(Console console, Throwable e) {
    if (console.debug()) {
      e.printStackTrace(console.err());
    }
  }
}
