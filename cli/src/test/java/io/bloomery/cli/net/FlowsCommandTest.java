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

class FlowsCommandTest {

  private static final Path TRAFFIC = Path.of("../examples/traffic.pcap.gz");
  private static final String LARGEST = "10.0.0.1:60726 > 212.199.202.53:80 tcp";

  @TempDir private Path directory;

  @Test
  void jsonSaysWhatIsKnown() {
    Bloom.Run run = bloom("net", "flows", "--bytes", "--top", "2", "--json", TRAFFIC);
    List<Map<?, ?>> lines = Json.lines(run.out());
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0).get("flow")).isEqualTo(LARGEST);
    assertThat(lines.get(0).get("exact")).isEqualTo(72_877.0);
    assertThat(lines.get(2).get("packets")).isEqualTo(385.0);
    assertThat(lines.get(2).get("uncertainIntervals")).isEqualTo(0.0);
    assertThat(run.err()).isEmpty();
  }

  /** Twice the same captures are twice the amounts, and the second pass is exact. */
  @Test
  void severalCapturesAreOne() {
    Bloom.Run run =
        bloom("net", "flows", "--bytes", "--top", "1", "-q", "--exact", TRAFFIC, TRAFFIC);
    assertThat(run.out()).isEqualTo("145754\t145754\t" + LARGEST + "\n");
  }

  @Test
  void intervalsArePrintedAndDrawn() throws IOException {
    Path picture = directory.resolve("flows.svg");
    Object[] line = {
      "net", "flows", "--every", "30s", "--top", "1", "-q", "--plot", picture, TRAFFIC
    };
    Bloom.Run run = bloom(line);
    assertThat(run.out().lines()).hasSize(20).allMatch(each -> each.startsWith("2014-10-19T19:"));
    assertThat(Files.readString(picture)).contains("means of 30s", "packets per second");
    run = bloom(line);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).isEqualTo("bloom: " + picture + ": exists; --force overwrites it\n");
  }

  @Test
  void whatCannotBeIsRefused() throws IOException {
    Path text = Files.writeString(directory.resolve("text"), "no packets");
    assertThat(bloom("net", "flows", "-q", text).err())
        .isEqualTo(
            "bloom: " + text + ": is neither pcap nor pcapng: it begins with the bytes 6e6f2070\n");
    assertThat(bloom("net", "flows", "--exact").err())
        .isEqualTo("bloom: --exact reads captures twice, and standard input can be read once\n");
    assertThat(bloom("net", "flows", "--plot", directory.resolve("a.svg"), TRAFFIC).err())
        .isEqualTo(
            "bloom: --plot draws amounts over time: give the length of an interval by --every\n");
    assertThat(bloom("net", "flows", "--memory", "1T", TRAFFIC).err())
        .startsWith("bloom: --memory is 1,000,000,000,000 bytes (1.0 TB); at most ");
    assertThat(bloom("net", "flows", "--top", "1M", TRAFFIC).err())
        .isEqualTo("bloom: --top = 1000000 is not between 1 and 100000\n");
  }
}
