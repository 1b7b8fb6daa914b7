package io.bloomery.growing;

import static io.bloomery.testkit.Printed.assertPrinted;
import static io.bloomery.testkit.Rates.assertRate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.FilterFullException;
import io.bloomery.HashedFilter;
import io.bloomery.Writers;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import io.bloomery.testkit.Race;
import io.bloomery.theory.BloomMath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Catalogue G1.
 *
 * <p>Measured here, of G1 (scalable, the paper's partitioned layers): 1.58 × ideal; P = .001 from
 * 1,000 to 10⁶ keys: s = 2, r = .5/.8/.9: 10 layers, 28.1/22.8/22.1 Mbit, 1.95/1.58/1.54 × the
 * ideal filter; s = 4: 6 layers, 2.15/1.92/2.02 ×. s = 2, r = .85, 14 full layers (16.4 · 10⁶
 * keys): 1.599 ×; at 10⁷ keys, in the first quarter of layer 14, 2.62 × ({@code
 * ScalableFiguresTest}).
 *
 * <p>Of G1 (scalable, blocked layers (default)): P = .01 from 1,000 keys: 10⁴, 10⁵ and 10⁶ keys lie
 * within 5 σ of 1 - ∏(1 - f) over 10⁶ outsiders and below P; at 10⁷ keys (14 layers) 0.0085 ({@code
 * ScalableFiguresTest}). 14 full layers at P = .001: 1.93 × the ideal filter. No key lost by two
 * threads in 60 growths from 1 to 4,000 keys.
 */
final class ScalableBloomFilterTest {

  /** A filter that doubles, as the survey's do. */
  private static ScalableBloomFilter filter(long keys, double rate, ScalableShape.LayerKind kind) {
    return ScalableBloomFilter.create(ScalableShape.forKeys(keys, rate, kind).withGrowth(2));
  }

  private static int hits(HashedFilter filter, long[] hashes) {
    return filter.mightContainHashes(hashes, 0, hashes.length, new long[hashes.length / 64 + 1]);
  }

  /** The paper's layers, P = .001, from 1,000 to a million keys: layers, Mbit, times the ideal. */
  @ParameterizedTest
  @CsvSource({
    "2, 0.5, 10, 28.1, 1.95, 9.99e-4",
    "2, 0.8, 10, 22.8, 1.58, 8.93e-4",
    "2, 0.9, 10, 22.1, 1.54, 6.51e-4",
    "4, 0.5, 6, 30.9, 2.15, 9.84e-4",
    "4, 0.8, 6, 27.54, 1.92, 7.38e-4",
    "4, 0.9, 6, 29.05, 2.02, 4.69e-4"
  })
  void publishedSizes(
      int growth, double tightening, int layers, String mbit, String times, String sum) {
    ScalableShape shape =
        new ScalableShape(1000, 0.001, growth, tightening, ScalableShape.LayerKind.PARTITIONED);
    assertThat(shape.layersFor(1_000_000)).isEqualTo(layers);
    long bits = shape.sizeInBits(layers);
    assertThat(shape.grownTo(1_000_000).sizeInBits()).isEqualTo(bits);
    assertPrinted(bits / 1e6, mbit);
    double ideal = 1e6 * BloomMath.bitsPerKey(0.001);
    assertPrinted(bits / ideal, times);
    double bound = 0;
    double none = 1;
    for (int i = 0; i < layers; i++) {
      bound += shape.layerRate(i);
      none *= 1 - shape.layer(i).falsePositiveRate(shape.layerKeys(i));
    }
    assertPrinted(bound, sum);
    assertThat(shape.falsePositiveRate(shape.capacity(layers)))
        .isCloseTo(1 - none, within(1e-15))
        .isLessThan(bound);
  }

  /** 14 full layers from 1,000 keys at s = 2, r = .85. */
  @Test
  void memoryOfFullLayers() {
    Map<ScalableShape.LayerKind, Double> times = new EnumMap<>(ScalableShape.LayerKind.class);
    for (ScalableShape.LayerKind kind : ScalableShape.LayerKind.values()) {
      ScalableShape shape = new ScalableShape(1000, 0.001, 2, 0.85, kind);
      assertThat(shape.capacity(14)).isEqualTo(16_383_000);
      assertThat(shape.layersFor(10_000_000)).isEqualTo(14);
      times.put(kind, shape.sizeInBits(14) / (16_383_000 * BloomMath.bitsPerKey(0.001)));
    }
    assertPrinted(times.get(ScalableShape.LayerKind.PARTITIONED), "1.599");
    assertPrinted(times.get(ScalableShape.LayerKind.BLOCKED), "1.926");
  }

  /** Every layer keeps its rate, for keys that change it and those that do not. */
  @ParameterizedTest
  @CsvSource({"1, 0.3", "2, 0.01", "10, 1e-9", "1000, 0.0078125", "100000, 0.01", "7, 0.9"})
  void everyLayerKeepsItsRate(long keys, double rate) {
    for (ScalableShape.LayerKind kind : ScalableShape.LayerKind.values()) {
      for (double tightening : new double[] {0.5, 0.85}) {
        ScalableShape shape = new ScalableShape(keys, rate, 2, tightening, kind);
        for (int i = 0; i < 8; i++) {
          long inserted = (long) Math.ceil(shape.layerKeys(i) / (1 - shape.layerRate(i)));
          assertThat(shape.layer(i).falsePositiveRate(inserted))
              .isLessThanOrEqualTo(shape.layerRate(i));
        }
        assertThat(shape.falsePositiveRate(shape.capacity(8))).isLessThan(rate);
        assertThat(shape.falsePositiveRate(0)).isZero();
      }
    }
  }

  /** Keys that the filter finds before they are added take no room, so they are passed over. */
  @ParameterizedTest
  @EnumSource
  void aLayerIsOpenedWhenAKeyNeedsIt(ScalableShape.LayerKind kind) {
    ScalableBloomFilter filter = filter(100, 0.001, kind);
    PrimitiveIterator.OfLong members = Arrays.stream(Keys.members(400)).iterator();
    long[] added = addNew(filter, members, 100);
    assertThat(filter.layerCount()).isEqualTo(1);
    for (long member : added) {
      assertThat(filter.addHash(member)).isFalse();
    }
    assertThat(filter.layerCount()).isEqualTo(1);
    addNew(filter, members, 200);
    assertThat(filter.layerCount()).isEqualTo(2);
    assertThat(filter.keyCount()).isEqualTo(300);
    addNew(filter, members, 1);
    assertThat(filter.layerCount()).isEqualTo(3);
    filter.clear();
    assertThat(filter.layerCount()).isEqualTo(1);
    assertThat(hits(filter, Keys.members(400))).isZero();
  }

  /** Adds the next members that the filter does not yet find and returns them. */
  private static long[] addNew(
      ScalableBloomFilter filter, PrimitiveIterator.OfLong members, int count) {
    long[] added = new long[count];
    for (int i = 0; i < count; ) {
      added[i] = members.nextLong();
      boolean isNew = !filter.mightContainHash(added[i]);
      assertThat(filter.addHash(added[i])).isEqualTo(isNew);
      i += isNew ? 1 : 0;
    }
    return added;
  }

  /** 40 histories with repeated keys, singly and in ranges, beside an exact set. */
  @Test
  void noHistoryLosesAKey() {
    Property.check(
        24,
        40,
        draw -> {
          ScalableBloomFilter filter =
              ScalableBloomFilter.create(
                  ScalableShape.forKeys(
                          draw.between(1, 30),
                          0.05,
                          draw.oneOf(List.of(ScalableShape.LayerKind.values())))
                      .withGrowth(draw.between(1, 5)));
          Set<Long> model = new HashSet<>();
          while (model.size() < 3000) {
            long[] some = new long[draw.between(1, 900)];
            for (int i = 0; i < some.length; i++) {
              some[i] = Keys.hash(draw.between(0, 8000));
              model.add(some[i]);
            }
            if (draw.between(0, 1) == 0) {
              filter.addHashes(some, 0, some.length);
            } else {
              for (long hash : some) {
                filter.addHash(hash);
              }
            }
            assertThat(model).allMatch(filter::mightContainHash);
            assertThat(filter.keyCount()).isLessThanOrEqualTo(model.size());
            assertThat(filter.falsePositiveRate()).isLessThan(0.06);
          }
        });
  }

  /** 2,000 and 60,000 keys, both ways: no key is lost and the rates add up at most. */
  @ParameterizedTest
  @EnumSource
  void filtersThatGrewDifferentlyMerge(ScalableShape.LayerKind kind) {
    long[] few = Keys.members(2000, 1);
    long[] many = Keys.members(60_000, 2);
    ScalableBloomFilter small = filter(500, 0.01, kind);
    small.addHashes(few, 0, few.length);
    ScalableBloomFilter large = filter(500, 0.01, kind);
    large.addHashes(many, 0, many.length);
    assertThat(small.layerCount()).isEqualTo(3);
    assertThat(large.layerCount()).isEqualTo(7);
    double sum = small.falsePositiveRate() + large.falsePositiveRate();
    ScalableBloomFilter into = small.copy();
    into.merge(large);
    large.merge(small);
    for (ScalableBloomFilter merged : new ScalableBloomFilter[] {into, large}) {
      assertThat(hits(merged, few)).isEqualTo(few.length);
      assertThat(hits(merged, many)).isEqualTo(many.length);
      double rate = merged.falsePositiveRate();
      assertThat(rate).isLessThanOrEqualTo(sum * 1.0001);
      assertRate(hits(merged, Keys.outsiders(1_000_000)), 1_000_000, rate, 5);
      assertThat(merged.layerCount()).isEqualTo(3 + 7);
      int layersBefore = merged.layerCount();
      merged.merge(small);
      assertThat(merged.layerCount()).isEqualTo(layersBefore);
      assertThat(merged.falsePositiveRate()).isEqualTo(rate);
      long[] more = Keys.members(50_000, 3);
      merged.addHashes(more, 0, more.length);
      assertThat(hits(merged, more)).isEqualTo(more.length);
      assertThat(merged.falsePositiveRate()).isLessThan(0.02);
    }
  }

  /** Layers with room for both are joined, not appended. */
  @Test
  void fewKeysMergeIntoOneLayer() {
    ScalableBloomFilter one = ScalableBloomFilter.create(1000, 0.01);
    ScalableBloomFilter two = ScalableBloomFilter.create(1000, 0.01);
    one.addHashes(Keys.members(400, 1), 0, 400);
    two.addHashes(Keys.members(500, 2), 0, 500);
    one.merge(two);
    assertThat(one.layerCount()).isEqualTo(1);
    assertThat(one.keyCount()).isBetween(890L, 900L);
    one.merge(one);
    assertThat(one.keyCount()).isBetween(890L, 900L);
  }

  /** 60 rounds from one key to 4,000 by two threads: many layers are opened under both. */
  @Test
  void growthLosesNoKey() {
    long[][] keys = {Keys.members(2000, 1), Keys.members(2000, 2)};
    for (int round = 0; round < 60; round++) {
      ScalableShape.LayerKind kind =
          round % 2 == 0 ? ScalableShape.LayerKind.BLOCKED : ScalableShape.LayerKind.PARTITIONED;
      ScalableBloomFilter filter = filter(1, 0.01, kind);
      boolean oneByOne = round % 4 < 2;
      Race.run(
          2,
          thread -> {
            if (oneByOne) {
              for (long hash : keys[thread]) {
                filter.addHash(hash);
              }
            } else {
              filter.addHashes(keys[thread], 0, keys[thread].length);
            }
          });
      assertThat(hits(filter, keys[0]) + hits(filter, keys[1])).isEqualTo(4000);
      // One key too many in a layer for each thread.
      assertThat(filter.keyCount())
          .isLessThanOrEqualTo(
              filter.shape().capacity(filter.layerCount()) + 2L * filter.layerCount());
      assertThat(filter.layerCount()).isLessThanOrEqualTo(12);
    }
  }

  @Test
  void aFilterThatCannotGrowRefusesAndLosesNothing() {
    ScalableBloomFilter filter =
        ScalableBloomFilter.create(
            ScalableShape.forKeys(1, 1e-12).withGrowth(16).withTightening(0.1));
    long[] members = Keys.members(274);
    filter.addHashes(members, 0, 273);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> filter.addHash(members[273]))
          .isInstanceOf(FilterFullException.class)
          .hasMessageContaining("64-bit hash");
    }
    assertThat(hits(filter, members)).isEqualTo(273);
    assertThat(filter.keyCount()).isEqualTo(273);
    assertThat(filter.addHash(members[5])).isFalse();
  }

  @Test
  void refusesWhatDoesNotFit() {
    assertThatThrownBy(() -> ScalableBloomFilter.create(-1, 0.01))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expectedKeys = -1");
    assertThatThrownBy(() -> ScalableBloomFilter.create(10, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("falsePositiveRate = 0.0");
    ScalableShape some = ScalableShape.forKeys(10, 0.01);
    assertThatThrownBy(() -> some.withGrowth(0)).hasMessageContaining("growth = 0 is outside");
    assertThatThrownBy(() -> some.withTightening(1))
        .hasMessageContaining("tightening = 1.0 is outside the allowed range [0.1, 0.99]");
    assertThatThrownBy(() -> ScalableShape.forKeys(10, 0.01, null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("layerKind");
    assertThatThrownBy(() -> some.sizeInBits(65)).hasMessageContaining("layers = 65");
    assertThatThrownBy(() -> ScalableShape.forBudget(0, 64))
        .hasMessageContaining("expectedKeys = 0");
  }

  /** The rate of a shape is that of a filter that has grown, and never above the promised one. */
  @Test
  void theRateOfAShapeGrowsWithItsLayers() {
    ScalableShape shape = ScalableShape.forKeys(1000, 0.01);
    double before = 0;
    for (long keys = 500; keys < 1 << 24; keys *= 2) {
      double rate = shape.falsePositiveRate(keys);
      assertThat(rate).isBetween(before, 0.01);
      before = rate;
    }
    assertThat(shape.falsePositiveRate(1L << 53)).isBetween(0.01, 1.0);
  }

  @Test
  void layersByRate() {
    assertThat(ScalableBloomFilter.create(100, 1e-4).shape().layer(0))
        .isInstanceOf(BlockShape.class);
    assertThat(ScalableBloomFilter.create(100, 9e-5).shape().layer(0))
        .isInstanceOf(BloomShape.class);
  }

  @Test
  void thePlannerKnowsItByItsOwnFormula() {
    Plan plan =
        Planner.standard()
            .plan(Needs.forKeys(1_000_000, 0.01).with(Need.UNKNOWN_GROWTH))
            .ranked()
            .stream()
            .filter(p -> p.name().equals("scalable"))
            .findFirst()
            .orElseThrow();
    assertThat(plan.kind().type().getName()).isEqualTo(ScalableBloomFilter.class.getName());
    assertThat(plan.shape()).isEqualTo(ScalableShape.forKeys(1_000_000, 0.01));
    assertPrinted(plan.predictedRate(), "0.00198");
    assertPrinted(plan.bitsPerKey(), "14.67");
    Plan budget =
        Planner.standard()
            .plan(Needs.forBudget(1_000_000, 16_000_000).with(Need.UNKNOWN_GROWTH))
            .ranked()
            .stream()
            .filter(p -> p.name().equals("scalable"))
            .findFirst()
            .orElseThrow();
    assertThat(budget.shape().sizeInBits()).isEqualTo(15_889_408);
  }

  /** More memory than any rate needs gives the lowest that a 64-bit hash can promise. */
  @Test
  void aBudgetCanBeTooGenerous() {
    ScalableShape shape = ScalableShape.forBudget(1_000_000, 200_000_000);
    assertThat(shape.layerRate(0)).isCloseTo(1e6 * 0x1p-57, within(2 * 0x1p-57));
    assertThat(shape.sizeInBits()).isEqualTo(54_822_448);
    ScalableShape small = ScalableShape.forBudget(10, 2_000);
    double lowest = small.layer(0).falsePositiveRate(10);
    assertThat(small.falsePositiveRate(10)).isCloseTo(lowest, within(1e-9 * lowest));
  }

  @Test
  void oneWriterMakesTheSameFilter() throws IOException {
    ScalableBloomFilter shared = ScalableBloomFilter.create(1_000, 0.001);
    ScalableBloomFilter alone =
        ScalableBloomFilter.create(ScalableShape.forKeys(1_000, 0.001), Hasher.xxh3(), Writers.ONE);
    for (long key = 0; key < 20_000; key++) {
      assertThat(alone.add(key)).isEqualTo(shared.add(key));
    }
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    ByteArrayOutputStream found = new ByteArrayOutputStream();
    shared.writeTo(expected);
    alone.writeTo(found);
    assertThat(found.toByteArray()).isEqualTo(expected.toByteArray());
  }
}
