package io.bloomery.net;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.net.capture.Capture;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.capture.CaptureOptions;
import io.bloomery.net.classify.ClassifyOptions;
import io.bloomery.net.classify.PacketClassifier;
import io.bloomery.net.classify.PacketClassifier.Rule;
import io.bloomery.net.dups.DuplicateFilters;
import io.bloomery.net.dups.DuplicateOptions;
import io.bloomery.net.flows.FlowOptions;
import io.bloomery.net.flows.HeavyFlows;
import io.bloomery.net.index.IndexOptions;
import io.bloomery.net.index.TrafficIndex;
import io.bloomery.net.match.PrefixOptions;
import io.bloomery.net.match.PrefixTable;
import io.bloomery.net.match.PrefixTable.Match;
import io.bloomery.net.reach.ReachOptions;
import io.bloomery.net.reach.Reachability;
import io.bloomery.net.reach.Reachability.Permission;
import io.bloomery.net.route.RouteOptions;
import io.bloomery.net.route.RouteVerifier;
import io.bloomery.net.scan.ScanOptions;
import io.bloomery.net.scan.TrafficScanner;
import io.bloomery.net.state.ConnectionStates;
import io.bloomery.net.state.StateOptions;
import io.bloomery.net.trace.TraceOptions;
import io.bloomery.net.trace.Traceback;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
  void indicators() throws IOException {
    Path file = Path.of("src/test/resources/captures/4KHttpRequests.pcap.gz");
    TrafficScanner.Builder builder = TrafficScanner.builder(ScanOptions.standard());
    builder.line("ynet.co.il").line("\"GET /news|2f|world\""); // of a file, say
    Set<String> found = new TreeSet<>();
    TrafficScanner scanner = builder.build(hit -> found.add(hit.indicator()));
    try (Capture capture = Capture.open(file, CaptureOptions.DEFAULT)) {
      for (Capture.Packet packet = capture.next(); packet != null; packet = capture.next()) {
        scanner.take(packet);
      }
    }
    scanner.finish(); // scans what waited for missing segments
    assertThat(scanner.counts().dropped()).isZero(); // nothing was left out for lack of memory
    assertThat(found).containsExactly("\"GET /news|2f|world\"", "ynet.co.il");
  }

  @Test
  void statesOfConnections() throws IOException {
    Path file = Path.of("src/test/resources/captures/650HttpResponses.pcap.gz");
    StateOptions room = StateOptions.forFlows(100_000);
    ConnectionStates states = ConnectionStates.create(room, Duration.ofMinutes(5));
    try (Capture capture = Capture.open(file, CaptureOptions.DEFAULT)) {
      for (Capture.Packet packet = capture.next(); packet != null; packet = capture.next()) {
        states.take(packet); // returns OPEN, CLOSED, RESET, …, or UNKNOWN
      }
    }
    assertThat(states.memory()).isLessThan(300_000);
    assertThat(states.entered()).isNotEmpty();
  }

  @Test
  void permissions() throws IOException {
    Reachability table = Reachability.create(ReachOptions.of(10_000, 0.001));
    InetAddress host = InetAddress.getByName("2001:db8::1");
    table.permit(new Permission(host, Optional.empty(), Packet.TCP, 80)); // from anywhere
    assertThat(table.unwantedRate()).isLessThan(0.001);
  }

  @Test
  void rules() {
    Rule web = new Rule(0, 0, 0x0A000000, 8, 0, 65535, 80, 80, Packet.TCP); // to 10.0.0.0/8
    Rule all = new Rule(0, 0, 0, 0, 0, 65535, 0, 65535, -1);
    PacketClassifier rules = PacketClassifier.of(List.of(web, all), ClassifyOptions.standard());
    assertThat(rules.classify(0x01020304, 0x0A000001, 5000, 80, Packet.TCP)).containsExactly(0, 1);
  }

  @Test
  void routes() {
    RouteVerifier verifier = RouteVerifier.create(RouteOptions.of(100_000, 0.01));
    byte[] packet = {1, 2, 3}; // what does not change on the way
    verifier.forwarded("AS64500", packet);
    RouteVerifier.Verdict verdict = verifier.verify(List.of("AS64500", "AS64501"), List.of(packet));
    assertThat(verdict.skipped()).isEqualTo(Map.of("AS64501", 1L));
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

  @Test
  void anIndexOfTraffic(@TempDir Path directory) throws IOException {
    Path file = Path.of("src/test/resources/captures/4KHttpRequests.pcap.gz");
    IndexOptions options = IndexOptions.of(1L << 30); // all pages together have at most 1 GiB
    try (Capture capture = Capture.open(file, CaptureOptions.DEFAULT);
        TrafficIndex.Writer writer = TrafficIndex.writer(directory, options)) {
      for (Capture.Packet packet = capture.next(); packet != null; packet = capture.next()) {
        writer.add(packet);
      }
    }
    TrafficIndex index = TrafficIndex.open(directory, damaged -> {}); // is told of damaged pages
    byte[] excerpt = "GET /TipIsraeli/pics/YnetBannerAdmin/assets/Top_Banner".getBytes(UTF_8);
    TrafficIndex.Found found = index.find(List.of(excerpt), TrafficIndex.Period.ALL).get(0);
    assertThat(found.flows().stream().map(TrafficIndex.Attribution::flow))
        .contains("10.0.0.1:60399 > 212.199.202.27:80 tcp"); // and found.expectedFalse() others
  }

  @Test
  void aTrace(@TempDir Path directory) throws IOException {
    Path file = Path.of("src/test/resources/captures/4KHttpRequests.pcap.gz");
    List<TrafficIndex.Mark> packets = new ArrayList<>();
    try (Capture capture = Capture.open(file, CaptureOptions.DEFAULT);
        TrafficIndex.Writer writer = TrafficIndex.writer(directory, IndexOptions.of(1L << 30))) {
      for (Capture.Packet packet = capture.next(); packet != null; packet = capture.next()) {
        writer.add(packet);
        packets.add(new TrafficIndex.Mark(packet));
      }
    }
    TrafficIndex index = TrafficIndex.open(directory, damaged -> {});
    Traceback network = Traceback.create(TraceOptions.DEFAULT); // pages of a minute around a packet
    network.router("core", index);
    network.link("gateway", "core");
    network.link("core", "edge"); // these two have no index, and are passed through
    Traceback.Graph graph = network.trace(packets.get(0), "gateway");
    assertThat(graph.sources()).containsExactly("edge");
    assertThat(graph.unknown()).containsExactly("edge", "gateway");
  }

  @Test
  void repetitions() {
    DuplicateFilters filters = DuplicateFilters.create(DuplicateOptions.of(100_000, 0.01), true);
    for (String click : List.of("alice ad-7", "bob ad-7", "alice ad-7")) {
      filters.add(click.getBytes(UTF_8), 0, click.length());
    }
    assertThat(filters.results()).allMatch(result -> result.found() == 1 && result.wrong() == 0);
  }
}
