package io.bloomery.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.HashedFilter;
import io.bloomery.Storable;
import io.bloomery.internal.frame.Registry;
import io.bloomery.internal.registry.AllFilters;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** No kind escapes the contracts. */
final class RegistryTest {

  /** The class path reads the service file, the module path the module's descriptor. */
  @Test
  void theModuleProvidesTheRegistryOfTheServiceFile() throws IOException, URISyntaxException {
    String service = Registry.class.getName();
    Path classes =
        Path.of(Filters.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    ModuleDescriptor module =
        ModuleFinder.of(classes).find("io.bloomery").orElseThrow().descriptor();
    List<String> provided =
        module.provides().stream()
            .filter(provides -> provides.service().equals(service))
            .flatMap(provides -> provides.providers().stream())
            .toList();
    assertThat(Files.readAllLines(classes.resolve("META-INF/services/" + service)))
        .isEqualTo(provided)
        .containsExactly(AllFilters.class.getName());
    assertThat(module.uses()).contains(service);
  }

  @Test
  void everyKindIsASubject() {
    assertThat(Stream.concat(subjectKinds(), Subjects.PLAIN.stream()))
        .as("kinds with a line in Subjects")
        .containsAll(Filters.kinds());
    assertThat(Subjects.PLAIN)
        .as("kinds whose keys are not one hash")
        .noneMatch(kind -> HashedFilter.class.isAssignableFrom(kind.type()));
  }

  private static Stream<FilterKind<?>> subjectKinds() {
    return Subjects.all().stream().<FilterKind<?>>map(Subject::kind).filter(Objects::nonNull);
  }

  @Test
  void subjectsAreWhatTheirKindSays() {
    for (Subject subject : Subjects.all()) {
      if (subject.kind() != null) {
        Object filter = subject.of();
        assertThat(filter).as(subject.name()).isInstanceOf(subject.kind().type());
        assertThat(((Storable) filter).kind()).as(subject.name()).isSameAs(subject.kind());
      }
    }
  }

  @Test
  void numbersAndNamesOfKindsAreUnique() {
    assertThat(Filters.kinds().stream().map(FilterKind::id)).doesNotHaveDuplicates();
    assertThat(Filters.kinds().stream().map(FilterKind::name)).doesNotHaveDuplicates();
    assertThat(Filters.kinds().stream().map(FilterKind::type)).doesNotHaveDuplicates();
    assertThat(Filters.kinds().stream().map(FilterKind::id)).isSorted();
    assertThat(Filters.kinds().stream().map(FilterKind::name))
        .allMatch(name -> name.matches("[a-z0-9]+(-[a-z0-9]+)*"));
    for (FilterKind<?> kind : Filters.kinds()) {
      assertThat(Filters.kind(kind.id())).isSameAs(kind);
      assertThat(Filters.kind(kind.name())).isSameAs(kind);
    }
  }
}
