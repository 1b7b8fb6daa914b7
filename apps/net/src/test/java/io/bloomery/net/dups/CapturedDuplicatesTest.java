package io.bloomery.net.dups;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.net.capture.Capture;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.capture.CaptureOptions;
import io.bloomery.net.dups.DuplicateFilters.Exact;
import io.bloomery.net.dups.DuplicateFilters.Result;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A real capture that was taken twice. */
class CapturedDuplicatesTest {

  private static final Path CAPTURE =
      Path.of("src/test/resources/captures/650HttpResponses.pcap.gz");

  private static void add(DuplicateFilters filters) throws IOException {
    try (Capture capture = Capture.open(CAPTURE, CaptureOptions.DEFAULT)) {
      for (Packet packet = capture.next(); packet != null; packet = capture.next()) {
        filters.add(packet);
      }
    }
  }

  @Test
  void theSecondTimeEachPacketIsARepetition() throws IOException {
    DuplicateFilters filters = DuplicateFilters.create(DuplicateOptions.of(1_000, .001), true);
    add(filters);
    Exact once = filters.exact();
    add(filters);
    Exact twice = filters.exact();
    assertThat(twice.distinct()).isEqualTo(once.distinct());
    assertThat(twice.repeated() - once.repeated()).isEqualTo(682);
    for (Result result : filters.results()) {
      if (result.kind().isComplete()) {
        assertThat(result.found()).isEqualTo(twice.repeated());
      }
    }
  }
}
