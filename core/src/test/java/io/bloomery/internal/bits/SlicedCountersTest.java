package io.bloomery.internal.bits;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.Seeds;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sliced counters against an array of numbers, 64 of them at a time. */
final class SlicedCountersTest {

  /** Random masks, among them all and none, so that carries and borrows reach every counter. */
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8})
  void countersAreNumbers(int width) {
    SplittableRandom random = Seeds.random(width);
    SlicedCounters counters = SlicedCounters.allocate(2, width, false);
    int[] expected = new int[128];
    int most = 1 << (width - 1);
    for (int step = 0; step < 4_000; step++) {
      int word = random.nextInt(2);
      long mask =
          switch (random.nextInt(4)) {
            case 0 -> -1;
            case 1 -> 0;
            default -> random.nextLong();
          };
      boolean more = random.nextInt(100) < (step < 2_000 ? 60 : 40);
      if (more) {
        counters.raise(word, mask);
      } else {
        counters.lower(word, mask);
      }
      for (int i = 0; i < 64; i++) {
        int at = 64 * word + i;
        boolean chosen = (mask >>> i & 1) != 0;
        if (chosen && expected[at] < most) { // the highest value stays
          expected[at] = more ? expected[at] + 1 : Math.max(0, expected[at] - 1);
        }
      }
      if (step % 50 == 0) {
        assertSame(counters, expected);
      }
    }
    assertSame(counters, expected);
  }

  private static void assertSame(SlicedCounters counters, int[] expected) {
    for (int i = 0; i < expected.length; i++) {
      assertThat(counters.get(i)).as("counter %d", i).isEqualTo(expected[i]);
    }
    assertThat(counters.isSound()).isTrue();
  }
}
