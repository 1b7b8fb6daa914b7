package io.bloomery.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The types that leave for the lab, as a decision lists them, can leave. */
final class StudyObjectsTest {

  private static final Path DECISION = Path.of("..", "docs", "decisions", "038-study-objects.md");

  /** A row of the table: package and type. */
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z.]+\\.[A-Z]\\w+)` \\|");

  @Test
  void nothingUsesThemButThemselves() throws IOException {
    Set<String> listed =
        ROW.matcher(Files.readString(DECISION))
            .results()
            .map(row -> Core.ROOT + "." + row.group(1))
            .collect(Collectors.toSet());
    assertThat(listed).hasSizeGreaterThan(3).allMatch(Core.MAIN::contain);
    Set<String> users =
        Core.MAIN.stream()
            .filter(type -> !listed.contains(outermost(type)))
            .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
            .filter(used -> listed.contains(outermost(used.getTargetClass())))
            .map(Dependency::getDescription)
            .collect(Collectors.toSet());
    assertThat(users).isEmpty();
  }

  private static String outermost(JavaClass type) {
    return type.getName().replaceFirst("\\$.*", "");
  }
}
