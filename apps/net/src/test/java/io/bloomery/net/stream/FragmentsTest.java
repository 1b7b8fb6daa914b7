package io.bloomery.net.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.hash.Hasher;
import io.bloomery.net.capture.Capture;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.capture.CaptureOptions;
import io.bloomery.net.capture.Frames;
import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FragmentsTest {

  private static final int MORE = 0x2000;

  private static byte[] fragment(boolean six, byte[] content, int at, int length) {
    boolean more = at + length < content.length;
    byte[] part = Arrays.copyOfRange(content, at, at + length);
    if (!six) {
      return Frames.ipv4(1, 2, Packet.UDP, 0, at / 8 | (more ? MORE : 0), part);
    }
    byte[] header = Frames.halves(Packet.UDP * 256, at | (more ? 1 : 0), 0, 77);
    return Frames.ipv6(1, 2, 44, Frames.join(header, part));
  }

  private static List<byte[][]> assembled(Fragments fragments, List<byte[]> packets)
      throws IOException {
    byte[] file = Frames.pcap(ByteOrder.BIG_ENDIAN, false, 101, packets.toArray(byte[][]::new));
    List<byte[][]> whole = new ArrayList<>();
    try (Capture capture = Capture.open(new ByteArrayInputStream(file), CaptureOptions.DEFAULT)) {
      for (Packet packet = capture.next(); packet != null; packet = capture.next()) {
        assertThat(packet.isFragment()).isTrue();
        Fragments.Datagram datagram = fragments.take(packet);
        if (datagram != null) {
          whole.add(new byte[][] {datagram.first(), datagram.last()});
        }
      }
    }
    return whole;
  }

  @Test
  void fragmentsInAnyOrderAreThePacket() throws IOException {
    SplittableRandom random = Seeds.random(3);
    for (int round = 0; round < Effort.of(200); round++) {
      byte[] content = new byte[30 + random.nextInt(3000)];
      random.nextBytes(content);
      List<byte[]> packets = new ArrayList<>();
      int size = 8 * (1 + random.nextInt(40));
      for (int at = 0; at < content.length; at += size) {
        int length = Math.min(size, content.length - at);
        packets.add(fragment(round % 2 == 0, content, at, length));
      }
      if (packets.size() == 1) {
        continue;
      }
      Seeds.shuffle(packets, random.nextLong());
      Fragments fragments = new Fragments(Hasher.keyed(new byte[16]));
      List<byte[][]> whole = assembled(fragments, packets);
      assertThat(whole).hasSize(1);
      assertThat(whole.get(0)[0]).isEqualTo(content);
      assertThat(whole.get(0)[1]).isNull();
      assertThat(fragments.incomplete()).isZero();
    }
  }

  @Test
  void overlapsThatDifferAreBothThere() throws IOException {
    byte[] first = "AAAAAAAABBBBBBBBCC".getBytes(StandardCharsets.US_ASCII);
    byte[] other = "AAAAAAAAXXXXXXXXCC".getBytes(StandardCharsets.US_ASCII);
    List<byte[]> packets =
        List.of(
            fragment(false, first, 0, 16),
            fragment(false, other, 8, 8),
            fragment(false, first, 16, 2));
    byte[][] whole = assembled(new Fragments(Hasher.keyed(new byte[16])), packets).get(0);
    assertThat(whole[0]).isEqualTo(first);
    assertThat(whole[1]).isEqualTo(other);
  }

  @Test
  void manyBeginningsAreBounded() throws IOException {
    Fragments fragments = new Fragments(Hasher.keyed(new byte[16]));
    List<byte[]> packets = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      byte[] packet = fragment(false, new byte[4000], 0, 3992);
      packet[4] = (byte) (i >> 8);
      packet[5] = (byte) i;
      packets.add(packet);
    }
    assertThat(assembled(fragments, packets)).isEmpty();
    assertThat(fragments.incomplete()).isEqualTo(3000);
  }
}
