package io.bloomery.cli.check;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every row is present or absent, including rows with an empty key. */
class EmptyKeysTest {

  @TempDir private Path directory;
  private Path filter;

  @BeforeEach
  void build() {
    filter = directory.resolve("f.bloom");
    assertThat(bloomWith("1\n2\n3\n", "build", "-q", "-o", filter).code()).isZero();
  }

  @Test
  void emptyKeysCountAsAbsent() {
    String rows = "id,x\n1,a\n,b\n9,c\n\"\",d\n";
    assertThat(bloomWith(rows, "check", filter, "--column", "id", "--mode", "absent").out())
        .isEqualTo("id,x\n,b\n9,c\n\"\",d\n");
    assertThat(bloomWith(rows, "check", filter, "--column", "id", "--mode", "present").out())
        .isEqualTo("id,x\n1,a\n");
    assertThat(bloomWith(rows, "check", filter, "--column", "id").out())
        .isEqualTo(
            "answer,id,x\nprobably present,1,a\nempty key,,b\ncertainly absent,9,c\nempty key,\"\",d\n");
    assertThat(bloomWith("1\n\n9", "check", filter, "--mode", "absent").out()).isEqualTo("\n9\n");
  }

  /** An empty key is absent rather than an invalid number, also with filters of other systems. */
  @Test
  void emptyKeysAreNotParsed() {
    Path numbers = directory.resolve("n.bloom");
    assertThat(bloomWith("1\n\n", "build", "-q", "-o", numbers, "--type", "int64").code()).isZero();
    String rows = "1\n\n9\n";
    assertThat(bloomWith(rows, "check", numbers, "--type", "int64", "--mode", "absent").out())
        .isEqualTo("\n9\n");
    Path guava = directory.resolve("g");
    assertThat(bloomWith("1\n", "build", "-q", "-n", 9, "-o", guava, "--format", "guava").code())
        .isZero();
    assertThat(bloomWith(rows, "check", guava, "--format", "guava", "--mode", "absent").out())
        .isEqualTo("\n9\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "--column=1", "--column=2,1", "--delimiter=;", "--column=2 --keep-empty"})
  void presentAndAbsentRowsTogetherAreAllRows(String options) {
    SplittableRandom random = Seeds.random(72);
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      String key = random.nextInt(3) == 0 ? "" : String.valueOf(random.nextInt(8));
      String other = random.nextInt(3) == 0 ? "\"\"" : "\"a\n" + random.nextInt(4) + "\"";
      rows.append(options.contains("column") ? key + "," + other : key)
          .append(options.contains(";") ? ";" : "\n");
    }
    List<String> both = new ArrayList<>();
    for (String mode : List.of("present", "absent")) {
      List<Object> line = new ArrayList<>(List.of("check", filter, "--mode", mode));
      line.addAll(options.isEmpty() ? List.of() : List.of(options.split(" ")));
      both.addAll(records(bloomWith(rows.toString(), line.toArray()).out(), options));
    }
    assertThat(both).containsExactlyInAnyOrderElementsOf(records(rows.toString(), options));
    assertThat(bloom("check", filter, "--key", "1").code()).isZero();
  }

  private static List<String> records(String text, String options) {
    String end = options.contains(";") ? ";" : options.contains("column") ? "\"\n" : "\n";
    List<String> records = new ArrayList<>(List.of(text.split(end, -1)));
    records.remove(records.size() - 1);
    return records;
  }
}
