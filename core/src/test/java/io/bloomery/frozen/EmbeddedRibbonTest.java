package io.bloomery.frozen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class EmbeddedRibbonTest {

  private static final int TRIALS = 400_000;

  private static long[] hashes(int count, long seed) {
    return Seeds.random(seed).longs(count).toArray();
  }

  private static RibbonFilter.Embedded reopened(RibbonFilter.Embedded built) {
    return RibbonFilter.Embedded.of(
        built.keyCount(),
        built.columns(),
        built.narrowShare(),
        built.trial(),
        ByteBuffer.allocate(built.bytes().length + 24).put(8, built.bytes()),
        8);
  }

  @Test
  void whatWasBuiltAnswersTheSameFromItsBytes() {
    for (int count : new int[] {0, 1, 2, 63, 1500, 20_000}) {
      long[] hashes = hashes(count, count);
      RibbonFilter.Embedded built = RibbonFilter.Embedded.build(hashes, count, 0.01, 1 << 20);
      RibbonFilter.Embedded read = reopened(built);
      assertThat(read.bytes()).isEqualTo(built.bytes());
      for (long hash : hashes) {
        assertThat(read.mightContainHash(hash)).isTrue();
      }
      for (long hash : hashes(1000, -1)) {
        assertThat(read.mightContainHash(hash)).isEqualTo(built.mightContainHash(hash));
      }
    }
  }

  @Test
  void onlyTheFirstHashesCount() {
    long[] hashes = hashes(4000, 1);
    assertThat(RibbonFilter.Embedded.build(hashes, 2000, 0.01, 1 << 20).keyCount()).isEqualTo(2000);
  }

  @Test
  void theRateIsThePromisedOneOrWhatTheBytesAllow() {
    long[] hashes = hashes(30_000, 2);
    RibbonFilter.Embedded wanted =
        RibbonFilter.Embedded.build(hashes, hashes.length, 0.01, 1 << 20);
    assertThat(wanted.rate()).isBetween(0.0099, 0.01);
    assertRate(wanted);
    for (double bitsPerKey : new double[] {0.5, 1.5, 4, 6}) {
      long budget = (long) (bitsPerKey * hashes.length / Byte.SIZE);
      RibbonFilter.Embedded small =
          RibbonFilter.Embedded.build(hashes, hashes.length, 0.001, budget);
      assertThat(small.bytes().length).isBetween((int) (0.99 * budget), (int) budget);
      assertThat(small.rate()).isBetween(Math.pow(2, -bitsPerKey), Math.pow(2, 0.12 - bitsPerKey));
      assertRate(small);
    }
    assertThat(RibbonFilter.Embedded.build(hashes, hashes.length, 0.01, 7)).isNull();
  }

  private static void assertRate(RibbonFilter.Embedded filter) {
    int hits = 0;
    for (long hash : hashes(TRIALS, 99)) {
      hits += filter.mightContainHash(hash) ? 1 : 0;
    }
    Rates.assertRate(hits, TRIALS, filter.rate(), 5);
  }

  @Test
  void wordsThatDoNotFitAreRefused() {
    RibbonFilter.Embedded built = RibbonFilter.Embedded.build(hashes(100, 3), 100, 0.01, 1 << 20);
    byte[] bytes = built.bytes();
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                RibbonFilter.Embedded.of(
                    100, built.columns(), 0, built.trial(), ByteBuffer.wrap(bytes, 8, 16), 0));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                RibbonFilter.Embedded.of(
                    100, built.columns(), built.narrowShare(), 256, ByteBuffer.wrap(bytes), 0));
  }
}
