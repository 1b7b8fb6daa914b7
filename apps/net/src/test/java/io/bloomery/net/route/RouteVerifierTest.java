package io.bloomery.net.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.hash.Hasher;
import io.bloomery.net.capture.Capture;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.capture.CaptureOptions;
import io.bloomery.net.route.RouteVerifier.Verdict;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RouteVerifierTest {

  private static final int PACKETS = 5000;
  private static final double RATE = .02;

  private static byte[] packet(SplittableRandom random) {
    byte[] bytes = new byte[28];
    random.nextBytes(bytes);
    return bytes;
  }

  private static List<byte[]> packets(SplittableRandom random, int count) {
    List<byte[]> packets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      packets.add(packet(random));
    }
    return packets;
  }

  /** Traffic that fills the filters of systems, and none of the samples. */
  private static RouteVerifier filled(SplittableRandom random, List<String> systems) {
    RouteVerifier verifier = RouteVerifier.create(RouteOptions.of(PACKETS, RATE));
    for (String system : systems) {
      packets(random, PACKETS).forEach(packet -> verifier.forwarded(system, packet));
    }
    return verifier;
  }

  @Test
  void routesThatAreAsAdvertisedAreConsistent() {
    SplittableRandom random = Seeds.random(71);
    List<String> systems = List.of("AS1", "AS2", "AS3", "AS4", "AS5");
    int accused = 0;
    for (int round = 0; round < 40; round++) {
      RouteVerifier verifier = filled(random, systems);
      List<byte[]> sample = packets(random, 100);
      List<String> route = systems.subList(0, 3);
      route.forEach(each -> sample.forEach(packet -> verifier.forwarded(each, packet)));
      Verdict verdict = verifier.verify(route, sample);
      assertThat(verdict.skipped()).isEmpty();
      accused += verdict.isConsistent() ? 0 : 1;
    }
    assertThat(accused).as("of 80 filters, five deviations above 2 %").isLessThan(3);
  }

  @Test
  void whoIsSkippedAndWhoIsNotOnTheRouteIsNamed() {
    SplittableRandom random = Seeds.random(72);
    RouteVerifier verifier = filled(random, List.of("AS1", "AS2", "AS3", "AS4"));
    List<byte[]> sample = packets(random, 200);
    for (String each : List.of("AS1", "AS4", "AS3")) {
      sample.forEach(packet -> verifier.forwarded(each, packet));
    }
    Verdict verdict = verifier.verify(List.of("AS1", "AS2", "AS3", "AS9"), sample);
    assertThat(verdict.skipped()).containsOnlyKeys("AS2", "AS9").containsEntry("AS9", 200L);
    assertThat(verdict.surplus()).isEqualTo(Map.of("AS4", 200L));
    assertThat(verdict.isConsistent()).isFalse();
    for (byte[] packet : sample) {
      assertThat(verifier.withdraw("AS4", packet)).isTrue();
    }
    assertThat(verifier.withdraw("AS9", sample.get(0))).isFalse();
    assertThat(verifier.verify(List.of("AS1", "AS3"), sample).surplus()).isEmpty();
  }

  /** A system that saw nothing seems to have seen samples of one and of two as predicted. */
  @Test
  void samplesSeenByChance() {
    SplittableRandom random = Seeds.random(73);
    RouteVerifier verifier = filled(random, List.of("AS1"));
    double rate = verifier.falsePositiveRate("AS1");
    assertThat(rate).isBetween(.9 * RATE, 1.1 * RATE);
    for (int size = 1; size <= 2; size++) {
      int trials = 200_000;
      double expected = trials * verifier.missProbability("AS1", size);
      int missed = 0;
      for (int i = 0; i < trials; i++) {
        missed +=
            verifier.verify(List.of("AS1"), packets(random, size)).skipped().isEmpty() ? 1 : 0;
      }
      double deviation = Math.sqrt(expected);
      assertThat((double) missed).isBetween(expected - 5 * deviation, expected + 5 * deviation);
    }
  }

  /** Real packets through three systems, of which the second drops those of one destination. */
  @Test
  void aCapture() throws IOException {
    RouteVerifier verifier = RouteVerifier.create(RouteOptions.of(2000, .001));
    List<byte[]> dropped = new ArrayList<>();
    List<byte[]> others = new ArrayList<>();
    Path file = Path.of("src/test/resources/captures/650HttpResponses.pcap.gz");
    try (Capture capture = Capture.open(file, CaptureOptions.DEFAULT)) {
      for (Packet packet = capture.next(); packet != null; packet = capture.next()) {
        int at = packet.headerOffset();
        byte[] content = Arrays.copyOfRange(packet.bytes(), at, at + packet.length());
        content[8] = 0; // the time to live, and its checksum, change on the way
        content[10] = 0;
        content[11] = 0;
        boolean isDropped = packet.sourcePort() == 80 && packet.destinationPort() % 7 == 0;
        verifier.forwarded("AS1", content);
        (isDropped ? dropped : others).add(content);
        if (!isDropped) {
          verifier.forwarded("AS2", content);
          verifier.forwarded("AS3", content);
        }
      }
    }
    List<String> route = List.of("AS1", "AS2", "AS3");
    assertThat(others.size() + dropped.size()).isEqualTo(682);
    assertThat(verifier.verify(route, others).isConsistent()).isTrue();
    assertThat(verifier.verify(route, dropped).skipped()).containsOnlyKeys("AS2", "AS3");
  }

  @Test
  void argumentsAreChecked() {
    assertThatThrownBy(() -> RouteOptions.of(0, .1)).hasMessage("packets = 0 must be positive");
    assertThatThrownBy(() -> RouteOptions.of(1, 0)).hasMessageContaining("falsePositiveRate = 0.0");
    assertThatThrownBy(() -> new RouteOptions(1, .1, Hasher.xxh3())).hasMessageContaining("no key");
    RouteVerifier verifier = RouteVerifier.create(RouteOptions.of(10, .1));
    assertThatThrownBy(() -> verifier.verify(List.of("AS1"), List.of()))
        .hasMessageContaining("sample is empty");
    assertThat(verifier.falsePositiveRate("AS1")).isZero();
  }
}
