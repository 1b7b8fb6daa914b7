package io.bloomery.net.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.net.capture.Capture;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.capture.CaptureOptions;
import io.bloomery.net.scan.TrafficScanner.Hit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** URLs, names and digests that tshark finds in captures. */
class CapturedIndicatorsTest {

  private static final Path CAPTURES = Path.of("src/test/resources/captures");

  private static Set<String> scan(String name, List<String> lines) throws IOException {
    List<Hit> hits = new ArrayList<>();
    TrafficScanner.Builder builder = TrafficScanner.builder(ScanOptions.standard());
    lines.forEach(builder::line);
    TrafficScanner scanner = builder.build(hits::add);
    try (Capture capture =
        Capture.open(CAPTURES.resolve(name + ".pcap.gz"), CaptureOptions.DEFAULT)) {
      for (Packet packet = capture.next(); packet != null; packet = capture.next()) {
        scanner.take(packet);
      }
    }
    scanner.finish();
    Set<String> found = new HashSet<>();
    hits.forEach(hit -> found.add(hit.indicator()));
    return found;
  }

  /** All of them are found, and none of those that a character more or less makes. */
  @ParameterizedTest
  @CsvSource({
    "4KHttpRequests, 129",
    "example2-dns, 204",
    "tls2-hello, 164",
    "650HttpResponses, 124"
  })
  void allAreFoundAndNoOthers(String name, int count) throws IOException {
    List<String> present = new ArrayList<>();
    List<String> absent = new ArrayList<>();
    for (String line : Files.readAllLines(CAPTURES.resolve("indicators.tsv"))) {
      if (line.startsWith(name + "\t")) {
        String indicator = line.substring(name.length() + 1);
        present.add(indicator);
        boolean isDigest = indicator.matches("[0-9a-f]{32}");
        absent.add(
            isDigest ? indicator.substring(1) + "0" : indicator.replaceFirst("^(http://)?", "$1q"));
      }
    }
    assertThat(present).hasSize(count);
    Set<String> expected = new HashSet<>();
    present.forEach(
        each -> expected.add(each.contains("/") ? each : each.toLowerCase(Locale.ROOT)));
    assertThat(expected).isEqualTo(scan(name, present));
    assertThat(scan(name, absent)).isEmpty();
    present.addAll(absent);
    assertThat(scan(name, present)).isEqualTo(expected);
  }
}
