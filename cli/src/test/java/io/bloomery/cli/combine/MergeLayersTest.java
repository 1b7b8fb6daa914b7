package io.bloomery.cli.combine;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filters;
import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Filters of other sizes, and by request of one size, become layers of one filter. */
class MergeLayersTest {

  @TempDir private Path directory;
  private Path out;

  @BeforeEach
  void nameOutput() {
    out = directory.resolve("out.bloom");
  }

  private Path build(String name, int from, int to, Object... options) {
    Path file = directory.resolve(name);
    Object[] args = new Object[options.length + 4];
    args[0] = "build";
    args[1] = "-q";
    args[2] = "-o";
    args[3] = file;
    System.arraycopy(options, 0, args, 4, options.length);
    assertThat(bloomWith(lines(from, to), args).code()).isZero();
    return file;
  }

  private static String lines(int from, int to) {
    StringBuilder lines = new StringBuilder();
    IntStream.range(from, to).forEach(i -> lines.append("key ").append(i).append('\n'));
    return lines.toString();
  }

  /** Days with 10 % more or fewer keys, which have several sizes: nothing is lost, rates add up. */
  @Test
  void aWeekOfUnequalDaysIsMerged() throws IOException {
    int[] counts = {2000, 2060, 1820, 2190, 1940, 2100, 1800};
    Object[] days = new Object[counts.length];
    double rates = 0;
    for (int day = 0; day < counts.length; day++) {
      Path file = build(day + ".bloom", 3000 * day, 3000 * day + counts[day]);
      rates += Filters.open(file).falsePositiveRate();
      days[day] = file;
    }
    Path reversed = directory.resolve("reversed");
    for (boolean backwards : new boolean[] {false, true}) {
      List<Object> args = new ArrayList<>(Arrays.asList(days));
      if (backwards) {
        Collections.reverse(args);
      }
      args.add(0, "merge");
      args.addAll(List.of("--json", "-o", backwards ? reversed : out));
      Map<?, ?> json = Json.object(bloom(args.toArray()).out());
      assertThat(json.get("kind")).isEqualTo("scalable");
      assertThat(((Map<?, ?>) json.get("fields")).get("layers")).isEqualTo(7.0);
      assertThat((double) json.get("expectedRate")).isBetween(rates * 0.95, rates);
      assertThat((List<?>) json.get("inputs")).hasSize(7);
    }
    for (int day = 0; day < counts.length; day++) {
      String keys = lines(3000 * day, 3000 * day + counts[day]);
      assertThat(bloomWith(keys, "check", out, "-s").code()).isZero();
      assertThat(bloomWith(keys, "check", reversed, "-s").code()).isZero();
    }
    // What was promised of a day is not true of the week.
    assertThat(Filters.header(out).description().facts()).containsOnlyKeys("key type", "tool");
    Path more = build("more.bloom", 50_000, 50_900);
    Bloom.Run again = bloom("merge", out, more, reversed, "-fo", out);
    assertThat(again.code()).isZero();
    assertThat(again.out()).containsPattern("shape +8 layers\n");
    assertThat(bloomWith("new\n", "add", out, "-q").code()).isZero();
    assertThat(bloomWith("new\n" + lines(50_000, 50_900), "check", out, "-s").code()).isZero();
  }

  /** Filters of one size are one filter, unless layers are asked for. */
  @Test
  void layersOfOneSize() {
    Path one = build("1.bloom", 0, 1000);
    Path two = build("2.bloom", 1000, 1950);
    Bloom.Run merged = bloom("merge", one, two, "-o", out);
    assertThat(merged.out()).containsPattern("kind +blocked\n");
    assertThat(merged.err())
        .containsPattern("before; merge with --layers for 1[.][0-9]+ % at most, or build the");
    Bloom.Run layered = bloom("merge", "--layers", one, two, "-fo", out);
    assertThat(layered.out()).containsPattern("shape +2 layers\n").containsPattern("rate +1[.]");
    assertThat(layered.err()).isEmpty();
    assertThat(bloomWith(lines(0, 1950), "check", out, "-s").code()).isZero();
  }

  /** Their sizes are powers of two apart, so bits are folded; others are layers. */
  @Test
  void blocksOfOneWordAreFoldedIfTheyCanBe() {
    Path small = build("1.bloom", 0, 1000, "-n", "1000", "-m", "4kB", "--kind", "blocked-64");
    Path twice = build("2.bloom", 0, 1000, "-n", "2000", "-m", "8kB", "--kind", "blocked-64");
    Path other = build("3.bloom", 0, 1000, "-n", "1000", "-m", "5kB", "--kind", "blocked-64");
    assertThat(bloom("merge", twice, small, "-o", out).out()).contains("folded to");
    assertThat(bloom("merge", small, twice, other, "-fo", out).out())
        .containsPattern("shape +3 layers\n");
  }
}
