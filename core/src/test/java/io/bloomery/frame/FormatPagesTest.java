package io.bloomery.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.SampleFilters;
import io.bloomery.Storable;
import io.bloomery.Variant;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.ShapeFields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The tables of docs/format/*.md name every kind and the fields of its shape. */
class FormatPagesTest {

  private static final Path DOCS = Path.of("..", "docs");

  private static final Pattern ROW =
      Pattern.compile("\\| (\\d+) \\| `([a-z0-9-]+)` \\| `(\\w+)` \\| ([^|]*) \\| [^|]* \\|");

  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

  /** One kind in a table. */
  private record Row(int id, String name, String type, String fields) {

    /** The names of the fields, in their order. */
    List<String> fieldNames() {
      return QUOTED.matcher(fields).results().map(match -> match.group(1)).toList();
    }
  }

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
              new Row(Integer.parseInt(row.group(1)), row.group(2), row.group(3), row.group(4)));
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

  static Collection<FilterKind<?>> storedByShape() {
    Map<Integer, FilterKind<?>> kinds = new TreeMap<>();
    for (FilterKind<?> kind : Filters.kinds()) {
      if (!shapeFields(kind).isEmpty()) {
        kinds.put(kind.id(), kind);
      }
    }
    return kinds.values();
  }

  /** The fields of a kind's shape if its header begins with them; none if it has its own codec. */
  private static List<String> shapeFields(FilterKind<?> kind) {
    List<String> stored = Frame.encode((Storable) SampleFilters.of(kind)).names();
    for (Variant variant : kind.variants()) {
      if (variant.shapeType().isRecord()) {
        List<String> names = ShapeFields.names(variant.shapeType().asSubclass(Record.class));
        if (stored.size() >= names.size() && stored.subList(0, names.size()).equals(names)) {
          return names;
        }
      }
    }
    return List.of();
  }

  @ParameterizedTest
  @MethodSource("storedByShape")
  void aRowBeginsWithTheFieldsOfTheShape(FilterKind<?> kind) throws IOException {
    Row row = rows().stream().filter(each -> each.id() == kind.id()).findFirst().orElseThrow();
    List<String> names = shapeFields(kind);
    assertThat(row.fieldNames()).as(row.fields()).hasSizeGreaterThanOrEqualTo(names.size());
    assertThat(row.fieldNames().subList(0, names.size())).isEqualTo(names);
  }

  /** The check above is not left out for kinds that surely store their shape. */
  @Test
  void kindsWithPlainShapesAreChecked() {
    assertThat(storedByShape())
        .extracting(FilterKind::name)
        .contains(
            "bloom",
            "blocked",
            "spectral",
            "count-min",
            "space-code",
            "adaptive",
            "counter-braids");
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
