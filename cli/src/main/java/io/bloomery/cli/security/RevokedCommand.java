package io.bloomery.cli.security;

import io.bloomery.cli.console.ApplicationCommand;
import picocli.CommandLine.Command;

/** {@code bloom revoked}: signed lists of revoked keys. */
@Command(
    description = {
      "Says whether a certificate, token or card was revoked, by a signed list that is exact for"
          + " all keys that its publisher knew. Keys are lines, or bytes in hexadecimal."
    },
    footer = {
      "  bloom revoked build revoked.txt --others valid.txt -o list --private-key private.pem",
      "  bloom revoked check list --public-key public.pem --all-known --key 4711",
      "  bloom revoked update list list.update --public-key public.pem"
    })
public final class RevokedCommand extends ApplicationCommand {

  RevokedCommand() {}
}
