package io.bloomery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.deletable.CuckooFilter;
import io.bloomery.hash.Funnel;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.membership.BloomFilter;
import io.bloomery.window.RecentFilter;
import org.junit.jupiter.api.Test;

final class TypedFilterTest {

  private static TypedFilter<Long> blocked(long... keys) {
    TypedFilter<Long> filter =
        Filters.typed(BlockedBloomFilter.create(1_000, 0.001), Funnel.longs());
    for (long key : keys) {
      filter.add(key);
    }
    return filter;
  }

  @Test
  void filtersOfOneClassMerge() {
    TypedFilter<Long> one = blocked(1, 2);
    one.merge(blocked(3));
    assertThat(one.mightContain(3L)).isTrue();
    assertThat(one.filter().mightContain(3)).isTrue();
  }

  @Test
  void othersDoNot() {
    TypedFilter<Long> one = blocked(1);
    TypedFilter<Long> bloom = Filters.typed(BloomFilter.create(1_000, 0.001), Funnel.longs());
    TypedFilter<Long> recent = Filters.typed(RecentFilter.create(1_000, 0.001), Funnel.longs());
    TypedFilter<Long> larger =
        Filters.typed(BlockedBloomFilter.create(2_000, 0.001), Funnel.longs());
    assertThatThrownBy(() -> one.merge(bloom))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessage("a BlockedBloomFilter cannot be merged with a BloomFilter");
    assertThatThrownBy(() -> recent.merge(recent))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessage("a RecentFilter cannot be merged with a RecentFilter");
    assertThatThrownBy(() -> one.merge(larger)).isInstanceOf(IncompatibleFiltersException.class);
  }

  @Test
  void keysAreRemoved() throws FilterFormatException {
    CuckooFilter cuckoo = CuckooFilter.create(1_000, 0.001);
    TypedFilter.Removable<String> names = Filters.typed(cuckoo, Funnel.text());
    names.add("ada");
    assertThat(names.remove("ada")).isTrue();
    assertThat(names.remove("ada")).isFalse();
    assertThat(names.test("ada")).isFalse();
    assertThat(names.filter()).isSameAs(cuckoo);
    assertThat(names).hasToString("typed " + cuckoo);
  }
}
