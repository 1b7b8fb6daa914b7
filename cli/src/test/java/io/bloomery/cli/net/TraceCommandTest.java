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

class TraceCommandTest {

  private static final Path TRAFFIC = Path.of("../examples/traffic.pcap.gz");

  @TempDir private Path directory;

  @Test
  void packetsAreTraced() throws IOException {
    bloom("net", "index", directory.resolve("a.idx"), TRAFFIC, "-q");
    bloom("net", "index", directory.resolve("c d.idx"), TRAFFIC, "-q");
    Path network = directory.resolve("network");
    Files.writeString(network, "# links\na b\nb  c\n\na = a.idx\nc = c d.idx\n");
    Bloom.Run run = bloom("net", "trace", network, "--at", "a", "--packet", TRAFFIC);
    assertThat(run.out()).startsWith("1\tb\ta\n1\tc\tb\n1\tc\t-\n2\tb\ta\n");
    assertThat(run.err()).startsWith("385 packets; 385 passed a; 770 routers asked, of which ");
    assertThat(run.err()).endsWith("; without an index: b\n");
    run = bloom("net", "trace", network, "--at", "a", "--packet", TRAFFIC, "--json");
    List<Map<?, ?>> lines = Json.lines(run.out());
    assertThat(lines).hasSize(386);
    assertThat(lines.get(0).get("sources")).isEqualTo(List.of("c"));
    assertThat(lines.get(385).get("traced")).isEqualTo(385.0);
  }

  @Test
  void whatCannotBeIsRefused() throws IOException {
    Path network = Files.writeString(directory.resolve("network"), "a b\na b c\n");
    Object[] line = {"net", "trace", network, "--at", "a", "--packet", TRAFFIC};
    assertThat(bloom(line).err())
        .isEqualTo("bloom: " + network + ": line 2 is neither A B nor A = DIRECTORY\n");
    Files.writeString(network, "a b\n");
    line[4] = "x";
    assertThat(bloom(line).err()).isEqualTo("bloom: " + network + ": has no router x\n");
    Files.writeString(network, "a = none\n");
    assertThat(bloom(line).err())
        .isEqualTo("bloom: " + directory.resolve("none") + ": no such file\n");
  }
}
