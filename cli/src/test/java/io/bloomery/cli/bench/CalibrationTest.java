package io.bloomery.cli.bench;

import static io.bloomery.cli.Bloom.bloom;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.bloomery.cli.Bloom;
import io.bloomery.plan.Planner;
import io.bloomery.testkit.Json;
import io.bloomery.tools.file.MachineFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code bloom plan} predicts times from what {@code bloom bench --save} has measured. */
class CalibrationTest {

  @TempDir private Path directory;

  private String former;

  @BeforeEach
  void useATemporaryDirectory() {
    assertThat(bloom("--version").code()).isZero(); // sets the property
    former = System.getProperty(MachineFile.DIRECTORY_PROPERTY);
    System.setProperty(MachineFile.DIRECTORY_PROPERTY, directory.resolve("config").toString());
  }

  @AfterEach
  void restore() {
    System.setProperty(MachineFile.DIRECTORY_PROPERTY, former);
  }

  private static Path file() {
    return MachineFile.path();
  }

  @Test
  void benchSavesTheSpeedOfThisMachineAndPlanUsesIt() throws IOException {
    assertThat(bloom("plan", "-n", "1M").out()).contains("built-in figures");
    Bloom.Run bench = bloom("bench", "--kinds", "blocked", "-n", "1000", "--rounds", "3", "--save");
    assertThat(bench.code()).isZero();
    assumeThat(bench.err()).as("a busy machine").doesNotContain("not plausible");
    assertThat(bench.err()).contains("speed of this machine: " + file());
    assertThat(Files.readAllLines(file()))
        .anyMatch(line -> line.startsWith("call="))
        .anyMatch(line -> line.startsWith("word="))
        .anyMatch(line -> line.startsWith("window="))
        .anyMatch(line -> line.startsWith("table.16384="));
    Bloom.Run plan = bloom("plan", "-n", "1M");
    assertThat(plan.err()).isEmpty();
    assertThat(plan.out()).contains("speed of this machine");
  }

  @Test
  void predictedTimesFollowTheFile() throws IOException {
    MachineFile.write(
        new Planner.Machine(
            10,
            5,
            1,
            45,
            List.of(
                new Planner.Machine.Table(1000, 100), new Planner.Machine.Table(1L << 33, 100))));
    Map<?, ?> json = Json.object(bloom("plan", "-n", "1M", "--mostly-present", "--json").out());
    for (Object each : (List<?>) json.get("plans")) {
      Map<?, ?> plan = (Map<?, ?>) each;
      if (plan.get("kind").equals("blocked-64")) {
        assertThat(plan.get("queryNanos")).isEqualTo(10 + 5 + 100.0);
      }
      if (plan.get("kind").equals("bloom")) {
        double work = 10 + 5 * (0.55 * 7 - 1.3);
        double present = work + 100 * (work / 15 + 6);
        double absent = (double) plan.get("absentNanos");
        assertThat((double) plan.get("presentNanos")).isCloseTo(present, within(1e-6));
        assertThat(absent).isBetween(300.0, 450.0);
        assertThat((double) plan.get("queryNanos"))
            .isCloseTo(0.9 * present + 0.1 * absent, within(1e-6));
      }
    }
  }

  /** Filters built on different machines can be merged. */
  @Test
  void theSpeedOfAMachineDoesNotChangeWhatIsBuilt() throws IOException {
    Path keys = Files.writeString(directory.resolve("keys"), "a\nb\nc\n");
    Path before = directory.resolve("before.bloom");
    Path after = directory.resolve("after.bloom");
    assertThat(bloom("build", keys, "-n", "1M", "-o", before).code()).isZero();
    MachineFile.write(
        new Planner.Machine(
            0.2, 40, 1, List.of(new Planner.Machine.Table(1000, 0.1)))); // reading words dominates
    assertThat(bloom("plan", "-n", "1M").out()).doesNotContain("1  blocked-512");
    assertThat(bloom("build", keys, "-n", "1M", "-o", after).code()).isZero();
    assertThat(after).hasSameBinaryContentAs(before);
  }

  @Test
  void nothingIsSavedByDefault() {
    assertThat(bloom("bench", "--kinds", "blocked", "-n", "99", "--rounds", "3").err()).isEmpty();
    assertThat(file()).doesNotExist();
  }

  @Test
  void aDirectoryThatCannotBeWrittenIsAWarning() throws IOException {
    Files.writeString(directory.resolve("config"), "a file");
    Bloom.Run run = bloom("bench", "--kinds", "blocked", "-n", "99", "--rounds", "3", "--save");
    assertThat(run.code()).isZero();
    assertThat(run.err()).startsWith("bloom: warning: ").endsWith("its speed was not saved\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          call=x                                              | For input string: "x"
          word=2                                              | it lacks call
          call=2,word=2,overlap=0.5,window=3,table.1=1        | windowNanos = 3.0 is less than
          call=2,word=2,overlap=0.5,window=900,table.1=1      | window = 900.000 ns is not plausible
          call=2,word=2,overlap=7,table.1=1                   | overlap = 7.0
          call=2,word=2,overlap=0.5                           | tables are empty
          call=2,word=2,overlap=0.5,table.10=5,table.20=4     | tables do not rise
          call=NaN,word=2,overlap=0.5,table.10=5              | callNanos = NaN
          call=999,word=2,overlap=0.5,table.10=5              | call = 999.000 ns is not plausible
          call=2,word=0.001,overlap=0.5,table.10=5            | word = 0.001 ns is not plausible
          call=2,word=2,overlap=0.5,table.10=5000             | table.10 = 5000.000 ns is not plausible
          """)
  void aDamagedFileIsAWarningAndTheBuiltInFiguresAreUsed(String lines, String cause)
      throws IOException {
    Files.createDirectories(file().getParent());
    Files.write(file(), List.of(lines.strip().split(",", -1)));
    Bloom.Run run = bloom("plan", "-n", "1M");
    assertThat(run.code()).isZero();
    assertThat(run.err())
        .startsWith("bloom: warning: " + file() + ": not the figures of a machine (" + cause)
        .contains("built-in")
        .hasLineCount(1);
    assertThat(run.out()).contains("built-in figures").contains("blocked-512");
  }

  /** Files of versions that did not measure the window are read, and predict as before. */
  @Test
  void filesOfEarlierVersionsAreRead() throws IOException {
    Files.createDirectories(file().getParent());
    Files.write(file(), List.of("call=1.9", "word=2.0", "overlap=0.278", "table.16384=3.0"));
    Planner.Machine machine = MachineFile.planner(warning -> fail(warning)).machine();
    assertThat(machine.windowNanos()).isZero();
    assertThat(machine.queryNanos(8, 2, 1)).isCloseTo(3.9 + 3 * 1.278, within(1e-9));
  }

  @Test
  void binaryContentIsAWarning() throws IOException {
    Files.createDirectories(file().getParent());
    Files.write(file(), new byte[] {(byte) 0xFF, (byte) 0xFE, 0});
    assertThat(bloom("plan", "-n", "1M").err()).startsWith("bloom: warning: ").hasLineCount(1);
    Files.write(file(), new byte[20_000]);
    assertThat(bloom("plan", "-n", "1M").err()).contains("too large").hasLineCount(1);
  }
}
