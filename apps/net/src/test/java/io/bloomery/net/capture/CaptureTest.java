package io.bloomery.net.capture;

import static io.bloomery.net.capture.Frames.block;
import static io.bloomery.net.capture.Frames.ethernet;
import static io.bloomery.net.capture.Frames.halves;
import static io.bloomery.net.capture.Frames.interfaceBlock;
import static io.bloomery.net.capture.Frames.ipv4;
import static io.bloomery.net.capture.Frames.ipv6;
import static io.bloomery.net.capture.Frames.join;
import static io.bloomery.net.capture.Frames.packet;
import static io.bloomery.net.capture.Frames.pcap;
import static io.bloomery.net.capture.Frames.section;
import static io.bloomery.net.capture.Frames.tcp;
import static io.bloomery.net.capture.Frames.udp;
import static io.bloomery.net.capture.Frames.words;
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
import java.util.Arrays;
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

  @Test
  void everyBlockOfPcapng() throws IOException {
    for (ByteOrder order : List.of(BIG_ENDIAN, LITTLE_ENDIAN)) {
      byte[] simple = block(order, 3, join(words(order, SYN.length), SYN));
      byte[] obsolete =
          block(
              order,
              2,
              join(
                  new byte[4], // of the first interface
                  words(order, 0, 5, SYN.length, SYN.length),
                  SYN));
      byte[] raw = ipv4(1, 2, Packet.TCP, 0, 0, tcp(1234, 80, 2, 1, HELLO));
      byte[] file =
          join(
              section(order),
              interfaceBlock(order, 1, 6),
              interfaceBlock(order, 101, 9),
              block(order, 5, new byte[40]), // statistics
              packet(order, 0, 1_500_000, SYN),
              packet(order, 1, 7_000_000_001L, raw),
              simple,
              obsolete,
              section(order == BIG_ENDIAN ? LITTLE_ENDIAN : BIG_ENDIAN), // the other byte order
              interfaceBlock(order == BIG_ENDIAN ? LITTLE_ENDIAN : BIG_ENDIAN, 1, 0x8A),
              packet(order == BIG_ENDIAN ? LITTLE_ENDIAN : BIG_ENDIAN, 0, 3 << 9, SYN));
      Read read = read(file);
      assertThat(read.packets).hasSize(5).containsOnly(SYN_TEXT);
      assertThat(read.times)
          .containsExactly(1_500_000_000L, 7_000_000_001L, 0L, 5_000L, 1_500_000_000L);
      assertThat(read.skipped).isEmpty();
    }
  }

  @Test
  void resolutionsOfTime() {
    assertThat(new Resolution(6, 0).nanos(1_234_567)).isEqualTo(1_234_567_000);
    assertThat(new Resolution(0, -10).nanos(17)).isEqualTo(7_000_000_000L);
    assertThat(new Resolution(12, 1).nanos(5_000)).isEqualTo(1_000_000_005);
    assertThat(new Resolution(19, 0).nanos(-1)).isZero();
    assertThat(new Resolution(0x80, 0).nanos(3)).isEqualTo(3_000_000_000L);
    assertThat(new Resolution(0x80 + 32, 0).nanos((5L << 32) + (1L << 31)))
        .isEqualTo(5_500_000_000L);
    assertThat(new Resolution(0x80 + 63, 0).nanos(1L << 62)).isEqualTo(500_000_000);
    assertThat(new Resolution(0xFF, 0).nanos(-1)).isZero();
    assertThat(new Resolution(0, 0).nanos(-1)).isEqualTo(Long.MAX_VALUE);
    assertThat(new Resolution(0, Long.MIN_VALUE).nanos(0)).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void everyLinkType() throws IOException {
    byte[] ip = ipv4(1, 2, Packet.TCP, 0, 0, tcp(1234, 80, 2, 1, HELLO));
    byte[] tagged = join(new byte[12], halves(0x8100, 5, 0x0800), ip);
    byte[] twice = join(new byte[12], halves(0x88A8, 5, 0x8100, 6, 0x0800), ip);
    byte[] cooked = join(new byte[14], halves(0x0800), ip);
    byte[] cooked2 = join(halves(0x0800), new byte[18], ip);
    Map<Integer, List<byte[]>> frames =
        Map.of(
            1, List.of(tagged, twice),
            113, List.of(cooked),
            276, List.of(cooked2),
            101, List.of(ip),
            12, List.of(ip),
            228, List.of(ip),
            0, List.of(join(halves(0, 2), ip), join(halves(0x0200, 0), ip)),
            108, List.of(join(halves(0, 2), ip)));
    for (Map.Entry<Integer, List<byte[]>> each : frames.entrySet()) {
      for (byte[] frame : each.getValue()) {
        Read read = read(pcap(LITTLE_ENDIAN, false, each.getKey(), frame));
        assertThat(read.packets).as("link type " + each.getKey()).containsExactly(SYN_TEXT);
      }
    }
    assertThat(read(pcap(BIG_ENDIAN, false, 147, ip)).skipped)
        .isEqualTo(Map.of(Reason.UNKNOWN_LINK, 1L));
  }

  @Test
  void optionsFragmentsAndExtensionHeaders() throws IOException {
    byte[] segment = tcp(1234, 80, 2, 3, HELLO);
    byte[] hopByHop = join(halves(Packet.TCP * 256, 0, 0, 0), segment);
    byte[] routing = join(halves(60 * 256, 0, 0, 0), halves(0, 0, 0, 0), hopByHop);
    byte[] authentication = join(halves(Packet.UDP * 256 + 4, 0), new byte[20], udp(1, 2, HELLO));
    byte[] first = join(halves(Packet.UDP * 256, 1, 0, 9), udp(1, 2, HELLO));
    byte[] later = join(halves(Packet.UDP * 256, 64, 0, 9), HELLO);
    byte[] frames =
        pcap(
            LITTLE_ENDIAN,
            false,
            101,
            ipv4(1, 2, Packet.TCP, 10, 0, segment),
            ipv4(1, 2, Packet.UDP, 0, 0x2000, udp(1, 2, HELLO)),
            ipv4(1, 2, Packet.UDP, 0, 100, HELLO),
            ipv4(1, 2, Packet.ICMP, 0, 0, join(new byte[8], HELLO)),
            ipv4(1, 2, 47, 0, 0, HELLO),
            ipv6(1, 2, 43, routing),
            ipv6(1, 2, 51, authentication),
            ipv6(1, 2, 44, first),
            ipv6(1, 2, 44, later),
            ipv6(1, 2, 59, new byte[0]));
    assertThat(read(frames).packets)
        .containsExactly(
            "10.0.0.1:1234 10.0.0.2:80 6 97 hello",
            "10.0.0.1:1 10.0.0.2:2 17 33 hello",
            "10.0.0.1:0 10.0.0.2:0 17 25 hello",
            "10.0.0.1:0 10.0.0.2:0 1 33 hello",
            "10.0.0.1:0 10.0.0.2:0 47 25 hello",
            "2001:db8::1:1234 2001:db8::2:80 6 101 hello",
            "2001:db8::1:1 2001:db8::2:2 17 77 hello",
            "2001:db8::1:1 2001:db8::2:2 17 61 hello",
            "2001:db8::1:0 2001:db8::2:0 17 53 hello",
            "2001:db8::1:0 2001:db8::2:0 59 40 ");
  }

  /** What is cut short or contradicts itself is counted and ends nothing. */
  @Test
  void everyReasonToSkip() throws IOException {
    byte[] ip = ipv4(1, 2, Packet.TCP, 0, 0, tcp(1234, 80, 2, 1, HELLO));
    byte[] shortHeader = ip.clone();
    shortHeader[0] = 0x44;
    byte[] shortLength = ip.clone();
    shortLength[3] = 19;
    byte[] version = ip.clone();
    version[0] = 0x15;
    byte[] file =
        pcap(
            LITTLE_ENDIAN,
            false,
            101,
            shortHeader,
            shortLength,
            version,
            Arrays.copyOf(ip, 19),
            new byte[0],
            Arrays.copyOf(ipv6(1, 2, 6, HELLO), 39),
            new byte[3000],
            ip);
    Read read = read(file, new CaptureOptions(2048, 1));
    assertThat(read.packets).containsExactly(SYN_TEXT);
    assertThat(read.skipped)
        .isEqualTo(Map.of(Reason.MALFORMED, 3L, Reason.CUT_SHORT, 3L, Reason.TOO_LARGE, 1L));
    for (int cut : new int[] {1, 40, ip.length, ip.length + 15}) {
      Read early = read(Arrays.copyOf(file, file.length - cut));
      assertThat(early.packets).isEmpty();
      assertThat(early.skipped).containsEntry(Reason.ENDS_EARLY, 1L);
    }
    assertThat(read(Arrays.copyOf(file, file.length - ip.length - 16)).skipped)
        .doesNotContainKey(Reason.ENDS_EARLY);
  }

  @Test
  void damagedBlocks() throws IOException {
    byte[] start = join(section(BIG_ENDIAN), interfaceBlock(BIG_ENDIAN, 1, 6));
    byte[] good = packet(BIG_ENDIAN, 0, 1, SYN);
    byte[] trailer = good.clone();
    trailer[trailer.length - 1]++;
    byte[] length = good.clone();
    length[23]++; // the captured length, in the padding still
    byte[] tooLong = good.clone();
    tooLong[22]++;
    byte[] interfaceless = packet(BIG_ENDIAN, 1, 1, SYN);
    Read read = read(join(start, trailer, good, tooLong, interfaceless, length, good));
    assertThat(read.packets).hasSize(3);
    assertThat(read.skipped).isEqualTo(Map.of(Reason.DAMAGED, 2L, Reason.UNKNOWN_INTERFACE, 1L));
    byte[] lost = good.clone();
    lost[7] = 6;
    assertThat(read(join(start, good, lost, good, good)).skipped)
        .as("where the next block begins is not known")
        .isEqualTo(Map.of(Reason.DAMAGED, 1L));
    assertThat(read(join(start, good, Arrays.copyOf(good, 30))).skipped)
        .isEqualTo(Map.of(Reason.ENDS_EARLY, 1L));
    byte[] huge = block(BIG_ENDIAN, 6, new byte[400_000]);
    assertThat(read(join(start, huge, good)).skipped).isEqualTo(Map.of(Reason.TOO_LARGE, 1L));
  }

  @Test
  void transportsThatAreCut() throws IOException {
    byte[] ip = ipv4(1, 2, Packet.TCP, 0, 0, tcp(1234, 80, 2, 1, HELLO));
    byte[] offset = ip.clone();
    offset[32] = 0x40; // a header of four words
    byte[] file =
        pcap(LITTLE_ENDIAN, false, 101, Arrays.copyOf(ip, 24), Arrays.copyOf(ip, 23), offset);
    assertThat(read(file).packets)
        .containsExactly(
            "10.0.0.1:1234 10.0.0.2:80 6 49 ",
            "10.0.0.1:0 10.0.0.2:0 6 49 ",
            "10.0.0.1:1234 10.0.0.2:80 6 49 ");
    try (Capture capture = Capture.open(new ByteArrayInputStream(file), CaptureOptions.DEFAULT)) {
      while (capture.next() != null) {
        assertThat(capture.transportsCut()).isEqualTo(capture.records());
      }
    }
  }
}
