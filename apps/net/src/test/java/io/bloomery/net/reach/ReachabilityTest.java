package io.bloomery.net.reach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.hash.Hasher;
import io.bloomery.net.capture.Capture;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.capture.CaptureOptions;
import io.bloomery.net.capture.Frames;
import io.bloomery.net.reach.Reachability.Permission;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReachabilityTest {

  private static final int RULES = 20_000;
  private static final int QUERIES = 200_000;
  private static final double RATE = .01;

  private static InetAddress four(int number) throws UnknownHostException {
    byte[] bytes = {10, (byte) (number >> 16), (byte) (number >> 8), (byte) number};
    return InetAddress.getByAddress(bytes);
  }

  private static byte[] packet(int from, int to, int protocol, int port) {
    byte[] up = protocol == Packet.UDP ? Frames.udp(9, port, new byte[0]) : new byte[20];
    return Frames.ipv4(from, to, protocol, 0, 0, up);
  }

  private static void each(Consumer<Packet> taker, byte[]... packets) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(Frames.pcap(ByteOrder.BIG_ENDIAN, false, 101));
    for (int i = 0; i < packets.length; i++) {
      int length = packets[i].length;
      out.writeBytes(Frames.words(ByteOrder.BIG_ENDIAN, 1, 0, length, length));
      out.writeBytes(packets[i]);
    }
    try (Capture capture =
        Capture.open(new ByteArrayInputStream(out.toByteArray()), CaptureOptions.DEFAULT)) {
      for (Packet packet = capture.next(); packet != null; packet = capture.next()) {
        taker.accept(packet);
      }
    }
  }

  private static boolean passes(Reachability table, byte[] packet) throws IOException {
    boolean[] result = new boolean[1];
    each(each -> result[0] = table.permits(each), packet);
    return result[0];
  }

  /** All eight forms: what they permit passes, what differs in a field that they name does not. */
  @Test
  void everyFormOfAPermission() throws IOException {
    for (int form = 0; form < 8; form++) {
      Reachability table = Reachability.create(ReachOptions.of(1000, 1e-6));
      Optional<InetAddress> source = (form & 1) == 0 ? Optional.of(four(3)) : Optional.empty();
      int protocol = (form & 2) == 0 ? Packet.UDP : 0;
      int port = (form & 4) == 0 ? 53 : 0;
      Permission permission = new Permission(four(5), source, protocol, port);
      assertThat(passes(table, packet(3, 5, Packet.UDP, 53))).isFalse();
      assertThat(table.withdraw(permission)).isFalse();
      table.permit(permission);
      assertThat(passes(table, packet(3, 5, Packet.UDP, 53))).isTrue();
      assertThat(passes(table, packet(4, 5, Packet.UDP, 53))).isEqualTo(source.isEmpty());
      assertThat(passes(table, packet(3, 5, Packet.UDP, 54))).isEqualTo(port == 0);
      assertThat(passes(table, packet(3, 5, 99, 0))).isEqualTo(protocol == 0 && port == 0);
      assertThat(passes(table, packet(3, 6, Packet.UDP, 53))).isFalse();
      assertThat(table.withdraw(permission)).isTrue();
      assertThat(passes(table, packet(3, 5, Packet.UDP, 53))).isFalse();
      assertThat(table.unwantedRate()).isZero();
    }
  }

  /** Unwanted packets pass with the predicted rate, which is at most the one of the options. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 8})
  void unwantedPackets(int formsInUse) throws IOException {
    SplittableRandom random = Seeds.random(61);
    Reachability table = Reachability.create(ReachOptions.of(RULES, RATE));
    for (int i = 0; i < RULES; i++) {
      int form = i % formsInUse;
      Optional<InetAddress> source =
          (form & 1) == 0 ? Optional.of(four(random.nextInt(1 << 20))) : Optional.empty();
      int protocol = (form & 2) == 0 ? Packet.UDP : 0;
      int port = (form & 4) == 0 ? random.nextInt(1, 1 << 16) : 0;
      table.permit(new Permission(four(random.nextInt(1 << 20)), source, protocol, port));
    }
    double rate = table.unwantedRate();
    assertThat(rate).isLessThanOrEqualTo(RATE * formsInUse / 10 * 1.05).isPositive();
    byte[][] packets = new byte[QUERIES][];
    for (int i = 0; i < QUERIES; i++) { // to hosts that permit nothing
      int from = random.nextInt(1 << 23);
      packets[i] =
          packet(from, 1 << 23 | random.nextInt(1 << 23), Packet.UDP, random.nextInt(1 << 16));
    }
    long[] passed = new long[1];
    each(packet -> passed[0] += table.permits(packet) ? 1 : 0, packets);
    double deviation = Math.sqrt(QUERIES * rate * (1 - rate));
    assertThat((double) passed[0])
        .isBetween(QUERIES * rate - 5 * deviation, QUERIES * rate + 5 * deviation);
  }

  @Test
  void repliesPassInThisPeriodAndTheNext() throws IOException {
    Reachability table = Reachability.create(ReachOptions.of(1000, 1e-6));
    byte[] sent = Frames.ipv4(1, 2, Packet.UDP, 0, 0, Frames.udp(7, 53, new byte[0]));
    byte[] reply = Frames.ipv4(2, 1, Packet.UDP, 0, 0, Frames.udp(53, 7, new byte[0]));
    byte[] other = Frames.ipv4(2, 1, Packet.UDP, 0, 0, Frames.udp(53, 8, new byte[0]));
    each(table::expectReply, sent);
    for (int period = 0; period < 2; period++) {
      assertThat(passes(table, reply)).isTrue();
      assertThat(passes(table, other)).isFalse();
      table.nextPeriod();
    }
    assertThat(passes(table, reply)).isFalse();
  }

  /** Clients of a capture whose requests and answers pass, and nothing that servers begin. */
  @Test
  void aCapture() throws IOException {
    Path file = Path.of("src/test/resources/captures/four_ipv6_http_streams.pcap.gz");
    Reachability table = Reachability.create(ReachOptions.of(1000, 1e-6));
    Set<String> servers = new HashSet<>();
    int packets = 0;
    try (Capture capture = Capture.open(file, CaptureOptions.DEFAULT)) {
      for (Packet packet = capture.next(); packet != null; packet = capture.next()) {
        boolean isRequest = packet.destinationPort() == 80;
        if (isRequest) {
          assertThat(table.permits(packet)).isEqualTo(servers.contains(packet.destination()));
          if (servers.add(packet.destination())) {
            InetAddress server = InetAddress.getByName(packet.destination());
            table.permit(new Permission(server, Optional.empty(), Packet.TCP, 80));
          }
          table.expectReply(packet);
        }
        assertThat(table.permits(packet)).as(packet.source()).isTrue();
        packets++;
      }
    }
    assertThat(packets).isEqualTo(81);
  }

  @Test
  void argumentsAreChecked() {
    assertThatThrownBy(() -> ReachOptions.of(0, .1)).hasMessageContaining("permissions = 0");
    assertThatThrownBy(() -> ReachOptions.of(1, .6)).hasMessageContaining("0.6");
    assertThatThrownBy(() -> new ReachOptions(1, 1, .1, Hasher.xxh3()))
        .hasMessageContaining("no key");
    assertThatThrownBy(() -> new Permission(four(1), Optional.empty(), 256, 0))
        .hasMessageContaining("protocol = 256");
  }
}
