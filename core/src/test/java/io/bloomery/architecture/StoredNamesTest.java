package io.bloomery.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.ShapeFields;
import io.bloomery.internal.layer.Layer;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Files do not depend on how components of records are called in the code. */
final class StoredNamesTest {

  private static final Path RESOURCES = Path.of("src", "main", "resources", "META-INF");

  private record Before(
      @FieldName("block bits") int blockBits, @FieldName("scheme") IndexScheme scheme) {}

  private record Renamed(@FieldName("block bits") int a, @FieldName("scheme") IndexScheme b) {}

  private record Unnamed(@FieldName("bits") long bits, int hashes) {}

  @Test
  void aRenamedComponentIsStoredAsBefore() throws IOException {
    assertThat(ShapeFields.names(Renamed.class))
        .isEqualTo(ShapeFields.names(Before.class))
        .containsExactly("block bits", "scheme");
    Frame frame = Frame.of(Hasher.xxh3()).put(new Before(512, IndexScheme.DOUBLE));
    assertThat(frame.shape(Renamed.class)).isEqualTo(new Renamed(512, IndexScheme.DOUBLE));
  }

  @Test
  void aComponentWithoutAStoredNameIsRefused() {
    assertThatThrownBy(() -> ShapeFields.names(Unnamed.class))
        .isInstanceOf(LinkageError.class)
        .hasMessageContaining("hashes")
        .hasMessageContaining("no @FieldName");
  }

  /** Stored records and their enums are reached by reflection, which a native image must know. */
  @Test
  void nativeImagesKnowStoredRecords() throws IOException {
    Set<String> reflected = new TreeSet<>();
    for (JavaClass type : Core.MAIN) {
      RecordComponent[] components = type.reflect().getRecordComponents();
      if (components == null) {
        continue;
      }
      for (RecordComponent component : components) {
        if (component.isAnnotationPresent(FieldName.class)) {
          reflected.add(type.getName());
          if (component.getType().isEnum()) {
            reflected.add(component.getType().getName());
          }
        } else if (component.getType().isRecord()
            && Set.of(type.reflect().getInterfaces()).contains(io.bloomery.plan.Shape.class)) {
          reflected.add(type.getName());
        }
      }
    }
    String config =
        Files.readString(
            RESOURCES.resolve(
                Path.of("native-image", "io.bloomery", "bloomery", "reflect-config.json")));
    Set<String> listed = new TreeSet<>();
    Matcher name =
        Pattern.compile("^ *\\{\"name\": \"([^\"]+)\"", Pattern.MULTILINE).matcher(config);
    while (name.find()) {
      listed.add(name.group(1));
    }
    assertThat(listed).isEqualTo(reflected);
  }

  /** What is found by its name or by reflection is in these classes only, and kept by rules. */
  @Test
  void whereNamesMatter() throws IOException {
    Pattern byName =
        Pattern.compile(
            "findVarHandle|findStatic|findVirtual|newUpdater|Class\\.forName|getResource"
                + "|Proxy\\.|getMethod\\(|getDeclared\\w+\\(|getRecordComponents");
    Set<String> found = new TreeSet<>();
    try (Stream<Path> files = Files.walk(Path.of("src", "main", "java"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        if (byName.matcher(Files.readString(file)).find()) {
          found.add(String.valueOf(file.getFileName()));
        }
      }
    }
    assertThat(found).containsExactly("Layer.java", "ShapeFields.java");
    assertThat(Layer.class.getDeclaredFields())
        .anyMatch(field -> field.getName().equals("keys") && field.getType() == long.class);
    assertThat(Files.readString(RESOURCES.resolve(Path.of("proguard", "bloomery.pro"))))
        .contains(Layer.class.getName() + " { long keys; }");
  }

  @Test
  void rulesForShrinkersNameWhatExists() throws IOException {
    String rules = Files.readString(RESOURCES.resolve(Path.of("proguard", "bloomery.pro")));
    assertThat(rules)
        .contains(FieldName.class.getName())
        .contains("io.bloomery.internal.frame.Registry")
        .contains("wireId()");
  }
}
