package io.bloomery.dist;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The result of lines typed in bash, where {@code bloom} is the packed file: each {@code bloom} is
 * a process of its own, with arguments and files as bytes, in the given locale.
 *
 * @param code the exit code of the last line
 * @param bytes standard output
 * @param err standard error
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Typed(int code, byte[] bytes, String err) {

  private static final Path PACKED = Path.of("target").toAbsolutePath();
  private static final long MINUTES = 2;

  /** Runs a script in a directory, in the locale C.UTF-8. */
  static Typed in(Path directory, String script) throws IOException, InterruptedException {
    return in(directory, Map.of("LC_ALL", "C.UTF-8"), script);
  }

  /**
   * Runs a script in a directory. The environment has these variables, PATH, and a cache directory
   * of these tests, so that {@code bloom} makes its class data archive once.
   */
  static Typed in(Path directory, Map<String, String> environment, String script)
      throws IOException, InterruptedException {
    Path scratch = Files.createTempDirectory("typed");
    try {
      Path file = Files.writeString(scratch.resolve("script"), script, UTF_8);
      Path out = scratch.resolve("out");
      Path err = scratch.resolve("err");
      ProcessBuilder builder =
          new ProcessBuilder("bash", "--noprofile", "--norc", file.toString())
              .directory(directory.toFile())
              .redirectInput(new File("/dev/null"))
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().clear();
      builder.environment().put("XDG_CACHE_HOME", PACKED.resolve("cache").toString());
      builder.environment().putAll(environment);
      Path java = Path.of(System.getProperty("java.home"), "bin");
      builder
          .environment()
          .put("PATH", String.join(":", PACKED.toString(), java.toString(), "/usr/bin", "/bin"));
      Process process = builder.start();
      if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        throw new IOException("still running: " + script);
      }
      return new Typed(
          process.exitValue(),
          Files.readAllBytes(out),
          new String(Files.readAllBytes(err), UTF_8)); // invalid bytes are replaced
    } finally {
      for (String name : new String[] {"script", "out", "err", ""}) {
        Files.deleteIfExists(scratch.resolve(name));
      }
    }
  }

  /** Standard output as text. */
  String out() {
    return new String(bytes, UTF_8);
  }
}
