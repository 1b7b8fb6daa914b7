package io.bloomery.cli.security;

import io.bloomery.cli.console.ApplicationCommand;
import picocli.CommandLine.Command;

/** {@code bloom known}: sets of files, and changes of a tree. */
@Command(
    description = {
      "Says which files of a directory are in a set of known files, by the digests of their content,"
          + " which were changed since a set was built of the same directory, and which release of a"
          + " library is inside a jar."
    },
    footer = {
      "  bloom known build rds.csv.gz -o known.bloom",
      "  bloom known check evidence --set known.bloom --mode unknown",
      "  bloom known build /srv/app -o app.bloom --places --secret-file secret",
      "  bloom known check /srv/app --set app.bloom --secret-file secret --exit-code",
      "  bloom known version app.jar --among releases/*.jar"
    })
public final class KnownCommand extends ApplicationCommand {

  KnownCommand() {}
}
