package io.bloomery.cli.plan;

import static io.bloomery.cli.Bloom.bloom;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.chart.Axis;
import io.bloomery.chart.Chart;
import io.bloomery.chart.Pictures;
import io.bloomery.chart.Series;
import io.bloomery.chart.Series.Form;
import io.bloomery.chart.Series.Point;
import io.bloomery.cli.option.NeedOptions;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Planner;
import io.bloomery.plan.Plans;
import io.bloomery.testkit.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Checks docs/choosing.md: the planner's answer to each case, the tables and the picture. */
class ChoosingTest {

  private static final Path PAGE = Path.of("../docs/choosing.md");
  private static final Path PICTURE = Path.of("../docs/choosing.svg");
  private static final Pattern ROW =
      Pattern.compile("\\| ([^|]+) \\| `(-n [^`]+)` \\| ([a-z0-9-]+) \\| ([^|]+) \\|");
  private static final List<String> LOOKS =
      List.of(
          "blocked",
          "cuckoo",
          "fuse",
          "ribbon",
          "quotient",
          "sorted-hashes",
          "bloom-alpha",
          "bloom");

  /**
   * Leaves out kinds that are slow to size and never rank first, as a test of the planner shows.
   */
  private static final Planner QUICK = Planner.of(quickKinds());

  private static List<FilterKind<?>> quickKinds() {
    Set<String> slow = Set.of("best-of", "hash-selection", "two-choice", "striped");
    return Filters.kinds().stream().filter(kind -> !slow.contains(kind.name())).toList();
  }

  @TestFactory
  Stream<DynamicTest> thePlannerAnswersEachCaseAsThePageSays() throws IOException {
    List<Matcher> rows =
        Files.readAllLines(PAGE).stream().map(ROW::matcher).filter(Matcher::matches).toList();
    assertThat(rows).hasSizeGreaterThanOrEqualTo(40);
    return rows.stream()
        .map(
            row ->
                DynamicTest.dynamicTest(
                    row.group(1),
                    () -> {
                      assertThat(best(row.group(2))).as(row.group(2)).isEqualTo(row.group(3));
                      assertThat(row.group(4)).isNotBlank();
                    }));
  }

  private static String best(String options) {
    String[] words = ("plan " + options + " --json").split(" ", -1);
    Map<?, ?> json = Json.object(bloom((Object[]) words).out());
    return (String) ((Map<?, ?>) ((List<?>) json.get("plans")).get(0)).get("kind");
  }

  private static List<String> section(String title) throws IOException {
    List<String> lines = Files.readAllLines(PAGE);
    int from = lines.indexOf("## " + title) + 1;
    assertThat(from).as(title).isPositive();
    int to = from;
    while (!lines.get(to).startsWith("## ")) {
      to++;
    }
    return lines.subList(from, to);
  }

  private static List<String> quoted(String line) {
    return Pattern.compile("`([^`]+)`").matcher(line).results().map(m -> m.group(1)).toList();
  }

  /** The row of each cost names all its variants, except for the most common cost. */
  @Test
  void theTableOfCostsMatchesTheVariants() throws IOException {
    Map<String, Set<String>> said = new LinkedHashMap<>();
    Planner.standard()
        .variants()
        .forEach(
            variant ->
                said.computeIfAbsent(variant.falsePositiveCost(), cost -> new TreeSet<>())
                    .add(variant.name()));
    said.replace("an absent key is reported present", Set.of());
    Map<String, Set<String>> written = new LinkedHashMap<>();
    for (String line : section("What a false positive costs")) {
      if (line.startsWith("| ") && !line.startsWith("| a false positive costs")) {
        written.put(line.split("\\|", -1)[1].strip(), new TreeSet<>(quoted(line)));
      }
    }
    assertThat(written).isEqualTo(said);
  }

  /** The tables name only existing options and kinds, and every domain has a row. */
  @Test
  void featuresAndDomainsNameExistingOptionsAndKinds() throws IOException {
    List<String> names = new ArrayList<>(Planner.standard().names());
    Filters.kinds().forEach(kind -> names.add(kind.name()));
    List<String> options = new ArrayList<>(List.of("--memory", "--prefer size"));
    for (Need need : Need.values()) {
      options.add(NeedOptions.option(need));
    }
    int rows = 0;
    for (String line : section("By feature and domain")) {
      if (line.startsWith("| ") && line.contains("`")) {
        rows++;
        for (String word : quoted(line)) {
          assertThat(word.startsWith("--") ? options : names).as(line).contains(word);
        }
      }
    }
    assertThat(rows).isEqualTo(12);
  }

  @Test
  void thePictureMatchesThePlanner() throws IOException {
    Chart chart =
        new Chart(
            "The kind of filter that costs least",
            "balanced, by built-in figures; above: keys are added, below: a static set",
            List.of(panel("rate, keys are added", false), panel("rate, static set", true)));
    String svg = Pictures.svg(chart, 820, 760);
    if (System.getProperty("docs.update") != null) {
      Files.writeString(PICTURE, svg);
    }
    assertThat(Files.readString(PICTURE)).isEqualTo(svg);
  }

  private static Chart.Panel panel(String label, boolean frozen) {
    Map<String, List<Point>> areas = new LinkedHashMap<>();
    LOOKS.forEach(kind -> areas.put(kind, new ArrayList<>()));
    for (int n = 1; n <= 10; n++) {
      for (int p = 2; p <= 24; p++) {
        long keys = Math.round(Math.pow(10, n));
        double rate = Math.pow(10, -p / 2.0);
        if (rate >= keys * 0x1p-57) {
          Needs needs = Needs.forKeys(keys, rate);
          Plans plans = QUICK.plan(frozen ? needs.with(Need.FROZEN_SET) : needs);
          if (!plans.isEmpty()) {
            add(areas.get(plans.best().kind().name()), keys, rate);
          }
        }
      }
    }
    List<Series> series = new ArrayList<>();
    areas.forEach(
        (kind, corners) -> {
          if (!corners.isEmpty()) {
            series.add(new Series(kind, LOOKS.indexOf(kind), Form.AREAS, corners));
          }
        });
    return new Chart.Panel(
        new Axis("keys", 3, 3.2e10, true), new Axis(label, 5e-13, 0.2, true), series);
  }

  /** Adds the corners of the grid cell around a number of keys and a rate. */
  private static void add(List<Point> corners, long keys, double rate) {
    double wide = Math.sqrt(10);
    double high = Math.pow(10, 0.25);
    corners.add(new Point(keys / wide, rate / high));
    corners.add(new Point(keys * wide, rate / high));
    corners.add(new Point(keys * wide, rate * high));
    corners.add(new Point(keys / wide, rate * high));
  }
}
