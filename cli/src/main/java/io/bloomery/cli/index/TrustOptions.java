package io.bloomery.cli.index;

import io.bloomery.find.FileIndex;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of {@code bloom find} for how far the index is trusted. */
final class TrustOptions {

  @Option(
      names = "--no-verify",
      description = "Read no files: print those that may hold a key according to the index.")
  private boolean unverified;

  @Option(names = "--trust", description = "Trust the index; do not look for changed files.")
  private boolean trust;

  @Option(
      names = "--root",
      paramLabel = "PATH",
      description =
          "Read only files at or below this path, and refuse an index that was made for other"
              + " paths; for an index that somebody else made. May be repeated.")
  private List<Path> roots = new ArrayList<>();

  @Option(
      names = "--verify",
      description = "Check every byte of the index first, not only the filters that are asked.")
  private boolean verify;

  /** Fails, before anything is read, if a path does not exist. */
  void check() {
    for (Path root : roots) {
      if (!Files.exists(root)) {
        throw new Problem(Octets.name(root) + ": no such file or directory");
      }
    }
  }

  /** Opens the index, and checks every byte of it with {@code --verify}. */
  FileIndex open(Path file) {
    FileIndex index = FileIndex.open(file);
    if (verify) {
      index.verify();
    }
    return index;
  }

  /** Whether the index alone decides which files are printed. */
  boolean isUnverified() {
    return unverified;
  }

  /** Whether changed files are not looked for. */
  boolean isTrusting() {
    return trust;
  }

  /** The paths outside of which nothing is read; empty if those of the index are the only limit. */
  List<Path> within() {
    return roots.stream().map(Octets::absolute).toList();
  }
}
