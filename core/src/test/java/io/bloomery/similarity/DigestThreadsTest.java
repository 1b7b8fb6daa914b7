package io.bloomery.similarity;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filter;
import io.bloomery.SampleFilters;
import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Race;
import io.bloomery.testkit.Seeds;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Digests that several threads fill are, bit for bit, those that one thread fills. */
final class DigestThreadsTest {

  private static final int THREADS = 4;
  private static final int PAYLOADS = 2_000;
  private static final BlockDigestShape SHAPE = new BlockDigestShape(200_000, 3, 8, true);

  private static byte[][] payloads() {
    SplittableRandom draw = Seeds.random(4021);
    byte[][] payloads = new byte[PAYLOADS][];
    for (int i = 0; i < PAYLOADS; i++) {
      payloads[i] = new byte[16 + draw.nextInt(120)];
      draw.nextBytes(payloads[i]);
    }
    return payloads;
  }

  private static void assertNothingIsLost(
      ContentDigest<?> together, ContentDigest<?> alone, byte[][] payloads) {
    for (byte[] payload : payloads) {
      alone.add(payload);
    }
    Race.run(
        THREADS,
        number -> {
          for (int i = number; i < PAYLOADS; i += THREADS) {
            together.add(payloads[i]);
            assertThat(together.mightContain(payloads[i])).isTrue();
          }
        });
    assertThat(together.longest()).isEqualTo(alone.longest());
    assertThat(SampleFilters.bytes((Filter) together))
        .isEqualTo(SampleFilters.bytes((Filter) alone));
  }

  @Test
  void blocks() {
    assertNothingIsLost(
        BlockDigest.create(SHAPE, Hasher.xxh3(5)),
        BlockDigest.create(SHAPE, Hasher.xxh3(5)),
        payloads());
  }

  @Test
  void hierarchies() {
    HierarchicalDigestShape shape = new HierarchicalDigestShape(SHAPE, 3, true);
    assertNothingIsLost(
        HierarchicalDigest.create(shape, Hasher.xxh3(5)),
        HierarchicalDigest.create(shape, Hasher.xxh3(5)),
        payloads());
  }
}
