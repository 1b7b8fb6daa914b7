package io.bloomery.membership;

import static io.bloomery.testing.Rates.assertRate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.IncompatibleFiltersException;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.probe.Probes;
import io.bloomery.membership.MemoryOptimizedShape.Mode;
import io.bloomery.testing.Keys;
import io.bloomery.testing.Property;
import io.bloomery.theory.BloomMath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Catalogue W6. */
final class MemoryOptimizedFilterTest {

  private static final int N = 10_000;
  private static final int M = 1 << 17;
  private static final int K = 4;

  private static MemoryOptimizedFilter filled(Mode mode, long[] keys) {
    MemoryOptimizedFilter filter =
        MemoryOptimizedFilter.of(new MemoryOptimizedShape(M, K, mode), Hasher.xxh3());
    filter.addHashes(keys, 0, keys.length);
    return filter;
  }

  @Test
  void isExact() {
    long[] members = Keys.members(N);
    MemoryOptimizedFilter filter = filled(Mode.STORING, members);
    assertThat(filter.items()).isEqualTo(N);
    assertThat(Hits.count(filter, members)).isEqualTo(N);
    assertThat(Hits.count(filter, Keys.outsiders(1_000_000))).isZero();
    assertThat(filter.falsePositiveRate()).isEqualTo(N / 0x1p64);
    assertThat(filter.sizeInBits()).isEqualTo(33L * M + 96L * N);
    // Of the absent keys only the false positives of the bits cost a look into a bucket.
    assertThat(filter.bucketRate()).isCloseTo(BloomMath.exactRate(M, N, K), within(0.0003));
  }

  @Test
  void aProbedBucketHoldsHardlyMoreThanTheItem() {
    // Mean over the n = 10 000 members; single placement 1 + (n−1)/m = 1.076, k-fold 1.305.
    long[] members = Keys.members(N);
    MemoryOptimizedFilter filter = filled(Mode.STORING, members);
    long once = 0;
    int[] load = new int[M];
    long[] indexes = new long[K];
    Probes probes = new Probes(IndexScheme.INDEPENDENT, M, K);
    for (long hash : members) {
      once += filter.bucketLoad(hash);
      probes.indexes(hash, indexes);
      for (long index : indexes) {
        load[(int) index]++;
      }
    }
    long everywhere = 0;
    for (long hash : members) {
      probes.indexes(hash, indexes);
      everywhere += load[(int) indexes[0]];
    }
    assertThat((double) once / N).isLessThanOrEqualTo(1.09).isCloseTo(1.0763, within(0.014));
    assertThat((double) everywhere / N).isCloseTo(1.31, within(0.03));
  }

  @Test
  void theLiteralReadingIsWorse() {
    // R1, R3 with Q = 1 000 000: f = 1 − e^(−n/m) = 0.0735, a plain filter of k = 4 has 0.0048.
    long[] members = Keys.members(N);
    MemoryOptimizedFilter literal = filled(Mode.LITERAL, members);
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
              MemoryOptimizedFilter.ofBits(draw.between(2, 100), draw.between(1, 2));
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
  void mergeHoldsBothSets() {
    for (Mode mode : Mode.values()) {
      MemoryOptimizedFilter filter = filled(mode, Keys.members(500, 1));
      MemoryOptimizedFilter before = filter.copy();
      filter.merge(filled(mode, Keys.members(700, 2)));
      filter.merge(filter);
      assertThat(Hits.count(filter, Keys.members(500, 1))).isEqualTo(500);
      assertThat(Hits.count(filter, Keys.members(700, 2))).isEqualTo(700);
      assertThat(filter.items()).isEqualTo(mode == Mode.STORING ? 1200 : 0);
      assertThat(before.items()).isEqualTo(mode == Mode.STORING ? 500 : 0);
    }
    MemoryOptimizedFilter storing = filled(Mode.STORING, new long[0]);
    assertThatThrownBy(() -> storing.merge(filled(Mode.LITERAL, new long[0])))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContaining("LITERAL");
  }

  @Test
  void comesBackFromItsFrame(@TempDir Path directory) throws IOException {
    long[] members = Keys.members(777);
    for (Mode mode : Mode.values()) {
      MemoryOptimizedFilter filter = filled(mode, members);
      MemoryOptimizedFilter heap = Reloaded.heap(MemoryOptimizedFilter.KIND, filter);
      MemoryOptimizedFilter mapped = Reloaded.mapped(MemoryOptimizedFilter.KIND, filter, directory);
      assertThat(Reloaded.bytes(heap)).isEqualTo(Reloaded.bytes(filter));
      assertThat(Reloaded.bytes(mapped)).isEqualTo(Reloaded.bytes(filter));
      assertThat(Hits.count(mapped, members)).isEqualTo(777);
      assertThatThrownBy(() -> mapped.addHash(members[0]))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("read-only");
      long stranger = Keys.outsiders(1)[0];
      assertThat(heap.addHash(stranger)).isTrue();
      assertThat(heap.mightContainHash(stranger)).isTrue();
      MemoryOptimizedFilter copy = mapped.copy();
      assertThat(copy.addHash(stranger)).isTrue();
      assertThat(Hits.count(copy, members)).isEqualTo(777);
    }
  }

  @Test
  void sizes() {
    MemoryOptimizedFilter filter = MemoryOptimizedFilter.create(1000, 0.01);
    long[] members = Keys.members(1000);
    filter.addHashes(members, 0, members.length);
    assertThat(filter.bucketRate()).isCloseTo(0.01, within(0.002));
    assertThatThrownBy(() -> MemoryOptimizedFilter.ofBits(1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bits = 1");
    assertThatThrownBy(() -> new MemoryOptimizedShape(100, 0, Mode.STORING))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("probes = 0");
  }
}
