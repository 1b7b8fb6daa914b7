package io.bloomery.dist;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Packs {@code bloom} from the class path of this process: as one executable file, and on request
 * as a runtime image that needs no Java.
 */
final class Packing {
  private Packing() {}

  /**
   * Takes {@code file} or {@code image}, the version, the project's root and the output directory.
   */
  public static void main(String... args) throws IOException, InterruptedException {
    Path root = Path.of(args[2]);
    Path target = Path.of(args[3]);
    Path own = target.resolve("classes").toAbsolutePath();
    List<Path> parts =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(entry -> Path.of(entry).toAbsolutePath())
            .filter(entry -> !entry.equals(own) && Files.exists(entry))
            .toList();
    Path jar = target.resolve("bloom.jar");
    MergedJar.make(parts, args[1], root, target.resolve("merged"), jar);
    ExecutableJar.make(launcher(root), jar, target.resolve("bloom"));
    if (args[0].equals("image")) {
      Image.make(jar, args[1], root, target.resolve("image"));
    }
  }

  /** The script that starts the file and the image. */
  static Path launcher(Path root) {
    return root.resolve("dist/src/main/sh/bloom");
  }
}
