package io.bloomery.growing;

import static io.bloomery.testkit.Rates.assertRate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.Filters;
import io.bloomery.HashedFilter;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.ReadOptions;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.membership.BloomFilter;
import io.bloomery.testkit.Keys;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blocked filters of any shape as layers of one filter. */
final class ScalableLayersTest {

  /** Shapes that differ in the number, the width and the words of their blocks. */
  private static final List<BlockShape> SHAPES =
      List.of(
          BlockShape.forKeys(2_000, 0.01),
          BlockShape.forKeys(2_400, 0.01),
          BlockShape.forKeys(1_000, 0.03, 64),
          BlockShape.forKeys(3_000, 0.001, 512, 8),
          BlockShape.forKeys(1_500, 0.02, 128));

  @TempDir private Path directory;

  private static BlockedBloomFilter filled(BlockShape shape, int set, int keys) {
    BlockedBloomFilter filter = BlockedBloomFilter.create(shape);
    filter.addHashes(Keys.members(keys, set), 0, keys);
    return filter;
  }

  private static int hits(HashedFilter filter, long[] hashes) {
    return filter.mightContainHashes(hashes, 0, hashes.length, new long[hashes.length / 64 + 1]);
  }

  private static ScalableBloomFilter all() {
    ScalableBloomFilter all = ScalableBloomFilter.of(filled(SHAPES.get(0), 0, 1_000), 1_000);
    for (int i = 1; i < SHAPES.size(); i++) {
      all.append(filled(SHAPES.get(i), i, 1_000), 1_000);
    }
    return all;
  }

  /** 1 - ∏(1 - rate) of the filters, as computed and as counted. */
  @Test
  void everyKeyIsFoundAndTheRatesAddUp() throws IOException {
    ScalableBloomFilter all = all();
    double none = 1;
    for (int i = 0; i < SHAPES.size(); i++) {
      assertThat(hits(all, Keys.members(1_000, i))).isEqualTo(1_000);
      none *= 1 - filled(SHAPES.get(i), i, 1_000).falsePositiveRate();
    }
    assertThat(all.layerCount()).isEqualTo(SHAPES.size());
    assertThat(all.falsePositiveRate()).isCloseTo(1 - none, within(1e-12));
    Path file = directory.resolve("all");
    all.writeTo(file);
    ScalableBloomFilter opened = Filters.open(file, ReadOptions.as(ScalableBloomFilter.class));
    HashedFilter mapped = (HashedFilter) Filters.map(file);
    int outsiders = 400_000;
    for (HashedFilter each : List.of(all, opened, mapped)) {
      assertRate(hits(each, Keys.outsiders(outsiders)), outsiders, 1 - none, 5);
    }
    for (long hash : Keys.outsiders(10_000)) {
      assertThat(all.mightContainHash(hash)).isEqualTo(mapped.mightContainHash(hash));
    }
  }

  /** Later layers are sized as for a filter that was full from the start. */
  @Test
  void itGrowsAtTheRateOfItsFirstLayer() {
    ScalableBloomFilter filter = ScalableBloomFilter.of(filled(SHAPES.get(0), 0, 2_000), 2_000);
    double first = filter.falsePositiveRate();
    long[] more = Keys.members(300_000, 1);
    filter.addHashes(more, 0, more.length);
    assertThat(hits(filter, more)).isEqualTo(more.length);
    assertThat(hits(filter, Keys.members(2_000, 0))).isEqualTo(2_000);
    assertThat(filter.layerCount()).isGreaterThan(2);
    assertThat(filter.falsePositiveRate()).isBetween(first, 5 * 0.0101);
    assertThat(filter.shape().rate()).isCloseTo(0.05, within(0.002));
  }

  /** Room is used before another layer is opened, and a merge of equal shapes needs no more. */
  @Test
  void layersOfOneShapeJoinIfThereIsRoom() {
    for (int capacity = 1_900; capacity <= 2_100; capacity += 200) {
      ScalableBloomFilter filter =
          ScalableBloomFilter.of(filled(SHAPES.get(0), 0, 1_000), capacity);
      filter.append(filled(SHAPES.get(0), 1, 1_000), capacity);
      assertThat(filter.layerCount()).isEqualTo(capacity < 2_000 ? 2 : 1);
      double rate = filter.falsePositiveRate();
      filter.append(filled(SHAPES.get(0), 1, 1_000), capacity);
      assertThat(filter.falsePositiveRate()).isEqualTo(rate);
    }
  }

  @Test
  void theOtherFilterDoesNotChange() {
    BlockedBloomFilter one = filled(SHAPES.get(0), 0, 1_000);
    BlockedBloomFilter two = filled(SHAPES.get(1), 1, 1_000);
    ScalableBloomFilter filter = ScalableBloomFilter.of(one, 5_000);
    filter.append(two, 5_000);
    long[] more = Keys.members(20_000, 2);
    filter.addHashes(more, 0, more.length);
    assertThat(one.sameContent(filled(SHAPES.get(0), 0, 1_000))).isTrue();
    assertThat(two.sameContent(filled(SHAPES.get(1), 1, 1_000))).isTrue();
    ScalableBloomFilter copy = ScalableBloomFilter.of(filter, 1);
    assertThat(copy.sameContent(filter)).isTrue();
    assertThat(copy).isNotSameAs(filter);
  }

  /** Sizes at which the rate of the first layer says nothing about later ones. */
  @Test
  void anyFilterCanBegin() throws IOException {
    for (BlockedBloomFilter first :
        List.of(
            BlockedBloomFilter.create(SHAPES.get(0)),
            BlockedBloomFilter.create(new BlockShape(40_000, 512, 8, 32)),
            filled(BlockShape.forKeys(1, 0.5), 0, 1),
            filled(SHAPES.get(0), 0, 50_000))) {
      for (long capacity : new long[] {1, 5_000}) {
        ScalableBloomFilter filter = ScalableBloomFilter.of(first, capacity);
        filter.append(filled(SHAPES.get(1), 1, 1_000), 1_000);
        Path file = directory.resolve("any");
        filter.writeTo(file);
        ScalableBloomFilter opened = Filters.open(file, ReadOptions.as(ScalableBloomFilter.class));
        long[] more = Keys.members(10_000, 2);
        opened.addHashes(more, 0, more.length);
        assertThat(hits(opened, more)).isEqualTo(more.length);
        assertThat(hits(opened, Keys.members(1_000, 1))).isEqualTo(1_000);
      }
    }
  }

  @Test
  void whatCannotBeALayerIsRefused() {
    ScalableBloomFilter filter = all();
    BloomFilter bloom = BloomFilter.create(100, 0.01);
    ScalableBloomFilter slices =
        ScalableBloomFilter.create(
            ScalableShape.forKeys(100, 0.01, ScalableShape.LayerKind.PARTITIONED));
    for (HashedFilter other : List.of(bloom, slices)) {
      assertThat(ScalableBloomFilter.canHold(other)).isFalse();
      assertThatThrownBy(() -> filter.append(other, 100))
          .isInstanceOf(IncompatibleFiltersException.class);
      assertThatThrownBy(() -> ScalableBloomFilter.of(other, 100))
          .isInstanceOf(IncompatibleFiltersException.class);
    }
    BlockedBloomFilter blocked = filled(SHAPES.get(0), 0, 10);
    assertThatThrownBy(() -> slices.append(blocked, 100))
        .isInstanceOf(IncompatibleFiltersException.class);
    assertThatThrownBy(
            () -> filter.append(BlockedBloomFilter.create(SHAPES.get(0), Hasher.xxh3(1)), 100))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContaining("hasher");
    assertThatThrownBy(() -> filter.append(blocked, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("capacity");
    assertThat(filter.sameContent(all())).isTrue();
  }
}
