package io.bloomery.net.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.capture.Capture.Reason;
import io.bloomery.testkit.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Captures of PcapPlusPlus, as another parser counted them. */
class CapturesTest {

  private static final Path CAPTURES = Path.of("src/test/resources/captures");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "4KHttpRequests",
        "650HttpResponses",
        "example2-96",
        "four_ipv6_http_streams",
        "tls2-96"
      })
  void theCountsAreThoseOfAnotherParser(String name) throws IOException {
    Map<?, ?> facts = facts(name.replace("-96", ""));
    Map<String, Long> bytes = new HashMap<>();
    Map<String, Long> packets = new HashMap<>();
    Set<String> hosts = new HashSet<>();
    long count = 0;
    long payload = 0;
    try (Capture capture =
        Capture.open(CAPTURES.resolve(name + ".pcap.gz"), CaptureOptions.DEFAULT)) {
      for (Packet packet = capture.next(); packet != null; packet = capture.next()) {
        String flow =
            String.join(
                "|",
                packet.source(),
                Integer.toString(packet.sourcePort()),
                packet.destination(),
                Integer.toString(packet.destinationPort()),
                Integer.toString(packet.protocol()));
        bytes.merge(flow, (long) packet.length(), Long::sum);
        packets.merge(flow, 1L, Long::sum);
        hosts.add(packet.source());
        hosts.add(packet.destination());
        count++;
        payload += packet.payloadLength();
      }
      assertThat((double) capture.records()).isEqualTo(facts.get("packets"));
      long skipped = capture.records() - count;
      assertThat(capture.skipped())
          .isEqualTo(skipped == 0 ? Map.of() : Map.of(Reason.NOT_IP, skipped));
    }
    assertThat((double) count).isEqualTo(facts.get("ip_packets"));
    assertThat((double) hosts.size()).isEqualTo(facts.get("hosts"));
    assertThat((double) bytes.size()).isEqualTo(facts.get("flows"));
    assertThat((double) sum(bytes)).isEqualTo(facts.get("ip_bytes"));
    if (!name.endsWith("-96")) {
      assertThat((double) payload).isEqualTo(facts.get("payload_bytes"));
    }
    assertTop(facts.get("top_by_bytes"), bytes);
    assertTop(facts.get("top_by_packets"), packets);
  }

  private static Map<?, ?> facts(String name) {
    Map<?, ?> all = (Map<?, ?>) Json.resource("/captures/facts.json");
    return (Map<?, ?>) ((Map<?, ?>) all.get("captures")).get(name + ".pcap");
  }

  private static long sum(Map<String, Long> amounts) {
    return amounts.values().stream().mapToLong(Long::longValue).sum();
  }

  private static void assertTop(Object facts, Map<String, Long> amounts) {
    for (Object each : (List<?>) facts) {
      List<?> pair = (List<?>) each;
      assertThat(amounts.get(pair.get(0)).doubleValue())
          .as((String) pair.get(0))
          .isEqualTo(pair.get(1));
    }
  }
}
