package io.bloomery.seeds;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The test classes whose outcome can depend on the seed: those that reach {@code Seeds}. */
final class DrawingTests {

  static final String ROOT = "io.bloomery.";

  /**
   * Tests that draw, but whose claims hold for any drawn values, since they depend on no rate or
   * sample; or that take long in other processes: structure and pages, golden and damaged files,
   * readers in other languages, crashes, races.
   */
  private static final Pattern LEFT_OUT =
      Pattern.compile(
          "io\\.bloomery\\.(architecture|docs|mutation|seeds)\\..*"
              + "|.*\\.(Golden|Corruption|Hostile|Forged|LargeDigests|SpareBits|Python|JavaScript)\\w*"
              + "|.*\\.(Crash|Fault|Launcher)\\w*|.*FuzzTest");

  private final Set<String> warm = new TreeSet<>();
  private final Set<String> fresh = new TreeSet<>();
  private final Set<String> steady = new TreeSet<>();
  private final Set<String> leftOut = new TreeSet<>();

  /** Reads the dependencies of the classes in these directories. */
  DrawingTests(List<Path> directories) {
    Map<String, Set<String>> users = new HashMap<>();
    Set<String> tests = new TreeSet<>();
    Map<String, Set<String>> initializers = new HashMap<>();
    for (JavaClass type : new ClassFileImporter().importPaths(directories)) {
      String user = outer(type.getName());
      if (user.endsWith("Test")) {
        tests.add(user);
      }
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        String used = outer(dependency.getTargetClass().getName());
        if (used.startsWith(ROOT)) {
          users.computeIfAbsent(used, name -> new TreeSet<>()).add(user);
        }
      }
      type.getStaticInitializer().stream()
          .flatMap(code -> code.getAccessesFromSelf().stream())
          .filter(access -> !(access instanceof JavaFieldAccess)) // as of the fields that it sets
          .map(access -> outer(access.getTargetOwner().getName()))
          .filter(used -> !used.equals(user) || user.endsWith("Test"))
          .forEach(used -> initializers.computeIfAbsent(user, name -> new TreeSet<>()).add(used));
    }
    Set<String> seeds = new TreeSet<>();
    users.keySet().stream().filter(name -> name.endsWith(".Seeds")).forEach(seeds::add);
    Set<String> drawing = reaching(seeds, users);
    Set<String> keeping = new TreeSet<>();
    initializers.forEach(
        (type, used) -> {
          if (!Collections.disjoint(used, drawing)) {
            keeping.add(type);
          }
        });
    Set<String> stale = reaching(keeping, users);
    for (String test : tests) {
      boolean left = LEFT_OUT.matcher(test).matches();
      Set<String> drawn = left ? leftOut : stale.contains(test) ? fresh : warm;
      (drawing.contains(test) ? drawn : steady).add(test);
    }
  }

  /** These classes, and all that use one of them, or one of their users. */
  private static Set<String> reaching(Set<String> types, Map<String, Set<String>> users) {
    Set<String> found = new TreeSet<>(types);
    Deque<String> open = new ArrayDeque<>(types);
    while (!open.isEmpty()) {
      for (String user : users.getOrDefault(open.remove(), Set.of())) {
        if (found.add(user)) {
          open.add(user);
        }
      }
    }
    return found;
  }

  private static String outer(String name) {
    int nested = name.indexOf('$');
    return (nested < 0 ? name : name.substring(0, nested)).replace("[]", "");
  }

  /** Those that draw whenever they run, and keep nothing of it. */
  Set<String> warm() {
    return warm;
  }

  /** Those that draw, or use what draws, in a static initializer. */
  Set<String> fresh() {
    return fresh;
  }

  /** Those that draw nothing. */
  Set<String> steady() {
    return steady;
  }

  /** Those that draw and are left out. */
  Set<String> leftOut() {
    return leftOut;
  }
}
