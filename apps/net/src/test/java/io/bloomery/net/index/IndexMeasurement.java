package io.bloomery.net.index;

import io.bloomery.net.index.TrafficIndex.Attribution;
import io.bloomery.net.index.TrafficIndex.Facts;
import io.bloomery.net.index.TrafficIndex.Found;
import io.bloomery.net.index.TrafficIndex.Period;
import io.bloomery.testkit.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Prints what an index of real captures finds of excerpts that another program cut from them: the
 * excerpts that are missed, and false flows per query by length, beside those expected.
 */
final class IndexMeasurement {

  private IndexMeasurement() {}

  /** Sums over the queries of a length. */
  private static final class Sums {
    private int present;
    private long falseOfPresent;
    private int absent;
    private long falseOfAbsent;
    private double expected;
  }

  /** Arguments: the queries, as attribution-queries.json, and the directory of their captures. */
  public static void main(String... args) throws IOException {
    Map<?, ?> queries = (Map<?, ?>) Json.parse(Files.readString(Path.of(args[0])));
    for (Map.Entry<?, ?> each : ((Map<?, ?>) queries.get("captures")).entrySet()) {
      Path capture = Path.of(args[1], each.getKey() + ".gz");
      Path directory = Files.createTempDirectory("net-index");
      TrafficIndex index =
          Traffic.index(directory, IndexOptions.of(1 << 30), Files.newInputStream(capture));
      measure(each.getKey().toString(), index, (Map<?, ?>) each.getValue());
      for (Path page : new PageDirectory(directory).files()) {
        Files.delete(page);
      }
      Files.delete(directory);
    }
  }

  private static void measure(String name, TrafficIndex index, Map<?, ?> queries)
      throws IOException {
    TreeMap<Integer, Sums> sums = new TreeMap<>();
    int missed = 0;
    for (Object each : (List<?>) queries.get("present")) {
      Map<?, ?> query = (Map<?, ?>) each;
      byte[] excerpt = HexFormat.of().parseHex((String) query.get("excerpt_hex"));
      Set<String> found = new HashSet<>();
      index.find(List.of(excerpt), Period.ALL).get(0).flows().stream()
          .map(Attribution::flow)
          .forEach(found::add);
      Sums sum = sums.computeIfAbsent(excerpt.length, length -> new Sums());
      sum.present++;
      if (query.get("flows") instanceof List<?> flows) {
        boolean all =
            flows.stream().allMatch(flow -> found.contains(AttributionTest.flow((String) flow)));
        missed += all ? 0 : 1;
        sum.falseOfPresent += found.size() - flows.size();
      } else {
        missed += found.size() >= ((Number) query.get("flows")).intValue() ? 0 : 1;
        sum.falseOfPresent += found.size() - ((Number) query.get("flows")).intValue();
      }
    }
    for (Object each : (List<?>) queries.get("absent")) {
      byte[] excerpt = HexFormat.of().parseHex((String) each);
      Found found = index.find(List.of(excerpt), Period.ALL).get(0);
      Sums sum = sums.computeIfAbsent(excerpt.length, length -> new Sums());
      sum.absent++;
      sum.falseOfAbsent += found.flows().size();
      sum.expected += found.expectedFalse();
    }
    Facts facts = index.facts();
    System.out.printf(
        "%s: 1/%.1f of the traffic; %d excerpts missed%n",
        name, (double) facts.traffic() / facts.bytes(), missed);
    sums.forEach(
        (length, sum) ->
            System.out.printf(
                "  %d bytes: false flows per absent excerpt %.2f, expected %.2f; per present %.2f%n",
                length,
                (double) sum.falseOfAbsent / Math.max(1, sum.absent),
                sum.expected / Math.max(1, sum.absent),
                (double) sum.falseOfPresent / Math.max(1, sum.present)));
  }
}
