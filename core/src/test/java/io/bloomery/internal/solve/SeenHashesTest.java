package io.bloomery.internal.solve;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.Keys;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

final class SeenHashesTest {

  private static final int HASHES = 100_000;

  private static SeenHashes filled(IntToLongFunction hash) {
    SeenHashes seen = new SeenHashes();
    for (int i = 0; i < HASHES; i++) {
      assertThat(seen.add(hash.applyAsLong(i))).isTrue();
    }
    for (int i = 0; i < HASHES; i += 101) {
      assertThat(seen.add(hash.applyAsLong(i))).isFalse();
    }
    return seen;
  }

  @Test
  void eachHashIsNewOnce() {
    long[] members = Keys.members(HASHES);
    filled(i -> members[i]);
  }

  /**
   * Hashes that share low or high bits, or are evenly spaced: with random places a table that is at
   * most half full passes 1.5 slots for each (Knuth vol. 3, 6.4), and as many when it grows; with
   * multiply-shift evenly spaced ones may pass log n times as many.
   */
  @Test
  void chosenHashesDoNotCrowd() {
    assertThat(filled(i -> (long) i << 40).steps()).isLessThan(50L * HASHES);
    assertThat(filled(i -> (long) i << 20).steps()).isLessThan(50L * HASHES);
    assertThat(filled(i -> i).steps()).isLessThan(50L * HASHES);
    assertThat(filled(i -> Long.reverse(i)).steps()).isLessThan(50L * HASHES);
  }
}
