package io.bloomery.membership;

import static io.bloomery.testkit.Rates.assertMean;
import static io.bloomery.testkit.Rates.assertRate;
import static io.bloomery.testkit.Rates.mean;
import static io.bloomery.testkit.Rates.standardError;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.IncompatibleFiltersException;
import io.bloomery.testkit.Keys;
import io.bloomery.theory.BloomMath;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Catalogue M9, the filter; the cycles are in {@link BankSimulatorTest}.
 *
 * <p>Measured here, of M9 (striped over memory banks): 0 conflicts, 1.000 cycles against 2.125 of
 * M1 on 4 banks (simulated 2.121); B = k meets M2: 0.05118, 0.007492.
 */
final class StripedBloomFilterTest {

  private static StripedBloomFilter filled(StripedShape shape, long[] keys) {
    StripedBloomFilter filter = StripedBloomFilter.create(shape);
    filter.addHashes(keys, 0, keys.length);
    return filter;
  }

  private static double[] rates(StripedShape shape, int keys, int filters) {
    double[] rates = new double[filters];
    for (int set = 0; set < filters; set++) {
      rates[set] = filled(shape, Keys.members(keys, set)).falsePositiveRate();
    }
    return rates;
  }

  @ParameterizedTest
  @CsvSource({"0.1, 4", "0.01, 7", "0.01, 16", "0.001, 16", "0.001, 100"})
  void findsEveryMemberAndKeepsItsRate(double rate, int banks) {
    // R1 with n = 50 000, R3 with Q = 1 000 000.
    long[] members = Keys.members(50_000);
    StripedShape shape = StripedShape.forKeys(members.length, rate, banks);
    StripedBloomFilter filter = filled(shape, members);
    assertThat(Hits.count(filter, members)).isEqualTo(members.length);
    double f = filter.falsePositiveRate();
    assertRate(Hits.count(filter, Keys.outsiders(1_000_000)), 1_000_000, f, 5);
    assertMean(rates(shape, 50_000, 20), shape.falsePositiveRate(50_000), 5, 0);
  }

  @ParameterizedTest
  @CsvSource({"64, 10, 4, 0.051138", "1022, 100, 7, 0.007497"})
  void asManyBanksAsProbesIsThePartitionedFilter(int bits, int keys, int probes, double m2) {
    StripedShape shape = new StripedShape(probes, bits / probes, probes);
    assertThat(shape.falsePositiveRate(keys))
        .isCloseTo(BloomMath.partitionedRate(bits, keys, probes), within(1e-12))
        .isCloseTo(m2, within(5.1e-7));
    // R4 with 2000 filters.
    assertMean(rates(shape, keys, 2000), m2, 5, 0);
  }

  @ParameterizedTest
  @CsvSource({
    "5, 200, 4, 100, 2e-5",
    "8, 128, 4, 100, 2e-5",
    "16, 64, 7, 100, .001",
    "64, 16, 7, 100, .02",
  })
  void moreBanksFollowTheShapesFormula(
      int banks, int bankBits, int probes, int keys, double triples) {
    // R4 with 4000 filters, and what the formula leaves out: of correlations it has the pairs.
    StripedShape shape = new StripedShape(banks, bankBits, probes);
    double exact = exactRate(shape, keys);
    assertThat(shape.falsePositiveRate(keys)).isCloseTo(exact, within(triples * exact));
    assertMean(rates(shape, keys, 4000), exact, 5, 0);
  }

  /** By inclusion and exclusion over the positions of a key that no other key has hit. */
  private static double exactRate(StripedShape shape, int keys) {
    int window = shape.hashesPerKey();
    double rate = 0;
    for (int missed = 0; missed < 1 << window; missed++) {
      double none = 0;
      for (int start = 0; start < shape.banks(); start++) {
        int met = 0;
        for (int i = 0; i < window; i++) {
          int bank = (start + i) % shape.banks();
          met += bank < window ? missed >>> bank & 1 : 0;
        }
        none += Math.pow(1 - 1.0 / shape.bankBits(), met) / shape.banks();
      }
      rate += (Integer.bitCount(missed) % 2 == 0 ? 1 : -1) * Math.pow(none, keys);
    }
    return rate;
  }

  @Test
  void aFewMoreBanksLieBetweenPlainAndPartitionedAndManyDoNot() {
    int keys = 100;
    int probes = 4;
    double plain = BloomMath.exactRate(1000, keys, probes);
    double partitioned = BloomMath.partitionedRate(1000, keys, probes);
    assertThat(new StripedShape(5, 200, probes).falsePositiveRate(keys))
        .isBetween(plain, partitioned);
    // Bits of a key stand ever closer together: 250 banks of 4 bits are worse than both.
    double[] measured = rates(new StripedShape(250, 4, probes), keys, 2000);
    assertThat(mean(measured) - 5 * standardError(measured)).isGreaterThan(partitioned);
  }

  @ParameterizedTest
  @CsvSource({"1, 0.01", "2, 1e-9", "10, 0.01", "1000, 0.001"})
  void sizedFiltersKeepTheirPromise(int keys, double rate) {
    StripedShape shape = StripedShape.forKeys(keys, rate);
    assertThat(shape.falsePositiveRate(keys)).isLessThanOrEqualTo(rate);
    double[] rates = rates(shape, keys, 400);
    assertThat(mean(rates)).isLessThanOrEqualTo(rate + 5 * standardError(rates));
    if (rate > 1e-6) {
      assertMean(rates, exactRate(shape, keys), 5, 1e-9);
    }
    assertThat(StripedBloomFilter.create(keys, rate).shape()).isEqualTo(shape);
    if (keys >= 1000) {
      StripedShape smaller =
          new StripedShape(shape.banks(), shape.bankBits() - 1, shape.hashesPerKey());
      assertThat(smaller.falsePositiveRate(keys)).isGreaterThan(rate);
    }
  }

  @Test
  void mergeIsTheFilterOfBothSets() {
    StripedShape shape = new StripedShape(12, 10_007, 7);
    long[] ours = Keys.members(5000, 1);
    long[] theirs = Keys.members(5000, 2);
    StripedBloomFilter filter = filled(shape, ours);
    StripedBloomFilter both = filter.copy();
    both.addHashes(theirs, 0, theirs.length);
    filter.merge(filled(shape, theirs));
    assertThat(Hits.count(filter, ours)).isEqualTo(ours.length);
    assertThat(Hits.count(filter, theirs)).isEqualTo(theirs.length);
    for (int bank = 0; bank < 12; bank++) {
      assertThat(filter.fillRatio(bank)).isEqualTo(both.fillRatio(bank));
    }
    assertThatThrownBy(
            () -> filter.merge(StripedBloomFilter.create(new StripedShape(13, 10_007, 7))))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContaining("banks=13");
  }

  @Test
  void banksFillEvenly() {
    // n = 20 000, k = 5, B = 8: each bank gets 12 500 throws on 20 000 bits; R2 per bank.
    StripedBloomFilter filter = filled(new StripedShape(8, 20_000, 5), Keys.members(20_000));
    double clear = Math.pow(1 - 5 / 160_000.0, 20_000);
    double both = Math.pow(1 - 10 / 160_000.0, 20_000); // two given bits of a bank are clear
    double variance = clear / 20_000 + (1 - 1 / 20_000.0) * both - clear * clear;
    for (int bank = 0; bank < 8; bank++) {
      assertThat(filter.fillRatio(bank)).isCloseTo(1 - clear, within(5 * Math.sqrt(variance)));
    }
  }

  @Test
  void roundTripsThroughItsFrame(@TempDir Path directory) throws IOException {
    StripedBloomFilter filter = filled(new StripedShape(9, 1777, 5), Keys.members(1000));
    StripedBloomFilter heap = Reloaded.heap(StripedBloomFilter.KIND, filter);
    StripedBloomFilter mapped = Reloaded.mapped(StripedBloomFilter.KIND, filter, directory);
    assertThat(Reloaded.bytes(heap)).isEqualTo(Reloaded.bytes(filter));
    assertThat(Reloaded.bytes(mapped)).isEqualTo(Reloaded.bytes(filter));
    assertThat(Hits.count(mapped, Keys.members(1000))).isEqualTo(1000);
    assertThat(Hits.count(mapped, Keys.outsiders(10_000)))
        .isEqualTo(Hits.count(filter, Keys.outsiders(10_000)));
    assertThatThrownBy(() -> mapped.addHash(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("read-only");
    assertThat(mapped.copy().addHash(Keys.outsiders(1)[0])).isTrue();
  }

  @Test
  void threadsLoseNoKey() throws Exception {
    assertThat(Racing.lostKeys(() -> StripedBloomFilter.create(new StripedShape(8, 1 << 13, 2))))
        .isZero();
  }

  @Test
  void refusesFewerBanksThanProbes() {
    assertThatThrownBy(() -> StripedBloomFilter.create(new StripedShape(3, 100, 4)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("banks = 3 is outside the allowed range 4");
    assertThatThrownBy(() -> StripedBloomFilter.create(new StripedShape(4, 1, 4)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bankBits = 1");
    StripedBloomFilter filter = StripedBloomFilter.create(new StripedShape(4, 100, 4));
    assertThatThrownBy(() -> filter.fillRatio(4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bank = 4");
  }
}
