package io.bloomery.cli;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Starts {@code bloom} in a separate JVM as its launcher does, from a class data sharing archive,
 * which makes every start a third faster. Archives need jars, so class directories are packed. All
 * of this is made once per test JVM and deleted at its end.
 *
 * <p>A shell starts background jobs with SIGINT ignored, and child processes inherit that, so the
 * default is restored where {@code env} of coreutils 8.31 or later is installed.
 */
final class FastStart {

  private static final class Made {
    private static final List<String> OPTIONS = make();
  }

  private FastStart() {}

  /** The java command and its options, with the class path of the tests; a main class follows. */
  static List<String> command() {
    return Made.OPTIONS;
  }

  private static List<String> make() {
    try {
      Path directory = Files.createTempDirectory("bloomery-start");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(directory)));
      String path = classPath(directory);
      Path archive = directory.resolve("jsa");
      boolean made =
          run(
              command("-XX:ArchiveClassesAtExit=" + archive, path),
              Training.class.getName(),
              Path.of("..", "examples", "words.txt.gz").toString(),
              directory.toString());
      return withSigint(command(made ? "-XX:SharedArchiveFile=" + archive : "-Xshare:auto", path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static List<String> command(String option, String path) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return List.of(
        java,
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Xlog:disable",
        "-Xlog:all=error:stderr",
        "-Dfile.encoding=UTF-8",
        option,
        "-cp",
        path);
  }

  private static List<String> withSigint(List<String> command)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("env", "--default-signal=INT"));
    if (!run(words, "true")) {
      return command;
    }
    words.addAll(command);
    return List.copyOf(words);
  }

  private static boolean run(List<String> command, String... more)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(command);
    words.addAll(List.of(more));
    return new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }

  private static String classPath(Path directory) throws IOException {
    List<String> path = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path file = Path.of(entry).toAbsolutePath();
      if (Files.isDirectory(file)) {
        Path jar = directory.resolve(path.size() + ".jar");
        pack(file, jar);
        path.add(jar.toString());
      } else if (Files.exists(file)) {
        path.add(file.toString());
      }
    }
    return String.join(File.pathSeparator, path);
  }

  private static void pack(Path directory, Path jar) throws IOException {
    try (Stream<Path> files = Files.walk(directory);
        OutputStream out = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.setLevel(Deflater.BEST_SPEED);
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        zip.putNextEntry(new ZipEntry(directory.relativize(file).toString().replace('\\', '/')));
        Files.copy(file, zip);
      }
    }
  }

  private static void delete(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      files.forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    directory.toFile().delete();
  }
}
