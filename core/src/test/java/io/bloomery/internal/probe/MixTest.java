package io.bloomery.internal.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.Property;
import io.bloomery.testkit.Seeds;
import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class MixTest {

  /** Outputs 1, 2, 3 of the stream at seed s are the first outputs of the published generator. */
  @Test
  void theStreamIsSplitMix64() {
    assertThat(Mix.stream(0, 1)).isEqualTo(0xE220A8397B1DCDAFL);
    assertThat(Mix.stream(0, 2)).isEqualTo(0x6E789E6AA1B965F4L);
    assertThat(Mix.stream(0, 3)).isEqualTo(0x06C45D188009454FL);
    for (long seed : new long[] {0, 1, -1, 1234567, Long.MIN_VALUE}) {
      SplittableRandom jdk = Seeds.random(seed);
      for (int i = 1; i <= 300; i++) {
        assertThat(Mix.stream(Seeds.of(seed), i))
            .as("seed %d, output %d", seed, i)
            .isEqualTo(jdk.nextLong());
      }
    }
  }

  @Test
  void mixingCanBeTakenBack() {
    Property.check(
        12,
        5_000,
        draw -> {
          long x = draw.anyLong();
          assertThat(Mix.unmix(Mix.mix(x))).isEqualTo(x);
          assertThat(Mix.mix(Mix.unmix(x))).isEqualTo(x);
        });
  }

  @Test
  void theStreamEqualsItsFormula() {
    Property.check(
        11,
        5_000,
        draw -> {
          long hash = draw.anyLong();
          int i = draw.between(0, 300);
          BigInteger reference =
              ReferenceIndexes.stream(new BigInteger(Long.toUnsignedString(hash)), i);
          assertThat(Mix.stream(hash, i)).isEqualTo(reference.longValue());
        });
  }

  /** {@code floor(hash·range / 2^64)}, all numbers unsigned. */
  @Test
  void reduceIsTheHighHalfOfTheProduct() {
    Property.check(
        12,
        20_000,
        draw -> {
          long hash = draw.anyLong();
          long range = Math.max(1, draw.anyLong() & Long.MAX_VALUE);
          BigInteger product =
              new BigInteger(Long.toUnsignedString(hash)).multiply(BigInteger.valueOf(range));
          assertThat(Mix.reduce(hash, range)).isEqualTo(product.shiftRight(64).longValueExact());
        });
  }
}
