package io.bloomery.theory;

import static io.bloomery.testkit.Printed.assertPrinted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.testkit.Seeds;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Rates of substring queries against a loop over everything that is looked up. */
final class ExcerptMathTest {

  /** FP_e and row 1 of FP_o in the slides on payload attribution. */
  private static final String[] PUBLISHED_LOOKUP = {".393", ".237", ".155", ".109", ".0804"};

  private static final double[] PUBLISHED_ONE_BLOCK = {1, .999885, .996099, .976179, .933179};

  @Test
  void groupsAreThoseThatLieWithin() {
    for (int level = 0; level < 5; level++) {
      for (int first = 0; first < 40; first++) {
        for (int blocks = 0; blocks < 40; blocks++) {
          assertThat(ExcerptMath.groups(level, first, blocks))
              .isEqualTo(countGroups(level, first, blocks));
        }
      }
    }
  }

  private static int countGroups(int level, int first, int blocks) {
    int size = 1 << level;
    int count = 0;
    for (int group = 0; group * size < first + blocks; group++) {
      count += group * size >= first && (group + 1) * size <= first + blocks ? 1 : 0;
    }
    return count;
  }

  /**
   * The columns are m/n = 2 … 6 with 1, 2, 2, 2, 2 hashes. Row 1, of a trace that is not published,
   * is that of 32 to 34 offsets; 1.00000 is rounded.
   */
  @Test
  void oneBlockAtThirtyThreeOffsets() {
    int[] hashes = {1, 2, 2, 2, 2};
    for (int i = 0; i < hashes.length; i++) {
      double lookup = BloomMath.exponentialRate((i + 2) * 1_000_000L, 1_000_000, hashes[i]);
      assertPrinted(lookup, PUBLISHED_LOOKUP[i]);
      double[] published = {Double.parseDouble(PUBLISHED_LOOKUP[i])};
      assertThat(PUBLISHED_ONE_BLOCK[i])
          .isBetween(
              ExcerptMath.anywhere(published, 1, 0, 32),
              ExcerptMath.anywhere(published, 1, 0, 34) + (i == 0 ? 5e-6 : 0));
    }
  }

  @Test
  void anywhereIsTheProductOverAllIndexes() {
    SplittableRandom draw = Seeds.random(1);
    for (int round = 0; round < 500; round++) {
      double[] rates = draw.doubles(draw.nextInt(1, 7)).toArray();
      int blocks = draw.nextInt(1, 20);
      int first = draw.nextInt(0, 10);
      int indexes = draw.nextInt(0, 60);
      double nowhere = 1;
      for (int i = first; i < first + indexes; i++) {
        double all = 1;
        for (int level = 0; level < rates.length; level++) {
          all *= Math.pow(rates[level], countGroups(level, i, blocks));
        }
        nowhere *= 1 - all;
      }
      assertThat(ExcerptMath.anywhere(rates, blocks, first, indexes))
          .isCloseTo(1 - nowhere, within(1e-12));
    }
  }

  @Test
  void anExcerptIsTriedAtEveryAlignment() {
    SplittableRandom draw = Seeds.random(2);
    for (int round = 0; round < 500; round++) {
      double[] rates = draw.doubles(3, 0, .6).toArray();
      int blockBytes = draw.nextInt(1, 9);
      int longest = draw.nextInt(0, 30);
      int excerpt = 2 * blockBytes - 1 + draw.nextInt(0, 40);
      boolean contents = draw.nextBoolean();
      double absent = 1;
      for (int alignment = 0; alignment < blockBytes; alignment++) {
        int blocks = (excerpt - alignment) / blockBytes;
        int first = alignment == 0 ? 0 : 1;
        int indexes = Math.max(0, longest - blocks - first + 1);
        double found = ExcerptMath.anywhere(rates, blocks, first, indexes);
        absent *= 1 - (contents ? Math.pow(rates[0], blocks) : 1) * found;
      }
      assertThat(ExcerptMath.excerpt(rates, contents, blockBytes, longest, excerpt))
          .isCloseTo(1 - absent, within(1e-12));
    }
  }

  @Test
  void edges() {
    double[] rates = {.1, .1};
    assertThat(ExcerptMath.excerpt(rates, false, 32, 46, 62)).isEqualTo(1);
    assertThat(ExcerptMath.excerpt(rates, false, 32, 0, 63)).isZero();
    assertThat(ExcerptMath.excerpt(new double[] {0, 0}, true, 32, 46, 63)).isZero();
    assertThat(ExcerptMath.excerpt(new double[] {1, 1}, true, 32, 46, 63)).isEqualTo(1);
    assertThat(ExcerptMath.anywhere(rates, 1, 0, 0)).isZero();
    assertThat(ExcerptMath.anywhere(new double[] {1e-20}, 1, 0, 1000))
        .isCloseTo(1e-17, within(1e-23));
  }

  /**
   * Random payloads, a digest of 10 bits per block: the hierarchy, with twice the keys, is worse
   * for any number of blocks up to 5 and offsets that are odd as often as even.
   */
  @Test
  void ofRandomPayloadsTheHierarchyCostsMoreThanItGives() {
    double blocksOnly = BloomMath.exponentialRate(10_000_000, 1_000_000, 7);
    double[] hierarchy = new double[6];
    Arrays.fill(hierarchy, BloomMath.exponentialRate(10_000_000, 2_000_000, 3));
    for (int blocks = 1; blocks <= 5; blocks++) {
      assertThat(ExcerptMath.anywhere(new double[] {blocksOnly}, blocks, 0, 33 - blocks))
          .isLessThan(ExcerptMath.anywhere(hierarchy, blocks, 0, 33 - blocks));
    }
  }

  @Test
  void argumentsAreChecked() {
    double[] rates = {.1};
    assertThatThrownBy(() -> ExcerptMath.groups(-1, 0, 0)).hasMessageContaining("level = -1");
    assertThatThrownBy(() -> ExcerptMath.groups(0, -1, 0)).hasMessageContaining("first = -1");
    assertThatThrownBy(() -> ExcerptMath.groups(0, 0, -1)).hasMessageContaining("blocks = -1");
    assertThatThrownBy(() -> ExcerptMath.anywhere(rates, 0, 0, 1)).hasMessageContaining("blocks");
    assertThatThrownBy(() -> ExcerptMath.anywhere(rates, 1, 0, -1)).hasMessageContaining("indexes");
    assertThatThrownBy(() -> ExcerptMath.anywhere(new double[] {1.1}, 1, 0, 1))
        .hasMessageContaining("lookupRates = 1.1");
    assertThatThrownBy(() -> ExcerptMath.anywhere(new double[0], 1, 0, 1))
        .hasMessageContaining("lookupRates.length = 0");
    assertThatThrownBy(() -> ExcerptMath.excerpt(rates, true, 0, 1, 1))
        .hasMessageContaining("blockBytes = 0");
    assertThatThrownBy(() -> ExcerptMath.excerpt(rates, true, 1, -1, 1))
        .hasMessageContaining("longest = -1");
    assertThatThrownBy(() -> ExcerptMath.excerpt(rates, true, 1, 1, -1))
        .hasMessageContaining("excerptBytes = -1");
  }
}
