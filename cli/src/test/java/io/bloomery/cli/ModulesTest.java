package io.bloomery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The allowed dependencies between modules, read from their sources: applications use the tools and
 * what the library exports, but neither each other nor the command line; the tools use only the
 * library.
 */
class ModulesTest {

  private static final Path ROOT = Path.of("..");
  private static final Pattern NAME =
      Pattern.compile("\\bio\\.bloomery((?:\\.[a-z][a-z0-9]*)*)\\.[A-Z]");
  private static final Pattern EXPORT =
      Pattern.compile("(?m)^ *exports (io\\.bloomery[a-z.]*)(?: to\\s+([^;]*))?;");
  private static final Pattern REQUIRE =
      Pattern.compile("(?m)^ *requires (?:(?:static|transitive) )*([\\w.]+);");

  private static List<Path> applications() throws IOException {
    try (Stream<Path> directories = Files.list(ROOT.resolve("apps"))) {
      List<Path> found =
          directories.filter(each -> Files.exists(each.resolve("pom.xml"))).sorted().toList();
      assertThat(found).contains(ROOT.resolve("apps/find"));
      return found;
    }
  }

  private static List<Path> sources(Path module) throws IOException {
    try (Stream<Path> files = Files.walk(module.resolve("src/main/java"))) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    }
  }

  private static String descriptor(Path module) throws IOException {
    return Files.readString(module.resolve("src/main/java/module-info.java"));
  }

  /** The packages of this project that a module's sources name. */
  private static Set<String> named(Path module) throws IOException {
    Set<String> names = new TreeSet<>();
    for (Path source : sources(module)) {
      if (!source.endsWith("module-info.java")) {
        NAME.matcher(Files.readString(source))
            .results()
            .forEach(found -> names.add("io.bloomery" + found.group(1)));
      }
    }
    return names;
  }

  /** The packages of a module. */
  private static Set<String> own(Path module) throws IOException {
    Path root = module.resolve("src/main/java");
    return sources(module).stream()
        .map(file -> root.relativize(file.getParent()).toString().replace('/', '.'))
        .collect(Collectors.toSet());
  }

  private static Set<String> exports(Path module) throws IOException {
    return EXPORT
        .matcher(descriptor(module))
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toSet());
  }

  private static Set<String> requires(Path module) throws IOException {
    return REQUIRE
        .matcher(descriptor(module))
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toSet());
  }

  /** Adapters to other systems also use the application that they adapt. */
  @Test
  void applicationsUseOnlyTheLibraryAndTheTools() throws IOException {
    for (Path application : applications()) {
      Set<String> allowed = new TreeSet<>(own(application));
      allowed.addAll(exports(ROOT.resolve("core")));
      allowed.addAll(exports(ROOT.resolve("tools")));
      if (application.toString().endsWith("-adapters")) {
        allowed.addAll(exports(Path.of(application.toString().replaceFirst("-adapters$", ""))));
      }
      assertThat(allowed).as(application.toString()).containsAll(named(application));
      for (Path source : sources(application)) {
        assertThat(Files.readString(source)).as(source.toString()).doesNotContain("picocli");
      }
    }
  }

  @Test
  void theToolsUseOnlyTheLibrary() throws IOException {
    Path tools = ROOT.resolve("tools");
    Set<String> allowed = new TreeSet<>(own(tools));
    allowed.addAll(exports(ROOT.resolve("core")));
    assertThat(allowed).containsAll(named(tools));
    assertThat(requires(tools))
        .contains("io.bloomery")
        .noneMatch(name -> name.startsWith("io.bloomery.") || name.contains("picocli"));
  }

  @Test
  void theLibraryAndTheChartsUseNoOtherModule() throws IOException {
    for (String module : List.of("core", "chart")) {
      assertThat(requires(ROOT.resolve(module)))
          .as(module)
          .noneMatch(name -> name.startsWith("io.bloomery"));
    }
  }

  /** The tools are not a stable API, so modules outside this project must not depend on them. */
  @Test
  void theToolsAreExportedOnlyToModulesThatRequireThem() throws IOException {
    Set<String> users = new TreeSet<>();
    for (Path module :
        Stream.concat(Stream.of(ROOT.resolve("cli")), applications().stream()).toList()) {
      if (Files.exists(module.resolve("src/main/java/module-info.java"))
          && requires(module).contains("io.bloomery.tools")) {
        Matcher name = Pattern.compile("(?m)^module ([\\w.]+) ").matcher(descriptor(module));
        assertThat(name.find()).isTrue();
        users.add(name.group(1));
      }
    }
    Path tools = ROOT.resolve("tools");
    List<String> exported =
        EXPORT
            .matcher(descriptor(tools))
            .results()
            .map(found -> String.valueOf(found.group(2)))
            .toList();
    assertThat(exported)
        .hasSameSizeAs(own(tools).stream().filter(name -> !name.isEmpty()).toList())
        .allSatisfy(
            to -> assertThat(to.split(",\\s*", -1)).containsExactlyInAnyOrderElementsOf(users));
  }
}
