package io.bloomery.tools.distinct;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.datasketches.hll.TgtHllType;
import org.apache.datasketches.hll.Union;
import org.apache.datasketches.memory.Memory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The same keys give the same sketch here and in DataSketches; each reads what the other wrote. */
class DataSketchesTest {

  private static final int REGISTERS = 40; // where they begin in a file

  /** Coupons collide in 1 of 10^8 pairs; their table interpolates what is computed here. */
  private static final double ALMOST = 1e-9;

  private record Pair(HllSketch ours, org.apache.datasketches.hll.HllSketch theirs) {
    static Pair of(int lgK, TgtHllType type) {
      return new Pair(new HllSketch(lgK), new org.apache.datasketches.hll.HllSketch(lgK, type));
    }

    static Pair ofKeys(int lgK, TgtHllType type, int keys, long seed) {
      Pair pair = of(lgK, type);
      SplittableRandom random = Seeds.random(seed);
      byte[] key = new byte[12];
      for (int i = 0; i < keys; i++) {
        random.nextBytes(key);
        pair.ours.add(Coupon.of(key, 0, key.length));
        pair.theirs.update(key);
      }
      return pair;
    }

    HllFormat.Width width() {
      return HllFormat.Width.valueOf(theirs.getTgtHllType().name());
    }

    byte[] ourFile() {
      return HllFormat.write(ours, width());
    }
  }

  private static org.apache.datasketches.hll.HllSketch theirs(byte[] file) {
    return org.apache.datasketches.hll.HllSketch.heapify(Memory.wrap(file));
  }

  private static List<Integer> numbers(int lgK) {
    int k = 1 << lgK;
    int most = HllSketch.mostCoupons(lgK);
    return Stream.of(0, 1, 7, 8, 9, most, most + 1, k / 2, 3 * k, 40 * k)
        .filter(n -> n <= 1 << 18)
        .sorted()
        .distinct()
        .toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5, 7, 8, 9, 10, 12, 13, 14, 21})
  void keysGiveTheSameSketch(int lgK) throws IOException {
    for (TgtHllType type : TgtHllType.values()) {
      for (int keys : numbers(lgK)) {
        Pair pair = Pair.ofKeys(lgK, type, keys, 31L * lgK + keys);
        String what = "lgK %d, %s, %d keys".formatted(lgK, type, keys);
        double estimate = pair.theirs.getEstimate();
        assertThat(pair.ours.estimate()).as(what).isCloseTo(estimate, within(ALMOST * estimate));
        theyReadOurs(pair, what);
        weReadTheirs(pair, pair.theirs.toCompactByteArray(), what);
        weReadTheirs(pair, pair.theirs.toUpdatableByteArray(), what);
      }
    }
  }

  private static void theyReadOurs(Pair pair, String what) {
    org.apache.datasketches.hll.HllSketch read = theirs(pair.ourFile());
    double ours = pair.ours.estimate();
    boolean isExact = pair.ours.mode() == HllSketch.Mode.HLL;
    assertThat(read.getEstimate()).as(what).isCloseTo(ours, within(isExact ? 0 : ALMOST * ours));
    assertThat(read.getCompositeEstimate()).as(what).isEqualTo(pair.theirs.getCompositeEstimate());
    assertThat(read.isEmpty()).as(what).isEqualTo(pair.theirs.isEmpty());
    byte[] both = read.toCompactByteArray();
    byte[] original = pair.theirs.toCompactByteArray();
    if (pair.ours.mode() == HllSketch.Mode.HLL) { // their tables of coupons have an order
      byte[] file = pair.ourFile();
      assertThat(file).as(what).hasSameSizeAs(original);
      Arrays.fill(file, 8, 16, (byte) 0); // the estimate, but for its last digits
      Arrays.fill(original, 8, 16, (byte) 0);
      int exceptions = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(36);
      int end = file.length - 4 * exceptions;
      assertThat(Arrays.copyOf(file, end)).as(what).isEqualTo(Arrays.copyOf(original, end));
    } else {
      assertThat(both).as(what).hasSameSizeAs(original);
    }
  }

  private static void weReadTheirs(Pair pair, byte[] file, String what) throws IOException {
    assertThat(HllFormat.isSketch(file)).as(what).isTrue();
    assertThat(HllFormat.width(file)).isEqualTo(pair.width());
    HllSketch read = HllFormat.read(file);
    double estimate = pair.theirs.getEstimate();
    boolean isExact = read.mode() == HllSketch.Mode.HLL;
    assertThat(read.estimate())
        .as(what)
        .isCloseTo(estimate, within(isExact ? 0 : ALMOST * estimate));
    assertThat(read.mode()).as(what).isEqualTo(pair.ours.mode());
    assertThat(read.registers()).as(what).isEqualTo(pair.ours.registers());
    assertThat(read.coupons()).as(what).isEqualTo(pair.ours.coupons());
    assertThat(read.sum()).as(what).isEqualTo(pair.ours.sum());
    assertThat(read.smallSum()).as(what).isEqualTo(pair.ours.smallSum());
    for (int sigmas = 1; sigmas <= 3; sigmas++) {
      double lower = pair.theirs.getLowerBound(sigmas);
      double upper = pair.theirs.getUpperBound(sigmas);
      // Up to 2^12 registers theirs come from a table of simulated quantiles, ours from a formula.
      boolean isTable = isExact && read.lgK() <= 12;
      double off = isTable ? 0.02 * estimate * read.standardError() * sigmas : ALMOST * estimate;
      boolean isTiny = isTable && read.lgK() < 8;
      double allowed = isExact && !isTable ? 0 : isTiny ? 4 * off : off;
      assertThat(read.lowerBound(sigmas)).as(what).isCloseTo(lower, within(allowed));
      assertThat(read.upperBound(sigmas)).as(what).isCloseTo(upper, within(allowed));
    }
  }

  /** Registers that few keys have: exceptions of those with 4 bits, and the second sum. */
  @ParameterizedTest
  @EnumSource(TgtHllType.class)
  void largeValuesAreWrittenAndRead(TgtHllType type) throws IOException {
    for (int lgK : new int[] {4, 8, 12}) {
      HllSketch sketch = new HllSketch(lgK);
      SplittableRandom random = Seeds.random(lgK);
      for (int i = 0; i < 20 << lgK; i++) {
        int value = i % 160 == 0 ? 20 + random.nextInt(44) : 1 + random.nextInt(6);
        sketch.add(Coupon.of(random.nextInt(), i == 0 ? 63 : value));
      }
      byte[] file = HllFormat.write(sketch, HllFormat.Width.valueOf(type.name()));
      org.apache.datasketches.hll.HllSketch read = theirs(file);
      assertThat(read.getEstimate()).isEqualTo(sketch.estimate());
      HllSketch again = HllFormat.read(read.toUpdatableByteArray());
      assertThat(again.registers()).isEqualTo(sketch.registers());
      assertThat(again.smallSum()).isEqualTo(sketch.smallSum()).isPositive();
    }
  }

  /** Which of them is in HLL mode changes what the union keeps; the registers never differ. */
  @ParameterizedTest
  @CsvSource({
    "12, 30000, 12, 50000",
    "12, 30000, 14, 60000",
    "14, 60000, 12, 150000",
    "4, 1000, 4, 3000",
    "13, 9000, 13, 9000",
    "16, 70000, 16, 100000",
  })
  void unionsHaveTheSameRegisters(int lgK, int keys, int otherLgK, int otherKeys)
      throws IOException {
    for (TgtHllType type : TgtHllType.values()) {
      Pair one = Pair.ofKeys(lgK, type, keys, 1);
      Pair other = Pair.ofKeys(otherLgK, type, otherKeys, 2);
      Union union = new Union(21);
      union.update(one.theirs);
      union.update(other.theirs);
      org.apache.datasketches.hll.HllSketch both = union.getResult(TgtHllType.HLL_8);
      one.ours.merge(HllFormat.read(other.ourFile()));
      byte[] file = HllFormat.write(one.ours, HllFormat.Width.HLL_8);
      byte[] theirFile = both.toCompactByteArray();
      assertThat(Arrays.copyOfRange(file, REGISTERS, file.length))
          .isEqualTo(Arrays.copyOfRange(theirFile, REGISTERS, theirFile.length));
      assertThat(theirs(file).getEstimate())
          .isCloseTo(both.getEstimate(), within(ALMOST * both.getEstimate()));
      // Two estimators of one number from the same registers: a small part of their own error.
      double off = 0.15 * one.ours.standardError() * both.getEstimate();
      assertThat(one.ours.estimate()).isCloseTo(both.getEstimate(), within(off));
      assertThat(HllFormat.read(theirFile).estimate()).isEqualTo(one.ours.estimate());
    }
  }

  @Test
  void smallUnionsAreSetsOfCoupons() throws IOException {
    Pair one = Pair.ofKeys(12, TgtHllType.HLL_4, 100, 1);
    Pair other = Pair.ofKeys(12, TgtHllType.HLL_4, 200, 2);
    Union union = new Union(12);
    union.update(one.theirs);
    union.update(other.theirs);
    one.ours.merge(other.ours);
    assertThat(one.ours.coupons())
        .isEqualTo(HllFormat.read(union.toCompactByteArray()).coupons())
        .hasSize(300);
  }

  @Test
  void keysOfEachTypeHaveTheirCoupon() throws IOException {
    org.apache.datasketches.hll.HllSketch theirs =
        new org.apache.datasketches.hll.HllSketch(12, TgtHllType.HLL_8);
    theirs.update("Käse");
    theirs.update(-42L);
    theirs.update(0.25);
    HllSketch ours = new HllSketch(12);
    byte[] text = "xKäse".getBytes(UTF_8);
    ours.add(Coupon.of(text, 1, text.length - 1));
    for (long number : new long[] {-42, Double.doubleToLongBits(0.25)}) {
      byte[] bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
      ours.add(Coupon.of(bytes, 0, bytes.length));
    }
    assertThat(ours.coupons()).isEqualTo(HllFormat.read(theirs.toCompactByteArray()).coupons());
  }

  @Test
  void theFileOfTwoKeysIsTheSame() {
    Pair pair = Pair.of(12, TgtHllType.HLL_4);
    for (String key : List.of("pear", "apple")) {
      byte[] bytes = key.getBytes(UTF_8);
      pair.ours.add(Coupon.of(bytes, 0, bytes.length));
      pair.theirs.update(key);
    }
    assertThat(pair.ourFile()).isEqualTo(pair.theirs.toCompactByteArray());
  }

  @Test
  void keysAreAddedToWhatTheyCounted() throws IOException {
    Pair pair = Pair.ofKeys(13, TgtHllType.HLL_4, 20_000, 5);
    HllSketch read = HllFormat.read(pair.theirs.toCompactByteArray());
    SplittableRandom random = Seeds.random(6);
    byte[] key = new byte[9];
    for (int i = 0; i < 50_000; i++) {
      random.nextBytes(key);
      read.add(Coupon.of(key, 0, key.length));
      pair.theirs.update(key);
    }
    assertThat(read.estimate()).isEqualTo(pair.theirs.getEstimate());
    assertThat(read.lowerBound(2)).isEqualTo(pair.theirs.getLowerBound(2));
    assertThat(read.upperBound(2)).isEqualTo(pair.theirs.getUpperBound(2));
  }
}
