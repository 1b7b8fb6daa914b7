package io.bloomery.growing;

import static io.bloomery.testkit.Printed.assertPrinted;
import static io.bloomery.testkit.Rates.assertRate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.testkit.Keys;
import io.bloomery.theory.BloomMath;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Catalogue G1 at ten million keys, in the first quarter of layer 14. */
final class ScalableFiguresTest {

  private static final int KEYS = 10_000_000;

  @Test
  void aLayerThatWasJustOpenedTakesAsMuchAsAllBefore() {
    ScalableShape shape =
        new ScalableShape(1_000, 0.001, 2, 0.85, ScalableShape.LayerKind.PARTITIONED);
    double ideal = KEYS * BloomMath.bitsPerKey(0.001);
    assertThat(shape.grownTo(KEYS).sizeInBits() / ideal).isCloseTo(2.619, within(5e-4));
  }

  @Test
  void theRateAtTenMillionKeys() {
    ScalableShape shape = new ScalableShape(1_000, 0.01, 2, 0.85, ScalableShape.LayerKind.BLOCKED);
    assertThat(shape.layersFor(KEYS)).isEqualTo(14);
    assertThat(shape.falsePositiveRate(KEYS)).isCloseTo(0.00849, within(5e-6));
  }

  /** The default grows in steps: few layers up to a million keys, little waste after them. */
  @Test
  void stepsTakeFewerLayersAndLessMemory() {
    ScalableShape shape = ScalableShape.forKeys(1_000, 0.01);
    long[] capacities = {1_000, 1 << 16, 1 << 18, 1 << 20, 1_468_006, 2_055_208, 2_877_291};
    double left = 0.01;
    for (int i = 0; i < capacities.length; i++) {
      assertThat(shape.layerKeys(i)).isEqualTo(capacities[i]);
      double share = i > 0 && i < 4 ? 0.06 : 0.2;
      assertThat(shape.layerRate(i)).isCloseTo(left * share, within(1e-15));
      left *= 1 - share;
    }
    assertThat(shape.layersFor(200_000)).isEqualTo(3);
    assertThat(shape.layersFor(KEYS)).isEqualTo(8);
    assertPrinted((double) shape.grownTo(KEYS).sizeInBits() / KEYS, "20.76");
    ScalableShape doubling = shape.withGrowth(2).withTightening(0.85);
    assertPrinted((double) doubling.grownTo(KEYS).sizeInBits() / KEYS, "33.05");
    assertThat(shape.falsePositiveRate(KEYS)).isCloseTo(0.00644, within(1e-5));
    assertThat(ScalableShape.forKeys(100, 0.01).sizeInBits() / 8).isLessThan(2_048);
    assertThat(ScalableShape.forKeys(1_000, 0.01).sizeInBits() / 8).isLessThan(2_048);
    assertThat(ScalableShape.forKeys(1 << 16, 0.01).layerKeys(1)).isEqualTo(1 << 18);
    assertThat(ScalableShape.forKeys(3_000_000, 0.01).layerKeys(1)).isEqualTo(4_200_000);
    assertThat(shape.layerKeys(60)).isEqualTo(1L << 36);
  }

  /** Ten million keys, a million outsiders; keys that are reported present leave room: ± 1 %. */
  @Test
  @Tag("long")
  void tenMillionKeysHaveThatRate() {
    ScalableBloomFilter filter = ScalableBloomFilter.create(1_000, 0.01);
    long[] keys = Keys.members(KEYS);
    filter.addHashes(keys, 0, KEYS);
    assertThat(filter.layerCount()).isEqualTo(8);
    double rate = filter.falsePositiveRate();
    assertThat(rate).isCloseTo(filter.shape().falsePositiveRate(KEYS), within(0.01 * rate));
    long[] hits = new long[1_000_000 / 64 + 1];
    int found = filter.mightContainHashes(Keys.outsiders(1_000_000), 0, 1_000_000, hits);
    assertRate(found, 1_000_000, rate, 5);
  }
}
