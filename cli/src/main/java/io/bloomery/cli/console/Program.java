package io.bloomery.cli.console;

import io.bloomery.tools.console.Console;

/** The {@code bloom} command, as its subcommands see it. */
public interface Program {

  /** What the commands read from and write to. */
  Console console();
}
