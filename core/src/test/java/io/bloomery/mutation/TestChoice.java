package io.bloomery.mutation;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToIntFunction;

/**
 * Chooses the tests that should see an error in a class: those that use it, those named after it
 * first; then two of each of its users, and of theirs, until there are enough; and the contracts
 * and golden files with the kinds nearest to it.
 */
final class TestChoice {

  private static final String ROOT = "io.bloomery";
  private static final int OWN_TESTS = 10;
  private static final int OTHERS_TESTS = 2;
  private static final int STEPS = 4;
  private static final int KINDS = 3;

  private static final List<String> CONTRACTS =
      List.of(
          "frame.GoldenFilesTest",
          "frame.LargeDigestsTest",
          "PinnedTablesTest",
          "contract.FilterContractTest",
          "contract.StorableContractTest",
          "contract.HashedFilterContractTest",
          "contract.AddableFilterContractTest",
          "contract.RemovableFilterContractTest",
          "contract.FrequencyFilterContractTest",
          "contract.LookupFilterContractTest",
          "contract.MergeableContractTest",
          "contract.IntersectableContractTest",
          "frame.ForgedFilesTest",
          "frame.SpareBitsTest");

  /** Shapes and what they are computed with are compared with what is built for each variant. */
  private static final String SIZES = "VariantsTest";

  /** The users of each class, nested classes counted as their outer one. */
  private final Map<String, Set<String>> users = new TreeMap<>();

  /**
   * What is run against an error.
   *
   * @param tests names of test classes, the most telling first
   * @param kinds names of the kinds that contracts are restricted to
   */
  record Choice(List<String> tests, List<String> kinds) {}

  /** Reads the dependencies of the classes on the class path. */
  TestChoice() {
    for (JavaClass type : new ClassFileImporter().importPackages(ROOT)) {
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        String user = outer(type.getName());
        String used = outer(dependency.getTargetClass().getName());
        if (used.startsWith(ROOT) && !used.equals(user)) {
          users.computeIfAbsent(used, name -> new TreeSet<>()).add(user);
        }
      }
    }
  }

  private static String outer(String name) {
    int nested = name.indexOf('$');
    return (nested < 0 ? name : name.substring(0, nested)).replace("[]", "");
  }

  /** The tests for a class, by its full name. */
  Choice of(String type) {
    Set<String> own = new LinkedHashSet<>();
    ToIntFunction<String> likeness = test -> -commonPrefix(simple(test), simple(type));
    Comparator<String> nearest =
        Comparator.comparing((String test) -> !pack(test).equals(pack(type)))
            .thenComparingInt(likeness)
            .thenComparing(Comparator.naturalOrder());
    Set<String> seen = new TreeSet<>(Set.of(type));
    List<String> level = List.of(type);
    for (int step = 0; own.size() < OWN_TESTS && !level.isEmpty() && step < STEPS; step++) {
      int each = step == 0 ? OWN_TESTS : OTHERS_TESTS;
      Set<String> next = new TreeSet<>(nearest);
      for (String name : level) {
        Set<String> direct = users.getOrDefault(name, Set.of());
        direct.stream().filter(TestChoice::isTest).sorted(nearest).limit(each).forEach(own::add);
        direct.stream().filter(user -> !isTest(user) && seen.add(user)).forEach(next::add);
      }
      level = List.copyOf(next);
    }
    List<String> tests = new ArrayList<>(own);
    if (tests.size() > OWN_TESTS) {
      tests.subList(OWN_TESTS, tests.size()).clear();
    }
    CONTRACTS.forEach(test -> tests.add(ROOT + "." + test));
    if (type.endsWith("Shape") || type.contains(".numeric.")) {
      tests.add(ROOT + "." + SIZES);
    }
    return new Choice(tests, kinds(type));
  }

  private static boolean isTest(String name) {
    return name.endsWith("Test")
        && !name.endsWith("FuzzTest")
        && !name.startsWith(ROOT + ".architecture.")
        && !name.startsWith(ROOT + ".contract.")
        && !name.startsWith(ROOT + ".mutation.");
  }

  /** The kinds whose class leads to the given one in the fewest steps. */
  private List<String> kinds(String type) {
    Map<String, Integer> steps = stepsTo(type);
    Collection<FilterKind<?>> kinds = Filters.kinds();
    return kinds.stream()
        .filter(kind -> steps.containsKey(kind.type().getName()))
        .sorted(
            Comparator.<FilterKind<?>>comparingInt(kind -> steps.get(kind.type().getName()))
                .thenComparing(FilterKind::name))
        .limit(KINDS)
        .map(FilterKind::name)
        .toList();
  }

  private Map<String, Integer> stepsTo(String type) {
    Map<String, Integer> steps = new HashMap<>(Map.of(type, 0));
    Deque<String> open = new ArrayDeque<>(List.of(type));
    while (!open.isEmpty()) {
      String name = open.remove();
      for (String user : users.getOrDefault(name, Set.of())) {
        if (steps.putIfAbsent(user, steps.get(name) + 1) == null) {
          open.add(user);
        }
      }
    }
    return steps;
  }

  private static String pack(String name) {
    return name.substring(0, name.lastIndexOf('.'));
  }

  private static String simple(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  private static int commonPrefix(String a, String b) {
    int length = 0;
    while (length < Math.min(a.length(), b.length()) && a.charAt(length) == b.charAt(length)) {
      length++;
    }
    return length;
  }
}
