package io.bloomery.cli.security;

import io.bloomery.FilterFormatException;
import io.bloomery.security.revocation.RevocationList;
import io.bloomery.security.revocation.RevocationOptions;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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

  /** Fails if nobody with the public key could read a list that was made for a file. */
  void requireReadable(byte[] made, Path file) {
    read(made, file, RevocationOptions.of(SigningKeys.publicKey(publicKey)));
  }

  /** Reads a list that was made, which is then the newest. */
  RevocationList remember(byte[] made, Path file) {
    return read(made, file, options());
  }

  private static RevocationList read(byte[] made, Path file, RevocationOptions options) {
    try {
      return RevocationList.read(made, options);
    } catch (IOException e) {
      throw problem(file, e);
    }
  }

  /** A failure with a file, whose name what is wrong inside of it does not say. */
  static Problem problem(Path file, IOException e) {
    return e instanceof FilterFormatException
        ? new Problem(file, String.valueOf(e.getMessage()))
        : Problem.with(file, e);
  }

  /** A list that is valid now. */
  RevocationList open(Path file) {
    return open(file, options());
  }

  /** The list that a new one follows, which may be over by now. */
  RevocationList openEarlier(Path file) {
    return open(file, options().atAnyTime());
  }

  /**
   * The list that an update replaces. A process that was killed before it replaced the list may
   * have remembered the newer one already, so nothing is asked of the list but its signature.
   */
  RevocationList openReplaced(Path file) {
    return open(file, RevocationOptions.of(SigningKeys.publicKey(publicKey)).atAnyTime());
  }

  /** Fails if a file that is to be written is one of these, or one of the options. */
  void refuseWriting(Path target, Path... read) {
    List<Path> files = new ArrayList<>(Arrays.asList(read));
    files.add(publicKey);
    if (state != null) {
      files.add(state);
    }
    for (Path file : files) {
      try {
        if (Files.exists(file) && Files.exists(target) && Files.isSameFile(file, target)) {
          throw new Problem(target, "is read as well; write to another file");
        }
      } catch (IOException e) {
        throw Problem.with(target, e);
      }
    }
  }

  /** Fails if a list and its update would be written to one file. */
  static void refuseSame(Path list, Path update) {
    if (update.toAbsolutePath().normalize().equals(list.toAbsolutePath().normalize())) {
      throw new Problem(update, "cannot be both the list and its update");
    }
  }

  /** Fails if a first list would follow one that is remembered. */
  void requireNoneBefore() {
    if (state != null && Files.exists(state)) {
      throw new Problem(state, "remembers a list; name the one that comes before with --after");
    }
  }

  private static RevocationList open(Path file, RevocationOptions options) {
    SigningKeys.requireFile(file);
    try {
      return RevocationList.open(file, options);
    } catch (IOException e) {
      throw problem(file, e);
    }
  }
}
