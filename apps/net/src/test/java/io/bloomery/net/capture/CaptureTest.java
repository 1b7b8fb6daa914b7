package io.bloomery.net.capture;

import static io.bloomery.net.capture.Frames.ethernet;
import static io.bloomery.net.capture.Frames.ipv4;
import static io.bloomery.net.capture.Frames.ipv6;
import static io.bloomery.net.capture.Frames.join;
import static io.bloomery.net.capture.Frames.pcap;
import static io.bloomery.net.capture.Frames.tcp;
import static io.bloomery.net.capture.Frames.udp;
import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.capture.Capture.Reason;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** What is written is read: every format, link type and header, and every reason to skip. */
class CaptureTest {

  private static final byte[] HELLO = "hello".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] SYN =
      ethernet(0x0800, ipv4(1, 2, Packet.TCP, 0, 0x4000, tcp(1234, 80, 2, 1, HELLO)));
  private static final String SYN_TEXT = "10.0.0.1:1234 10.0.0.2:80 6 49 hello";

  private record Read(List<String> packets, List<Long> times, Map<Reason, Long> skipped) {}

  private static Read read(byte[] file) throws IOException {
    return read(file, CaptureOptions.DEFAULT);
  }

  private static Read read(byte[] file, CaptureOptions options) throws IOException {
    List<String> packets = new ArrayList<>();
    List<Long> times = new ArrayList<>();
    try (Capture capture = Capture.open(new ByteArrayInputStream(file), options)) {
      for (Packet packet = capture.next(); packet != null; packet = capture.next()) {
        String payload =
            new String(
                packet.bytes(),
                packet.payloadOffset(),
                packet.payloadLength(),
                StandardCharsets.ISO_8859_1);
        packets.add(
            "%s:%d %s:%d %d %d %s"
                .formatted(
                    packet.source(),
                    packet.sourcePort(),
                    packet.destination(),
                    packet.destinationPort(),
                    packet.protocol(),
                    packet.length(),
                    payload));
        times.add(packet.nanos());
      }
      long skipped = capture.skipped().values().stream().mapToLong(Long::longValue).sum();
      assertThat(capture.records()).isEqualTo(packets.size() + skipped);
      return new Read(packets, times, capture.skipped());
    }
  }

  @Test
  void bothByteOrdersAndUnitsOfPcap() throws IOException {
    for (ByteOrder order : List.of(BIG_ENDIAN, LITTLE_ENDIAN)) {
      for (boolean nanos : List.of(false, true)) {
        Read read = read(pcap(order, nanos, 1, SYN, SYN, SYN));
        assertThat(read.packets).containsExactly(SYN_TEXT, SYN_TEXT, SYN_TEXT);
        long unit = nanos ? 1 : 1000;
        assertThat(read.times).containsExactly(0L, 1_000_000_000 + unit, 2_000_000_000 + 2 * unit);
      }
    }
  }

  @Test
  void packedCaptures() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(pcap(LITTLE_ENDIAN, false, 1, SYN));
    }
    assertThat(read(out.toByteArray()).packets).containsExactly(SYN_TEXT);
  }

  @Test
  void whatIsNoCaptureIsRefused() {
    assertThatThrownBy(() -> read(new byte[0]))
        .isInstanceOf(IOException.class)
        .hasMessage("the capture is empty");
    assertThatThrownBy(() -> read(HELLO))
        .isInstanceOf(IOException.class)
        .hasMessage("is neither pcap nor pcapng: it begins with the bytes 68656c6c");
  }

  @Test
  void versionSixAndDatagrams() throws IOException {
    byte[] six = ethernet(0x86DD, ipv6(1, 2, Packet.UDP, udp(53, 5353, HELLO)));
    byte[] arp = ethernet(0x0806, new byte[28]);
    Read read = read(pcap(LITTLE_ENDIAN, false, 1, six, arp, join(new byte[10])));
    assertThat(read.packets).containsExactly("2001:db8::1:53 2001:db8::2:5353 17 53 hello");
    assertThat(read.skipped).isEqualTo(Map.of(Reason.NOT_IP, 1L, Reason.CUT_SHORT, 1L));
  }
}
