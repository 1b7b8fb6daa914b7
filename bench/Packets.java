import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Writes a capture of packets of UDP, the same bytes each time: 100,000 flows whose sizes follow
 * Zipf's law with exponent 1.1, of which 96 bytes per packet were captured, or all of them with random
 * payload.
 *
 * <p>Usage: java Packets.java FILE PACKETS [whole]
 */
final class Packets {
  private static final int FLOWS = 100_000;
  private static final int CAPTURED = 96;
  private static final int LONGEST = 1514;

  public static void main(String... args) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    double[] sums = new double[FLOWS];
    double sum = 0;
    for (int i = 0; i < FLOWS; i++) {
      sum += Math.pow(i + 1, -1.1);
      sums[i] = sum;
    }
    boolean whole = args.length > 2;
    ByteBuffer packet = ByteBuffer.allocate(16 + LONGEST).order(ByteOrder.BIG_ENDIAN);
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(Path.of(args[0])), 1 << 16)) {
      ByteBuffer header = ByteBuffer.allocate(24).putInt(0xA1B2C3D4).putInt(0x00020004).putLong(0);
      out.write(header.putInt(LONGEST).putInt(1).array());
      long packets = Long.parseLong(args[1]);
      for (long i = 0; i < packets; i++) {
        int flow = Arrays.binarySearch(sums, random.nextDouble() * sum);
        flow = flow < 0 ? -flow - 1 : flow;
        int length = CAPTURED - 14 + random.nextInt(1400);
        int captured = whole ? length + 14 : CAPTURED;
        if (whole) {
          random.nextBytes(packet.array());
        }
        packet.clear();
        packet.putInt((int) (i / 100_000)).putInt((int) (i % 100_000) * 10).putInt(captured).putInt(length + 14);
        packet.putLong(0).putInt(0).putShort((short) 0x0800).putShort((short) 0x4500).putShort((short) length);
        packet.putInt(0).putInt(0x40110000).putInt(0x0A000000 + flow).putInt(0x0B000000 + flow % 1000);
        packet.putShort((short) (1024 + flow)).putShort((short) 53).putShort((short) (length - 20));
        out.write(packet.array(), 0, 16 + captured);
      }
    }
  }
}
