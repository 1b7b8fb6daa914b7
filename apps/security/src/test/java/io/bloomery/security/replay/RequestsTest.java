package io.bloomery.security.replay;

import static io.bloomery.security.replay.ReplayGuard.Decision.ACCEPTED;
import static io.bloomery.security.replay.ReplayGuard.Decision.REPLAYED;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/**
 * Requests of a web shop, of which nobody here wrote one, as clicks that count once per window: one
 * request per second of the guard's clock, a window of 10,000 s. Of 76,118 requests the exact model
 * accepts 29,025.
 */
final class RequestsTest {

  private static final long WINDOW = 10_000_000;

  private static List<Integer> requests() throws IOException {
    List<Integer> all = new ArrayList<>();
    try (InputStream in =
            RequestsTest.class.getResourceAsStream("/traces/cache2k-web07.int32be.gz");
        DataInputStream data = new DataInputStream(new GZIPInputStream(in))) {
      while (true) {
        all.add(data.readInt());
      }
    } catch (EOFException e) {
      return all;
    }
  }

  @Test
  void requestsCountOncePerWindow() throws IOException {
    List<Integer> requests = requests();
    assertThat(requests).hasSize(76_118);
    SetClock clock = new SetClock(0);
    ReplayGuard guard =
        ReplayGuard.open(
            ReplayOptions.of(Duration.ofMillis(WINDOW), 10_000)
                .withFalseRejectRate(1e-9)
                .withClock(clock));
    Map<Integer, Long> epochOf = new HashMap<>();
    int expected = 0;
    for (int i = 0; i < requests.size(); i++) {
      long now = 1_000L * i;
      clock.set(now);
      long epoch = now / WINDOW;
      Long last = epochOf.get(requests.get(i));
      boolean isNew = last == null || last < epoch - 1;
      if (isNew) {
        epochOf.put(requests.get(i), epoch);
        expected++;
      }
      assertThat(guard.accept(Integer.toString(requests.get(i))))
          .isEqualTo(isNew ? ACCEPTED : REPLAYED);
    }
    assertThat(guard.counts().accepted()).isEqualTo(expected).isEqualTo(29_025);
  }
}
