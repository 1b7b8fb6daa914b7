package io.bloomery.tools.distinct;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.testkit.Seeds;
import io.bloomery.tools.problem.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HllSketchTest {

  private static int coupon(long key) {
    byte[] bytes = Long.toString(Seeds.of(key)).getBytes(UTF_8);
    return Coupon.of(bytes, 0, bytes.length);
  }

  private static HllSketch of(int lgK, int from, int to) {
    HllSketch sketch = new HllSketch(lgK);
    for (int i = from; i < to; i++) {
      sketch.add(coupon(i));
    }
    return sketch;
  }

  private static byte[] file(HllSketch sketch) {
    return HllFormat.write(sketch, HllFormat.Width.HLL_8);
  }

  @Test
  void fewKeysAreCounted() {
    HllSketch sketch = new HllSketch(14);
    assertThat(sketch.isEmpty()).isTrue();
    assertThat(sketch.estimate()).isZero();
    assertThat(sketch.upperBound(3)).isZero();
    int coupons = 0;
    for (int i = 1; i <= 1_536; i++) {
      sketch.add(coupon(i));
      sketch.add(coupon(i));
      coupons = sketch.coupons().length;
      assertThat(i - coupons).as("collisions").isLessThanOrEqualTo(1);
      assertThat(Math.round(sketch.estimate())).isEqualTo(coupons);
      assertThat(Math.round(sketch.lowerBound(3))).isEqualTo(coupons);
      assertThat(sketch.mode()).isEqualTo(i < 8 ? HllSketch.Mode.LIST : HllSketch.Mode.SET);
    }
    while (sketch.mode() == HllSketch.Mode.SET) {
      sketch.add(coupon(++coupons + 1_000_000));
    }
    assertThat(sketch.estimate()).isCloseTo(1_537, within(1.5));
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 7})
  void withFewRegistersThereAreNoSets(int lgK) {
    assertThat(of(lgK, 0, 7).mode()).isEqualTo(HllSketch.Mode.LIST);
    assertThat(of(lgK, 0, 9).mode()).isEqualTo(HllSketch.Mode.HLL);
  }

  /** Sketches of all modes and sizes, merged in any order: the same bytes. */
  @Test
  void mergingDependsOnNoOrder() {
    SplittableRandom random = Seeds.random(3);
    for (int round = 0; round < 200; round++) {
      List<HllSketch> parts = new ArrayList<>();
      int start = 0;
      for (int i = 0; i < 2 + random.nextInt(5); i++) {
        int keys = random.nextInt(5) == 0 ? 0 : random.nextInt(1 << random.nextInt(1, 14));
        int lgK = random.nextInt(4, 12);
        parts.add(of(lgK, start, start + keys));
        start += random.nextInt(keys + 1);
      }
      byte[] expected = file(merged(parts));
      for (int again = 0; again < 3; again++) {
        Seeds.shuffle(parts, 31L * round + again);
        int cut = random.nextInt(parts.size() + 1);
        HllSketch left = merged(parts.subList(0, cut));
        left.merge(merged(parts.subList(cut, parts.size())));
        assertThat(file(left)).isEqualTo(expected);
      }
    }
  }

  private static HllSketch merged(List<HllSketch> parts) {
    HllSketch sum = new HllSketch(21);
    parts.forEach(sum::merge);
    return sum;
  }

  @Test
  void mergingIsAddingAllKeys() {
    HllSketch one = of(12, 0, 40_000);
    HllSketch other = of(12, 20_000, 60_000);
    byte[] before = file(other);
    one.merge(other);
    assertThat(file(other)).isEqualTo(before);
    assertThat(one.registers()).isEqualTo(of(12, 0, 60_000).registers());
    assertThat(one.isOnline()).isFalse();
    assertThat(one.estimate()).isCloseTo(60_000, within(5 * one.standardError() * 60_000));
    double estimate = one.estimate();
    one.merge(one);
    assertThat(one.estimate()).isEqualTo(estimate);
    one.add(coupon(7));
    assertThat(one.estimate()).isEqualTo(estimate);
  }

  @Test
  void anEmptySketchChangesNothing() {
    HllSketch sketch = of(13, 0, 30_000);
    byte[] before = file(sketch);
    sketch.merge(new HllSketch(4));
    assertThat(file(sketch)).isEqualTo(before);
    HllSketch empty = new HllSketch(4);
    empty.merge(sketch);
    assertThat(file(empty)).isEqualTo(before);
    empty.add(coupon(-1));
    empty.add(coupon(-2));
    assertThat(file(sketch)).as("not shared").isEqualTo(before);
  }

  @Test
  void theSmallestSketchForAnErrorIsTaken() {
    assertThat(HllSketch.forError(0.5).lgK()).isEqualTo(4);
    assertThat(HllSketch.forError(0.01).lgK()).isEqualTo(13);
    assertThat(HllSketch.forError(0.0065).lgK()).isEqualTo(15);
    assertThat(HllSketch.forError(0.00651).lgK()).isEqualTo(14);
    assertThatThrownBy(() -> HllSketch.forError(0.0001))
        .isInstanceOf(Problem.class)
        .hasMessageContaining(
            "--error is 1.0E-4; the most exact sketch has 0.00057, and --exact none");
  }

  @Test
  void itSaysWhatItTakes() {
    assertThat(of(14, 0, 2).bytes()).isLessThan(150);
    assertThat(of(14, 0, 1_000).bytes()).isBetween(4_000L, 8_500L);
    assertThat(of(14, 0, 100_000).bytes()).isBetween(1L << 14, 17_000L);
  }
}
