package io.bloomery.cli.file;

import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/**
 * The options of commands that query a filter: whether its checksums are verified first. A damaged
 * filter may report a key that is in it as certainly absent.
 */
public final class VerifyOption {

  /**
   * Files up to this size are verified unless the user refuses. In a check of one key, which takes
   * 0.25 s of CPU time without, that takes 4 % more for 7.6 MB, 5 % for 17 MB, 7 % for 32 MB, 14 %
   * for 61 MB (blocked filter in the page cache, medians of 13 and 15 in turn, JDK 17, 2 busy
   * cores).
   */
  private static final long MOST_BYTES = 8L << 20;

  @Option(
      names = "--verify",
      description =
          "Check every byte of the filter first. Default: only up to 8 MiB, where that takes less"
              + " than 5%% of the time.")
  private boolean verify;

  @Option(
      names = "--no-verify",
      description =
          "Read no checksums: a damaged filter may report a key that is in it as certainly"
              + " absent.")
  private boolean unverified;

  /** Fails if both options are given. */
  public void check() {
    if (verify && unverified) {
      throw new Problem("--verify and --no-verify exclude each other");
    }
  }

  /** Whether every byte of a file is checked. */
  public boolean isWanted(Path file) {
    return verify || (!unverified && bytes(file) <= MOST_BYTES);
  }

  /** A warning about a file that is not checked, unless the user asked for that. */
  public Optional<String> doubt(Path file) {
    return unverified || isWanted(file) || FilterFile.isForeign(file)
        ? Optional.empty()
        : Optional.of(
            "was not checked for damage, as it has more than %d MiB; --verify checks it"
                .formatted(MOST_BYTES >> 20));
  }

  private static long bytes(Path file) {
    try {
      return Files.isRegularFile(file) ? Files.size(file) : 0;
    } catch (IOException e) {
      throw Problem.with(file, e);
    }
  }
}
