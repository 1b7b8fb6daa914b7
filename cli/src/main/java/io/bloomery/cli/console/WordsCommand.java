package io.bloomery.cli.console;

import java.util.List;

/**
 * A command that also runs by its words alone if none of them is an option. The parser of options
 * takes the JVM longer to start than such a command takes altogether.
 */
public interface WordsCommand {

  /** Runs the command with these words and no options, and returns its exit code. */
  int call(Program program, List<String> words);
}
