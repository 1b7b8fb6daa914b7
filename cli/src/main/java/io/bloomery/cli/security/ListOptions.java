package io.bloomery.cli.security;

import io.bloomery.security.revocation.RevocationList;
import io.bloomery.security.revocation.RevocationOptions;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options by which a list is trusted. */
final class ListOptions {

  @Option(
      names = "--public-key",
      paramLabel = "PEM",
      required = true,
      description = "The publisher's public key of Ed25519, in PEM form.")
  private Path publicKey;

  @Option(
      names = "--state",
      paramLabel = "FILE",
      description =
          "Keep the number of the newest list in this file, and refuse older ones. Default: none"
              + " is refused.")
  private @Nullable Path state;

  RevocationOptions options() {
    RevocationOptions options = RevocationOptions.of(SigningKeys.publicKey(publicKey));
    return state == null ? options : options.rememberingIn(state);
  }

  RevocationList open(Path file) {
    RevocationOptions options = options();
    SigningKeys.requireFile(file);
    try {
      return RevocationList.open(file, options);
    } catch (IOException e) {
      throw Problem.with(file, e);
    }
  }
}
