package io.bloomery.cli.build;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.testkit.Inputs.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.ForeignFilter;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.GuavaFormat;
import io.bloomery.foreign.SparkFormat;
import io.bloomery.foreign.registry.ForeignFormats;
import io.bloomery.testkit.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForeignBuildTest {

  @TempDir private Path directory;

  @Test
  void everyFormatWithAMakerIsBuilt() throws IOException {
    for (ForeignFormat<?> format : ForeignFormats.all()) {
      if (format.maker().isPresent()) {
        Path out = directory.resolve(format.name());
        Bloom.Run run =
            bloomWith(
                numbers(500), "build", "--format", format.name(), "--type", "text", "-o", out);
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out())
            .containsPattern("format +" + format.name() + ", ")
            .containsPattern("distinct keys +500\n");
        ForeignFilter filter = format.open(out);
        numbers(500).lines().forEach(key -> assertThat(filter.mightContain(key)).isTrue());
      }
    }
  }

  @Test
  void filesAndStreamsGiveTheSameBytes() throws IOException {
    ForeignBloomFilter expected = GuavaFormat.create(1000, 0.02);
    numbers(1000).lines().forEach(expected::add);
    Path wanted = directory.resolve("wanted");
    expected.writeTo(wanted);
    Path twice = Files.writeString(directory.resolve("keys"), numbers(1000) + numbers(1000));
    Path out = directory.resolve("out");
    bloom("build", "--format", "guava", "-p", "0.02", "-o", out, twice);
    assertThat(out).hasSameBinaryContentAs(wanted);
    bloomWith(
        numbers(1000) + numbers(7), "build", "--format", "guava", "-p", "0.02", "-o", out, "-f");
    assertThat(out).hasSameBinaryContentAs(wanted);
    bloom("build", "--format", "guava", "-p", "0.02", "-o", out, "-f", "-n", "1000", twice);
    assertThat(out).hasSameBinaryContentAs(wanted);
    assertThat(bloom("check", out, twice, "--count", "--format", "guava").out())
        .contains("0 certainly absent");
    assertThat(bloom("check", "--format", "guava", out, twice, "-s").code()).isZero();
    assertThat(bloom("check", "--format", "spark", out, twice, "-s").err())
        .contains(out.toString());
  }

  @Test
  void moreKeysThanExpectedGiveAWarning() throws IOException {
    Path out = directory.resolve("out");
    Bloom.Run run =
        bloomWith(numbers(1000), "build", "--format", "spark", "-n", "100", "-o", out, "--json");
    assertThat(run.err()).contains("1,000 keys read, more than the 100 of -n").hasLineCount(1);
    Map<?, ?> json = Json.object(run.out());
    assertThat(json.get("format")).isEqualTo("spark");
    assertThat(json.get("keysRead")).isEqualTo(1000.0);
    assertThat(json.get("distinctKeys")).isNull();
    assertThat(json.get("sizedForKeys")).isEqualTo(100.0);
    assertThat(json.get("fileBytes")).isEqualTo((double) Files.size(out));
    assertThat(SparkFormat.FORMAT.open(out).hashesPerKey()).isEqualTo(7);
  }

  @Test
  void contradictoryOptionsAreErrors() {
    Path out = directory.resolve("out");
    assertThat(bloom("build", "--format", "guava", "--kind", "bloom", "-o", out).err())
        .contains("--format takes -n and --rate only")
        .hasLineCount(1);
    assertThat(bloom("build", "--format", "guava", "--seed", "7", "-o", out).code()).isEqualTo(2);
    assertThat(bloom("build", "--format", "mozilla-cascade", "-o", out).err())
        .startsWith("bloom: --format mozilla-cascade is not one of: guava, spark, ")
        .hasLineCount(1);
    assertThat(
            bloomWith("\n", "build", "--format", "hadoop-bloom", "--keep-empty", "-o", out).err())
        .contains("hadoop-bloom filters do not accept keys of 0 bytes")
        .hasLineCount(1);
    assertThat(out).doesNotExist();
  }
}
