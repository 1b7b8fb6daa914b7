package io.bloomery.frozen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.SampleFilters;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.numeric.SolvedCells;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import io.bloomery.testkit.Rates;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Measured here, of S1 (perfect hash with fingerprints): every number 0…n-1 once for 1 to 200,000
 * keys; outsiders at 2^-f within 5 σ (f = 1, 3, 8, 11); the perfect hash takes 2.69 / 2.62 / 2.52 /
 * 2.40 / 2.40 bits/key at 10³ / 10⁴ / 10⁵ / 10⁶ / 10⁷ keys (decision 011).
 */
final class PerfectHashFilterTest {

  private static void assertBijection(PerfectHashFilter filter, long[] members) {
    BitSet hit = new BitSet();
    for (long hash : members) {
      long index = filter.getHash(hash);
      assertThat(index).isBetween(0L, members.length - 1L);
      assertThat(filter.indexOfHash(hash)).isEqualTo(index);
      assertThat(hit.get((int) index)).as("index %d twice", index).isFalse();
      hit.set((int) index);
    }
    assertThat(hit.cardinality()).isEqualTo(members.length);
    assertThat(filter.keyCount()).isEqualTo(members.length);
  }

  private static PerfectHashFilter ofBits(long[] hashes, int bits) {
    PerfectHashShape shape = PerfectHashShape.forFingerprints(1, bits);
    return PerfectHashFilter.ofHashes(hashes, shape, Hasher.xxh3());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 10, 31, 32, 33, 255, 256, 257, 1_000, 10_000, 20_001, 200_000})
  void everyNumberIsHitOnce(int n) {
    long[] members = Keys.members(n);
    assertBijection(ofBits(members, 8), members);
  }

  /** 300 sets of up to 400 keys with repetitions and hashes of few bits. */
  @Test
  void everySetIsHashedPerfectly() {
    Property.check(
        43,
        300,
        draw -> {
          long[] hashes = new long[draw.between(0, 400)];
          Set<Long> distinct = new LinkedHashSet<>();
          for (int i = 0; i < hashes.length; i++) {
            hashes[i] = draw.anyLong();
            distinct.add(hashes[i]);
          }
          PerfectHashFilter filter =
              PerfectHashFilter.builder()
                  .shape(PerfectHashShape.forFingerprints(1, draw.between(0, 32)))
                  .seed(draw.anyLong())
                  .addHashes(hashes, 0, hashes.length)
                  .build();
          if (hashes.length > 0) {
            assertBijection(filter, distinct.stream().mapToLong(Long::longValue).toArray());
          }
        });
  }

  /** R3 at 2^-8, and at other widths: 1 000 000 outsiders, 5 standard deviations. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 8, 11})
  void outsidersMatchAtTheirRate(int bits) {
    for (int n : new int[] {100, 10_000}) {
      PerfectHashFilter filter = ofBits(Keys.members(n), bits);
      assertThat(filter.falsePositiveRate()).isEqualTo(Math.pow(2, -bits));
      int queries = 1_000_000;
      long hits = LongStream.of(Keys.outsiders(queries)).filter(filter::mightContainHash).count();
      Rates.assertRate(hits, queries, Math.pow(2, -bits), 5);
    }
  }

  /** An outsider's index is always one of the members'. */
  @Test
  void outsidersHaveSomeIndex() {
    PerfectHashFilter filter = ofBits(Keys.members(1_000), 0);
    assertThat(filter.falsePositiveRate()).isOne();
    for (long hash : Keys.outsiders(100_000)) {
      assertThat(filter.getHash(hash)).isBetween(0L, 999L);
    }
    PerfectHashFilter none = ofBits(new long[0], 8);
    assertThat(none.falsePositiveRate()).isZero();
    assertThatThrownBy(() -> none.indexOfHash(5))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no keys");
  }

  /** 1,000,000 outsiders of small filters, in which many cells lie behind the last owned one. */
  @Test
  void outsidersOfFewKeysHaveAnIndexBelowTheirNumber() {
    for (int keys = 1; keys <= 50; keys++) {
      PerfectHashFilter filter = ofBits(Keys.members(keys, keys), 0);
      for (long hash : Keys.outsiders(20_000, keys)) {
        assertThat(filter.indexOfHash(hash)).isBetween(0L, keys - 1L);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1000, 2.686",
    "10000, 2.623",
    "100000, 2.524",
    "1000000, 2.402",
    "10000000, 2.395",
    "100000000, 2.393"
  })
  void thePerfectHashTakesLessThanItsBound(long keys, double bits) {
    PerfectHashShape shape = PerfectHashShape.forKeys(keys, 1 / 256.0);
    assertThat(shape.fingerprintBits()).isEqualTo(8);
    assertThat((double) shape.hashBits() / keys).isCloseTo(bits, within(5e-4));
    assertThat((double) shape.sizeInBits() / keys).isLessThanOrEqualTo(8 + 2.8);
    assertThat(shape.falsePositiveRate(keys)).isEqualTo(1 / 256.0);
  }

  @Test
  void shapesFitTheirRateAndBudget() {
    assertThat(PerfectHashShape.forKeys(10, 1e-9).fingerprintBits()).isEqualTo(30);
    assertThat(PerfectHashShape.forKeys(1, 0.01).fingerprintBits()).isEqualTo(7);
    PerfectHashShape shape = PerfectHashShape.forKeys(5_000, 0.01);
    assertThat(PerfectHashShape.forBudget(5_000, shape.sizeInBits())).isEqualTo(shape);
    assertThat(PerfectHashShape.forBudget(5_000, shape.sizeInBits() - 1).fingerprintBits())
        .isEqualTo(6);
    assertThatThrownBy(() -> PerfectHashShape.forKeys(10, 1e-10))
        .hasMessageContaining("falsePositiveRate = 1.0E-10");
    SolvedCells.Peeled four = SolvedCells.Peeled.forKeys(10, 4);
    assertThatThrownBy(() -> PerfectHashShape.of(10, 8, four))
        .hasMessageContaining("cellsPerKey = 4");
    assertThatThrownBy(() -> PerfectHashShape.forFingerprints(10, 33))
        .hasMessageContaining("fingerprintBits = 33");
  }

  /** Order and repetition do not change a byte; the caller's array stays as it was. */
  @Test
  void theBytesDependOnKeysAndSeedOnly() {
    long[] hashes = Keys.members(5_000);
    byte[] bytes = SampleFilters.bytes(PerfectHashFilter.ofHashes(hashes, 0.01));
    long[] again = new long[12_000];
    for (int i = 0; i < again.length; i++) {
      again[i] = hashes[(int) (i * 2_003L % 5_000)];
    }
    long[] before = again.clone();
    assertThat(SampleFilters.bytes(ofBits(again, 7))).isEqualTo(bytes);
    assertThat(again).isEqualTo(before);
    FrozenBuilder<PerfectHashShape, PerfectHashFilter> builder =
        PerfectHashFilter.builder().falsePositiveRate(0.01);
    assertThat(SampleFilters.bytes(builder.addHashes(again, 0, again.length).build()))
        .isEqualTo(bytes);
    assertThat(SampleFilters.bytes(builder.seed(1).addHashes(hashes, 0, 5_000).build()))
        .isNotEqualTo(bytes);
  }

  @Test
  void thePlannerOffersItForFrozenSets() {
    Needs needs = Needs.forKeys(1_000_000, 0.01).with(Need.FROZEN_SET);
    Plan plan =
        Planner.standard().plan(needs).ranked().stream()
            .filter(each -> each.name().equals("perfect-hash"))
            .findFirst()
            .orElseThrow();
    assertThat(plan.kind().type().getName()).isEqualTo(PerfectHashFilter.class.getName());
    assertThat(plan.predictedRate()).isEqualTo(1 / 128.0);
    assertThat(plan.bitsPerKey()).isCloseTo(9.402, within(5e-4));
  }

  @Test
  void keysComeOneByOne() {
    PerfectHashFilter filter =
        PerfectHashFilter.builder()
            .addAll(List.of("a", "b", "a", "c"))
            .add(7L)
            .add(new byte[] {1})
            .build();
    assertThat(filter.shape().fingerprintBits()).isEqualTo(8);
    assertThat(filter.keyCount()).isEqualTo(5);
    assertThat(
            Set.of(
                filter.get("a"),
                filter.get("b"),
                filter.get("c"),
                filter.get(7L),
                filter.get(new byte[] {1})))
        .containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L);
    assertThatThrownBy(
            () ->
                PerfectHashFilter.builder()
                    .shape(PerfectHashShape.forFingerprints(1, 3))
                    .falsePositiveRate(0.1)
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("only one");
  }
}
