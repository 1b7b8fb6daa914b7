package io.bloomery.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * No package depends on itself through others, except for one declared cycle: kinds state their
 * variants, variants have shapes, frames encode shapes and return kinds.
 *
 * <p>A cycle is a strongly connected component of the packages.
 */
final class CyclesTest {

  private static final Set<String> DECLARED =
      Set.of("io.bloomery", "io.bloomery.plan", "io.bloomery.internal.frame");

  private static final int SHOWN = 4;

  /** Package → package it uses → examples of classes, "User → Used". */
  private final SortedMap<String, SortedMap<String, SortedSet<String>>> edges = new TreeMap<>();

  @Test
  void packagesHaveNoCycleButTheDeclaredOne() {
    Core.MAIN.forEach(this::addEdges);
    List<SortedSet<String>> cycles = new Components(edges).larger();
    List<SortedSet<String>> undeclared =
        cycles.stream().filter(cycle -> !DECLARED.containsAll(cycle)).toList();
    assertThat(undeclared)
        .as(() -> undeclared.stream().map(this::describe).collect(Collectors.joining("\n")))
        .isEmpty();
    assertThat(cycles).as("the declared cycle").hasSizeLessThanOrEqualTo(1);
  }

  private void addEdges(JavaClass type) {
    SortedMap<String, SortedSet<String>> targets =
        edges.computeIfAbsent(type.getPackageName(), name -> new TreeMap<>());
    for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
      JavaClass target = dependency.getTargetClass().getBaseComponentType();
      String name = target.getPackageName();
      boolean ours = name.equals(Core.ROOT) || name.startsWith(Core.ROOT + '.');
      if (ours && !name.equals(type.getPackageName())) {
        targets
            .computeIfAbsent(name, key -> new TreeSet<>())
            .add(simple(type) + " → " + simple(target));
      }
    }
  }

  private static String simple(JavaClass type) {
    return type.getName().replaceFirst("^.*\\.", "").replaceFirst("\\$.*", "");
  }

  private String describe(Set<String> cycle) {
    StringBuilder text = new StringBuilder("cycle of " + cycle.size() + " packages:\n");
    for (String from : cycle) {
      edges
          .get(from)
          .forEach(
              (to, classes) -> {
                if (cycle.contains(to)) {
                  text.append("  %s → %s (%d): ".formatted(from, to, classes.size()))
                      .append(classes.stream().limit(SHOWN).collect(Collectors.joining(", ")))
                      .append('\n');
                }
              });
    }
    return text.toString();
  }

  /** Tarjan's strongly connected components. */
  private static final class Components {

    private final Map<String, ? extends Map<String, ?>> edges;
    private final Map<String, Integer> number = new HashMap<>();
    private final Map<String, Integer> lowest = new HashMap<>();
    private final Deque<String> stack = new ArrayDeque<>();
    private final Set<String> onStack = new HashSet<>();
    private final List<SortedSet<String>> larger = new ArrayList<>();

    Components(Map<String, ? extends Map<String, ?>> edges) {
      this.edges = edges;
    }

    /** The components of more than one package. */
    List<SortedSet<String>> larger() {
      for (String name : edges.keySet()) {
        if (!number.containsKey(name)) {
          visit(name);
        }
      }
      return larger;
    }

    private void visit(String name) {
      number.put(name, number.size());
      lowest.put(name, number.get(name));
      stack.push(name);
      onStack.add(name);
      Map<String, ?> targets = edges.get(name);
      for (String next : targets == null ? Set.<String>of() : targets.keySet()) {
        if (!number.containsKey(next)) {
          visit(next);
          lowest.merge(name, lowest.get(next), Math::min);
        } else if (onStack.contains(next)) {
          lowest.merge(name, number.get(next), Math::min);
        }
      }
      if (lowest.get(name).equals(number.get(name))) {
        pop(name);
      }
    }

    private void pop(String first) {
      SortedSet<String> component = new TreeSet<>();
      String name;
      do {
        name = stack.pop();
        onStack.remove(name);
        component.add(name);
      } while (!name.equals(first));
      if (component.size() > 1) {
        larger.add(component);
      }
    }
  }

  @Test
  void aCycleIsFound() {
    Map<String, Map<String, String>> graph =
        Map.of(
            "a", Map.of("b", ""),
            "b", Map.of("c", "", "d", ""),
            "c", Map.of("a", ""),
            "d", Map.of("e", ""),
            "e", Map.of());
    assertThat(new Components(graph).larger())
        .containsExactly(new TreeSet<>(Set.of("a", "b", "c")));
  }
}
