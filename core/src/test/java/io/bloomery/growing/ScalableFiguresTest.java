package io.bloomery.growing;

import static io.bloomery.testing.Rates.assertRate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.testing.Keys;
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
    ScalableShape shape = ScalableShape.forKeys(1_000, 0.01);
    assertThat(shape.layersFor(KEYS)).isEqualTo(14);
    assertThat(shape.falsePositiveRate(KEYS)).isCloseTo(0.00849, within(5e-6));
  }

  /** Ten million keys, a million outsiders; keys that are reported present leave room: ± 1 %. */
  @Test
  @Tag("long")
  void tenMillionKeysHaveThatRate() {
    ScalableBloomFilter filter = ScalableBloomFilter.create(1_000, 0.01);
    long[] keys = Keys.members(KEYS);
    filter.addHashes(keys, 0, KEYS);
    assertThat(filter.layerCount()).isEqualTo(14);
    double rate = filter.falsePositiveRate();
    assertThat(rate).isCloseTo(filter.shape().falsePositiveRate(KEYS), within(0.01 * rate));
    long[] hits = new long[1_000_000 / 64 + 1];
    int found = filter.mightContainHashes(Keys.outsiders(1_000_000), 0, 1_000_000, hits);
    assertRate(found, 1_000_000, rate, 5);
  }
}
