package io.bloomery.cli;

import static io.bloomery.cli.Bloom.bloom;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills commands that change a file at random times. The file must be the old or the new one, byte
 * for byte; after exit code 0 it must be the new one; and the next command on that file must leave
 * no other files behind.
 */
final class CrashTest {

  private static final long SEED = 13;
  private static final int KEYS = 2_000;
  private static final int KILLED = 128 + 9;
  private static final int TERMINATED = 128 + 15;

  /** Half of the kills come within this many milliseconds after the first byte is written. */
  private static final double WRITING_MILLIS = 6;

  /** A command line, whose words with a dot are files, and the file that it changes. */
  private record Command(String target, String line) {
    private Object[] words(Path directory) {
      return Arrays.stream(line.split(" ", -1))
          .map(word -> word.contains(".") ? directory.resolve(word) : word)
          .toArray();
    }
  }

  private static final List<Command> COMMANDS =
      List.of(
          new Command("built.bloom", "build -q more.txt -f -o built.bloom -n 200000 --kind bloom"),
          new Command("made.bloom", "build -q more.txt -f -o made.bloom -n 200000 --kind bloom"),
          new Command("counts.bloom", "add -q counts.bloom more.txt"),
          new Command("counts.bloom", "remove -q counts.bloom more.txt"),
          new Command("sum.bloom", "merge -q built.bloom sum.bloom -f -o sum.bloom"),
          new Command(
              "small.bloom", "convert -q sum.bloom -f -o small.bloom --to compressed-bloom"),
          new Command("sent.dat", "convert -q sum.bloom -f -o sent.dat --to compressed-message"));

  @TempDir private Path temporary;
  private Path work;
  private Path twin;
  private final SplittableRandom random = Seeds.random(SEED);
  private final Map<String, Integer> seen = new TreeMap<>();
  private long millis; // the duration of a command

  private void prepare() throws Exception {
    work = Files.createDirectory(temporary.resolve("work"));
    twin = Files.createDirectory(temporary.resolve("twin"));
    writeKeys(0);
    for (Path directory : List.of(work, twin)) {
      for (String line :
          List.of(
              "build -q more.txt -o built.bloom -n 200000 --kind bloom",
              "build -q more.txt -o sum.bloom -n 200000 --kind bloom",
              "build -q more.txt -o counts.bloom -n 50000 --kind counting")) {
        assertThat(bloom(new Command("", line).words(directory)).code()).isZero();
      }
    }
    long start = System.nanoTime();
    try (BloomProcess process = BloomProcess.start(COMMANDS.get(0).words(twin))) {
      assertThat(process.exitCode()).isZero();
    }
    millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }

  /** Writes the same keys to both directories. */
  private void writeKeys(int round) throws IOException {
    String keys =
        IntStream.range(0, KEYS)
            .mapToObj(i -> "round " + round + " key " + i + "\n")
            .collect(Collectors.joining());
    Files.writeString(work.resolve("more.txt"), keys);
    Files.writeString(twin.resolve("more.txt"), keys);
  }

  @Test
  void twentyKills(TestReporter report) throws Exception {
    kill(20, report);
  }

  @Test
  @Tag("long")
  void aThousandKills(TestReporter report) throws Exception {
    kill(1_000, report);
    assertThat(seen.keySet()).as("what kills leave").contains("old", "new", "old with leftovers");
  }

  private void kill(int times, TestReporter report) throws Exception {
    prepare();
    for (int round = 1; round <= times; round++) {
      Command command = COMMANDS.get(random.nextInt(COMMANDS.size()));
      if (!command.line.startsWith("remove")) {
        writeKeys(round); // removes the keys that were added last
      }
      if (command.target.equals("made.bloom")) {
        Files.deleteIfExists(work.resolve(command.target));
        Files.deleteIfExists(twin.resolve(command.target));
      }
      round(round, command);
    }
    seen.forEach((what, count) -> report.publishEntry(what, count + " of " + times));
    Files.writeString( // ./check --long prints this file
        Path.of("target", "counts.txt"),
        "CrashTest: %d kills left %s%n".formatted(times, seen),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private void round(int round, Command command) throws Exception {
    Path file = work.resolve(command.target);
    Path model = twin.resolve(command.target);
    byte[] before = bytes(file);
    int done = bloom(command.words(twin)).code();
    byte[] after = bytes(model);
    List<String> expected = names(twin);

    boolean forcibly = random.nextBoolean();
    int code = killed(command, forcibly);

    String what = "round %d, %s, exit code %d".formatted(round, command.line, code);
    assertThat(code).as(what).isIn(done, forcibly ? KILLED : TERMINATED);
    byte[] found = bytes(file);
    boolean isNew = Arrays.equals(found, after);
    assertThat(isNew || Arrays.equals(found, before)).as("%s: old or new", what).isTrue();
    assertThat(isNew || code != done).as("%s: acknowledged", what).isTrue();
    List<String> left = names(work);
    left.removeAll(expected);
    seen.merge(
        (isNew ? "new" : "old") + (left.isEmpty() ? "" : " with leftovers"), 1, Integer::sum);

    if (!isNew) {
      restore(model, before);
    }
    assertThat(bloom(next(command, found).words(work)).code()).as(what).isZero();
    if (found == null) {
      restore(model, after);
    }
    assertThat(file).as("%s: after the next command", what).hasBinaryContent(bytes(model));
    assertThat(names(work)).as("%s: after the next command", what).isEqualTo(names(twin));
  }

  /** Starts a command in a process, kills it at a random time and returns its exit code. */
  private int killed(Command command, boolean forcibly) throws Exception {
    List<String> before = names(work);
    boolean whileWriting = random.nextBoolean();
    double share = random.nextDouble();
    try (BloomProcess process = BloomProcess.start(command.words(work))) {
      while (whileWriting && process.isRunning() && !isWriting(before)) {
        TimeUnit.MICROSECONDS.sleep(200);
      }
      double wait = whileWriting ? share * WRITING_MILLIS : share * 1.2 * millis;
      process.await(Duration.ofNanos((long) (1e6 * wait)));
      if (forcibly) {
        process.kill();
      } else {
        process.terminate();
      }
      return process.exitCode();
    }
  }

  /** Whether there is a new temporary file. */
  private boolean isWriting(List<String> before) throws IOException {
    return names(work).stream().anyMatch(name -> name.endsWith(".tmp") && !before.contains(name));
  }

  /** A command that rewrites the file unchanged, or creates it if it is missing. */
  private static Command next(Command killed, byte[] found) {
    if (found == null) {
      return killed;
    }
    String target = killed.target;
    String again = "convert -q " + target + " -f -o " + target;
    boolean message = killed.line.endsWith("message");
    return new Command(
        target, message ? again + " --from compressed-message --to compressed-message" : again);
  }

  /** The content of a file, or null if it does not exist. */
  private static byte[] bytes(Path file) throws IOException {
    return Files.exists(file) ? Files.readAllBytes(file) : null;
  }

  private static void restore(Path file, byte[] content) throws IOException {
    if (content == null) {
      Files.deleteIfExists(file);
    } else {
      Files.write(file, content);
    }
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .sorted()
          .collect(Collectors.toCollection(ArrayList::new));
    }
  }
}
