package io.bloomery.dist;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The program with the part of a JDK that it needs: a directory that runs wherever it is put, and
 * an archive of it for this system and processor. Manual pages and completion scripts are where
 * systems look for them below a prefix such as {@code /usr/local}.
 *
 * <p>The program is a module of the image, not a jar beside it. So the class-data archive, from
 * which the JVM loads classes, does not depend on where the image is.
 */
final class Image {

  private static final int NAMES_COMPRESSION = 21;
  private static final int WARNS_OF_NATIVE_CODE = 22;

  private final Path directory;
  private final Path runtime;

  private Image(Path directory) {
    this.directory = directory;
    this.runtime = directory.resolve("runtime");
  }

  /** Makes the image of a merged jar in a directory that is emptied first. */
  static Path make(Path jar, String version, Path root, Path target)
      throws IOException, InterruptedException {
    MergedJar.delete(target);
    String name = "bloom-" + version + "-" + system();
    Image image = new Image(Files.createDirectories(target.resolve(name)));
    image.link(jar);
    image.archiveClasses(root.resolve("examples/words.txt.gz").toAbsolutePath(), target);
    image.addFiles(root);
    run(target.toFile(), null, "tar", "-czf", name + ".tar.gz", name);
    return image.directory;
  }

  private static String system() {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT).replace("mac os x", "macos");
    String processor = System.getProperty("os.arch").replace("amd64", "x64");
    return os.split(" ", 2)[0] + "-" + processor;
  }

  private void link(Path jar) throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of(
                "--module-path=" + jar,
                "--add-modules=" + MergedJar.MODULE,
                "--no-header-files",
                "--no-man-pages",
                "--compress=" + (Runtime.version().feature() >= NAMES_COMPRESSION ? "zip-6" : "2"),
                "--output=" + runtime));
    if (Runtime.version().feature() >= WARNS_OF_NATIVE_CODE) {
      words.add("--add-options=--enable-native-access=" + MergedJar.MODULE);
    }
    MergedJar.run("jlink", words.toArray(String[]::new));
  }

  /** Runs the usual commands and archives the classes that they loaded, for faster starts. */
  private void archiveClasses(Path words, Path scratch) throws IOException, InterruptedException {
    Path classes = scratch.resolve("classes.list").toAbsolutePath();
    Path work = Files.createDirectory(scratch.resolve("training")).toAbsolutePath();
    String java = runtime.resolve("bin/java").toAbsolutePath().toString();
    run(
        null,
        null,
        java,
        "-XX:DumpLoadedClassList=" + classes,
        "-cp",
        runtime.resolve("none").toString(),
        "io.bloomery.cli.Training",
        words.toString(),
        work.toString());
    run(null, null, java, "-Xshare:dump", "-Xlog:disable", "-XX:SharedClassListFile=" + classes);
    Files.delete(classes);
    MergedJar.delete(work);
  }

  private void addFiles(Path root) throws IOException, InterruptedException {
    Path bloom = Files.createDirectory(directory.resolve("bin")).resolve("bloom");
    Files.copy(Packing.launcher(root), bloom);
    ExecutableJar.makeExecutable(bloom);
    String command = bloom.toAbsolutePath().toString();
    Path pages = Files.createDirectories(directory.resolve("share/man/man1"));
    run(null, null, command, "man", "--directory", pages.toAbsolutePath().toString());
    run(null, file("share/bash-completion/completions/bloom"), command, "completion", "bash");
    run(null, file("share/fish/vendor_completions.d/bloom.fish"), command, "completion", "fish");
    Files.copy(root.resolve("LICENSE"), directory.resolve("LICENSE"));
    Files.copy(root.resolve("NOTICE"), directory.resolve("NOTICE"));
    Files.copy(
        root.resolve("dist/src/main/legal/LIBRARIES.txt"), directory.resolve("LIBRARIES.txt"));
  }

  private File file(String name) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    return file.toFile();
  }

  private static void run(@Nullable File in, @Nullable File output, String... words)
      throws IOException, InterruptedException {
    Path text = Files.createTempFile("bloomery-image", ".txt");
    try {
      int code =
          new ProcessBuilder(words)
              .directory(in)
              .redirectErrorStream(true)
              .redirectOutput(text.toFile())
              .start()
              .waitFor();
      if (code != 0) {
        throw new IOException(String.join(" ", words) + " failed: " + Files.readString(text));
      }
      if (output != null) {
        Files.copy(text, output.toPath(), StandardCopyOption.REPLACE_EXISTING);
      }
    } finally {
      Files.delete(text);
    }
  }
}
