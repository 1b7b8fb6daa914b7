package io.bloomery.net.classify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.hash.Hasher;
import io.bloomery.net.capture.Capture;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.capture.CaptureOptions;
import io.bloomery.net.classify.PacketClassifier.Rule;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Against a comparison with every rule. */
class PacketClassifierTest {

  private static final int RULES = 1000;
  private static final int PACKETS = 200_000;
  private static final int[] PORTS = {22, 25, 53, 80, 110, 143, 443, 993, 3306, 8080};

  /** Rules like those of access lists: networks within networks, services, some ranges. */
  private static List<Rule> rules(SplittableRandom random) {
    int[] networks = new int[60];
    for (int i = 0; i < networks.length; i++) {
      networks[i] = random.nextInt();
    }
    List<Rule> rules = new ArrayList<>();
    while (rules.size() < RULES) {
      int source = networks[random.nextInt(networks.length)] ^ random.nextInt(1 << 12);
      int destination = networks[random.nextInt(networks.length)] ^ random.nextInt(1 << 12);
      int port = PORTS[random.nextInt(PORTS.length)];
      boolean isAnyPort = random.nextInt(5) == 0;
      rules.add(
          switch (random.nextInt(10)) {
            case 0 -> new Rule(source, 24, 0, 0, 0, 65535, 0, 65535, -1);
            case 1 -> new Rule(0, 0, destination, 24, 0, 65535, 0, 65535, -1);
            case 2 -> new Rule(0, 0, destination, 32, 0, 65535, 1024, 65535, 17);
            default ->
                new Rule(
                    source,
                    random.nextInt(3) == 0 ? 24 : 32,
                    destination,
                    32,
                    0,
                    65535,
                    isAnyPort ? 0 : port,
                    isAnyPort ? 65535 : port,
                    random.nextInt(4) == 0 ? 17 : 6);
          });
    }
    return rules;
  }

  private static boolean matches(Rule rule, long[] values) {
    for (int i = 0; i < values.length; i++) {
      if (values[i] < rule.from(i) || values[i] > rule.to(i)) {
        return false;
      }
    }
    return true;
  }

  private static List<Integer> exact(List<Rule> rules, long[] values) {
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < rules.size(); i++) {
      if (matches(rules.get(i), values)) {
        found.add(i);
      }
    }
    return found;
  }

  private static long[] header(SplittableRandom random, List<Rule> rules) {
    Rule first = rules.get(random.nextInt(RULES));
    Rule second = random.nextInt(3) == 0 ? rules.get(random.nextInt(RULES)) : first;
    long[] values = new long[Field.FIELDS];
    for (int i = 0; i < values.length; i++) {
      Rule rule = random.nextBoolean() ? first : second;
      values[i] = random.nextLong(rule.from(i), rule.to(i) + 1);
    }
    return values;
  }

  /**
   * Exact answers, and accesses as predicted: 4 + p + e, where combinations of classes are in vain
   * by the rates of filters.
   */
  @Test
  void answersAreExactAndAccessesAsPredicted() {
    SplittableRandom random = Seeds.random(81);
    List<Rule> rules = rules(random);
    PacketClassifier classifier = PacketClassifier.of(rules, ClassifyOptions.standard());
    assertThat(classifier.facts().subsets()).isEqualTo(4);
    assertThat(classifier.facts().expansion()).isBetween(1.0, 2.5);
    long matched = 0;
    Map<List<Object>, Boolean> unmatched = new HashMap<>(); // combinations, and who reads in vain
    for (int i = 0; i < PACKETS; i++) {
      long[] values = header(random, rules);
      List<Integer> found =
          classifier.classify(
              (int) values[0], (int) values[1], (int) values[2], (int) values[3], (int) values[4]);
      if (i % 20 == 0 && !found.equals(exact(rules, values))) {
        throw new AssertionError("other rules");
      }
      matched += found.size();
      for (Subset subset : classifier.subsets()) {
        boolean mayMatch = subset.mayMatch(values);
        if (subset.matches() == null) {
          unmatched.put(List.of(subset, subset.combination()), mayMatch);
        }
      }
    }
    double extra = classifier.accesses() - 4.0 * PACKETS - matched;
    assertThat(extra / PACKETS).isLessThan(.5);
    double expected = 0;
    double variance = 0;
    long inVain = 0;
    for (Map.Entry<List<Object>, Boolean> each : unmatched.entrySet()) {
      double rate = ((Subset) each.getKey().get(0)).falsePositiveRate();
      expected += rate;
      variance += rate * (1 - rate);
      inVain += each.getValue() ? 1 : 0;
    }
    assertThat(unmatched).hasSizeGreaterThan(10_000);
    double deviation = Math.sqrt(variance);
    assertThat((double) inVain).isBetween(expected - 5 * deviation, expected + 5 * deviation);
  }

  @Test
  void packetsOfACapture() throws IOException {
    List<Rule> rules = new ArrayList<>();
    rules.add(new Rule(0x0A000000, 8, 0, 0, 0, 65535, 80, 80, Packet.TCP));
    rules.add(new Rule(0, 0, 0x0A000001, 32, 80, 80, 1024, 65535, Packet.TCP));
    rules.add(new Rule(0, 0, 0, 0, 0, 65535, 0, 65535, Packet.UDP));
    rules.add(new Rule(0x0A000000, 8, 0xD4000000, 8, 0, 65535, 0, 65535, -1));
    PacketClassifier classifier = PacketClassifier.of(rules, ClassifyOptions.standard());
    for (String name : List.of("4KHttpRequests", "650HttpResponses", "example2-dns")) {
      Path file = Path.of("src/test/resources/captures", name + ".pcap.gz");
      try (Capture capture = Capture.open(file, CaptureOptions.DEFAULT)) {
        for (Packet packet = capture.next(); packet != null; packet = capture.next()) {
          long[] values = {
            packet.sourceLow() & 0xFFFF_FFFFL,
            packet.destinationLow() & 0xFFFF_FFFFL,
            packet.sourcePort(),
            packet.destinationPort(),
            packet.protocol()
          };
          assertThat(classifier.classify(packet)).isEqualTo(exact(rules, values));
        }
      }
    }
  }

  @Test
  void argumentsAreChecked() {
    ClassifyOptions options = ClassifyOptions.standard();
    assertThatThrownBy(() -> PacketClassifier.of(List.of(), options))
        .hasMessage("there are no rules");
    assertThatThrownBy(() -> new Rule(0, 33, 0, 0, 0, 1, 0, 1, 6)).hasMessageContaining("32 bits");
    assertThatThrownBy(() -> new Rule(0, 3, 0, 0, 2, 1, 0, 1, 6)).hasMessageContaining("ranges");
    assertThatThrownBy(() -> new Rule(0, 3, 0, 0, 0, 1, 0, 1, 256)).hasMessageContaining("256");
    assertThatThrownBy(() -> new ClassifyOptions(0, 2, .1, options.hasher()))
        .hasMessageContaining("subsets = 0");
    assertThatThrownBy(() -> new ClassifyOptions(1, 2, .1, Hasher.xxh3()))
        .hasMessageContaining("no key");
  }
}
