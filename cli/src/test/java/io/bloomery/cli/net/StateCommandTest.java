package io.bloomery.cli.net;

import static io.bloomery.cli.Bloom.bloom;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Json;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StateCommandTest {

  private static final Path TRAFFIC = Path.of("../examples/traffic.pcap.gz");

  @Test
  void jsonSaysWhatWasCounted() {
    Bloom.Run run = bloom("net", "state", "--json", "--exact", "--flows", "2k", TRAFFIC);
    Map<?, ?> line = Json.lines(run.out()).get(0);
    assertThat(line.get("segments")).isEqualTo(385.0);
    assertThat(line.get("entered")).isEqualTo(Map.of("UNSEEN_START", 121.0));
    assertThat(line.get("packetsByState")).isEqualTo(Map.of("UNSEEN_START", 385.0));
    assertThat(line.get("fingerprint")).isEqualTo(Map.of("wrong", 0.0, "unknown", 0.0));
    assertThat(line.get("memoryBytes")).isEqualTo(5976.0);
    assertThat(run.err()).isEmpty();
  }

  @Test
  void structuresCanBeChosen() {
    for (String structure : new String[] {"fingerprint", "stateful", "direct"}) {
      Bloom.Run run = bloom("net", "state", "-q", "--structure", structure, TRAFFIC);
      assertThat(run.out()).isEqualTo("unseen-start\t121\t385\n");
    }
  }

  @Test
  void whatCannotBeIsRefused() {
    assertThat(bloom("net", "state", "--structure", "tree", TRAFFIC).err())
        .contains("'tree' is not one of: fingerprint, stateful, direct");
    assertThat(bloom("net", "state", "--flows", "3", TRAFFIC).err())
        .isEqualTo("bloom: --flows = 3 is not between 64 and 268435456\n");
    assertThat(bloom("net", "state", "--bits", "3", TRAFFIC).err())
        .isEqualTo("bloom: --bits = 3 is not between 16 and 40\n");
  }
}
