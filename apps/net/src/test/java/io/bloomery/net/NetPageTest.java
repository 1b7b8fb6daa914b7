package io.bloomery.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.net.capture.Capture;
import io.bloomery.net.capture.CaptureOptions;
import io.bloomery.net.flows.FlowOptions;
import io.bloomery.net.flows.HeavyFlows;
import io.bloomery.net.match.PrefixOptions;
import io.bloomery.net.match.PrefixTable;
import io.bloomery.net.match.PrefixTable.Match;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The Java examples of docs/apps/net.md. */
final class NetPageTest {

  private static final Path SOURCE = Path.of("src/test/java/io/bloomery/net/NetPageTest.java");

  @Test
  void thePageShowsWhatIsCompiled() throws IOException {
    List<String> compiled = Files.readAllLines(SOURCE).stream().map(String::strip).toList();
    List<List<String>> examples =
        Pattern.compile("(?ms)^```java\n(.*?)^```$")
            .matcher(Files.readString(Path.of("../../docs/apps/net.md")))
            .results()
            .map(block -> block.group(1).lines().map(String::strip).toList())
            .toList();
    assertThat(examples).isNotEmpty();
    for (List<String> example : examples) {
      assertThat(compiled).containsSubsequence(example);
    }
  }

  @Test
  void aCapture() throws IOException {
    Path file = Path.of("src/test/resources/captures/650HttpResponses.pcap.gz");
    long bytes = 0;
    try (Capture capture = Capture.open(file, CaptureOptions.DEFAULT)) {
      for (Capture.Packet packet = capture.next(); packet != null; packet = capture.next()) {
        bytes += packet.length(); // also its addresses, ports, flags, payload and time
      }
      assertThat(capture.skipped()).isEmpty(); // what was not delivered, by reason
    }
    assertThat(bytes).isEqualTo(568_390);
  }

  @Test
  void largeFlows() throws IOException {
    Path file = Path.of("src/test/resources/captures/4KHttpRequests.pcap.gz");
    FlowOptions options = FlowOptions.of(FlowOptions.By.TUPLE, true, 20); // the 20 with most bytes
    HeavyFlows flows = HeavyFlows.create(options);
    try (Capture capture = Capture.open(file, CaptureOptions.DEFAULT)) {
      for (Capture.Packet packet = capture.next(); packet != null; packet = capture.next()) {
        flows.add(packet);
      }
    }
    HeavyFlows.Interval all = flows.end();
    assertThat(all.isCertain()).isTrue(); // no other flow is larger
    assertThat(all.flows().get(0).atMost()).isEqualTo(72_877);
  }

  @Test
  void aTableOfPrefixes() {
    PrefixTable.Builder builder = PrefixTable.builder(PrefixOptions.standard());
    builder.line("192.0.2.0/24\tAS64500").line("192.0.2.128/25\tAS64501"); // of a file, say
    PrefixTable table = builder.build();
    assertThat(table.value("192.0.2.200")).isEqualTo("AS64501"); // null if there is no prefix
    table.put("192.0.2.192/26", "AS64502"); // while any threads look up
    assertThat(table.match("192.0.2.200")).contains(new Match("192.0.2.192/26", "AS64502"));
  }
}
