package io.bloomery.cli.count;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Json;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bloom count} without keys prints what {@code sort | uniq -c} does. */
class TotalsTest {

  private static final String LINES = "b\na\nc\na\n\nb\na\n";

  @TempDir private Path directory;

  @Test
  void outputIsThatOfUniq() {
    Bloom.Run run = bloomWith(LINES, "count");
    assertThat(run.out()).isEqualTo("      3 a\n      2 b\n      1 c\n");
    assertThat(run.err())
        .isEqualTo("6 keys counted; 1 empty key skipped; 3 distinct keys; counts are exact\n");
    assertThat(run.code()).isZero();
    assertThat(bloomWith(LINES, "count", "-q", "--keep-empty").out())
        .isEqualTo("      1 \n      3 a\n      2 b\n      1 c\n");
    assertThat(bloomWith("a\n".repeat(12_345_678), "count", "-q").out()).isEqualTo("12345678 a\n");
    assertThat(bloomWith("", "count", "-q").out()).isEmpty();
  }

  @Test
  void orderIsByKeyCountOrFirstOccurrence() {
    String lines = "c\nb\na\nb\nc\n";
    assertThat(bloomWith(lines, "count", "-q", "--order", "first").out())
        .isEqualTo("      2 c\n      2 b\n      1 a\n");
    assertThat(bloomWith(lines, "count", "-q", "--order", "count").out())
        .isEqualTo("      2 b\n      2 c\n      1 a\n");
    assertThat(bloomWith(lines, "count", "-q", "--at-least", "2").out())
        .isEqualTo("      2 b\n      2 c\n");
  }

  @Test
  void exactIsTheDefault() {
    assertThat(bloomWith(LINES, "count", "--exact").out())
        .isEqualTo(bloomWith(LINES, "count").out());
  }

  /** {@code -o} saves the counts, and {@code --filter} adds them to those of another input. */
  @Test
  void earlierCountsAreAdded() {
    Path monday = directory.resolve("mon.bloom");
    Path both = directory.resolve("both.bloom");
    assertThat(bloomWith(LINES, "count", "-o", monday, "-q").out())
        .isEqualTo("      3 a\n      2 b\n      1 c\n");
    Bloom.Run run = bloomWith("d\na\nd\n", "count", "--filter", monday, "-", "-o", both);
    assertThat(run.out()).isEqualTo("at most 4\ta\nat most 2\td\n");
    assertThat(run.err())
        .startsWith("3 keys counted; 2 distinct keys; counts are never too low; too high by");
    assertThat(bloom("count", "--filter", both, "-k", "a", "-k", "b", "-q").out())
        .isEqualTo("at most 4\ta\nat most 2\tb\n");
    List<Map<?, ?>> objects =
        Json.lines(bloomWith("d\n", "count", "--filter", both, "-", "--json").out());
    assertThat(objects.get(0)).hasToString("{key=d, count=3.0}");
    Map<?, ?> json = objects.get(1);
    assertThat(json.get("bound")).isEqualTo("atMost");
    assertThat(json.get("total")).isEqualTo(10.0);
    assertThat(bloomWith("d\na\n", "count", "-q", "--filter", both, "-", "--at-least", "4").out())
        .isEqualTo("at most 5\ta\n");
  }

  @Test
  void jsonHasAnObjectPerKeyAndASummary() {
    String out = bloomWith(LINES, "count", "--json").out();
    assertThat(Json.lines(out))
        .hasToString(
            "[{key=a, count=3.0}, {key=b, count=2.0}, {key=c, count=1.0}, {keys=6.0,"
                + " emptyKeysSkipped=1.0, badRows=0.0, exact=true, bound=exact, total=null,"
                + " tooHighByAtMost=null, exceptForShare=null, distinct=3.0, printed=3.0,"
                + " temporaryBytes=0.0}]");
    assertThat(bloomWith("", "count", "--json").out()).startsWith("{\"keys\":0,");
  }

  /** 300,000 lines of 100,000 keys in 8 MB, which holds less than half of the keys. */
  @Test
  void keysBeyondTheMemoryGoToATemporaryFile() throws IOException {
    Map<String, Integer> model = new TreeMap<>();
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 300_000; i++) {
      String line = "a line of some length, number " + i % 100_000;
      model.merge(line, 1, Integer::sum);
      lines.add(line);
    }
    Seeds.shuffle(lines, 1);
    Path file = Files.write(directory.resolve("lines"), lines);
    StringBuilder expected = new StringBuilder();
    model.forEach((line, count) -> expected.append("      ").append(count + " " + line + "\n"));
    Bloom.Run run = bloom("count", file, "-q", "--memory-limit", "8M");
    assertThat(run.out()).isEqualTo(expected.toString());
    Map<?, ?> json =
        Json.object(
            bloom("count", file, "--json", "--memory-limit", "8M", "--at-least", "4").out());
    assertThat((double) json.get("temporaryBytes")).isGreaterThan(3e6);
    assertThat(json.get("distinct")).isEqualTo(100_000.0);
    assertThat(json.get("printed")).isEqualTo(0.0);
  }
}
