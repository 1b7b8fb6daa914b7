package io.bloomery.membership;

import static io.bloomery.testkit.Rates.assertMean;
import static io.bloomery.testkit.Rates.assertRate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.Filters;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.probe.Probes;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import io.bloomery.testkit.Rates;
import io.bloomery.theory.BloomMath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Catalogue W6.
 *
 * <p>Measured here, of W6 (memory-optimised with an additional hash): n = 10⁴, m = 2¹⁷, k = 4:
 * 1.074 items per probed bucket (k-fold storage 1.307); literal reading 0.0735; 57 bits/key at 1 %
 * with fingerprints as items (413 with whole hashes).
 */
final class MemoryOptimizedFilterTest {

  private static final int N = 10_000;
  private static final int M = 1 << 17;
  private static final int K = 4;

  private static final MemoryOptimizedShape STORING = MemoryOptimizedShape.of(M, K);
  private static final MemoryOptimizedShape LITERAL = MemoryOptimizedShape.literal(M, K);
  private static final MemoryOptimizedShape FINGERPRINTS = new MemoryOptimizedShape(M, K, 11, 600);
  private static final List<MemoryOptimizedShape> SHAPES = List.of(STORING, LITERAL, FINGERPRINTS);

  private static MemoryOptimizedFilter filled(MemoryOptimizedShape shape, long[] keys) {
    MemoryOptimizedFilter filter = MemoryOptimizedFilter.create(shape);
    filter.addHashes(keys, 0, keys.length);
    return filter;
  }

  @Test
  void isExact() {
    long[] members = Keys.members(N);
    MemoryOptimizedFilter filter = filled(STORING, members);
    assertThat(filter.items()).isEqualTo(N);
    assertThat(Hits.count(filter, members)).isEqualTo(N);
    assertThat(Hits.count(filter, Keys.outsiders(1_000_000))).isZero();
    assertThat(filter.falsePositiveRate()).isEqualTo(N / 0x1p64);
    assertThat(filter.sizeInBits()).isEqualTo(33L * M + 96L * N);
    // Of the absent keys only the false positives of the bits cost a look into a bucket.
    double exact = BloomMath.exactRate(M, N, K);
    assertThat(filter.bucketRate())
        .isCloseTo(exact, within(5 * Rates.rateDeviation(M, N, K) * exact));
  }

  @Test
  void aProbedBucketHoldsHardlyMoreThanTheItem() {
    // Means over the n = 10 000 members of 20 sets: 1.076 of one placement, 1.305 of k.
    double[] once = new double[20];
    double[] everywhere = new double[20];
    long[] indexes = new long[K];
    Probes probes = new Probes(IndexScheme.INDEPENDENT, M, K);
    for (int set = 0; set < once.length; set++) {
      long[] members = Keys.members(N, set);
      MemoryOptimizedFilter filter = filled(STORING, members);
      int[] load = new int[M];
      for (long hash : members) {
        once[set] += filter.bucketLoad(hash) / (double) N;
        probes.indexes(hash, indexes);
        for (long index : indexes) {
          load[(int) index]++;
        }
      }
      for (long hash : members) {
        probes.indexes(hash, indexes);
        everywhere[set] += load[(int) indexes[0]] / (double) N;
      }
    }
    assertMean(once, 1 + (N - 1.0) / M, 5, 0);
    assertMean(everywhere, 1 + (K * N - 1.0) / M, 5, 0);
  }

  @Test
  void theLiteralReadingIsWorse() {
    // R1, R3 with Q = 1 000 000: f = 1 − e^(−n/m) = 0.0735, a plain filter of k = 4 has 0.0048.
    long[] members = Keys.members(N);
    MemoryOptimizedFilter literal = filled(LITERAL, members);
    assertThat(Hits.count(literal, members)).isEqualTo(N);
    double f = literal.falsePositiveRate();
    // R2: λ = 0.0763, sd of the fill = 0.00014.
    assertThat(f).isCloseTo(0.0735, within(5 * 0.00014));
    assertThat(literal.shape().falsePositiveRate(N)).isCloseTo(0.0735, within(5e-5));
    assertRate(Hits.count(literal, Keys.outsiders(1_000_000)), 1_000_000, f, 5);
    assertThat(f).isGreaterThan(10 * BloomMath.exactRate(M, N, K));
    assertThat(literal.items()).isZero();
    assertThat(literal.bucketLoad(members[0])).isZero();
  }

  @Test
  void agreesWithASet() {
    Property.check(
        5,
        100,
        draw -> {
          MemoryOptimizedFilter filter =
              MemoryOptimizedFilter.create(
                  MemoryOptimizedShape.of(draw.between(2, 100), draw.between(1, 2)));
          Set<Long> model = new HashSet<>();
          for (int i = draw.between(0, 200); i > 0; i--) {
            long hash = draw.anyLong();
            assertThat(filter.addHash(hash)).isEqualTo(model.add(hash));
          }
          assertThat(filter.items()).isEqualTo(model.size());
          for (int i = 0; i < 100; i++) {
            long hash = draw.anyLong();
            assertThat(filter.mightContainHash(hash)).isEqualTo(model.contains(hash));
          }
          model.forEach(hash -> assertThat(filter.mightContainHash(hash)).isTrue());
        });
  }

  @Test
  void mergeHoldsBothSets() throws IOException {
    for (MemoryOptimizedShape shape : SHAPES) {
      MemoryOptimizedFilter filter = filled(shape, Keys.members(500, 1));
      MemoryOptimizedFilter before = filter.copy();
      filter.merge(filled(shape, Keys.members(700, 2)));
      byte[] merged = Reloaded.bytes(filter);
      filter.merge(filter);
      assertThat(Reloaded.bytes(filter)).isEqualTo(merged);
      filter.merge(filter.copy());
      assertThat(Reloaded.bytes(filter)).isEqualTo(merged);
      assertThat(Hits.count(filter, Keys.members(500, 1))).isEqualTo(500);
      assertThat(Hits.count(filter, Keys.members(700, 2))).isEqualTo(700);
      assertThat(filter.items()).isEqualTo(shape.isStoring() ? 1200 : 0);
      assertThat(before.items()).isEqualTo(shape.isStoring() ? 500 : 0);
    }
    MemoryOptimizedFilter storing = filled(STORING, new long[0]);
    assertThatThrownBy(() -> storing.merge(filled(LITERAL, new long[0])))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContaining("itemBits=0");
  }

  @Test
  void roundTripsThroughItsFrame(@TempDir Path directory) throws IOException {
    long[] members = Keys.members(777);
    for (MemoryOptimizedShape shape : SHAPES) {
      MemoryOptimizedFilter filter = filled(shape, members);
      MemoryOptimizedFilter heap = Reloaded.heap(MemoryOptimizedFilter.KIND, filter);
      MemoryOptimizedFilter mapped = Reloaded.mapped(MemoryOptimizedFilter.KIND, filter, directory);
      assertThat(Reloaded.bytes(heap)).isEqualTo(Reloaded.bytes(filter));
      assertThat(Reloaded.bytes(mapped)).isEqualTo(Reloaded.bytes(filter));
      assertThat(Hits.count(mapped, members)).isEqualTo(777);
      assertThatThrownBy(() -> mapped.addHash(members[0]))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("read-only");
      long stranger =
          Arrays.stream(Keys.outsiders(1_000))
              .filter(hash -> !filter.mightContainHash(hash))
              .findFirst()
              .orElseThrow();
      assertThat(heap.addHash(stranger)).isTrue();
      assertThat(heap.mightContainHash(stranger)).isTrue();
      MemoryOptimizedFilter copy = mapped.copy();
      assertThat(copy.addHash(stranger)).isTrue();
      assertThat(Hits.count(copy, members)).isEqualTo(777);
    }
  }

  @ParameterizedTest
  @CsvSource({"1000, 0.01, 57", "20000, 0.01, 57", "20000, 0.3, 52", "20000, 0.0001, 64"})
  void aRateIsKeptAndHardlyUndercutAtASensibleSize(int keys, double rate, int bitsPerKey) {
    // 413 bits per key at a rate of 5e-16 when whole hashes were stored for 1 %. Each further bit
    // of a fingerprint halves the rate.
    MemoryOptimizedFilter filter = MemoryOptimizedFilter.create(keys, rate);
    long[] members = Keys.members(keys);
    filter.addHashes(members, 0, members.length);
    assertThat(Hits.count(filter, members)).isEqualTo(keys);
    double predicted = filter.shape().falsePositiveRate(keys);
    MemoryOptimizedShape shape = filter.shape();
    assertThat(predicted).isLessThanOrEqualTo(rate);
    assertThat(
            new MemoryOptimizedShape(
                    shape.bits(), shape.hashesPerKey(), shape.itemBits() - 1, shape.items())
                .falsePositiveRate(keys))
        .as("one bit less")
        .isGreaterThan(rate);
    double[] rates = new double[20];
    for (int set = 0; set < rates.length; set++) {
      rates[set] = filled(shape, Keys.members(keys, set)).falsePositiveRate();
    }
    assertMean(rates, predicted, 5, 0);
    assertRate(
        Hits.count(filter, Keys.outsiders(1_000_000)), 1_000_000, filter.falsePositiveRate(), 5);
    assertThat(filter.sizeInBits())
        .isEqualTo(filter.shape().withItems(filter.items()).sizeInBits())
        .isLessThanOrEqualTo(filter.shape().sizeInBits());
    assertThat((double) filter.sizeInBits() / keys).isLessThan(bitsPerKey);
    // Keys with the fingerprint of another in one bucket are one item.
    long cells = shape.bits() << shape.itemBits();
    assertThat(filter.cardinality())
        .isCloseTo(
            cells * (1 - BloomMath.zeroBitProbability(cells, keys, 1)),
            within(5 * cells * BloomMath.fillStandardDeviation(cells, keys, 1) + 1));
  }

  /** With two hashes the other bit is set with the mean fill, which is known exactly. */
  @ParameterizedTest
  @CsvSource({"64, 1", "64, 30", "1000, 400", "5000000, 2000000"})
  void theRateOfTwoHashesIsExact(long buckets, long keys) {
    int itemBits = 3;
    double fingerprint = -Math.expm1(keys * Math.log1p(-1.0 / (buckets << itemBits)));
    double fill = -Math.expm1(2 * keys * Math.log1p(-1.0 / buckets));
    assertThat(new MemoryOptimizedShape(buckets, 2, itemBits, keys).falsePositiveRate(keys))
        .isCloseTo(fingerprint * fill, within(1e-12));
  }

  @Test
  void fingerprintsFollowTheShapesFormulaWhereBitsRejectMost() {
    // R4 with 40 filters of few items per bucket: k - 1 further bits must be set.
    MemoryOptimizedShape shape = new MemoryOptimizedShape(20_000, 3, 2, 5_000);
    double[] rates = new double[40];
    for (int set = 0; set < rates.length; set++) {
      MemoryOptimizedFilter filter = filled(shape, Keys.members(5_000, set));
      rates[set] = Hits.count(filter, Keys.outsiders(100_000, set)) / 100_000.0;
    }
    assertMean(rates, shape.falsePositiveRate(5_000), 5, 0);
  }

  /** Room for items is not part of the size: a file has none, and reading it changes no size. */
  @Test
  void theSizeIsTheSameAfterReading(@TempDir Path directory) throws IOException {
    MemoryOptimizedFilter filter = MemoryOptimizedFilter.create(1_000, 0.01);
    long empty = filter.sizeInBits();
    filter.addHashes(Keys.members(10), 0, 10);
    assertThat(filter.sizeInBits())
        .isEqualTo(empty + 10L * (MemoryOptimizedShape.LINK_BITS + filter.shape().itemBits()));
    Path file = directory.resolve("filter.bloom");
    filter.writeTo(file);
    assertThat(Filters.open(file).sizeInBits()).isEqualTo(filter.sizeInBits());
    assertThat(Filters.map(file).sizeInBits()).isEqualTo(filter.sizeInBits());
  }

  @Test
  void growsBeyondItsRoom() {
    MemoryOptimizedFilter filter = MemoryOptimizedFilter.create(100, 0.01);
    long[] members = Keys.members(5_000);
    filter.addHashes(members, 0, members.length);
    assertThat(Hits.count(filter, members)).isEqualTo(members.length);
    assertThat(filter.sizeInBits()).isGreaterThan(filter.shape().sizeInBits());
  }

  @Test
  void badArgumentsAreNamed() {
    assertThatThrownBy(() -> MemoryOptimizedShape.of(1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bits = 1");
    assertThatThrownBy(() -> MemoryOptimizedShape.of(100, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hashesPerKey = 0");
    assertThatThrownBy(() -> new MemoryOptimizedShape(100, 1, 65, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("itemBits = 65");
    assertThatThrownBy(() -> new MemoryOptimizedShape(100, 1, 0, 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("items = 5");
    assertThatThrownBy(() -> MemoryOptimizedShape.forKeys(0, 0.01))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expectedKeys = 0");
  }
}
