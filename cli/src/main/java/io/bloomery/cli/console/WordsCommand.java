package io.bloomery.cli.console;

import java.util.List;

/**
 * A command that can run without the option parser if none of its arguments is an option. Loading
 * the parser takes longer than the rest of such a command.
 */
public interface WordsCommand {

  /** Runs the command with these arguments and no options, and returns its exit code. */
  int call(Program program, List<String> words);
}
