package io.bloomery.cli.index;

import io.bloomery.find.FileIndex;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of {@code bloom find} that say how far the index is trusted. */
final class TrustOptions {

  @Option(
      names = "--no-verify",
      description = "Read no file: print those that may hold a key, by the index alone.")
  private boolean unverified;

  @Option(
      names = "--trust",
      description = "Take the index as it is, and do not look for files that were changed.")
  private boolean trust;

  @Option(
      names = "--root",
      paramLabel = "PATH",
      description =
          "Read nothing that is not at or below this path, and refuse an index that was made for"
              + " others; for an index that somebody else made. May be repeated.")
  private List<Path> roots = new ArrayList<>();

  @Option(names = "--verify", description = "Check every byte of the index first.")
  private boolean verify;

  /** Fails, before anything is read, if a path does not exist. */
  void check() {
    for (Path root : roots) {
      if (!Files.exists(root)) {
        throw new Problem(Octets.name(root) + ": no such file or directory");
      }
    }
  }

  /** Opens the index, and checks it if that is wanted. */
  FileIndex open(Path file) {
    FileIndex index = FileIndex.open(file);
    if (verify) {
      index.verify();
    }
    return index;
  }

  /** Whether the index alone answers. */
  boolean isUnverified() {
    return unverified;
  }

  /** Whether files that were changed are not looked for. */
  boolean isTrusting() {
    return trust;
  }

  /** Outside of which nothing is read; none if the index decides. */
  List<Path> within() {
    return roots.stream().map(Octets::absolute).toList();
  }
}
