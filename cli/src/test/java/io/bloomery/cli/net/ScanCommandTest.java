package io.bloomery.cli.net;

import static io.bloomery.cli.Bloom.bloom;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScanCommandTest {

  private static final Path TRAFFIC = Path.of("../examples/traffic.pcap.gz");

  @TempDir private Path directory;

  private Path list(String... lines) throws IOException {
    return Files.write(directory.resolve("list"), List.of(lines));
  }

  @Test
  void jsonSaysWhatWasFound() throws IOException {
    Path list = list("# names", "bbc.com", "absent.example", "\"GET /news|2f|w\"", "10.0.0.1/32");
    Bloom.Run run = bloom("net", "scan", "--list", list, "--json", TRAFFIC);
    List<Map<?, ?>> lines = Json.lines(run.out());
    Map<?, ?> end = lines.get(lines.size() - 1);
    assertThat(end.get("packets")).isEqualTo(385.0);
    assertThat(end.get("indicatorsFound"))
        .isEqualTo(Map.of("DOMAIN", 1.0, "STRING", 1.0, "ADDRESS", 1.0));
    assertThat(end.get("printed")).isEqualTo(lines.size() - 1.0);
    assertThat(lines.stream().map(line -> line.get("indicator") + " " + line.get("flow")))
        .doesNotHaveDuplicates();
    assertThat(run.err()).isEmpty();
  }

  @Test
  void severalListsAndAnOutput() throws IOException {
    Path strings = Files.writeString(directory.resolve("strings"), "\"GET /news\"\n");
    Path out = directory.resolve("out");
    Object[] line = {
      "net", "scan", "--list", list("bbc.com"), "--list", strings, "-o", out, TRAFFIC
    };
    Bloom.Run run = bloom(line);
    assertThat(run.err()).startsWith("scanning takes up to ").contains("1 domain, 1 string\n");
    assertThat(Files.readString(out)).contains("\tdomain\tbbc.com\t", "\tstring\t\"GET /news\"\t");
    assertThat(run.out()).isEmpty();
    assertThat(bloom(line).err()).isEqualTo("bloom: " + out + ": exists; --force overwrites it\n");
  }

  @Test
  void whatCannotBeIsRefused() throws IOException {
    Path list = list("bbc.com", "not an indicator");
    assertThat(bloom("net", "scan", "--list", list, TRAFFIC).err())
        .startsWith("bloom: " + list + ", line 2: ")
        .contains("'not an indicator' is no domain, URL, address, digest or \"string\" in quotes");
    assertThat(bloom("net", "scan", "--list", list, "--on-error", "skip", "-q", TRAFFIC).code())
        .isZero();
    assertThat(bloom("net", "scan", "--list", "-").err())
        .isEqualTo(
            "bloom: standard input cannot be both list and capture; name a file of either\n");
    assertThat(bloom("net", "scan", "--list", list, "--memory", "5K", TRAFFIC).err())
        .isEqualTo("bloom: --memory = 5000 is below 1048576\n");
    assertThat(bloom("net", "scan", "--list", list, "--memory", "1T", TRAFFIC).err())
        .startsWith("bloom: --memory is 1,000,000,000,000 bytes (1.0 TB); at most ");
    assertThat(bloom("net", "scan", "--list", list, list).code()).isEqualTo(2);
  }
}
