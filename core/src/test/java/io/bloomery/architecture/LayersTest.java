package io.bloomery.architecture;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import io.bloomery.FilterBuilder;
import io.bloomery.Filters;
import io.bloomery.plan.Planner;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Dependencies point one way: {@code hash}, {@code theory}, {@code file}, {@code internal} ← {@code
 * plan}, root ← families ← {@code foreign} ← {@code internal.registry}. {@link CyclesTest} has the
 * one exception.
 */
final class LayersTest {

  private static final String ROOT = Core.ROOT;
  private static final String REGISTRY = ROOT + ".internal.registry";
  private static final String[] LIBRARIES = {
    "java..", "javax.crypto..", "com.dynatrace.hash4j..", "org.jspecify.annotations"
  };

  /** An optional dependency, for one class. */
  private static final String CRYPTOGRAPHY = "org.bouncycastle..";

  /** The packages whose question begins with "is x in the set?" and its variations. */
  private static final List<String> FAMILIES =
      List.of(
          "membership",
          "deletable",
          "growing",
          "frozen",
          "frequency",
          "window",
          "lookup",
          "weighted",
          "similarity",
          "secure",
          "sync",
          "range");

  private static final List<String> OTHERS =
      List.of("error", "hash", "theory", "file", "plan", "foreign", "internal");

  /** The frame encodes shapes and returns filters; layers are membership filters. */
  private static final String[] LOW_INTERNAL =
      Stream.of("bits", "check", "code", "hash", "numeric", "probe", "solve")
          .map(name -> ROOT + ".internal." + name)
          .toArray(String[]::new);

  private static String[] packages(List<String> names) {
    return names.stream().map(name -> ROOT + "." + name + "..").toArray(String[]::new);
  }

  private static String[] join(String[] some, String... more) {
    return Stream.concat(Arrays.stream(some), Arrays.stream(more)).toArray(String[]::new);
  }

  @Test
  void everyPackageHasItsLayer() {
    Set<String> unknown =
        Core.MAIN.stream()
            .map(type -> type.getPackageName().replace(ROOT, "").replaceFirst("^\\.", ""))
            .map(name -> name.replaceFirst("\\..*", ""))
            .filter(name -> !name.isEmpty())
            .filter(name -> !FAMILIES.contains(name) && !OTHERS.contains(name))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(unknown).as("packages of no layer").isEmpty();
    assertThat(Core.MAIN.containPackage(ROOT + ".membership")).isTrue();
  }

  /**
   * Filters communicate over streams and a {@code Transport}; only applications open connections.
   */
  @Test
  void theLibraryOpensNoConnection() {
    noClasses().should().dependOnClassesThat().resideInAPackage("java.net..").check(Core.MAIN);
  }

  @Test
  void hashingStandsAlone() {
    classes()
        .that()
        .resideInAnyPackage(ROOT + ".hash", ROOT + ".internal.hash")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(join(LIBRARIES, ROOT + ".hash", ROOT + ".internal.hash"))
        .check(Core.MAIN);
  }

  /** Other modules use it to write their own files, and it has no other dependencies. */
  @Test
  void filesKnowNoFilter() {
    classes()
        .that()
        .resideInAPackage(ROOT + ".file")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(ROOT + ".file", "java..", "org.jspecify.annotations")
        .check(Core.MAIN);
  }

  /** What another module needs is part of the API; there are no friends. */
  @Test
  void noInternalPackageIsExportedToAnyone() {
    List<String> lines = Core.lines(Core.MAIN_SOURCES.resolve("module-info.java"));
    assertThat(lines).noneMatch(line -> line.matches(" *(exports|opens) .* to|.*opens .*"));
    assertThat(Core.EXPORTED).noneMatch(name -> name.startsWith(ROOT + ".internal"));
    assertThat(lines.stream().filter(line -> line.strip().startsWith("exports ")))
        .hasSameSizeAs(Core.EXPORTED);
  }

  /** Only argument checks create it; sizing code may catch it. */
  @Test
  void refusalsStandAlone() {
    classes()
        .that()
        .resideInAPackage(ROOT + ".error")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(ROOT + ".error", "java..", "org.jspecify.annotations")
        .check(Core.MAIN);
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT + ".error", ROOT + ".internal.check")
        .should()
        .callConstructorWhere(target(owner(resideInAPackage(ROOT + ".error"))))
        .check(Core.MAIN);
  }

  @Test
  void theMathsKnowsNoFilter() {
    classes()
        .that()
        .resideInAnyPackage(ROOT + ".theory", ROOT + ".internal.numeric")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            ROOT + ".theory",
            ROOT + ".internal.numeric",
            ROOT + ".internal.check",
            ROOT + ".internal.bits",
            "java..",
            "org.jspecify.annotations")
        .check(Core.MAIN);
  }

  @Test
  void internalCodeKnowsNoFilter() {
    classes()
        .that()
        .resideInAnyPackage(LOW_INTERNAL)
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(join(LIBRARIES, ROOT + ".error", ROOT + ".hash", ROOT + ".theory"))
                .or(resideInAnyPackage(LOW_INTERNAL))
                .or(rootClassesThatReport()))
        .check(Core.MAIN);
  }

  private static DescribedPredicate<JavaClass> rootClassesThatReport() {
    return DescribedPredicate.describe(
        "exceptions and progress of the root package",
        type ->
            type.getPackageName().equals(ROOT)
                && (type.isAssignableTo(Throwable.class)
                    || type.isAssignableTo(FilterBuilder.Progress.class)));
  }

  /** The one part of {@code internal} above membership, for families that are lists of filters. */
  @Test
  void layersKnowOnlyMembership() {
    classes()
        .that()
        .resideInAPackage(ROOT + ".internal.layer")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            join(
                LIBRARIES,
                ROOT,
                ROOT + ".plan",
                ROOT + ".membership",
                ROOT + ".hash",
                ROOT + ".file",
                ROOT + ".internal.."))
        .check(Core.MAIN);
    noClasses()
        .that()
        .resideOutsideOfPackages(join(packages(FAMILIES), ROOT + ".internal.layer"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROOT + ".internal.layer")
        .check(Core.MAIN);
  }

  @Test
  void planAndRootKnowNoFamily() {
    classes()
        .that(resideInAnyPackage(ROOT, ROOT + ".plan", ROOT + ".internal.frame"))
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            join(
                LIBRARIES,
                ROOT,
                ROOT + ".plan",
                ROOT + ".hash",
                ROOT + ".file",
                ROOT + ".error",
                ROOT + ".theory",
                ROOT + ".internal.."))
        .check(Core.MAIN);
  }

  /** All may build on plain membership filters (decision 009), on nothing else of each other. */
  @Test
  void familiesKnowOnlyMembership() {
    for (String family : FAMILIES) {
      classes()
          .that()
          .resideInAPackage(ROOT + "." + family + "..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              join(
                  LIBRARIES,
                  ROOT + "." + family + "..",
                  ROOT + ".membership",
                  family.equals("secure") ? CRYPTOGRAPHY : ROOT,
                  ROOT,
                  ROOT + ".plan",
                  ROOT + ".error",
                  ROOT + ".theory",
                  ROOT + ".hash",
                  ROOT + ".file",
                  ROOT + ".internal.."))
          .allowEmptyShould(true)
          .check(Core.MAIN);
    }
  }

  @Test
  void onlyTheRegistryKnowsTheFamilies() {
    noClasses()
        .that()
        .resideOutsideOfPackages(packages(FAMILIES))
        .and(
            DescribedPredicate.not(
                resideInAnyPackage(ROOT + ".foreign..", ROOT + ".internal.layer", REGISTRY)))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(packages(FAMILIES))
        .check(Core.MAIN);
  }

  /** {@link Filters} finds it as a service. */
  @Test
  void nobodyKnowsTheRegistry() {
    noClasses()
        .that()
        .resideOutsideOfPackage(REGISTRY)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(REGISTRY)
        .check(Core.MAIN);
  }

  /** The planner gets the kinds from it. */
  @Test
  void onlyThePlannerKnowsFilters() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT)
        .and(
            DescribedPredicate.describe(
                "are not the planner", type -> !type.getName().startsWith(Planner.class.getName())))
        .should()
        .dependOnClassesThat()
        .areAssignableTo(Filters.class)
        .check(Core.MAIN);
  }

  @Test
  void onlyTheRegistryKnowsForeignFormats() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT + ".foreign..", REGISTRY)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROOT + ".foreign..")
        .check(Core.MAIN);
  }

  @Test
  void noFormatKnowsTheRegistryOfFormats() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + ".foreign..")
        .and()
        .resideOutsideOfPackage(ROOT + ".foreign.registry")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROOT + ".foreign.registry")
        .check(Core.MAIN);
  }

  @Test
  void onlyHashingKnowsTheHashLibrary() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT + ".hash", ROOT + ".foreign.hash")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("com.dynatrace.hash4j..")
        .check(Core.MAIN);
  }

  private static DescribedPredicate<JavaClass> otherThanOprf() {
    return DescribedPredicate.describe(
        "are not the oblivious functions",
        type -> !type.getName().startsWith(ROOT + ".secure.Voprf"));
  }

  /** The library for oblivious queries is optional (decision 024). */
  @Test
  void onlyObliviousFunctionsKnowTheCryptographicLibrary() {
    noClasses()
        .that(otherThanOprf())
        .should()
        .dependOnClassesThat()
        .resideInAPackage(CRYPTOGRAPHY)
        .check(Core.MAIN);
  }

  @Test
  void onlySecureFiltersKnowCryptography() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".secure")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("javax.crypto..")
        .check(Core.MAIN);
  }

  @Test
  void thereIsNoOtherLibrary() {
    classes()
        .that(otherThanOprf())
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(join(LIBRARIES, ROOT + ".."))
        .check(Core.MAIN);
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(join(LIBRARIES, ROOT + "..", CRYPTOGRAPHY))
        .check(Core.MAIN);
  }
}
