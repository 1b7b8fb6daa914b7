package io.bloomery.cli.security;

import io.bloomery.cli.console.ApplicationCommand;
import picocli.CommandLine.Command;

/** {@code bloom password}: lists of leaked and weak passwords. */
@Command(
    description = {
      "Says whether a password is on a list of leaked or weak ones, or one change away from one. A"
          + " password is never an argument: it is typed without echo, or read from standard"
          + " input, and it is never printed."
    },
    footer = {
      "  bloom password build leaked.txt.gz -o leaked.bloom --one-change",
      "  bloom password check leaked.bloom",
      "  bloom password info leaked.bloom"
    })
public final class PasswordCommand extends ApplicationCommand {

  PasswordCommand() {}
}
