package io.bloomery.cli.build;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.cli.Runs;
import io.bloomery.testkit.Inputs;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code bloom build} with options that state a need. */
class BuildNeedsTest {

  @TempDir private Path directory;

  private Bloom.Run build(String options) {
    Path out = directory.resolve("x.bloom");
    String line = "build -o " + out + " " + options;
    return bloomWith(Inputs.numbers(500), (Object[]) line.strip().split(" ", -1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--hostile", "--private"})
  void hostileInputAndPrivateSetsNeedASecret(String option) throws IOException {
    Bloom.Run without = build(option);
    assertThat(without.code()).isEqualTo(2);
    assertThat(without.err())
        .startsWith("bloom: " + option + " needs a secret ")
        .contains("openssl rand -hex 16 >secret")
        .contains("--secret-file secret")
        .hasLineCount(1);
    Path secret = Runs.secret(directory.resolve("secret"), "00112233445566778899aabbccddeeff");
    Bloom.Run with = build(option + " --secret-file " + secret);
    assertThat(with.err()).isEmpty();
    assertThat(with.code()).isZero();
    assertThat(bloom("check", directory.resolve("x.bloom"), "--key", "1").code()).isEqualTo(2);
    assertThat(
            bloom("check", directory.resolve("x.bloom"), "--key", "1", "--secret-file", secret)
                .code())
        .isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "--closed-universe, --closed-universe needs all keys that exist",
    "--counts --many-sets, No kind of filter here supports counts and many sets together",
    "--kind fuse -p 1e-16, --rate 1.0E-16 is too low for 500 keys",
    "-p 1e-16, --rate 1.0E-16 is too low for 500 keys: 64-bit hashes allow 3.5e-15 or more",
    "--values, the planner's choice",
    "--kind nosuch, kind nosuch is not one of",
    "--kind bloom --prefer size, --prefer is for the planner's choice",
  })
  void messagesNameOnlyTheUsersNumbers(String options, String message) {
    Bloom.Run run = build(options);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains(message).doesNotContain("1000", "1,000").hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource({
    "--frozen, fuse",
    "--frozen --prefer size, ribbon",
    "--prefer size, bloom",
    "--unknown-growth, scalable",
    "--deletes, cuckoo",
    "--counts, count-min",
  })
  void buildChoosesTheFirstPlan(String options, String kind) {
    Bloom.Run run =
        bloomWith(
            Inputs.numbers(20_000),
            (Object[])
                ("build -f -o " + directory.resolve("x.bloom") + " " + options).split(" ", -1));
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).containsPattern("kind +" + kind);
  }
}
