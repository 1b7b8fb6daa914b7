package io.bloomery.net.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.net.capture.Capture.Packet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packet by packet what {@code tshark} of Wireshark says; also of captures that it wrote. */
@Tag("long")
class TsharkTest {

  private static final Path CAPTURES = Path.of("src/test/resources/captures");
  private static final String[] FIELDS = {
    "frame.time_epoch",
    "ip.src",
    "ip.dst",
    "ipv6.src",
    "ipv6.dst",
    "ip.proto",
    "ip.len",
    "ipv6.plen",
    "tcp.srcport",
    "tcp.dstport",
    "udp.srcport",
    "udp.dstport",
    "tcp.flags"
  };

  @TempDir private Path directory;

  private static String run(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(String.join(" ", command)).isZero();
    return out;
  }

  private static List<String> theirs(Path capture) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of("tshark", "-n", "-r", capture.toString(), "-Y", "ip or ipv6", "-T", "fields"));
    command.addAll(List.of("-o", "ip.defragment:FALSE", "-o", "ipv6.defragment:FALSE"));
    command.addAll(List.of("-E", "occurrence=f", "-E", "separator=|"));
    for (String field : FIELDS) {
      command.addAll(List.of("-e", field));
    }
    List<String> packets = new ArrayList<>();
    for (String line : run(command).lines().toList()) {
      String[] f = line.split("\\|", -1);
      boolean four = !f[1].isEmpty() && (f[3].isEmpty() || !f[6].isEmpty());
      int length = four ? Integer.parseInt(f[6]) : 40 + Integer.parseInt(f[7]);
      String tcp = f[8] + ">" + f[9] + " " + f[12];
      packets.add(
          "%s %s>%s %d %s"
              .formatted(
                  f[0],
                  four ? f[1] : f[3],
                  four ? f[2] : f[4],
                  length,
                  !f[8].isEmpty() ? tcp : f[10].isEmpty() ? "" : f[10] + ">" + f[11]));
    }
    return packets;
  }

  private static List<String> ours(Path file) throws IOException {
    List<String> packets = new ArrayList<>();
    try (Capture capture = Capture.open(file, CaptureOptions.DEFAULT)) {
      for (Packet packet = capture.next(); packet != null; packet = capture.next()) {
        String ports = packet.sourcePort() + ">" + packet.destinationPort();
        boolean tcp = packet.protocol() == Packet.TCP;
        packets.add(
            "%d.%09d %s>%s %d %s"
                .formatted(
                    packet.nanos() / 1_000_000_000,
                    packet.nanos() % 1_000_000_000,
                    packet.source(),
                    packet.destination(),
                    packet.length(),
                    tcp
                        ? ports + " 0x%04x".formatted(packet.tcpFlags())
                        : packet.protocol() == Packet.UDP ? ports : ""));
      }
    }
    return packets;
  }

  @Test
  void packetsAreThoseOfTshark() throws Exception {
    for (String name :
        List.of("650HttpResponses", "example2-96", "tls2-96", "four_ipv6_http_streams")) {
      Path packed = CAPTURES.resolve(name + ".pcap.gz");
      List<String> expected = theirs(packed);
      assertThat(ours(packed)).as(name).isEqualTo(expected);
      for (String format : List.of("pcapng", "nsecpcap")) {
        Path file = directory.resolve(name + "." + format);
        run(List.of("tshark", "-r", packed.toString(), "-F", format, "-w", file.toString()));
        assertThat(ours(file)).as(name + " as " + format).isEqualTo(expected);
        Files.delete(file);
      }
    }
  }
}
