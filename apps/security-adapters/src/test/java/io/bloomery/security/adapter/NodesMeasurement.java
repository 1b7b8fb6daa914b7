package io.bloomery.security.adapter;

import io.bloomery.security.replay.ReplayGuard;
import io.bloomery.security.replay.ReplayGuard.Decision;
import io.bloomery.security.replay.ReplayOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * Two nodes that exchange the ids that they accepted, while the clock of one is behind that of the
 * other; {@code bench/security nodes} runs it, and it is not a test.
 */
final class NodesMeasurement {

  private static final int IDS = 1_000_000;
  private static final Duration WINDOW = Duration.ofMinutes(5);
  private static final int[] BEHIND = {0, 2_000, 200_000}; // milliseconds

  private NodesMeasurement() {}

  public static void main(String[] arguments) throws IOException {
    byte[] key = "sixteen bytes ok".getBytes(StandardCharsets.US_ASCII);
    ReplayOptions options = ReplayOptions.of(WINDOW, 2 * IDS).withKey(key);
    // An interval of this length begins here, so that the one behind has not entered it.
    long now = Math.floorDiv(1_800_000_000_000L, WINDOW.toMillis()) * WINDOW.toMillis();
    for (int behind : BEHIND) {
      Instant there = Instant.ofEpochMilli(now);
      Instant here = there.minusMillis(behind);
      ReplayGuard other = ReplayGuard.open(options.withClock(() -> there));
      ReplayGuard own = ReplayGuard.open(options.withClock(() -> here));
      for (int i = 0; i < IDS; i++) {
        other.accept("id " + i);
      }
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      double start = Measured.cpuSeconds();
      other.export(out);
      double exported = Measured.cpuSeconds();
      own.merge(new ByteArrayInputStream(out.toByteArray()));
      double merged = Measured.cpuSeconds();
      long again = 0;
      for (int i = 0; i < IDS; i++) {
        again += own.accept("id " + i) == Decision.ACCEPTED ? 1 : 0;
      }
      long rejected = 0;
      for (int i = 0; i < IDS; i++) {
        rejected += own.accept("new " + i) == Decision.ACCEPTED ? 0 : 1;
      }
      System.out.printf(
          Locale.ROOT,
          "%,d ms behind: %,d of %,d ids accepted again, %,d of %,d new ones rejected; %,d bytes"
              + " exported in %.2f s of CPU time, merged in %.2f s%n",
          behind,
          again,
          IDS,
          rejected,
          IDS,
          out.size(),
          exported - start,
          merged - exported);
    }
  }
}
