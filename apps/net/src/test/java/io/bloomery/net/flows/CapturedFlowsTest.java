package io.bloomery.net.flows;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.net.capture.Capture;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.capture.CaptureOptions;
import io.bloomery.net.flows.FlowOptions.By;
import io.bloomery.net.flows.HeavyFlows.Flow;
import io.bloomery.net.flows.HeavyFlows.Interval;
import io.bloomery.testkit.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The 20 heaviest flows of captures, as another parser counted them. */
class CapturedFlowsTest {

  private static final int TOP = 20;

  @ParameterizedTest
  @ValueSource(strings = {"4KHttpRequests", "650HttpResponses", "example2-96", "tls2-96"})
  void theHeaviestFlowsAreFound(String name) throws IOException {
    Map<?, ?> captures =
        (Map<?, ?>) ((Map<?, ?>) Json.resource("/captures/facts.json")).get("captures");
    Map<?, ?> facts = (Map<?, ?>) captures.get(name.replace("-96", "") + ".pcap");
    for (boolean bytes : new boolean[] {true, false}) {
      HeavyFlows flows = HeavyFlows.create(FlowOptions.of(By.TUPLE, bytes, TOP));
      try (Capture capture =
          Capture.open(
              Path.of("src/test/resources/captures", name + ".pcap.gz"), CaptureOptions.DEFAULT)) {
        for (Packet packet = capture.next(); packet != null; packet = capture.next()) {
          assertThat(flows.add(packet)).isNull();
        }
      }
      Interval interval = flows.end();
      List<?> top = (List<?>) facts.get(bytes ? "top_by_bytes" : "top_by_packets");
      assertThat(interval.isCertain()).isTrue();
      assertThat(interval.flows().stream().map(flow -> (double) flow.atMost()).toList())
          .isEqualTo(top.stream().map(pair -> ((List<?>) pair).get(1)).toList());
      long last = interval.flows().get(TOP - 1).atMost();
      for (Object each : top) {
        String[] parts = ((String) ((List<?>) each).get(0)).split("\\|", -1);
        double amount = (double) ((List<?>) each).get(1);
        String form = parts[0].indexOf(':') < 0 ? "%s:%s > %s:%s" : "[%s]:%s > [%s]:%s";
        String text = form.formatted((Object[]) parts);
        if (amount > last) { // of equal flows at the end another one may be listed
          assertThat(interval.flows())
              .filteredOn(flow -> flow.text().startsWith(text))
              .extracting(Flow::atMost)
              .contains((long) amount);
        }
      }
    }
  }
}
