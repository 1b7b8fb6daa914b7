package io.bloomery.net.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.net.capture.Capture;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.capture.CaptureOptions;
import io.bloomery.net.index.IndexOptions;
import io.bloomery.net.index.TrafficIndex;
import io.bloomery.net.index.TrafficIndex.Mark;
import io.bloomery.net.trace.Traceback.Graph;
import io.bloomery.net.trace.Traceback.Hop;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packets of real captures on three routers, one of which saw others. */
class TracedCaptureTest {

  private static final Path CAPTURES = Path.of("src/test/resources/captures");

  @TempDir private Path directory;

  private List<Mark> index(String name, String capture) throws IOException {
    List<Mark> marks = new ArrayList<>();
    try (Capture packets = Capture.open(CAPTURES.resolve(capture), CaptureOptions.DEFAULT);
        TrafficIndex.Writer writer =
            TrafficIndex.writer(
                directory.resolve(name),
                IndexOptions.of(1 << 30).withRandom(Seeds.random(name.hashCode())))) {
      for (Packet packet = packets.next(); packet != null; packet = packets.next()) {
        writer.add(packet);
        marks.add(new Mark(packet));
      }
    }
    return marks;
  }

  @Test
  void eachPacketIsTracedToItsEdge() throws IOException {
    List<Mark> marks = index("edge", "4KHttpRequests.pcap.gz");
    index("core", "4KHttpRequests.pcap.gz");
    index("other", "650HttpResponses.pcap.gz");
    Traceback network = Traceback.create(TraceOptions.DEFAULT);
    for (String router : List.of("edge", "core", "other")) {
      network.router(router, TrafficIndex.open(directory.resolve(router), e -> {}));
    }
    network.link("core", "edge");
    network.link("core", "other");
    int exact = 0;
    for (Mark mark : marks) {
      Graph graph = network.trace(mark, "core");
      assertThat(graph.hops()).contains(new Hop("edge", "core"));
      exact += graph.sources().equals(List.of("edge")) ? 1 : 0;
    }
    // Of 385 packets that did not pass the other router, 0.8 % are expected to seem so.
    assertThat(exact).isGreaterThan(385 - 3 - 5 * 2);
  }
}
