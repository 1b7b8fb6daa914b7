package io.bloomery;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.plan.Needs;
import io.bloomery.plan.Planner;
import io.bloomery.plan.Shape;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Tables of numbers that are chosen, not derived, and that no other test checks: the limits of
 * every field of a shape, and the stated cost of a query for each variant. A change of one of them
 * is a change of the table in {@code src/test/resources/pinned}.
 */
final class PinnedTablesTest {

  private static final Pattern RANGE =
      Pattern.compile(" is outside the allowed range (\\S+) … (\\S+)");

  private static List<String> table(String name) throws IOException {
    try (InputStream in = PinnedTablesTest.class.getResourceAsStream("/pinned/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  /** What a variant for a million keys reads and computes, at 1 % and at 0.01 %. */
  @Test
  void costsOfVariants() throws IOException {
    List<String> rows = new ArrayList<>();
    for (Variant variant : Planner.standard().variants()) {
      if (variant.refusal().isEmpty()) {
        StringBuilder row = new StringBuilder(variant.name() + ":");
        for (double rate : new double[] {0.01, 1e-4}) {
          Shape shape = variant.shape(Needs.forKeys(1_000_000, rate).withUniverse(4_000_000));
          row.append(
              String.format(
                  Locale.ROOT,
                  " %d lines %d words, present %.1f/%.1f, absent %.1f/%.1f,",
                  variant.cacheLines(shape),
                  variant.words(shape),
                  variant.work(shape, true).cacheLines(),
                  variant.work(shape, true).words(),
                  variant.work(shape, false).cacheLines(),
                  variant.work(shape, false).words()));
        }
        rows.add(row + String.format(Locale.ROOT, " adds %.2f", variant.queriesPerAdd()));
      }
    }
    assertThat(rows).containsExactlyElementsOf(table("variant-costs.txt"));
  }

  /** The least and the most that a field may be, with the others as in the sample of its kind. */
  @Test
  void limitsOfShapes() throws IOException {
    Map<String, String> rows = new TreeMap<>();
    for (FilterKind<?> kind : Filters.kinds()) {
      if (SampleFilters.of(kind) instanceof ShapedFilter<?> filter
          && filter.shape() instanceof Record shape) {
        addLimits(kind.name() + " ", shape, rows);
      }
    }
    assertThat(rows.entrySet().stream().map(row -> row.getKey() + ": " + row.getValue()))
        .containsExactlyElementsOf(table("shape-limits.txt"));
  }

  private static void addLimits(String path, Record shape, Map<String, String> rows) {
    RecordComponent[] components = shape.getClass().getRecordComponents();
    for (int i = 0; i < components.length; i++) {
      if (valueOf(shape, components[i]) instanceof Record nested) {
        addLimits(path + components[i].getName() + ".", nested, rows);
      }
      Class<?> type = components[i].getType();
      if (type == int.class || type == long.class) {
        boolean narrow = type == int.class;
        String below = message(shape, i, narrow ? Integer.MIN_VALUE : Long.MIN_VALUE);
        String above = message(shape, i, narrow ? Integer.MAX_VALUE : Long.MAX_VALUE);
        rows.put(
            path + components[i].getName(),
            limit(shape, i, below, 1) + " … " + limit(shape, i, above, 2));
      }
    }
  }

  /** The limit that a message names; if a second rule excludes that, the limit of that rule. */
  private static String limit(Record shape, int component, String message, int group) {
    Matcher range = RANGE.matcher(message);
    if (!range.find()) {
      return "(" + message + ")";
    }
    String name = shape.getClass().getRecordComponents()[component].getName();
    String limit = range.group(group);
    String there = message(shape, component, Long.parseLong(limit));
    return there.startsWith(name + " = ") ? limit(shape, component, there, group) : limit;
  }

  /** The constructor's message for another value of a component; "any" if it accepts it. */
  private static String message(Record shape, int component, long value) {
    RecordComponent[] components = shape.getClass().getRecordComponents();
    Object[] values = Arrays.stream(components).map(each -> valueOf(shape, each)).toArray();
    values[component] = components[component].getType() == int.class ? (Object) (int) value : value;
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      Constructor<?> constructor = shape.getClass().getDeclaredConstructor(types);
      constructor.setAccessible(true);
      constructor.newInstance(values);
      return "any";
    } catch (InvocationTargetException e) {
      return String.valueOf(e.getCause().getMessage());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  private static Object valueOf(Record shape, RecordComponent component) {
    try {
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(shape);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
