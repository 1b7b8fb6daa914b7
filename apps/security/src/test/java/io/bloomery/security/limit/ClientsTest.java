package io.bloomery.security.limit;

import static io.bloomery.security.limit.UniqueRateLimiter.Decision.COUNTED;
import static io.bloomery.security.limit.UniqueRateLimiter.Decision.LIMITED;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.security.limit.UniqueRateLimiter.Decision;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/**
 * The 5,306 flows of eight captures that others made, one of them of a port scan: sources may have
 * 20 different destinations. Decisions are those of exact sets.
 */
final class ClientsTest {

  private static final int LIMIT = 20;

  @Test
  void sourcesWithManyDestinationsAreLimited() throws IOException {
    List<String> flows;
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(ClientsTest.class.getResourceAsStream("/traces/flows.txt.gz")),
                US_ASCII))) {
      flows = lines.lines().toList();
    }
    assertThat(flows).hasSize(5_306);
    UniqueRateLimiter limiter =
        UniqueRateLimiter.create(
            LimitOptions.of(LIMIT, Duration.ofDays(3_650), 5_306).withRates(1e-9, 1e-9));
    Map<String, Set<String>> exact = new HashMap<>();
    Set<String> limited = new HashSet<>();
    int refused = 0;
    for (String flow : flows) {
      String[] fields = flow.split("\\|", -1);
      String destination = fields[2] + "|" + fields[3];
      Set<String> destinations = exact.computeIfAbsent(fields[0], any -> new HashSet<>());
      Decision decision = limiter.tryAcquire(fields[0], destination);
      if (!destinations.contains(destination)) {
        boolean isFull = destinations.size() >= LIMIT;
        assertThat(decision).isEqualTo(isFull ? LIMITED : COUNTED);
        if (isFull) {
          limited.add(fields[0]);
          refused++;
        } else {
          destinations.add(destination);
        }
      }
    }
    assertThat(refused).isPositive();
    assertThat(limited).hasSizeBetween(1, exact.size() / 10);
  }
}
