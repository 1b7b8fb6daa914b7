package io.bloomery.net.capture;

import static io.bloomery.net.capture.Frames.ethernet;
import static io.bloomery.net.capture.Frames.ipv4;
import static io.bloomery.net.capture.Frames.ipv6;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;

/** Damaged captures: nothing but an {@link IOException}, no record uncounted, little memory. */
class CaptureFuzzTest {

  /** Reads it all; returns whether it was taken for a capture. */
  private static boolean read(byte[] bytes) {
    long delivered = 0;
    try (Capture capture = Capture.open(new ByteArrayInputStream(bytes), CaptureOptions.DEFAULT)) {
      for (Packet packet = capture.next(); packet != null; packet = capture.next()) {
        delivered++;
        int end = packet.payloadOffset() + packet.payloadLength();
        if (packet.payloadLength() < 0
            || packet.payloadOffset() < packet.transportOffset()
            || packet.transportOffset() < packet.headerOffset() + 20
            || end > packet.start + packet.captured
            || packet.length() < 20
            || packet.bytes().length > 1 << 20) {
          throw new AssertionError("a packet beyond its bytes");
        }
      }
      long skipped = capture.skipped().values().stream().mapToLong(Long::longValue).sum();
      if (capture.records() != delivered + skipped || delivered + skipped > bytes.length) {
        throw new AssertionError("records that are not counted");
      }
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static double shareRead(int captures, long seed) {
    SplittableRandom random = Seeds.random(seed);
    byte[][] samples = Damage.samples();
    int read = 0;
    for (int i = 0; i < captures; i++) {
      byte[] bytes = Damage.damaged(samples[random.nextInt(samples.length)], random);
      try {
        read += read(bytes) ? 1 : 0;
      } catch (RuntimeException | Error e) {
        throw new AssertionError(i + ": " + HexFormat.of().formatHex(bytes), e);
      }
    }
    return (double) read / captures;
  }

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void someDamagedCaptures() {
    assertThat(shareRead(Effort.of(40_000), 1)).isBetween(.5, .99);
  }

  /** Found by damage: a frame that was 2^31 bytes long, as its record says. */
  @Test
  void aLengthThatOverflows() {
    byte[] packet = ethernet(0x86DD, ipv6(1, 2, 0, new byte[16]));
    packet[18] = 0; // the payload's length, so that the frame's counts
    packet[19] = 0;
    byte[] file = Frames.pcap(LITTLE_ENDIAN, false, 1, packet, packet);
    Arrays.fill(file, 36, 40, (byte) 0xFF);
    assertThat(read(file)).isTrue();
    byte[] four = ethernet(0x0800, ipv4(1, 2, Packet.TCP, 0, 0, new byte[40]));
    four[17] = 0; // its length
    file = Frames.pcap(LITTLE_ENDIAN, false, 1, four);
    Arrays.fill(file, 36, 40, (byte) 0xFF);
    assertThat(read(file)).isTrue();
  }

  @Test
  @Tag("long")
  void aMillionDamagedCapturesInASmallHeap(TestReporter report) throws Exception {
    report.publishEntry("captures", Damage.inASmallHeap(CaptureFuzzTest.class));
  }

  /** A million damaged captures; prints the share that is read, and the memory taken. */
  public static void main(String... args) {
    double share = shareRead(1_000_000, 2);
    Runtime here = Runtime.getRuntime();
    System.out.printf(
        "1000000 damaged captures, %.1f %% read, heap at most %d MB%n",
        100 * share, here.totalMemory() >> 20);
  }
}
