package io.bloomery.membership;

import static io.bloomery.testkit.Rates.assertRate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.probe.Draws;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Rates;
import io.bloomery.theory.BloomMath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Catalogue M8.
 *
 * <p>Measured here, of M8 (pair with a "removed" filter): predicted false-negative rate 0.01006,
 * 161 of 18,000 live keys lost; all 2,000 removed keys answer no.
 */
final class RemovedPairFilterTest {

  private static RemovedPairFilter pair(long[] added, int removals, double rate) {
    RemovedPairFilter filter =
        RemovedPairFilter.create(RemovedPairShape.forKeys(added.length, rate, removals, rate));
    filter.addHashes(added, 0, added.length);
    for (int i = 0; i < removals; i++) {
      filter.removeHash(added[i]);
    }
    return filter;
  }

  @Test
  void liveKeysAreLostAtTheRateOfTheRemovedFilter() {
    // n = 20 000 added, 2 000 removed, both 0.01; 18 000 live keys.
    long[] members = Keys.members(20_000);
    RemovedPairFilter filter = pair(members, 2000, 0.01);
    double fn = filter.falseNegativeRate();
    RemovedPairShape shape = filter.shape();
    double lost = shape.falseNegativeRate(2000);
    double ofRemoved =
        Rates.rateDeviation((double) shape.removedBits(), 2000, shape.removedProbes());
    assertThat(fn).isCloseTo(lost, within(5 * ofRemoved * lost));
    long[] live = Arrays.copyOfRange(members, 2000, 20_000);
    assertRate(live.length - Hits.count(filter, live), live.length, fn, 5);
    assertThat(Hits.count(filter, Arrays.copyOf(members, 2000))).isZero();
    // R3 for outsiders, Q = 1 000 000.
    double fp = filter.falsePositiveRate();
    // What is in both filters is reported absent, which the rate of the shape leaves out.
    double predicted = shape.falsePositiveRate(20_000) * (1 - fn);
    double ofAdded = Rates.rateDeviation((double) shape.bits(), 20_000, shape.hashesPerKey());
    assertThat(fp).isCloseTo(predicted, within(5 * ofAdded * predicted));
    assertRate(Hits.count(filter, Keys.outsiders(1_000_000)), 1_000_000, fp, 5);
  }

  @Test
  void withoutRemovalsNothingIsLost() {
    long[] members = Keys.members(20_000);
    RemovedPairFilter filter = pair(members, 1, 0.01);
    assertThat(Hits.count(filter, members)).isEqualTo(members.length - 1);
    RemovedPairFilter fresh =
        RemovedPairFilter.create(RemovedPairShape.forKeys(100, 0.01, 10, 0.01));
    assertThat(fresh.falseNegativeRate()).isZero();
    assertThat(fresh.falsePositiveRate()).isZero();
  }

  @Test
  void aRemovedKeyCannotComeBack() {
    RemovedPairFilter filter =
        RemovedPairFilter.create(RemovedPairShape.forKeys(100, 0.01, 10, 0.01));
    assertThat(filter.add("a")).isTrue();
    assertThat(filter.add("a")).isFalse();
    assertThat(filter.remove("b")).isFalse();
    assertThat(filter.remove("a")).isTrue();
    assertThat(filter.mightContain("a")).isFalse();
    assertThat(filter.remove("a")).isFalse();
    RemovedPairFilter before = filter.copy();
    assertThatThrownBy(() -> filter.add("a"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("cannot be added again");
    assertThat(filter.falsePositiveRate()).isEqualTo(before.falsePositiveRate());
  }

  @Test
  void newKeysAreRefusedAtTheRateOfTheRemovedFilter() {
    // 50 000 new keys against a removed filter of 2 000 keys at 0.01: none is lost silently.
    long[] members = Keys.members(4000);
    RemovedPairFilter filter = pair(members, 2000, 0.01);
    double fn = filter.falseNegativeRate();
    long refused = 0;
    for (long hash : Keys.members(50_000, 1)) {
      try {
        filter.addHash(hash);
        assertThat(filter.mightContainHash(hash)).isTrue();
      } catch (IllegalStateException e) {
        refused++;
      }
    }
    assertRate(refused, 50_000, fn, 5);
  }

  @Test
  void roundTripsThroughItsFrame(@TempDir Path directory) throws IOException {
    long[] members = Keys.members(1000);
    RemovedPairFilter filter = pair(members, 100, 0.01);
    RemovedPairFilter heap = Reloaded.heap(RemovedPairFilter.KIND, filter);
    RemovedPairFilter mapped = Reloaded.mapped(RemovedPairFilter.KIND, filter, directory);
    assertThat(Reloaded.bytes(heap)).isEqualTo(Reloaded.bytes(filter));
    assertThat(Reloaded.bytes(mapped)).isEqualTo(Reloaded.bytes(filter));
    assertThat(Hits.count(mapped, members)).isEqualTo(Hits.count(filter, members));
    assertThatThrownBy(() -> mapped.addHash(members[0]))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("read-only");
    assertThatThrownBy(() -> mapped.removeHash(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("read-only");
    assertThat(mapped.copy().removeHash(members[999])).isTrue();
  }

  @Test
  void threadsLoseNoKey() throws Exception {
    RemovedPairShape pair = new RemovedPairShape(1 << 16, 2, 1 << 16, 2);
    assertThat(Racing.lostKeys(() -> RemovedPairFilter.create(pair))).isZero();
  }

  @Test
  void shapes() {
    RemovedPairShape shape = RemovedPairShape.forKeys(20_000, 0.01, 2000, 0.001);
    assertThat(shape.sizeInBits())
        .isEqualTo(
            BloomShape.forKeys(20_000, 0.01).bits() + BloomShape.forKeys(2000, 0.001).bits());
    assertThat(shape.falsePositiveRate(20_000)).isLessThanOrEqualTo(0.01);
    assertThat(shape.falseNegativeRate(2000)).isLessThanOrEqualTo(0.001).isGreaterThan(0.0009);
    assertThat(RemovedPairFilter.create(1000, 0.01).shape())
        .isEqualTo(RemovedPairShape.forKeys(1000, 0.01, 1000, 0.01));
    RemovedPairShape budget = RemovedPairShape.forBudget(1000, 20_000);
    assertThat(budget.sizeInBits()).isEqualTo(19_968);
    assertThat(budget.falsePositiveRate(1000)).isEqualTo(budget.falseNegativeRate(1000));
    assertThatThrownBy(() -> new RemovedPairShape(100, 4, 3, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("removedProbes = 4");
    assertThatThrownBy(() -> RemovedPairShape.forKeys(100, 0.01, 0, 0.01))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expectedRemovals = 0");
  }

  /** Both rates to the last digit, from Bloom filters of the same keys. */
  @Test
  void theRatesAreThoseOfItsTwoFilters() {
    RemovedPairFilter filter = RemovedPairFilter.create(new RemovedPairShape(1_000, 4, 300, 3));
    BloomFilter added = BloomFilter.create(BloomShape.of(1_000, 4, IndexScheme.INDEPENDENT));
    BloomFilter removed = BloomFilter.create(BloomShape.of(300, 3, IndexScheme.INDEPENDENT));
    for (long hash : Keys.members(200)) {
      filter.addHash(hash);
      added.addHash(hash);
    }
    for (long hash : Keys.members(100)) {
      if (filter.removeHash(hash)) {
        removed.addHash(Draws.family(hash, 0));
      }
    }
    double lost = removed.falsePositiveRate();
    double expected = Math.pow(1 - BloomMath.zeroBitProbability(300, 100, 3), 3);
    assertThat(lost).isCloseTo(expected, within(5 * Rates.rateDeviation(300, 100, 3) * expected));
    assertThat(filter.falseNegativeRate()).isEqualTo(lost);
    assertThat(filter.falsePositiveRate()).isEqualTo(added.falsePositiveRate() * (1 - lost));
  }
}
