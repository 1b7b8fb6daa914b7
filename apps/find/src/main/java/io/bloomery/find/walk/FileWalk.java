package io.bloomery.find.walk;

import io.bloomery.tools.file.KernelFiles;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the files to index: the named files, and all regular files below the named directories.
 * Links inside directories are not followed, so there are no loops, and what the kernel makes up,
 * such as {@code /proc}, is left out.
 */
public final class FileWalk extends SimpleFileVisitor<Path> {

  private static final String TEMPORARY = ".bloomery-"; // prefix of an index that is being written

  private final Map<String, FoundFile> files = new TreeMap<>();
  private final KernelFiles kernel = new KernelFiles();
  private final Path index;
  private final Consumer<String> problems;

  private FileWalk(Path index, Consumer<String> problems) {
    this.index = index;
    this.problems = problems;
  }

  /**
   * The files, ordered by name, without the index itself. Files that cannot be read are reported to
   * {@code problems}.
   */
  public static List<FoundFile> files(List<Path> roots, Path index, Consumer<String> problems) {
    FileWalk walk = new FileWalk(real(index), problems);
    for (Path root : roots) {
      try {
        walk.start(Files.isSymbolicLink(root) ? root.toRealPath() : root);
      } catch (IOException e) {
        problems.accept(Problem.with(root, e).getMessage());
      }
    }
    return new ArrayList<>(walk.files.values());
  }

  private void start(Path root) throws IOException {
    if (kernel.contains(root)) {
      throw new IOException("is made up by the kernel, not stored; not read");
    }
    Files.walkFileTree(root, this);
  }

  private static Path real(Path file) {
    try {
      return file.toRealPath();
    } catch (IOException e) {
      return Octets.absolute(file).normalize();
    }
  }

  @Override
  public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
    try {
      return kernel.contains(directory) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
    } catch (IOException e) {
      problems.accept(Problem.with(directory, e).getMessage());
      return FileVisitResult.SKIP_SUBTREE;
    }
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
    if (attributes.isRegularFile()
        && !file.equals(index)
        && !file.getFileName().toString().startsWith(TEMPORARY)) {
      files.put(Octets.name(file), FoundFile.of(file, attributes));
    }
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path file, IOException e) {
    problems.accept(Problem.with(file, e).getMessage());
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) {
    if (e != null) {
      problems.accept(Problem.with(directory, e).getMessage());
    }
    return FileVisitResult.CONTINUE;
  }
}
