package io.bloomery.cli.dedup;

import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.cli.Runs.assertError;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.cli.Bloom;
import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Json;
import io.bloomery.testkit.Seeds;
import io.bloomery.tools.input.Block;
import io.bloomery.tools.problem.Problem;
import io.bloomery.window.RecentShape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --last} and {@code --within}, compared with a map of each line's last occurrence. */
class WindowTest {

  private static final Hasher HASHER = Hasher.xxh3();

  /** A block in which each line is a key. */
  private static Block block(List<String> lines, long hashMask) {
    Block block = new Block(8, true, Block.LONGEST);
    for (String line : lines) {
      byte[] bytes = line.getBytes(ISO_8859_1);
      int start = block.length();
      block.append(bytes, 0, bytes.length);
      block.add(start, block.length(), start, block.length());
    }
    for (int i = 0; i < lines.size(); i++) {
      block.hashes()[i] = HASHER.hash(lines.get(i)) & hashMask;
    }
    return block;
  }

  /** Each line's distance to its previous occurrence; {@code Long.MAX_VALUE} if there is none. */
  private static long[] distances(List<String> lines, long[] times) {
    Map<String, Long> latest = new HashMap<>();
    long[] distances = new long[lines.size()];
    for (int i = 0; i < distances.length; i++) {
      Long before = latest.put(lines.get(i), times[i]);
      distances[i] = before == null ? Long.MAX_VALUE : times[i] - before;
    }
    return distances;
  }

  private static List<String> randomLines(SplittableRandom random, int count, int distinct) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      lines.add("l" + (int) Math.exp(random.nextDouble() * Math.log(distinct)));
    }
    return lines;
  }

  private static long[] numbers(int count) {
    long[] numbers = new long[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = i;
    }
    return numbers;
  }

  private static String joined(List<String> lines, long[] distances, long dropped) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < distances.length; i++) {
      text.append(distances[i] <= dropped ? "" : lines.get(i) + "\n");
    }
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 100, 100_000})
  void exactlyTheLastLinesAreRemembered(int last) {
    List<String> lines = randomLines(Seeds.random(last), 10_000, 5_000);
    String text = String.join("\n", lines) + "\n";
    long[] distances = distances(lines, numbers(lines.size()));
    assertThat(bloomWith(text, "dedup", "--exact", "--last", last, "-q").out())
        .isEqualTo(joined(lines, distances, last));
  }

  /** Drops every line repeated within the window, and none repeated later than its upper limit. */
  @ParameterizedTest
  @CsvSource({
    "1, 0.000001",
    "2, 0.000001",
    "3, 0.000001",
    "999, 0.000001",
    "1, 0.001",
    "4, 0.001",
    "999, 0.001"
  })
  void theFilterKeepsItsStatedWindow(int last, double rate) {
    List<String> lines = randomLines(Seeds.random(last), 10_000, 5_000);
    long[] distances = distances(lines, numbers(lines.size()));
    String text = String.join("\n", lines) + "\n";
    Map<?, ?> json =
        Json.object(bloomWith(text, "dedup", "--last", last, "-p", rate, "-c", "--json").out());
    assertThat(json.get("window")).isEqualTo((double) last);
    long most = (long) (double) json.get("windowAtMost");
    assertThat(most).isEqualTo(RecentSeen.most(RecentSeen.shape(last, rate)));
    assertThat(most).isBetween((long) last, 2L * last);
    Seen seen = new RecentSeen(RecentSeen.shape(last, rate), HASHER, LineClock.ofLines());
    Block block = block(lines, -1);
    int lost = 0;
    long far = 0; // the longest distance at which a line was dropped
    for (int i = 0; i < distances.length; i++) {
      boolean passed = seen.add(block, i);
      if (distances[i] <= last && passed) {
        throw new AssertionError("passed at a distance of " + distances[i]);
      }
      lost += distances[i] > most && !passed ? 1 : 0;
      far = distances[i] <= most && !passed ? Math.max(far, distances[i]) : far;
    }
    double expected = rate * lines.size();
    assertThat((double) lost).isLessThanOrEqualTo(expected + 5 * Math.sqrt(expected) + 1);
    assertThat(far).isGreaterThan(Math.max(last - 1, most * 9 / 10 - 1)); // the limit is tight
  }

  /**
   * Times with gaps and with bursts, starting before 1970 too; the last window exceeds them all.
   */
  @ParameterizedTest
  @CsvSource({"1, 0", "10, -5000", "500, 1700000000000", "1000000, 12"})
  void aTimeWindowIsExclusiveOfItsLength(long window, long start) {
    SplittableRandom random = Seeds.random(window);
    List<String> lines = randomLines(random, 20_000, 3_000);
    long[] times = new long[lines.size()];
    for (int i = 0; i < times.length; i++) {
      int gap = random.nextInt(50) == 0 ? random.nextInt(700) : random.nextInt(2);
      times[i] = i == 0 ? start : times[i - 1] + gap;
    }
    long[] distances = distances(lines, times);
    int dropped = 0;
    Seen exact = new ExactWindow(window, (block, key) -> times[key], 8_000_000);
    RecentShape shape =
        RecentSeen.shape(Duration.ofMillis(window), Math.min(20_000, 200 + 4 * window), 1e-6);
    Seen filter = new RecentSeen(shape, HASHER, (block, key) -> times[key]);
    Block good = block(lines, -1);
    Block alike = block(lines, 7); // eight distinct hashes
    long most = RecentSeen.most(shape);
    for (int i = 0; i < times.length; i++) {
      if (exact.add(alike, i) != distances[i] >= window) {
        throw new AssertionError(i + ": exact at a distance of " + distances[i]);
      }
      boolean passed = filter.add(good, i);
      if ((distances[i] < window && passed) || (distances[i] >= most && !passed)) {
        throw new AssertionError(i + ": filter at a distance of " + distances[i]);
      }
      dropped += passed ? 0 : 1;
    }
    assertThat(dropped).isPositive();
  }

  @Test
  void memoryIsBoundedByTheWindow() {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      lines.add("line " + i);
    }
    lines.add("x".repeat(20_000));
    Block block = block(lines, -1);
    ExactWindow window = new ExactWindow(101, LineClock.ofLines(), 20_000);
    for (int i = 0; i < 10_000; i++) {
      assertThat(window.add(block, i)).isTrue();
    }
    assertThat(window.memoryBytes()).isBetween(100L * 128, 101L * 140);
    assertThatThrownBy(() -> window.add(block, 10_000))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("--exact: 101 distinct lines of the window take more than 20,000")
        .hasMessageContaining("raise --memory-limit");
  }

  @Test
  void linesThatDoNotFitAreAnError() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 9_000; i++) {
      text.append("a line of some length ".repeat(45)).append(i).append('\n');
    }
    String[] exact = {"dedup", "--exact", "--last", "100k", "--memory-limit", "8M", "-q"};
    Bloom.Run run = bloomWith(text.toString(), (Object[]) exact);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("take more than 8,000,000 bytes").hasLineCount(1);
    assertThat(text.toString()).startsWith(run.out());
    exact[3] = "1k";
    assertThat(bloomWith(text.toString(), (Object[]) exact).out()).isEqualTo(text.toString());
  }

  @Test
  void theSummarySaysWhatIsCertain() {
    assertThat(bloomWith("a\na\n", "dedup", "--last", 1000).err())
        .contains(
            "window         drops lines repeated within 1,000 lines, may drop lines repeated within 1,998",
            "rate           at most 0.0001 % (1 in 1,000,000) of other lines are mistaken");
    assertThat(bloomWith("a\na\n", "dedup", "--last", 1).err())
        .contains(
            "window         drops lines repeated within 1 line, may drop lines repeated within 2 lines\n");
    assertThat(bloomWith("a\na\n", "dedup", "--within", "90m", "-n", 5).err())
        .contains("drops lines repeated within 90m, may drop lines repeated within 3h");
    assertThat(bloomWith("a\na\n", "dedup", "--exact", "--within", "1h").err())
        .contains("expected loss  none: the window is exact");
    assertThat(bloomWith("a\nb\na\n", "dedup", "--exact", "--last", 1, "--json").out())
        .contains("\"newLines\":3", "\"exact\":true");
  }

  @Test
  void wrongUseIsExplained() {
    assertError(bloomWith("a\n", "dedup", "--memory-limit", "9M"), "--memory-limit is for --exact");
    assertError(
        bloomWith("a\n", "dedup", "--exact", "--last", 5, "--memory-limit", "1M"),
        "it must be 8M or more");
    assertError(
        bloomWith("a\n", "dedup", "--exact", "--last", 5, "--type", "int64"),
        "\"a\" is not of type int64");
  }
}
