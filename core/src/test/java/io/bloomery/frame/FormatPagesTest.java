package io.bloomery.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filter;
import io.bloomery.Filters;
import io.bloomery.SampleFilters;
import io.bloomery.Storable;
import io.bloomery.internal.frame.Frame;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The tables of docs/format/*.md name every kind and its fields. */
class FormatPagesTest {

  private static final Path DOCS = Path.of("..", "docs");

  private static final Pattern ROW =
      Pattern.compile("\\| (\\d+) \\| `([a-z0-9-]+)` \\| `(\\w+)` \\| ([^|]*) \\| [^|]* \\|");

  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

  /** A field or *cells*, and the text up to the next. */
  private static final Pattern NAMED = Pattern.compile("(?:`([^`]+)`|(\\*cells\\*))([^`*]*)");

  private static final String LISTED = ", in order, are";

  /** One kind in a table. */
  private record Row(int id, String name, String type, String fields, String page) {}

  private static List<Row> rows() throws IOException {
    List<Path> pages = new ArrayList<>();
    try (Stream<Path> others = Files.list(DOCS.resolve("format"))) {
      others.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    List<Row> rows = new ArrayList<>();
    for (Path page : pages) {
      for (String line : Files.readAllLines(page)) {
        Matcher row = ROW.matcher(line);
        if (row.matches()) {
          rows.add(
              new Row(
                  Integer.parseInt(row.group(1)),
                  row.group(2),
                  row.group(3),
                  row.group(4),
                  Files.readString(page)));
        }
      }
    }
    return rows;
  }

  @Test
  void everyKindHasOneRow() throws IOException {
    assertThat(rows())
        .extracting(row -> row.id() + " " + row.name() + " " + row.type())
        .containsExactlyInAnyOrderElementsOf(
            Filters.kinds().stream()
                .map(kind -> kind.id() + " " + kind.name() + " " + kind.type().getSimpleName())
                .toList());
  }

  /** A field of a page: its name, whether it is an f64, and whether some files lack it. */
  private record Field(String name, boolean real, boolean optional) {}

  static Map<String, Filter> samples() {
    Map<String, Filter> samples = SampleFilters.otherLayouts();
    Filters.kinds().forEach(kind -> samples.put(kind.name(), SampleFilters.of(kind)));
    return samples;
  }

  static Set<String> names() {
    return samples().keySet();
  }

  @ParameterizedTest
  @MethodSource("names")
  void aRowHasEveryFieldInItsOrderWithItsType(String name) throws IOException {
    Storable sample = (Storable) samples().get(name);
    Frame frame = Frame.encode(sample);
    List<String> stored =
        frame.names().stream()
            .filter(field -> !field.startsWith("each ")) // of kind 56: those of the shards
            .map(field -> type(frame.get(field)) + field)
            .map(field -> field.replaceFirst("^(\\w+ (?:bits|probes)) \\d+$", "$1 i"))
            .distinct()
            .toList();
    Row row =
        rows().stream().filter(each -> each.id() == sample.kind().id()).findFirst().orElseThrow();
    assertThat(
            documented(row).stream()
                .map(field -> new Field(type(field.real) + field.name, false, field.optional))
                .filter(field -> !field.optional || stored.contains(field.name))
                .map(Field::name))
        .as("%s: %s", name, row.fields())
        .isEqualTo(stored);
  }

  private static String type(@Nullable Number value) {
    return type(value instanceof Double);
  }

  private static String type(boolean real) {
    return real ? "f64 " : "i64 ";
  }

  /**
   * The fields that a row names. "The fields of kind N, in order, are" completes a row that is too
   * long for its table, and *cells* stands for fields that several kinds share.
   */
  private static List<Field> documented(Row row) throws IOException {
    String text =
        row.fields()
            + row.page().replaceAll("\\s+", " ").transform(between("kind " + row.id() + LISTED));
    List<Field> fields = new ArrayList<>();
    Matcher named = NAMED.matcher(text);
    while (named.find()) {
      boolean optional = named.group(3).contains("(only");
      if (named.group(2) == null) {
        fields.add(new Field(named.group(1), named.group(3).contains("(f64)"), optional));
      } else {
        for (String shared : cells()) {
          fields.add(new Field(shared, false, optional && !shared.equals("layout")));
        }
      }
    }
    return fields;
  }

  private static List<String> cells() throws IOException {
    String page = Files.readString(DOCS.resolve("format/lookup.md")).replaceAll("\\s+", " ");
    String text = page.transform(between("*Cells* are the fields"));
    return QUOTED.matcher(text).results().map(match -> match.group(1)).toList();
  }

  /** What follows a text, up to the end of its sentence; nothing if it is not there. */
  private static Function<String, String> between(String text) {
    return page -> {
      int at = page.indexOf(text);
      return at < 0 ? "" : page.substring(at + text.length(), page.indexOf(". ", at));
    };
  }

  /** A table holds facts; what needs a sentence stands below it. */
  @Test
  void noRowIsLongerThan200Characters() throws IOException {
    List<Path> pages =
        new ArrayList<>(List.of(DOCS.resolve("variants.md"), DOCS.resolve("errata.md")));
    try (Stream<Path> others = Files.list(DOCS.resolve("format"))) {
      others.filter(page -> page.toString().endsWith(".md")).forEach(pages::add);
    }
    for (Path page : pages) {
      assertThat(Files.readAllLines(page))
          .as(page.toString())
          .noneMatch(line -> line.startsWith("|") && line.length() > 200);
    }
  }

  /** Lines of the pages that specify the format can be read, and compared, in any window. */
  @Test
  void noLineOfTheSpecificationIsLongerThan200Characters() throws IOException {
    List<Path> pages =
        new ArrayList<>(List.of(DOCS.resolve("format.md"), DOCS.resolve("hashing.md")));
    try (Stream<Path> others = Files.list(DOCS.resolve("format"))) {
      others.filter(page -> page.toString().endsWith(".md")).forEach(pages::add);
    }
    for (Path page : pages) {
      assertThat(Files.readAllLines(page))
          .as(page.toString())
          .allMatch(line -> line.length() <= 200);
    }
  }

  /** No id appears on two pages, so that a reader finds one layout. */
  @Test
  void idsAreGivenOnce() throws IOException {
    List<Integer> ids = rows().stream().map(Row::id).toList();
    assertThat(new TreeSet<>(ids)).hasSameSizeAs(ids);
  }
}
