package io.bloomery.mutation;

import io.bloomery.mutation.TestChoice.Choice;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/** Compiles mutants and runs tests against them, each in a process of its own. */
final class Workshop {

  private static final String CLASS_PATH = System.getProperty("java.class.path");

  private final Path sources;
  private final int limitSeconds;

  /** Milliseconds of the processor that test classes take without an error, where needed. */
  private final Map<String, Long> soundTimes = new ConcurrentHashMap<>();

  private final Set<String> slow = ConcurrentHashMap.newKeySet();

  /** The fate of a mutant. */
  enum Fate {
    KILLED,
    SURVIVED,
    NOT_COMPILED
  }

  /**
   * A mutant's fate and how it came about.
   *
   * @param fate what became of it
   * @param reason the test that failed or hung, or nothing
   */
  record Verdict(Fate fate, String reason) {}

  /** The exit code, the last line, and the milliseconds of the last test class that passed. */
  private record Outcome(int code, String last, long millis) {}

  Workshop(Path sources, int limitSeconds) {
    this.sources = sources;
    this.limitSeconds = limitSeconds;
  }

  /** Makes the error, and runs the tests until one fails or hangs. */
  Verdict judge(Mutation mutation, String source, Choice choice)
      throws IOException, InterruptedException {
    Path overlay = Files.createTempDirectory("mutant");
    try {
      if (!compiles(mutation, source, overlay)) {
        return new Verdict(Fate.NOT_COMPILED, "");
      }
      List<String> tests = new ArrayList<>(choice.tests());
      while (true) {
        tests.removeAll(slow);
        Outcome outcome = run(tests, choice.kinds(), overlay, limitSeconds);
        if (outcome.code == TestRun.PASSED) {
          return new Verdict(Fate.SURVIVED, "");
        }
        if (outcome.code != TestRun.TOO_SLOW) {
          return new Verdict(Fate.KILLED, outcome.last);
        }
        String test = outcome.last.replaceFirst("^slow ", "");
        if (soundTime(test, choice.kinds()) < 500L * limitSeconds) {
          return new Verdict(Fate.KILLED, "hangs: " + test);
        }
        slow.add(test); // it decides nothing within the limit
        tests.subList(0, tests.indexOf(test)).clear();
      }
    } finally {
      delete(overlay);
    }
  }

  /** Test classes that were left out because they take too long without any error. */
  Set<String> slowTests() {
    return slow;
  }

  private boolean compiles(Mutation mutation, String source, Path overlay) throws IOException {
    List<JavaFileObject> units = new ArrayList<>();
    units.add(Mutator.text(mutation.file(), mutation.applyTo(source)));
    if (!mutation.constant().isEmpty()) {
      Pattern use = Pattern.compile("\\b" + mutation.constant() + "\\b");
      for (Path file : javaFiles(sources)) {
        String text = Files.readString(sources.resolve(file));
        if (!file.equals(mutation.file()) && use.matcher(text).find()) {
          units.add(Mutator.text(file, text));
        }
      }
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<String> options =
        List.of("-proc:none", "-nowarn", "-cp", CLASS_PATH, "-d", overlay.toString());
    return compiler
        .getTask(java.io.Writer.nullWriter(), null, found -> {}, options, null, units)
        .call();
  }

  /**
   * All sources below a directory, relative to it, but for descriptions of modules and packages.
   */
  static List<Path> javaFiles(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.endsWith("module-info.java") && !file.endsWith("package-info.java"))
          .map(root::relativize)
          .sorted()
          .toList();
    }
  }

  private long soundTime(String test, List<String> kinds) throws IOException, InterruptedException {
    Long known = soundTimes.get(test);
    if (known == null) {
      Outcome outcome = run(List.of(test), kinds, null, limitSeconds);
      if (outcome.code == TestRun.FAILED) {
        throw new IllegalStateException("fails without any error: " + outcome.last);
      }
      known = outcome.code == TestRun.PASSED ? outcome.millis : TimeUnit.DAYS.toMillis(1);
      soundTimes.put(test, known);
    }
    return known;
  }

  private static Outcome run(List<String> tests, List<String> kinds, Path overlay, int limitSeconds)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-ea", "-Xmx1g", "-XX:+UseSerialGC", "-Djava.awt.headless=true"));
    command.add(
        "-XX:TieredStopAtLevel=1"); // tests are short: compiling well costs more than it saves
    command.add("-Dbloomery.kinds=" + String.join(",", kinds));
    String path = overlay == null ? CLASS_PATH : overlay + File.pathSeparator + CLASS_PATH;
    command.addAll(List.of("-cp", path, TestRun.class.getName()));
    command.add(Integer.toString(limitSeconds));
    command.addAll(tests);
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .redirectInput(ProcessBuilder.Redirect.PIPE)
            .start();
    String last = null;
    long millis = 0;
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(TestRun.MARK)) {
          last = line.substring(TestRun.MARK.length());
          if (last.startsWith(TestRun.PASSED_TEST)) {
            millis = Long.parseLong(last.substring(last.lastIndexOf(' ') + 1));
          }
        }
      }
    } finally {
      process.destroyForcibly();
    }
    int code = process.waitFor();
    if (last == null) {
      throw new IllegalStateException("the tests did not start: " + String.join(" ", command));
    }
    return new Outcome(code, last, millis);
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
