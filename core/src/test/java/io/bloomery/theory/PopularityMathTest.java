package io.bloomery.theory;

import static io.bloomery.testkit.Printed.assertPrinted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.testkit.Seeds;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Catalogue W3 and W4: hashes by popularity, against published numbers and exhaustive search. */
class PopularityMathTest {

  private static final int KEYS = 12;
  private static final int MOST = 4;

  /** 10 bits per key: 10 % or 1 % of all keys are hot and get 90 % of the queries. */
  @ParameterizedTest
  @CsvSource({".1, 12.64, 6.30, .00141, 5.8", ".01, 16.63, 6.83, .00089, 9.2"})
  void publishedHashesOfTwoClasses(
      double hot, double kHot, double kCold, double rate, double gain) {
    double[] queries = {0.9, 0.1};
    double[] members = {hot, 1 - hot};
    double[] hashes = PopularityMath.weightedHashes(queries, members, 10);
    assertThat(hashes[0]).isCloseTo(kHot, within(0.005));
    assertThat(hashes[1]).isCloseTo(kCold, within(0.005));
    assertThat(PopularityMath.rate(queries, hashes)).isCloseTo(rate, within(0.000_005));
    double plain = Math.pow(2, -10 * Math.log(2));
    assertThat(plain).isCloseTo(0.00819, within(0.000_005));
    assertThat(plain / PopularityMath.rate(queries, hashes)).isCloseTo(gain, within(0.05));
    assertThat(PopularityMath.gain(queries, members))
        .isCloseTo(plain / PopularityMath.rate(queries, hashes), within(1e-9));
    assertThat(PopularityMath.realHashes(queries, members, PopularityMath.budget(10), 255))
        .containsExactly(hashes, within(1e-9));
  }

  @Test
  void theTwoClassesInWholeNumbers() {
    double[] queries = {0.9, 0.1};
    double[] members = {1_000, 9_000};
    double budget = PopularityMath.budget(100_000);
    int[] hashes = PopularityMath.roundedHashes(queries, members, budget, 255);
    assertThat(hashes).containsExactly(15, 6); // 13 and 6, and what is left of the budget
    assertThat(PopularityMath.cost(members, hashes)).isLessThanOrEqualTo(budget);
    assertThat(PopularityMath.flooredHashes(queries, members, budget, 255)).containsExactly(12, 6);
    assertThat(PopularityMath.exactHashes(queries, members, budget, 255)).containsExactly(15, 6);
    assertThat(PopularityMath.exactHashes(queries, members, budget, 13)).containsExactly(13, 6);
  }

  /** 30 random instances of 12 keys: solver A within twice the optimum, solver B the optimum. */
  @Test
  void solversAgainstExhaustiveSearch() {
    for (int instance = 0; instance < 30; instance++) {
      SplittableRandom random = Seeds.random(900 + instance);
      double[] queries = new double[KEYS];
      double[] members = new double[KEYS];
      for (int i = 0; i < KEYS; i++) {
        queries[i] = 1 / (1 + 11 * random.nextDouble());
        members[i] = 0.05 + random.nextDouble();
      }
      double all = Arrays.stream(members).sum();
      double budget = all * (1.2 + (MOST - 1.5) * random.nextDouble());
      double optimum = new Exhaustive(queries, members, budget).optimum();
      int[] exact = PopularityMath.exactHashes(queries, members, budget, MOST);
      assertThat(PopularityMath.rate(queries, exact)).isCloseTo(optimum, within(1e-12));
      for (int[] hashes :
          new int[][] {
            exact,
            PopularityMath.flooredHashes(queries, members, budget, MOST),
            PopularityMath.roundedHashes(queries, members, budget, MOST)
          }) {
        assertThat(PopularityMath.cost(members, hashes)).isLessThanOrEqualTo(budget + 1e-9);
        assertThat(Arrays.stream(hashes)).allMatch(k -> k >= 1 && k <= MOST);
        assertThat(PopularityMath.rate(queries, hashes))
            .isBetween(optimum * (1 - 1e-12), 2 * optimum);
      }
      double real =
          PopularityMath.rate(queries, PopularityMath.realHashes(queries, members, budget, MOST));
      assertThat(real).isLessThanOrEqualTo(optimum * (1 + 1e-9));
    }
  }

  /** All numbers of hashes, cut only where the budget or the best rate so far is exceeded. */
  private static final class Exhaustive {
    private final double[] queries;
    private final double[] members;
    private double best = Double.POSITIVE_INFINITY;

    Exhaustive(double[] queries, double[] members, double budget) {
      this.queries = queries;
      this.members = members;
      search(0, budget, 0);
    }

    double optimum() {
      return best;
    }

    private void search(int key, double left, double rate) {
      if (left < 0 || rate >= best) {
        return;
      }
      if (key == KEYS) {
        best = rate;
        return;
      }
      for (int k = MOST; k >= 1; k--) {
        search(key + 1, left - members[key] * k, rate + queries[key] * Math.pow(2, -k));
      }
    }
  }

  /**
   * Uniform sets and Zipf(1) queries over 5000 keys: 3.35 times fewer errors, 3.28 in whole
   * numbers.
   */
  @Test
  void zipfOverFiveThousandKeys() {
    double[] queries = zipf(5_000);
    double[] members = new double[5_000];
    Arrays.fill(members, 0.1);
    assertThat(PopularityMath.gain(queries, members)).isCloseTo(3.35, within(0.005));
    double budget = PopularityMath.budget(5_000);
    double plain = Math.pow(2, -budget / 500);
    int[] rounded = PopularityMath.roundedHashes(queries, members, budget, 255);
    assertPrinted(plain / PopularityMath.rate(queries, rounded), "3.28");
    assertThat(PopularityMath.cost(members, rounded)).isLessThanOrEqualTo(budget + 1e-6);
    int[] floored = PopularityMath.flooredHashes(queries, members, budget, 255);
    assertPrinted(plain / PopularityMath.rate(queries, floored), "2.28");
    assertThat(IntStream.range(1, 5_000)).allMatch(i -> floored[i] <= floored[i - 1]);
  }

  @Test
  void equalPopularityOfSetsAndQueriesGainsNothing() {
    double[] shares = zipf(1_000);
    assertThat(PopularityMath.gain(shares, shares)).isCloseTo(1, within(1e-9));
    double[] members = Arrays.stream(shares).map(share -> 100 * share).toArray();
    double[] hashes = PopularityMath.weightedHashes(shares, members, 10);
    assertThat(Arrays.stream(hashes)).allMatch(k -> Math.abs(k - 6.931) < 0.001);
  }

  @Test
  void keysThatAreNeverInTheSetTakeAllHashesAndUnqueriedOnesNone() {
    double[] queries = {0.5, 0, 0.3, 0.2};
    double[] members = {0, 1, 2, 2};
    double[] real = PopularityMath.realHashes(queries, members, 21, 20);
    assertThat(real[0]).isEqualTo(20);
    assertThat(real[1]).isEqualTo(1);
    assertThat(2 * real[2] + 2 * real[3]).isCloseTo(20, within(1e-6));
    assertThat(real[2] - real[3]).isCloseTo(Math.log(1.5) / Math.log(2), within(1e-6));
    assertThat(PopularityMath.exactHashes(queries, members, 21, 20)).containsExactly(20, 1, 5, 5);
    // A budget for everything.
    assertThat(PopularityMath.exactHashes(queries, members, 1e6, 20))
        .containsExactly(20, 20, 20, 20);
  }

  /** 64 groups, as a filter of Zipf's law has them, in no time. */
  @Test
  void manyGroupsAreSolvedExactly() {
    double[] queries = zipf(PopularityMath.MAX_GROUPS);
    double[] members = new double[PopularityMath.MAX_GROUPS];
    SplittableRandom random = Seeds.random(77);
    Arrays.setAll(members, i -> 1 + i * random.nextDouble());
    double budget = 7 * Arrays.stream(members).sum();
    double exact =
        PopularityMath.rate(queries, PopularityMath.exactHashes(queries, members, budget, 255));
    double rounded =
        PopularityMath.rate(queries, PopularityMath.roundedHashes(queries, members, budget, 255));
    double[] hashes = PopularityMath.realHashes(queries, members, budget, 255);
    assertThat(exact).isBetween(PopularityMath.rate(queries, hashes), rounded);
    // The rate if it were linear between whole numbers. There the best hashes are whole but those
    // of one group, and rounding these down costs at most its share of the members: by the slopes,
    // of which those before the best hashes are steeper than those after them.
    double chords = 0;
    for (int i = 0; i < hashes.length; i++) {
      double below = Math.floor(hashes[i]);
      chords += queries[i] * Math.pow(2, -below) * (1 - (hashes[i] - below) / 2);
    }
    double largest = Arrays.stream(members).max().orElseThrow() / Arrays.stream(members).sum();
    assertThat(exact).isLessThanOrEqualTo(chords * (1 + largest));
  }

  @Test
  void argumentsAreChecked() {
    double[] one = {1};
    assertThatThrownBy(() -> PopularityMath.gain(one, new double[] {1, 2}))
        .hasMessage("queries has 1 elements and members has 2");
    assertThatThrownBy(() -> PopularityMath.realHashes(one, one, 0.5, 8))
        .hasMessageStartingWith("budget = 0.5 is outside the allowed range [1.0, ");
    assertThatThrownBy(() -> PopularityMath.realHashes(one, one, 5, 256))
        .hasMessageStartingWith("most = 256 ");
    assertThatThrownBy(() -> PopularityMath.rate(new double[] {-1}, one))
        .hasMessageStartingWith("queries = -1.0 ");
    assertThatThrownBy(() -> PopularityMath.weightedHashes(one, one, 0))
        .hasMessageStartingWith("bitsPerKey = 0.0 ");
    assertThatThrownBy(() -> PopularityMath.exactHashes(new double[65], new double[65], 65, 8))
        .hasMessageStartingWith("groups = 65 ");
    assertThatThrownBy(() -> PopularityMath.budget(0)).hasMessageStartingWith("bits = 0 ");
  }

  private static double[] zipf(int keys) {
    double[] shares = new double[keys];
    Arrays.setAll(shares, i -> 1 / (i + 1.0));
    double all = Arrays.stream(shares).sum();
    return Arrays.stream(shares).map(share -> share / all).toArray();
  }
}
