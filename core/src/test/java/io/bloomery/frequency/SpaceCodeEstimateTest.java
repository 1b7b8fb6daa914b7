package io.bloomery.frequency;

import static io.bloomery.testing.Rates.assertMean;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.hash.Hasher;
import io.bloomery.testing.Keys;
import io.bloomery.testing.Seeds;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Catalogue F4 and F5: what the matching groups of a key say about its count. */
final class SpaceCodeEstimateTest {

  private static final SpaceCodeShape SINGLE = new SpaceCodeShape(1 << 20, 3, 32, 1);
  private static final SpaceCodeShape SIX = new SpaceCodeShape(1 << 20, 3, 32, 6);

  private static SpaceCodeFilter filter(long bits, int resolutions, long seed) {
    return SpaceCodeFilter.create(
        new SpaceCodeShape(bits, 3, 32, resolutions), Hasher.xxh3(), Seeds.of(seed));
  }

  /** One key a filter, m = 2^14: hardly any collisions of bits. */
  private static double[] matchesOfManyKeys(int adds, int keys) {
    double[] matches = new double[keys];
    for (int i = 0; i < keys; i++) {
      SpaceCodeFilter filter = filter(1 << 14, 1, i);
      filter.addHashes(repeated(Keys.hash(i), adds), 0, adds);
      matches[i] = filter.matches(Keys.hash(i), 0);
    }
    return matches;
  }

  private static long[] repeated(long hash, int times) {
    long[] hashes = new long[times];
    Arrays.fill(hashes, hash);
    return hashes;
  }

  /** F4: E[θ] after 10, 32, 111, 200 additions; 2 000 keys, ± 2 %, and 5 standard errors. */
  @ParameterizedTest
  @CsvSource({"10,8.70", "32,20.41", "111,31.06", "200,31.94"})
  void matchesAreThoseOfTheCouponCollector(int adds, double published) {
    double expected = SINGLE.expectedMatches(0, adds);
    assertThat(expected).isCloseTo(published, within(0.005));
    double[] matches = matchesOfManyKeys(adds, 2000);
    assertThat(Arrays.stream(matches).average().orElseThrow())
        .isCloseTo(expected, within(0.02 * expected));
    assertMean(matches, expected, 5, 0);
  }

  /** F4: the slides' l·ln l = 111 is not when all groups match; l·H_l = 129.9 is. */
  @Test
  void theRangeIsTheCouponCollectors() {
    assertThat(32 * Math.log(32)).isCloseTo(110.9, within(0.05));
    assertThat(SINGLE.range()).isCloseTo(129.9, within(0.05));
    double[] needed = new double[1000];
    for (int i = 0; i < needed.length; i++) {
      SpaceCodeFilter filter = filter(1 << 14, 1, i);
      while (!filter.isSaturated(i)) {
        filter.addHashes(new long[] {i}, 0, 1);
        needed[i]++;
      }
      assertThat(filter.countHash(i)).isEqualTo(130);
      assertThat(filter.likelyCountHash(i)).isEqualTo(130);
    }
    assertMean(needed, SINGLE.range(), 5, 0);
  }

  /** F4: bias below 5 % up to 60 additions, 2 000 keys, for both estimators; collisions or not. */
  @ParameterizedTest
  @CsvSource({"1,0", "10,0", "30,0", "60,0", "10,0.3", "30,0.3", "60,0.3"})
  void estimatesAreNotBiased(int adds, double fill) {
    double mve = 0;
    double squares = 0;
    double mle = 0;
    long[] others = Keys.outsiders(1000);
    int keys = 2000;
    for (int i = 0; i < keys; i++) {
      SpaceCodeFilter filter = filter(1 << 11, 1, i);
      for (int other = 1; filter.fillRatio(0) < fill; other += 16) {
        filter.addHashes(others, other, other + 16);
      }
      filter.addHashes(repeated(Keys.hash(i), adds), 0, adds);
      double estimate = filter.estimateHash(Keys.hash(i));
      mve += estimate / adds / keys;
      squares += (estimate / adds - 1) * (estimate / adds - 1) / keys;
      mle += (double) filter.likelyCountHash(Keys.hash(i)) / adds / keys;
    }
    assertThat(mve).isCloseTo(1, within(0.05));
    assertThat(mle).isCloseTo(1, within(0.05));
    // 12.7 %, 15.2 %, 21.2 %, and 17.7 %, 16.3 %, 23.2 % at a fill of .3.
    assertThat(Math.sqrt(squares)).isLessThan(0.25);
  }

  /** The estimators against brute force over all counts. */
  @Test
  void theLikeliestCountIsTheLikeliest() {
    for (int groups : new int[] {2, 5, 32}) {
      SpaceCodeShape shape = new SpaceCodeShape(1000, 3, groups, 1);
      for (double fill : new double[] {0, 0.1, 0.5, 0.8, 0.97}) {
        double collide = Math.pow(fill, 3);
        double[][] likelihood = new double[1500][];
        double[] drawn = new double[groups + 1];
        drawn[0] = 1;
        for (int c = 0; c < likelihood.length; c++) {
          likelihood[c] = withCollisions(drawn, groups, collide);
          double[] next = new double[groups + 1];
          for (int j = 0; j <= groups; j++) {
            next[j] += drawn[j] * j / groups;
            if (j < groups) {
              next[j + 1] += drawn[j] * (groups - j) / groups;
            }
          }
          drawn = next;
        }
        for (int matches = 0; matches < groups; matches++) {
          int best = 0;
          for (int c = 1; c < likelihood.length; c++) {
            best = likelihood[c][matches] > likelihood[best][matches] * (1 + 1e-9) ? c : best;
          }
          if (likelihood[best][matches] > 1e-200) {
            long found = shape.likelyEstimate(matches, fill);
            assertThat(likelihood[(int) found][matches])
                .as("%d of %d, fill %s", matches, groups, fill)
                .isCloseTo(likelihood[best][matches], within(1e-9 * likelihood[best][matches]));
          }
        }
      }
    }
  }

  /** Each group that was not drawn matches by itself, group by group. */
  private static double[] withCollisions(double[] drawn, int groups, double collide) {
    double[] all = new double[groups + 1];
    for (int j = 0; j <= groups; j++) {
      double[] p = new double[groups + 1];
      p[j] = drawn[j];
      for (int g = j; g < groups; g++) {
        for (int x = groups; x > 0; x--) {
          p[x] = p[x] * (1 - collide) + p[x - 1] * collide;
        }
        p[0] *= 1 - collide;
      }
      for (int x = 0; x <= groups; x++) {
        all[x] += p[x];
      }
    }
    return all;
  }

  @Test
  void meanValueInvertsTheExpectedMatches() {
    for (int adds = 1; adds < 150; adds++) {
      double missed = Math.pow(1 - 1.0 / 32, adds) * (1 - 0.027);
      double matches = 32 * (1 - missed);
      int below = (int) matches;
      assertThat(SINGLE.meanValueEstimate(below, 0.3)).isLessThanOrEqualTo(adds);
      if (below < 31) {
        assertThat(SINGLE.meanValueEstimate(below + 1, 0.3)).isGreaterThan(adds);
      }
    }
    assertThat(SINGLE.meanValueEstimate(0, 0.5)).isZero();
  }

  /** F5: the least inaccuracy, and where the slides' example of 1 000 additions stands. */
  @Test
  void theMostRelevantResolution() {
    int best = 1;
    for (int matches = 2; matches < 32; matches++) {
      best = SIX.inaccuracy(matches) < SIX.inaccuracy(best) ? matches : best;
    }
    assertThat(best).isEqualTo(20);
    assertThat(SIX.inaccuracy(20)).isCloseTo(0.0872, within(5e-5));
    for (int matches = 17; matches <= 22; matches++) {
      assertThat(SIX.inaccuracy(matches)).isLessThan(1.04 * SIX.inaccuracy(20));
    }
    double[] published = {32, 31.99, 27.5, 12.4, 3.7, 1.0};
    for (int i = 0; i < 6; i++) {
      assertThat(SIX.expectedMatches(i, 1000)).isCloseTo(published[i], within(0.05));
    }
    // At 27 of 32 and at 12 of 32: by the slides' own rule 1/64 wins over their "around 1/16".
    assertThat(SIX.inaccuracy(27)).isCloseTo(0.1127, within(5e-5));
    assertThat(SIX.inaccuracy(12)).isCloseTo(0.1085, within(5e-5));
  }

  /** F5: relative deviation at most .35 and bias at most .05 over 2 000 keys. */
  @ParameterizedTest
  @CsvSource({"10,.13", "100,.23", "1000,.27", "10000,.24", "100000,.26"})
  void sixResolutionsCountToAHundredThousand(int adds, double published) {
    double bias = 0;
    double squares = 0;
    int keys = 2000;
    SpaceCodeFilter filter = null;
    for (int i = 0; i < keys; i++) {
      if (i % 10 == 0) {
        filter = filter(1 << 16, 6, i);
      }
      filter.addHash(Keys.hash(i), adds);
      double error = filter.estimateHash(Keys.hash(i)) / adds - 1;
      bias += error / keys;
      squares += error * error / keys;
    }
    assertThat(Math.sqrt(squares)).isLessThan(0.35).isCloseTo(published, within(0.05));
    assertThat(bias).isBetween(-0.05, 0.05);
  }
}
