package io.bloomery.net.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.net.index.TrafficIndex.Attribution;
import io.bloomery.net.index.TrafficIndex.Facts;
import io.bloomery.net.index.TrafficIndex.Found;
import io.bloomery.net.index.TrafficIndex.Period;
import io.bloomery.testkit.Json;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Excerpts of real captures, and the flows that another program found them in. */
class AttributionTest {

  private static final Path CAPTURES = Path.of("src/test/resources/captures");

  @TempDir private Path directory;

  static String flow(String line) {
    String[] parts = line.split("\\|", -1);
    String form = parts[0].indexOf(':') < 0 ? "%s:%s > %s:%s" : "[%s]:%s > [%s]:%s";
    return form.formatted((Object[]) parts) + (parts[4].equals("6") ? " tcp" : " udp");
  }

  /**
   * All flows are found, in a fiftieth of the traffic; excerpts that are absent in as many as is
   * said: each of the flows is an independent draw.
   */
  @ParameterizedTest
  @CsvSource({"650HttpResponses, 48", "four_ipv6_http_streams, 48"})
  void presentExcerptsAreFound(String name, int excerpts) throws IOException {
    TrafficIndex index =
        Traffic.index(
            directory,
            IndexOptions.of(1 << 30).withRandom(Seeds.random(1)),
            Files.newInputStream(CAPTURES.resolve(name + ".pcap.gz")));
    Facts facts = index.facts();
    assertThat(facts.bytes()).isLessThanOrEqualTo(facts.traffic() / 50);
    Map<?, ?> all = (Map<?, ?>) Json.resource("/captures/attribution-queries.json");
    Map<?, ?> queries = (Map<?, ?>) ((Map<?, ?>) all.get("captures")).get(name + ".pcap");
    List<?> present = (List<?>) queries.get("present");
    assertThat(present).hasSize(excerpts);
    for (Object each : present) {
      Map<?, ?> query = (Map<?, ?>) each;
      byte[] excerpt = HexFormat.of().parseHex((String) query.get("excerpt_hex"));
      Set<String> found =
          index.find(List.of(excerpt), Period.ALL).get(0).flows().stream()
              .map(Attribution::flow)
              .collect(Collectors.toSet());
      if (query.get("flows") instanceof List<?> flows) {
        flows.forEach(line -> assertThat(found).contains(flow((String) line)));
      } else { // so many that only their number is known
        assertThat((double) found.size()).isGreaterThanOrEqualTo((Double) query.get("flows"));
      }
    }
    List<byte[]> absent =
        ((List<?>) queries.get("absent"))
            .stream().map(each -> HexFormat.of().parseHex((String) each)).toList();
    double expected = 0;
    double variance = 0;
    long hits = 0;
    for (Found found : index.find(absent, Period.ALL)) {
      hits += found.flows().size();
      expected += found.expectedFalse();
      variance += found.expectedFalse(); // at least that of independent draws
    }
    assertThat((double) hits)
        .isBetween(expected - 5 * Math.sqrt(variance), expected + 5 * Math.sqrt(variance));
  }
}
