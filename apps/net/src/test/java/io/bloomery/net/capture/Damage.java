package io.bloomery.net.capture;

import static io.bloomery.net.capture.Frames.ethernet;
import static io.bloomery.net.capture.Frames.interfaceBlock;
import static io.bloomery.net.capture.Frames.ipv4;
import static io.bloomery.net.capture.Frames.ipv6;
import static io.bloomery.net.capture.Frames.join;
import static io.bloomery.net.capture.Frames.packet;
import static io.bloomery.net.capture.Frames.section;
import static io.bloomery.net.capture.Frames.tcp;
import static io.bloomery.net.capture.Frames.udp;
import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.testkit.Seeds;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Damaged captures for tests. */
public final class Damage {

  private static final int[] EXTREMES = {0, 1, 0x7F, 0x80, 0xFF};

  private Damage() {}

  /** Sound captures of several formats. */
  public static byte[][] samples() {
    byte[] payload = "a payload".getBytes(StandardCharsets.US_ASCII);
    byte[] four = ethernet(0x0800, ipv4(1, 2, Packet.TCP, 1, 0, tcp(1, 2, 2, 1, payload)));
    byte[] extended = join(Frames.halves(Packet.UDP * 256, 0, 0, 0), udp(1, 2, payload));
    byte[] six = ethernet(0x86DD, ipv6(1, 2, 0, extended));
    byte[] cooked = join(Frames.halves(0x0800), new byte[18], Arrays.copyOfRange(four, 14, 60));
    return new byte[][] {
      Frames.pcap(LITTLE_ENDIAN, false, 1, four, six, four),
      Frames.pcap(BIG_ENDIAN, true, 276, cooked, cooked),
      Frames.pcap(BIG_ENDIAN, true, 101, Arrays.copyOfRange(six, 14, six.length)),
      join(
          section(LITTLE_ENDIAN),
          interfaceBlock(LITTLE_ENDIAN, 1, 9),
          packet(LITTLE_ENDIAN, 0, 5, four),
          packet(LITTLE_ENDIAN, 0, 6, six),
          section(BIG_ENDIAN),
          interfaceBlock(BIG_ENDIAN, 1, 0x8A),
          packet(BIG_ENDIAN, 0, 7, four))
    };
  }

  /** Changes up to four places of a capture. */
  public static byte[] damaged(byte[] sample, SplittableRandom random) {
    byte[] bytes = sample.clone();
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes && bytes.length > 0; i++) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(5)) {
        case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> bytes[at] = (byte) EXTREMES[random.nextInt(EXTREMES.length)];
        case 2 -> bytes = Arrays.copyOf(bytes, at);
        case 3 ->
            bytes = join(Arrays.copyOf(bytes, at), Arrays.copyOfRange(bytes, at / 2, bytes.length));
        default -> Arrays.fill(bytes, at, Math.min(bytes.length, at + 4), (byte) random.nextInt());
      }
    }
    return bytes;
  }

  /** Runs the main method of a test in a heap of 256 MiB; returns what it printed. */
  public static String inASmallHeap(Class<?> test) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-D" + Seeds.PROPERTY + "=" + System.getProperty(Seeds.PROPERTY, "0"),
                "-cp",
                System.getProperty("java.class.path"),
                test.getName())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output.strip();
  }
}
