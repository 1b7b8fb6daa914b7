package io.bloomery.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.deletable.CountingBloomFilter;
import io.bloomery.deletable.CountingShape;
import io.bloomery.deletable.MultilayerShape;
import io.bloomery.frozen.CompressedShape;
import io.bloomery.hash.IndexScheme;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.weighted.PopularityShape;
import io.bloomery.weighted.WeightedShape;
import org.junit.jupiter.api.Test;

/** Filters of equal size merge, whether the size was given or computed. */
class EqualSizesTest {

  private static final Popularity SKEWED = Popularity.hot(100, 0.9, 0.1);

  @Test
  void bloomFilters() {
    BloomShape sized = BloomShape.forKeys(1_000, 0.01);
    assertThat(BloomShape.of(sized.bits(), sized.hashesPerKey())).isEqualTo(sized);
    BloomShape budget = BloomShape.forBudget(1_000, 9_600);
    assertThat(BloomShape.of(9_600, budget.hashesPerKey())).isEqualTo(budget);
    BloomFilter one = BloomFilter.create(sized);
    BloomFilter other = BloomFilter.create(BloomShape.of(sized.bits(), sized.hashesPerKey()));
    other.add("key");
    one.merge(other);
    assertThat(one.mightContain("key")).isTrue();
    assertThat(one.sameContent(other)).isTrue();
    BloomShape named = BloomShape.of(sized.bits(), sized.hashesPerKey(), IndexScheme.INDEPENDENT);
    assertThat(one.isCompatible(BloomFilter.create(named))).isFalse();
  }

  @Test
  void countingFilters() {
    CountingShape sized = CountingShape.forKeys(1_000, 0.01);
    CountingShape given = CountingShape.of(sized.counters(), sized.hashesPerKey());
    assertThat(given).isEqualTo(sized);
    CountingBloomFilter one = CountingBloomFilter.create(sized);
    CountingBloomFilter other = CountingBloomFilter.create(given);
    other.add("key");
    one.merge(other);
    assertThat(one.mightContain("key")).isTrue();
    assertThat(MultilayerShape.of(960, 7).base().scheme())
        .isEqualTo(MultilayerShape.forKeys(100, 0.01).base().scheme());
    assertThat(CompressedShape.of(100, 960, 7).filter().scheme())
        .isEqualTo(CompressedShape.forKeys(100, 0.01).filter().scheme());
  }

  /** Their tables of classes differ in the width of cells; positions do not. */
  @Test
  void weightedFilters() {
    WeightedShape sized = WeightedShape.forKeys(1_000, 0.01, SKEWED);
    assertThat(WeightedShape.of(sized.bits(), sized.hashesPerKey(), sized.hot()).scheme())
        .isEqualTo(sized.scheme());
    PopularityShape groups = PopularityShape.forKeys(1_000, 0.01, SKEWED);
    assertThat(PopularityShape.of(groups.bits(), groups.hashesPerKey(), groups.classes()).scheme())
        .isEqualTo(groups.scheme());
  }
}
