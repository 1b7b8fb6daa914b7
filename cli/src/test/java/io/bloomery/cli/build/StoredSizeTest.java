package io.bloomery.cli.build;

import static io.bloomery.cli.Bloom.bloom;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.testkit.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The documented sizes, in the file and in memory, of kinds that are compressed in their file. */
class StoredSizeTest {

  private static final Path ROOT = Path.of("..");
  private static final int KEYS = 300_000;

  @TempDir private Path directory;

  private Map<?, ?> built(String kind) throws IOException {
    Path keys = directory.resolve("keys");
    Files.writeString(keys, IntStream.range(0, KEYS).mapToObj(i -> i + "\n").collect(joining()));
    return Json.object(
        bloom("build", keys, "--kind", kind, "-p", "1%", "-f", "-o", filter(), "--json").out());
  }

  private Path filter() {
    return directory.resolve("f.bloom");
  }

  /** Both figures hardly depend on the number of keys, so 300,000 stand in for a million. */
  @Test
  void theDocumentedBitsPerKeyOfACompressedFilterAreTrue() throws IOException {
    Map<?, ?> json = built("compressed-bloom");
    double memory = (double) json.get("bitsPerKey");
    double stored = (double) json.get("storedBitsPerKey");
    double[] page =
        documented("docs/choosing.md", "8\\.2, ([0-9.]+) stored \\(([0-9.]+) in memory\\)");
    assertThat(stored).isCloseTo(page[0], within(0.05));
    assertThat(memory).isCloseTo(page[1], within(0.05));
    double[] row = documented("docs/variants.md", "\\| ([0-9.]+) bits/key sent at ([0-9.]+) % \\|");
    assertThat(stored).isCloseTo(row[0], within(0.01));
  }

  private static double[] documented(String page, String pattern) throws IOException {
    Matcher matcher = Pattern.compile(pattern).matcher(Files.readString(ROOT.resolve(page)));
    assertThat(matcher.find()).as(page).isTrue();
    return new double[] {
      Double.parseDouble(matcher.group(1)), Double.parseDouble(matcher.group(2))
    };
  }

  @Test
  void buildAndInfoReportBothSizes() throws IOException {
    Map<?, ?> json = built("compressed-bloom");
    String built =
        bloom(
                "build",
                directory.resolve("keys"),
                "--kind",
                "compressed-bloom",
                "-f",
                "-o",
                filter())
            .out();
    assertThat(built)
        .contains(
            String.format(
                Locale.ROOT,
                "  bits per key   %.2f in memory, %.2f stored in the file\n",
                ((Number) json.get("bitsPerKey")).doubleValue(),
                ((Number) json.get("storedBitsPerKey")).doubleValue()));
    assertThat(bloom("info", filter()).out())
        .containsPattern(
            "  memory +71[0-9],[0-9]{3} bytes \\(.*\\) while it is queried: the file is coded\n");
  }

  /** A file that stores the words as they are in memory has only one size. */
  @Test
  void otherKindsHaveOneSize() throws IOException {
    Map<?, ?> json = built("bloom");
    assertThat((double) json.get("storedBitsPerKey"))
        .isCloseTo(((Number) json.get("bitsPerKey")).doubleValue(), within(0.01));
    assertThat(bloom("info", filter()).out()).doesNotContain("memory");
  }
}
