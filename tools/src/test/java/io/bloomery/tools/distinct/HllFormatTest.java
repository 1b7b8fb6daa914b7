package io.bloomery.tools.distinct;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What is written is read again; what is damaged is refused, or is another sketch. */
class HllFormatTest {

  private static HllSketch of(int lgK, int keys) {
    HllSketch sketch = new HllSketch(lgK);
    SplittableRandom random = Seeds.random(31L * lgK + keys);
    for (int i = 0; i < keys; i++) {
      long bits = random.nextLong();
      sketch.add(Coupon.of((int) bits, 1 + Long.numberOfLeadingZeros(bits)));
    }
    return sketch;
  }

  private static List<byte[]> files() {
    List<byte[]> files = new ArrayList<>();
    for (int lgK : new int[] {4, 8, 10}) {
      for (int keys : new int[] {0, 3, 20, 100, 20_000, 3_000_000 >> (10 - lgK)}) {
        for (HllFormat.Width width : HllFormat.Width.values()) {
          files.add(HllFormat.write(of(lgK, keys), width));
        }
      }
    }
    return files;
  }

  @Test
  void sketchesAreReadAsTheyWere() throws IOException {
    for (byte[] file : files()) {
      HllSketch read = HllFormat.read(file);
      assertThat(HllFormat.write(read, HllFormat.width(file))).isEqualTo(file);
      byte[] longer = Arrays.copyOf(file, file.length + 100);
      assertThat(HllFormat.write(HllFormat.read(longer), HllFormat.width(file))).isEqualTo(file);
    }
  }

  /** Pinned: the two coupons of "apple" and "pear", as DataSketches 6.2.0 writes them. */
  @Test
  void theBytesOfAListAreKnown() throws IOException {
    HllSketch sketch = new HllSketch(12);
    for (String key : List.of("apple", "pear")) {
      byte[] bytes = key.getBytes(UTF_8);
      sketch.add(Coupon.of(bytes, 0, bytes.length));
    }
    String file = HexFormat.of().formatHex(HllFormat.write(sketch, HllFormat.Width.HLL_4));
    assertThat(file).isEqualTo("0201070c030802006f2dfb048414b608");
  }

  /** Every byte changed, every length: an IOException or a sketch that can be used. */
  @Test
  void damageIsRefusedOrHarmless() {
    SplittableRandom random = Seeds.random(1);
    int refused = 0;
    int read = 0;
    for (byte[] file : files()) {
      for (int i = 0; i < Math.min(file.length, Effort.of(1_200)); i++) {
        byte[] other = file.clone();
        other[i] = (byte) random.nextInt();
        if (random.nextBoolean()) {
          other[random.nextInt(Math.min(48, other.length))] = (byte) random.nextInt(24);
        }
        if (random.nextInt(4) == 0) {
          other = Arrays.copyOf(other, random.nextInt(2 * other.length));
        }
        if (isRead(other)) {
          read++;
        } else {
          refused++;
        }
      }
    }
    assertThat(refused).isGreaterThan(500);
    assertThat(read).isGreaterThan(500);
  }

  @Test
  void randomBytesAfterAPreambleAreRefusedOrHarmless() {
    SplittableRandom random = Seeds.random(2);
    for (int i = 0; i < Effort.of(40_000); i++) {
      byte[] file = new byte[random.nextInt(8, 200)];
      random.nextBytes(file);
      int mode = random.nextInt(3);
      file[0] = List.of((byte) 2, (byte) 3, (byte) 10).get(mode);
      file[1] = 1;
      file[2] = 7;
      file[3] = (byte) random.nextInt(4, 22);
      file[7] = (byte) (random.nextInt(3) << 2 | mode);
      isRead(file);
    }
  }

  private static boolean isRead(byte[] file) {
    HllSketch sketch;
    try {
      sketch = HllFormat.read(file);
    } catch (IOException e) {
      assertThat(e).hasMessageFindingMatch("damaged sketch|not an HLL sketch|unknown width");
      return false;
    }
    double estimate = sketch.estimate();
    assertThat(estimate).isNotNegative().isFinite();
    assertThat(sketch.bytes())
        .as("no more than a small factor")
        .isLessThan(40L * file.length + 200);
    sketch.merge(of(6, 1_000));
    assertThat(sketch.lowerBound(3)).isLessThanOrEqualTo(sketch.upperBound(3));
    return true;
  }

  @Test
  void theMessageSaysWhatIsWrong() {
    byte[] list = HllFormat.write(of(12, 5), HllFormat.Width.HLL_4);
    byte[] set = HllFormat.write(of(12, 50), HllFormat.Width.HLL_4);
    byte[] registers = HllFormat.write(of(12, 5_000), HllFormat.Width.HLL_8);
    refused("2, 1, 7", new byte[] {2, 1, 7}, "is not an HLL sketch of DataSketches");
    refused("Theta", with(list, 2, 3), "is not an HLL sketch of DataSketches");
    refused("lg k", with(list, 3, 22), "a damaged sketch: 2^22 registers");
    refused("width", with(list, 7, 12), "its registers are of an unknown width, 3");
    refused("mode", with(list, 7, 1), "a damaged sketch: mode 1 and a preamble of 2 words");
    refused("short", Arrays.copyOf(list, 27), "a damaged sketch: 27 bytes of 28");
    refused("count", with(list, 6, 9), "a damaged sketch: a list of 9 coupons");
    refused("set", with(set, 11, -1), "a set of 4278190130 coupons for lg k 12");
    refused("register", with(registers, 50, 64), "a damaged sketch: a register of 64");
    byte[] infinite = registers.clone();
    ByteBuffer.wrap(infinite).order(ByteOrder.LITTLE_ENDIAN).putDouble(8, Double.NaN);
    refused("estimate", infinite, "a damaged sketch: an estimate of NaN");
    byte[] twice = set.clone();
    System.arraycopy(twice, 12, twice, 16, 4);
    refused("twice", twice, "a damaged sketch: one coupon twice");
    byte[] longer = Arrays.copyOf(list, 30);
    longer[29] = 1;
    refused("longer", longer, "a damaged sketch: it goes on after its 28 bytes");
  }

  private static byte[] with(byte[] file, int at, int value) {
    byte[] other = file.clone();
    other[at] = (byte) value;
    return other;
  }

  private static void refused(String what, byte[] file, String message) {
    assertThatThrownBy(() -> HllFormat.read(file))
        .as(what)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(message);
  }
}
