package io.bloomery.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.membership.BankSimulator.Cost;
import io.bloomery.testkit.Keys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Catalogue M9, the cycles. */
final class BankSimulatorTest {

  private static final long[] QUERIES = Keys.outsiders(100_000);

  /** The mean of the largest load over all B^k placements, and the mean of its square. */
  private static double[] enumerate(int probes, int banks) {
    long placements = Math.round(Math.pow(banks, probes));
    long sum = 0;
    long squares = 0;
    for (long placement = 0; placement < placements; placement++) {
      int[] load = new int[banks];
      int fullest = 0;
      long rest = placement;
      for (int i = 0; i < probes; i++) {
        fullest = Math.max(fullest, ++load[(int) (rest % banks)]);
        rest /= banks;
      }
      sum += fullest;
      squares += (long) fullest * fullest;
    }
    return new double[] {(double) sum / placements, (double) squares / placements};
  }

  @Test
  void plainFilterOnFourBanksTakesTwoAndAnEighthCycles() {
    assertThat(BankSimulator.expectedCycles(4, 4)).isCloseTo(2.125, within(1e-12));
    assertThat(enumerate(4, 4)[0]).isEqualTo(2.125);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "1, 9", "2, 2", "3, 8", "5, 4", "6, 6", "4, 16"})
  void expectedCyclesAgreeWithEnumerationAndSimulation(int probes, int banks) {
    double[] moments = enumerate(probes, banks);
    assertThat(BankSimulator.expectedCycles(probes, banks)).isCloseTo(moments[0], within(1e-10));
    Cost cost = BankSimulator.plain(1_000_000L * banks, probes, banks, QUERIES);
    double deviation = Math.sqrt((moments[1] - moments[0] * moments[0]) / QUERIES.length);
    assertThat(cost.cyclesPerQuery()).isCloseTo(moments[0], within(5 * deviation + 1e-9));
    assertThat(cost.accesses()).isEqualTo((long) probes * QUERIES.length);
  }

  @ParameterizedTest
  @CsvSource({"4, 4", "8, 4", "7, 7", "64, 7"})
  void stripedFilterHasNoConflicts(int banks, int probes) {
    Cost cost =
        BankSimulator.striped(
            StripedBloomFilter.create(new StripedShape(banks, 1000, probes)), QUERIES);
    assertThat(cost)
        .isEqualTo(new Cost(QUERIES.length, (long) QUERIES.length * probes, 0, QUERIES.length));
    assertThat(cost.cyclesPerQuery()).isEqualTo(1);
  }

  @Test
  void plainFilterConflictsAsOftenAsBallsMeet() {
    // Expected conflicts per query: k − E[occupied banks] = 4 − 4·(1 − 0.75^4) = 1.265625.
    double occupiedVariance = 12 * 1 / 16.0 + 4 * 81 / 256.0 - Math.pow(4 * 81 / 256.0, 2);
    Cost cost = BankSimulator.plain(1 << 20, 4, 4, QUERIES);
    assertThat((double) cost.conflicts() / cost.queries())
        .isCloseTo(1.265625, within(5 * Math.sqrt(occupiedVariance / QUERIES.length)));
  }

  @Test
  void oneWordQueriesShareCycles() {
    int banks = 4;
    int words = 4096;
    assertThat(BankSimulator.oneWord(words, banks, 1, QUERIES).cycles()).isEqualTo(QUERIES.length);
    long before = QUERIES.length;
    for (int window : new int[] {2, 4, 8, 32}) {
      long cycles = BankSimulator.oneWord(words, banks, window, QUERIES).cycles();
      assertThat(cycles).isLessThan(before).isGreaterThanOrEqualTo(QUERIES.length / banks);
      before = cycles;
    }
    // A window of 2 is a chain: the pair differs with chance 3/4, else one is left and the next
    // newcomer meets it. Throughput is 1 + 3/4.
    Cost two = BankSimulator.oneWord(words, banks, 2, QUERIES);
    assertThat(1 / two.cyclesPerQuery()).isCloseTo(1.75, within(0.01));
    // All queries in view: as many cycles as the fullest bank has queries.
    long[] load = new long[banks];
    for (long hash : QUERIES) {
      load[(int) (Math.multiplyHigh(hash >>> 1, (long) words << 1) % banks)]++;
    }
    long fullest = Math.max(Math.max(load[0], load[1]), Math.max(load[2], load[3]));
    assertThat(BankSimulator.oneWord(words, banks, QUERIES.length, QUERIES).cycles())
        .isEqualTo(fullest);
  }

  @Test
  void refusesUnevenBanks() {
    assertThatThrownBy(() -> BankSimulator.plain(1001, 4, 4, QUERIES))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bits = 1001 is not a multiple of banks = 4");
    assertThatThrownBy(() -> BankSimulator.oneWord(1001, 4, 4, QUERIES))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("words = 1001");
    assertThat(BankSimulator.oneWord(4, 4, 4, new long[0]).cycles()).isZero();
  }
}
