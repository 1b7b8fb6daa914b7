package io.bloomery.security.replay;

import static io.bloomery.security.replay.ReplayGuard.Decision.ACCEPTED;
import static io.bloomery.security.replay.ReplayGuard.Decision.REPLAYED;
import static io.bloomery.security.replay.ReplayGuard.Decision.STALE;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.FilterFormatException;
import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Race;
import io.bloomery.testkit.Seeds;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** Guards that record ids in a directory: restarts, kills, damage. */
final class RecordedTest {

  private static final long START = 1_700_000_000_000L;
  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final byte[] KEY = "sixteen bytes ok".getBytes(US_ASCII);

  @TempDir private Path directory;
  private final SetClock clock = new SetClock(START);

  private ReplayOptions options(Duration every) {
    return ReplayOptions.of(WINDOW, 100_000)
        .withKey(KEY)
        .withClock(clock)
        .recordedIn(directory, every);
  }

  private ReplayOptions options() {
    return options(Duration.ZERO);
  }

  private List<Path> records() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".ids")).sorted().toList();
    }
  }

  @Test
  void aRestartRemembersTheWindowAndDropsWhatIsOver() throws IOException {
    try (ReplayGuard guard = ReplayGuard.open(options())) {
      assertThat(guard.accept("a", START - 59_999)).isEqualTo(ACCEPTED);
      assertThat(guard.accept("b", START)).isEqualTo(ACCEPTED);
    }
    try (ReplayGuard guard = ReplayGuard.open(options(Duration.ofHours(1)))) {
      assertThat(guard.accept("a", START - 59_999)).isEqualTo(REPLAYED);
      assertThat(guard.accept("b", START)).isEqualTo(REPLAYED);
      clock.set(START + 60_000);
      assertThat(guard.accept("c")).isEqualTo(ACCEPTED);
    }
    try (ReplayGuard guard = ReplayGuard.open(options())) {
      assertThat(guard.accept("c")).isEqualTo(REPLAYED);
      assertThat(records()).hasSizeLessThanOrEqualTo(2);
    }
    clock.set(START + 600_000);
    try (ReplayGuard guard = ReplayGuard.open(options())) {
      assertThat(guard.falseRejectRate()).isZero();
      assertThat(records()).isEmpty();
    }
  }

  @Test
  void aClockThatIsSetBackOverARestartForgetsNothing() throws IOException {
    try (ReplayGuard guard = ReplayGuard.open(options())) {
      assertThat(guard.accept("a", START)).isEqualTo(ACCEPTED);
    }
    clock.set(START - 600_000);
    try (ReplayGuard guard = ReplayGuard.open(options())) {
      assertThat(guard.accept("a", START)).isNotEqualTo(ACCEPTED);
      assertThat(guard.accept("old", START - 600_000)).isEqualTo(STALE);
    }
  }

  @Test
  void onlyOneGuardUsesADirectory() throws IOException {
    try (ReplayGuard guard = ReplayGuard.open(options())) {
      assertThat(guard.accept("a")).isEqualTo(ACCEPTED);
      assertThatThrownBy(() -> ReplayGuard.open(options())).hasMessageContaining("uses it");
    }
    ReplayGuard.open(options()).close();
  }

  @Test
  void anotherKeyOrWindowIsRefused() throws IOException {
    try (ReplayGuard guard = ReplayGuard.open(options())) {
      guard.accept("a");
    }
    assertThatThrownBy(() -> ReplayGuard.open(options().withKey(new byte[16])))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("another key");
    assertThatThrownBy(() -> ReplayGuard.open(options().withTolerance(Duration.ofMillis(1))))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("another");
    try (ReplayGuard guard = ReplayGuard.open(options())) {
      assertThat(guard.accept("a")).isEqualTo(REPLAYED);
    }
  }

  /** What a crash cut off goes; everything before it stays. */
  @Test
  void aCutRecordLosesOnlyWhatWasCut() throws IOException {
    int ids = 50;
    try (ReplayGuard guard = ReplayGuard.open(options())) {
      for (int i = 0; i < ids; i++) {
        guard.accept("id " + i);
      }
    }
    Path file = records().get(0);
    byte[] whole = Files.readAllBytes(file);
    assertThat(whole).hasSize(44 + 12 * ids);
    for (int length = 0; length <= whole.length; length++) {
      Files.write(file, java.util.Arrays.copyOf(whole, length));
      int known = Math.max(0, (length - 44) / 12);
      try (ReplayGuard guard = ReplayGuard.open(options())) {
        if (known > 0) {
          assertThat(guard.accept("id " + (known - 1))).isEqualTo(REPLAYED);
        }
        if (known < ids) {
          assertThat(guard.accept("id " + known)).isEqualTo(ACCEPTED);
        }
      }
    }
  }

  @Test
  void everyFlippedBitBeforeSoundRecordsIsSeen() throws IOException {
    try (ReplayGuard guard = ReplayGuard.open(options())) {
      for (int i = 0; i < 5; i++) {
        guard.accept("id " + i);
      }
    }
    Path file = records().get(0);
    byte[] whole = Files.readAllBytes(file);
    for (int bit = 0; bit < 8 * (whole.length - 12); bit++) {
      byte[] damaged = whole.clone();
      damaged[bit >> 3] ^= (byte) (1 << (bit & 7));
      Files.write(file, damaged);
      assertThatThrownBy(() -> ReplayGuard.open(options())).isInstanceOf(IOException.class);
    }
    Files.write(file, whole);
    ReplayGuard.open(options()).close();
  }

  /** Servers interrupt threads whose clients went away; the guard goes on for the others. */
  @Test
  void anInterruptedThreadRecordsItsId() throws IOException {
    try (ReplayGuard guard = ReplayGuard.open(options())) {
      for (String id : List.of("first of the epoch", "second")) {
        Thread.currentThread().interrupt();
        assertThat(guard.accept(id)).isEqualTo(ACCEPTED);
        assertThat(Thread.interrupted()).isTrue();
      }
      assertThat(guard.accept("third")).isEqualTo(ACCEPTED);
    }
    try (ReplayGuard guard = ReplayGuard.open(options())) {
      for (String id : List.of("first of the epoch", "second", "third")) {
        assertThat(guard.accept(id)).isEqualTo(REPLAYED);
      }
    }
  }

  @Test
  void nothingIsAcceptedAfterTheEnd() throws IOException {
    ReplayGuard guard = ReplayGuard.open(options());
    guard.close();
    assertThatThrownBy(() -> guard.accept("a")).hasRootCauseMessage("the guard is closed");
  }

  @Test
  void threadsThatWaitForTheDiskAcceptNothingTwice() throws IOException {
    int ids = 300;
    try (ReplayGuard guard = ReplayGuard.open(options())) {
      int[][] accepted = new int[4][ids];
      Race.run(
          4,
          thread -> {
            for (int id = 0; id < ids; id++) {
              accepted[thread][id] = guard.accept("id " + id) == ACCEPTED ? 1 : 0;
            }
          });
      for (int id = 0; id < ids; id++) {
        assertThat(accepted[0][id] + accepted[1][id] + accepted[2][id] + accepted[3][id]).isOne();
      }
    }
    assertThat(Files.size(records().get(0))).isEqualTo(44 + 12L * ids);
  }

  /** Accepts ids until it is killed, and prints each that was accepted, with a full stop. */
  static final class Accepting {
    private Accepting() {}

    public static void main(String[] args) throws IOException {
      ReplayOptions options =
          ReplayOptions.of(Duration.ofDays(1), 1_000_000)
              .withKey(KEY)
              .recordedIn(Path.of(args[0]), Duration.ZERO);
      try (ReplayGuard guard = ReplayGuard.open(options)) {
        for (long id = Long.parseLong(args[1]); id < Long.MAX_VALUE; id++) {
          if (guard.accept(Long.toString(id)) == ACCEPTED) {
            System.out.println(id + ".");
          }
        }
      }
    }
  }

  private int kill(int times) throws Exception {
    SplittableRandom random = Seeds.random(11);
    List<String> printed = new ArrayList<>();
    for (int round = 0; round < times; round++) {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xshare:auto",
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Accepting.class.getName(),
                  directory.toString(),
                  Long.toString(round * 1_000_000_000L))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      try (BufferedReader out = process.inputReader()) {
        int some = 1 + random.nextInt(200);
        for (int line = 0; line < some; line++) {
          printed.add(out.readLine());
        }
        process.toHandle().destroyForcibly(); // Process would close the pipe
        out.lines().forEach(printed::add);
      } finally {
        process.destroyForcibly().waitFor(60, TimeUnit.SECONDS);
      }
    }
    ReplayOptions options =
        ReplayOptions.of(Duration.ofDays(1), 1_000_000)
            .withKey(KEY)
            .recordedIn(directory, Duration.ZERO);
    try (ReplayGuard guard = ReplayGuard.open(options)) {
      for (String line : printed) {
        if (line.endsWith(".")) { // otherwise cut off by the kill
          String id = line.substring(0, line.length() - 1);
          assertThat(guard.accept(id)).as(id).isEqualTo(REPLAYED);
        }
      }
    }
    return printed.size();
  }

  @Test
  void aKilledProcessForgetsNoAcceptedId() throws Exception {
    assertThat(kill(Effort.of(12))).isPositive();
  }

  @Test
  @Tag("long")
  void fiftyKills(TestReporter reporter) throws Exception {
    reporter.publishEntry("accepted ids after 50 kills, none forgotten", "" + kill(50));
  }
}
