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

class DupsCommandTest {

  private static final Path TRAFFIC = Path.of("../examples/traffic.pcap.gz");

  @TempDir private Path directory;

  @Test
  void packetsThatComeTwiceAreCounted() {
    Bloom.Run run = bloom("net", "dups", "--window", "1k", "--exact", TRAFFIC, TRAFFIC);
    assertThat(run.err())
        .startsWith("the filters take ")
        .endsWith("770 packets; 385 repeat one of the 1,000 before, 0 an older one, 385 are new\n");
    assertThat(run.out().lines())
        .hasSize(5)
        .allMatch(line -> line.matches("[a-z -]+(\\t\\d+){6}\\t0[.]000"));
    List<Map<?, ?>> lines =
        Json.lines(bloom("net", "dups", "--exact", "--json", TRAFFIC, TRAFFIC).out());
    assertThat(lines).hasSize(6);
    assertThat(lines.get(1).get("missed")).isEqualTo(0.0);
    assertThat(lines.get(5).get("repeated")).isEqualTo(385.0);
  }

  @Test
  void linesAreCounted() throws IOException {
    Path clicks = Files.writeString(directory.resolve("clicks"), "a\r\nb\na\n\n\nc\nb");
    Bloom.Run run = bloom("net", "dups", "--lines", "--exact", "--window", "3", clicks);
    assertThat(run.err())
        .endsWith("7 lines; 2 repeat one of the 3 before, 1 an older one, 4 are new\n");
    Path longest = Files.writeString(directory.resolve("long"), "x".repeat(1 << 20));
    assertThat(bloom("net", "dups", "--lines", "-q", longest).err())
        .isEqualTo("bloom: a line has more than 1,048,576 bytes (1.0 MB)\n");
  }

  @Test
  void whatCannotBeIsRefused() {
    assertThat(bloom("net", "dups", "--window", "1", TRAFFIC).err())
        .isEqualTo("bloom: --window = 1 is not between 2 and 4294967296\n");
    assertThat(bloom("net", "dups", "--window", "500M", TRAFFIC).err())
        .startsWith(
            "bloom: a decaying Bloom filter for 500,000,000 keys and a rate of 0.0100 needs ");
  }
}
