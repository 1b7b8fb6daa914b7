package io.bloomery.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tools of the tests can fail. */
final class TestingTest {

  @Test
  void rateFailsOnBothSides() {
    // 1 000 000 trials at 0.01: the standard deviation is 99.5 hits.
    assertThatCode(() -> Rates.assertRate(10_490, 1_000_000, 0.01, 5)).doesNotThrowAnyException();
    assertThatCode(() -> Rates.assertRate(9_510, 1_000_000, 0.01, 5)).doesNotThrowAnyException();
    assertThatThrownBy(() -> Rates.assertRate(10_500, 1_000_000, 0.01, 5))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("10500 hits of 1000000");
    assertThatThrownBy(() -> Rates.assertRate(9_500, 1_000_000, 0.01, 5))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("-5.03 standard deviations");
  }

  @Test
  void rateOfZeroAndOneIsExact() {
    assertThatCode(() -> Rates.assertRate(0, 10, 0, 5)).doesNotThrowAnyException();
    assertThatCode(() -> Rates.assertRate(10, 10, 1, 5)).doesNotThrowAnyException();
    assertThatThrownBy(() -> Rates.assertRate(1, 10, 0, 5)).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> Rates.assertRate(9, 10, 1, 5)).isInstanceOf(AssertionError.class);
  }

  @Test
  void rateRefusesSamplesThatDecideNothing() {
    assertThatThrownBy(() -> Rates.assertRate(0, 1000, 0.01, 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("decides nothing");
    assertThatThrownBy(() -> Rates.assertRate(11, 10, 0.5, 5))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Rates.assertRate(1, 10, 1.5, 5))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void upperBoundAllowsChanceAndNoMore() {
    assertThatCode(() -> Rates.assertRateAtMost(0, 1000, 1e-9, 5)).doesNotThrowAnyException();
    assertThatCode(() -> Rates.assertRateAtMost(8, 1000, 1e-9, 5)).doesNotThrowAnyException();
    assertThatThrownBy(() -> Rates.assertRateAtMost(9, 1000, 1e-9, 5))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void meanFailsOnBothSides() {
    double[] samples = new double[20];
    for (int i = 0; i < 20; i++) {
      samples[i] = i % 2 == 0 ? 0.9 : 1.1; // mean 1, standard error 0.02294
    }
    assertThat(Rates.standardError(samples)).isCloseTo(0.1 / Math.sqrt(19), within(1e-12));
    assertThatCode(() -> Rates.assertMean(samples, 1.12, 5, 0.01)).doesNotThrowAnyException();
    assertThatThrownBy(() -> Rates.assertMean(samples, 1.13, 5, 0.01))
        .isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> Rates.assertMean(samples, 0.87, 5, 0.01))
        .isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> Rates.assertMean(Arrays.copyOf(samples, 19), 1, 5, 0.01))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void distributionFailsIfCrookedOrTooEven() {
    long[] counts = new long[256];
    for (long hash : Keys.members(1 << 16)) {
      counts[(int) (hash & 255)]++;
    }
    Rates.assertUniform(counts, 4);
    counts[17] += 300; // 256 are expected, the standard deviation is 16
    assertThatThrownBy(() -> Rates.assertUniform(counts, 4)).isInstanceOf(AssertionError.class);
    Arrays.fill(counts, 256);
    assertThatThrownBy(() -> Rates.assertUniform(counts, 5)).hasMessageContaining("z = -22");
    assertThatThrownBy(() -> Rates.assertUniform(new long[] {4, 4}, 5))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void keysAreDistinctAndDisjoint() {
    int n = 20_000;
    long distinct =
        Stream.of(
                Keys.members(n), Keys.outsiders(n), Keys.members(n, 1), Keys.outsiders(n, 1 << 20))
            .flatMapToLong(Arrays::stream)
            .distinct()
            .count();
    assertThat(distinct).isEqualTo(4L * n);
    assertThat(Keys.members(3)).isEqualTo(Arrays.copyOf(Keys.members(n, 0), 3));
    assertThat(Keys.outsiders(3)).isEqualTo(Arrays.copyOf(Keys.outsiders(n, 0), 3));
    // The generator's published first outputs for seed 0.
    assertThat(Keys.members(2)).containsExactly(0xE220A8397B1DCDAFL, 0x6E789E6AA1B965F4L);
  }

  @Test
  void aFailedPropertyNamesItsCaseAndReplays() {
    List<Long> drawn = new ArrayList<>();
    Property.Body body =
        draw -> {
          long value = draw.between(0L, 1000L);
          drawn.add(value);
          assertThat(value).isLessThan(900);
        };
    assertThatThrownBy(() -> Property.check(7, 1000, body))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("Property.replay(7L, ")
        .satisfies(
            e -> assertThat(e.getMessage()).contains("(7L, " + (drawn.size() - 1) + ", …): "));
    int number = drawn.size() - 1;
    assertThat(drawn.get(number)).isGreaterThanOrEqualTo(900);
    assertThatThrownBy(() -> Property.replay(7, number, body)).isInstanceOf(AssertionError.class);
    assertThat(drawn.get(number + 1)).isEqualTo(drawn.get(number));
  }

  @Test
  void drawsCoverTheirRanges() {
    List<String> texts = new ArrayList<>();
    Property.check(
        1,
        500,
        draw -> {
          assertThat(draw.between(-3, 5)).isBetween(-3, 5);
          assertThat(draw.bytes(9)).hasSizeLessThanOrEqualTo(9);
          texts.add(draw.text(20));
          assertThat(texts.get(texts.size() - 1)).hasSizeLessThanOrEqualTo(20);
        });
    assertThat(texts).contains("");
    assertThat(texts).anyMatch(text -> text.codePoints().anyMatch(c -> c > 0xFFFF));
    assertThat(texts).anyMatch(text -> text.codePoints().anyMatch(c -> c >= 0xD800 && c < 0xE000));
    assertThat(texts).anyMatch(t -> !t.isEmpty() && t.chars().allMatch(c -> c < 0x80));
  }
}
