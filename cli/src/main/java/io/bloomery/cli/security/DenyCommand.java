package io.bloomery.cli.security;

import io.bloomery.cli.console.ApplicationCommand;
import picocli.CommandLine.Command;

/** {@code bloom deny}: lists of domains, URLs, addresses and files. */
@Command(
    description = {
      "Says whether names, URLs, addresses or files are on a deny list. A list is built from hosts"
          + " files, lists of domains, of ad blockers, of URLs, of networks and of digests, in any"
          + " mixture."
    },
    footer = {
      "  bloom deny build domains.txt hosts.txt -o list.deny --allow ours.txt",
      "  bloom deny check list.deny --key https://www.example.com/login"
    })
public final class DenyCommand extends ApplicationCommand {

  DenyCommand() {}
}
