package io.bloomery.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.bloomery.Filter;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.SizedBuilder;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Dependencies point one way: {@code hash}, {@code plan}, {@code format}, {@code internal} ←
 * families ← {@link Filters}.
 */
final class LayersTest {

  private static final String ROOT = "io.bloomery";

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
          "sync");

  private static final List<String> FOUNDATIONS =
      List.of("hash", "theory", "plan", "foreign", "internal");

  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  private static String[] packages(List<String> names) {
    return names.stream().map(name -> ROOT + "." + name + "..").toArray(String[]::new);
  }

  @Test
  void everyPackageHasItsLayer() {
    Set<String> unknown =
        MAIN.stream()
            .map(type -> type.getPackageName().replace(ROOT, "").replaceFirst("^\\.", ""))
            .map(name -> name.replaceFirst("\\..*", ""))
            .filter(name -> !name.isEmpty())
            .filter(name -> !FAMILIES.contains(name) && !FOUNDATIONS.contains(name))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(unknown).as("packages of no layer").isEmpty();
    assertThat(MAIN.containPackage(ROOT + ".membership")).isTrue();
  }

  /** Except that all may build on plain membership filters (decision 009). */
  @Test
  void familiesDoNotKnowEachOther() {
    for (String family : FAMILIES) {
      List<String> others =
          FAMILIES.stream()
              .filter(name -> !name.equals(family) && !name.equals("membership"))
              .toList();
      noClasses()
          .that()
          .resideInAPackage(ROOT + "." + family + "..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(packages(others))
          .allowEmptyShould(true)
          .check(MAIN);
    }
  }

  @Test
  void onlyFiltersKnowsTheFamilies() {
    noClasses()
        .that()
        .resideOutsideOfPackages(packages(FAMILIES))
        .and()
        .doNotHaveFullyQualifiedName(Filters.class.getName())
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(packages(FAMILIES))
        .check(MAIN);
  }

  @Test
  void nobodyBelowKnowsFilters() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT)
        .should()
        .dependOnClassesThat()
        .areAssignableTo(Filters.class)
        .check(MAIN);
  }

  /** Of the root package families use the capabilities, the exceptions and the builders' base. */
  @Test
  void familiesUseInterfacesAndExceptionsOfTheRoot() {
    classes()
        .that()
        .resideInAPackage(ROOT)
        .and()
        .areNotInterfaces()
        .and()
        .areNotAssignableTo(Throwable.class)
        .and()
        .areNotAssignableTo(SizedBuilder.class)
        .should()
        .onlyHaveDependentClassesThat()
        .resideInAPackage(ROOT)
        .check(MAIN);
  }

  @Test
  void hashingStandsAlone() {
    classes()
        .that()
        .resideInAPackage(ROOT + ".hash")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(ROOT + ".hash", "java..", "com.dynatrace.hash4j..")
        .check(MAIN);
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
            "java..")
        .check(MAIN);
  }

  @Test
  void onlyHashingKnowsTheHashLibrary() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT + ".hash", ROOT + ".foreign.hash")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("com.dynatrace.hash4j..")
        .check(MAIN);
  }

  @Test
  void leavesAreFinal() {
    List<JavaClass> leaves =
        MAIN.stream()
            .filter(type -> type.isAssignableTo(Filter.class) && !type.isInterface())
            .toList();
    assertThat(leaves).isNotEmpty();
    assertThat(leaves).allMatch(type -> type.getModifiers().contains(JavaModifier.FINAL));
  }

  /**
   * Nobody outside extends a class: it is final, or sealed with final subclasses. The builders'
   * base cannot be sealed, because the root package does not know the families.
   */
  @Test
  void everyPublicClassIsFinalOrSealed() {
    List<JavaClass> open =
        MAIN.stream()
            .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
            .filter(type -> !type.isInterface() && !type.isEnum())
            .filter(type -> !type.getModifiers().contains(JavaModifier.FINAL))
            .filter(type -> !type.reflect().isSealed())
            .filter(type -> !type.isEquivalentTo(SizedBuilder.class))
            .toList();
    assertThat(open).isEmpty();
  }

  /** A filter that can be saved and is not in {@link Filters} could never be opened again. */
  @Test
  void everyStorableKindIsRegistered() {
    Set<String> storable =
        MAIN.stream()
            .filter(type -> type.isAssignableTo(Storable.class) && !type.isInterface())
            .map(JavaClass::getName)
            .collect(Collectors.toSet());
    assertThat(Filters.kinds().stream().map(kind -> kind.type().getName()))
        .containsExactlyInAnyOrderElementsOf(storable);
  }

  /** Numbers that files hold: never two for one thing, never one for two. */
  @Test
  void wireIdsAreUnique() {
    assertThat(Filters.kinds().stream().map(FilterKind::id)).doesNotHaveDuplicates();
    assertThat(Arrays.stream(IndexScheme.values()).map(IndexScheme::wireId))
        .containsExactly(1, 2, 3, 4, 5);
    assertThat(Hasher.XXH3_64).isEqualTo(1);
    assertThat(Hasher.SIPHASH_2_4).isEqualTo(2);
  }

  /** What may show internal types in its signature; the compiler asks for "exports" there. */
  private static final Set<String> EXPORTS =
      Set.of("FilterKind.<init>", "FilterKind.encode", "FilterKind.decode");

  @Test
  void thePublicApiShowsNoInternalType() {
    Set<String> shown =
        MAIN.stream()
            .filter(type -> !type.getPackageName().startsWith(ROOT + ".internal"))
            .filter(LayersTest::isVisible)
            .flatMap(type -> type.getMembers().stream())
            .filter(LayersTest::isVisible)
            .filter(LayersTest::showsInternalType)
            .map(member -> member.getOwner().getSimpleName() + "." + member.getName())
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(shown).isEqualTo(new TreeSet<>(EXPORTS));
  }

  private static boolean isVisible(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && type.getEnclosingClass().map(LayersTest::isVisible).orElse(true);
  }

  private static boolean isVisible(JavaMember member) {
    return member.getModifiers().contains(JavaModifier.PUBLIC)
        || member.getModifiers().contains(JavaModifier.PROTECTED);
  }

  private static boolean showsInternalType(JavaMember member) {
    Stream<JavaClass> types =
        member instanceof JavaCodeUnit code
            ? Stream.concat(Stream.of(code.getReturnType()), code.getParameterTypes().stream())
                .flatMap(type -> type.getAllInvolvedRawTypes().stream())
            : member.getAllInvolvedRawTypes().stream();
    return types.anyMatch(type -> type.getPackageName().startsWith(ROOT + ".internal"));
  }
}
