package io.bloomery.find.walk;

import io.bloomery.tools.file.KernelFiles;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * The files that an index may lead to: regular files at or below its roots, on the way to which
 * there is no link except a root itself. An index is data that others may have written, so what it
 * names is checked here before it is opened. Not thread-safe.
 */
public final class Boundary {

  private final String index;
  private final List<Path> roots = new ArrayList<>(); // as named, and where a root is a link to
  private final KernelFiles kernel = new KernelFiles();

  /** The boundary of an index with these roots; messages begin with the name of the index. */
  public Boundary(String index, List<Path> roots) {
    this.index = index;
    for (Path root : roots) {
      this.roots.add(root);
      if (Files.isSymbolicLink(root)) {
        this.roots.add(real(root));
      }
    }
  }

  /** Where a path leads; as it is named if it leads nowhere. */
  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      return path;
    }
  }

  /** Throws if a root is not at or below one of the places that the user allows. */
  public void checkRoots(List<Path> allowed) {
    List<Path> places = allowed.stream().map(Boundary::real).toList();
    for (Path root : roots) {
      if (places.stream().noneMatch(real(root)::startsWith)) {
        throw new Problem(
            "%s: was made for %s, which is not below --root; nothing was read"
                .formatted(index, Octets.name(root)));
      }
    }
  }

  /** Throws if the name of a file is not at or below a root; the file is not looked at. */
  public void checkName(Path file) {
    if (roots.stream().noneMatch(file::startsWith)) {
      throw new Problem(
          "%s: lists %s, which is not below the paths that it was made for; nothing was read"
              .formatted(index, Octets.name(file)));
    }
  }

  /**
   * The present state of a file whose name was checked.
   *
   * @throws IOException if it is not a regular file, or a link is on the way to it
   */
  public FoundFile check(Path file) throws IOException {
    BasicFileAttributes attributes =
        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (attributes.isSymbolicLink() || !isStraight(file)) {
      throw new FileSystemException(file.toString(), null, "is behind a link; not read");
    }
    if (!attributes.isRegularFile() || kernel.contains(file)) {
      throw new FileSystemException(file.toString(), null, "is not a regular file; not read");
    }
    return FoundFile.of(file, attributes);
  }

  /** Whether no link is between a root and the file. */
  private boolean isStraight(Path file) throws IOException {
    Path real = file.toRealPath();
    for (Path root : roots) {
      if (file.startsWith(root) && real.equals(root.toRealPath().resolve(root.relativize(file)))) {
        return true;
      }
    }
    return false;
  }
}
