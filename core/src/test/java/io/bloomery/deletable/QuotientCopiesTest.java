package io.bloomery.deletable;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.Keys;
import org.junit.jupiter.api.Test;

/** How many copies of a fingerprint a quotient filter stores. */
final class QuotientCopiesTest {

  /** A key that is repeated without end takes 255 slots, and stays, however often it is removed. */
  @Test
  void copiesAreStuckAtTheirMost() {
    QuotientFilter filter = QuotientFilter.create(1_000, 0.01);
    QuotientFilter part = QuotientFilter.create(1_000, 0.01);
    long hash = Keys.hash(7);
    for (int i = 0; i < 23_553; i++) {
      assertThat(filter.addHash(hash)).isEqualTo(i == 0);
    }
    assertThat(filter.keyCount()).isEqualTo(QuotientFilter.MAX_COPIES);
    for (int i = 0; i < 200; i++) {
      part.addHash(hash);
    }
    QuotientFilter merged = part.copy();
    merged.merge(part.copy());
    assertThat(merged.keyCount()).isEqualTo(QuotientFilter.MAX_COPIES);
    assertThat(merged.sameContent(filter)).isTrue();
    for (int i = 0; i < 300; i++) {
      assertThat(filter.removeHash(hash)).isTrue();
    }
    filter.grow();
    assertThat(filter.mightContainHash(hash)).isTrue();
    assertThat(filter.keyCount()).isEqualTo(QuotientFilter.MAX_COPIES);
    filter.clear();
    assertThat(filter.mightContainHash(hash)).isFalse();
    for (int i = 0; i < 200; i++) {
      assertThat(part.removeHash(hash)).isTrue();
    }
    assertThat(part.removeHash(hash)).isFalse();
  }
}
