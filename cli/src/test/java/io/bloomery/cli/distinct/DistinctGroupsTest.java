package io.bloomery.cli.distinct;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.cli.Runs.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Json;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DistinctGroupsTest {

  private static final String VISITS =
      "country,user,page\nat,1,a\nde,1,b\nat,2,a\nde,1,c\nde,2,a\nde,3,a\n\"a\"\"t, x\",1,d\n,9,e\n";

  @TempDir private Path directory;

  private static Bloom.Run visits(Object... more) {
    Object[] args = new Object[more.length + 6];
    List<Object> first = List.of("distinct", "-q", "--column", "user", "--group", "country");
    System.arraycopy(first.toArray(), 0, args, 0, first.size());
    System.arraycopy(more, 0, args, first.size(), more.length);
    return bloomWith(VISITS, args);
  }

  @Test
  void eachGroupHasALine() {
    assertThat(visits().out()).isEqualTo("1\t1\t1\t\n1\t1\t1\ta\"t, x\n2\t2\t2\tat\n3\t3\t3\tde\n");
    assertThat(visits("--order", "count").out().lines().map(line -> line.split("\t", -1)[3]))
        .containsExactly("de", "at", "", "a\"t, x");
    assertThat(visits("--order", "first").out().lines().map(line -> line.split("\t", -1)[3]))
        .containsExactly("at", "de", "a\"t, x", "");
    assertThat(visits("--exact").out()).isEqualTo("1\t\n1\ta\"t, x\n2\tat\n3\tde\n");
  }

  @Test
  void columnsHaveNumbersToo() {
    assertThat(bloomWith("x\t1\ny\t1\nx\t2\n", "distinct", "--column", 2, "--group", 1).out())
        .isEqualTo("2\t2\t2\tx\n1\t1\t1\ty\n");
    assertError(
        bloomWith("a,b\n", "distinct", "--column", 1, "--group", 0), "columns are numbered from 1");
    assertError(
        bloomWith("a,b\n1,2\n", "distinct", "--column", "a", "--group", "c"),
        "no column is named \"c\"; the first row has: a, b");
  }

  @Test
  void keysOfSeveralColumnsAreOfAGroup() {
    assertThat(
            bloomWith(VISITS, "distinct", "-q", "--column", "user,page", "--group", "country")
                .out())
        .contains("4\t4\t4\tde\n");
  }

  @Test
  void linesOfJsonHaveGroups() {
    String lines =
        """
        {"u":{"id":1},"c":"at"}
        {"u":{"id":2},"c":"at"}
        {"u":{"id":1},"c":7}
        {"c":"at"}
        {"u":{"id":1}}
        """;
    Bloom.Run run = bloomWith(lines, "distinct", "--json-key", ".u.id", "--group", ".c");
    assertThat(run.out()).isEqualTo("1\t1\t1\t\n1\t1\t1\t7\n2\t2\t2\tat\n");
    assertThat(run.err())
        .isEqualTo("3 groups, 4 keys read; 1 empty key skipped; bounds with 95% confidence\n");
  }

  @Test
  void typesAndBlanksAreThoseOfTheKeyAndNotOfTheGroup() {
    String lines = "{\"u\":7,\"c\":\" x\"}\n{\"u\":\" 07\",\"c\":\" x\"}\n{\"u\":7,\"c\":\"x\"}\n";
    for (String way : List.of("--no-progress", "--exact")) {
      Bloom.Run run =
          bloomWith(
              lines,
              "distinct",
              "--json-key",
              ".u",
              "--group",
              ".c",
              "--type",
              "int64",
              "--trim",
              "-q",
              way);
      assertThat(run.err()).isEmpty();
      assertThat(run.out().lines().map(line -> line.substring(line.lastIndexOf('\t') + 1)))
          .containsExactly(" x", "x");
      assertThat(run.out().lines()).allMatch(line -> line.startsWith("1\t"));
    }
  }

  @Test
  void rowsWithoutTheColumnAreBad() {
    String rows = "user,country\n1,at\n2\n3,at\n";
    assertError(
        bloomWith(rows, "distinct", "--column", "user", "--group", "country"), "has no column 2");
    Bloom.Run run =
        bloomWith(
            rows,
            "distinct",
            "--column",
            "user",
            "--group",
            "country",
            "--on-error",
            "skip",
            "--json");
    List<Map<?, ?>> lines = Json.lines(run.out());
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0).toString()).contains("group=at", "distinct=2");
    assertThat(lines.get(1).toString()).contains("groups=1", "badRows=1");
  }

  /** Random rows beside a map of sets; keys have types, blanks and quotes. */
  @Test
  void groupsAreThoseOfAModel() throws IOException {
    SplittableRandom random = Seeds.random(11);
    Map<String, Set<Integer>> model = new TreeMap<>();
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 30_000; i++) {
      String group = "g" + (int) (300 * Math.pow(random.nextDouble(), 3));
      int key = random.nextInt(400);
      model.computeIfAbsent(group, any -> new HashSet<>()).add(key);
      String text = (random.nextBoolean() ? " " : "") + (random.nextBoolean() ? "+" : "") + key;
      rows.append(random.nextBoolean() ? text : "\"" + text + " \"").append(';');
      rows.append(random.nextBoolean() ? group : "\"" + group + "\"").append('\n');
    }
    Path file = Files.writeString(directory.resolve("rows.csv"), rows);
    Object[] args = {
      "distinct",
      file,
      "-q",
      "--column",
      1,
      "--group",
      2,
      "--separator",
      ";",
      "--type",
      "int64",
      "--trim",
      "--exact"
    };
    String expected =
        model.entrySet().stream()
            .map(entry -> entry.getValue().size() + "\t" + entry.getKey() + "\n")
            .collect(Collectors.joining());
    assertThat(bloom(args).out()).isEqualTo(expected);
    args[args.length - 1] = "--no-progress";
    String estimated =
        bloom(args).out().lines().map(DistinctGroupsTest::counted).collect(Collectors.joining());
    assertThat(estimated).isEqualTo(expected);
  }

  private static String counted(String line) {
    String[] columns = line.split("\t", -1);
    return columns[0] + "\t" + columns[3] + "\n";
  }

  @Test
  void groupsAreSavedAndMerged() throws IOException {
    Path monday = directory.resolve("mon.csv");
    Path tuesday = directory.resolve("tue.csv");
    assertThat(visits("-o", monday).code()).isZero();
    assertThat(Files.readString(monday))
        .startsWith("group,sketch\n,AgEHDg")
        .contains("\n\"a\"\"t, x\",AgEHDg");
    bloomWith(
        "user,country\n3,at\n1,de\n1,fr\n",
        "distinct",
        "--column",
        "user",
        "--group",
        "country",
        "-o",
        tuesday);
    Bloom.Run run = bloom("distinct", monday, tuesday, "--column", "user", "--group", "country");
    assertThat(run.out())
        .isEqualTo("1\t1\t1\t\n1\t1\t1\ta\"t, x\n3\t3\t3\tat\n3\t3\t3\tde\n1\t1\t1\tfr\n");
    assertThat(run.err()).isEqualTo("5 groups; bounds with 95% confidence\n");
    Path damaged = Files.writeString(directory.resolve("x.csv"), "group,sketch\na,AgEHDg==\n");
    assertError(
        bloom("distinct", damaged, "--column", 1, "--group", 2),
        "x.csv, line 2: is not an HLL sketch of DataSketches");
    Files.writeString(damaged, "group,sketch\na,???\n");
    assertError(
        bloom("distinct", damaged, "--column", 1, "--group", 2),
        "x.csv, line 2: the sketch is not Base64");
  }

  @Test
  void tooManyGroupsAreRefused() {
    String rows =
        IntStream.range(0, 200_000)
            .mapToObj(i -> i + ",x\n")
            .collect(Collectors.joining("", "user,g\n", ""));
    for (String way : List.of("--no-progress", "--exact")) {
      assertError(
          bloomWith(
              rows, "distinct", "--column", "g", "--group", "user", "--memory-limit", "8M", way),
          " groups take more than ");
    }
  }
}
