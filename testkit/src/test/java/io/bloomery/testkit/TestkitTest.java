package io.bloomery.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tools of the tests can fail. */
final class TestkitTest {

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
    assertThatThrownBy(() -> Rates.assertRateAtMost(1, 1000, 1e-9, 5))
        .isInstanceOf(AssertionError.class);
    assertThatCode(() -> Rates.assertRateAtMost(3, 100, 2e-4, 5)).doesNotThrowAnyException();
    assertThatThrownBy(() -> Rates.assertRateAtMost(4, 100, 2e-4, 5))
        .isInstanceOf(AssertionError.class);
    assertThatCode(() -> Rates.assertRateAtMost(0, 100, 0, 5)).doesNotThrowAnyException();
    assertThatThrownBy(() -> Rates.assertRateAtMost(1, 100, 0, 5))
        .isInstanceOf(AssertionError.class);
    assertThatCode(() -> Rates.assertRateAtMost(100, 100, 1, 5)).doesNotThrowAnyException();
  }

  @Test
  void meanFailsOnBothSides() {
    double[] samples = new double[20];
    for (int i = 0; i < 20; i++) {
      samples[i] = i % 2 == 0 ? 0.9 : 1.1; // mean 1, standard error 0.02294
    }
    assertThat(Rates.standardError(samples)).isCloseTo(0.1 / Math.sqrt(19), within(1e-12));
    assertThatCode(() -> Rates.assertMean(samples, 1.18, 5, 0.01)).doesNotThrowAnyException();
    assertThatThrownBy(() -> Rates.assertMean(samples, 1.19, 5, 0.01))
        .isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> Rates.assertMean(samples, 0.82, 5, 0.01))
        .isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> Rates.assertMean(Arrays.copyOf(samples, 19), 1, 5, 0.01))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Quantiles of Student's distribution at the probability of 5 normal deviations, 5.7e-7. */
  @Test
  void fewSamplesAllowMoreStandardErrors() {
    assertThat(Rates.student(5, 20)).isCloseTo(7.3526, within(0.02));
    assertThat(Rates.student(5, 60)).isCloseTo(5.6076, within(0.002));
    assertThat(Rates.student(5, 4000)).isCloseTo(5.0081, within(0.0001));
  }

  /** 5.733e-7 / n of the normal distribution, in both tails. */
  @Test
  void theFarthestOfManyMayBeFarther() {
    assertThat(Rates.ofFarthest(5, 1)).isCloseTo(5, within(1e-12));
    Printed.assertPrinted(Rates.ofFarthest(5, 10), "5.43");
    Printed.assertPrinted(Rates.ofFarthest(5, 20_480), "6.66");
    Printed.assertPrinted(Rates.ofFarthest(1.959964, 5), "2.5758");
  }

  @Test
  void printedNumbersAreOpenByHalfAUnit() {
    Printed.assertPrinted(0.25, ".3");
    Printed.assertPrinted(0.25, ".2");
    Printed.assertPrinted(1.234e-7, "1.23e-7");
    Printed.assertPrinted(149_700, "1.50e5");
    for (String other : new String[] {".25", ".250", ".1", "2.5e-2"}) {
      assertThatThrownBy(() -> Printed.assertPrinted(0.2551, other))
          .as(other)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining(other + " was printed, this is 0.2551");
    }
  }

  @Test
  void aPrintedSampleIsOneOfMany() {
    double[] samples = new double[200];
    Arrays.setAll(samples, i -> i % 2 == 0 ? 0.9 : 1.1); // mean 1, deviation 0.1
    Printed.assertPrintedSample(samples, "1.51", 5);
    Printed.assertPrintedSample(samples, ".49", 5);
    for (String other : new String[] {"1.53", ".47"}) {
      assertThatThrownBy(() -> Printed.assertPrintedSample(samples, other, 5))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining(other + " was printed, the mean is");
    }
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
    assertThat(Keys.pinned(0)).isEqualTo(0xE220A8397B1DCDAFL);
    assertThat(Keys.pinned(1)).isEqualTo(0x6E789E6AA1B965F4L);
  }

  /** Run 0 draws what is written; any other run draws other keys and other numbers. */
  @Test
  void theSeedOfTheRunShiftsEverySeed() {
    long shift = Seeds.shift(Long.getLong(Seeds.PROPERTY, 0));
    assertThat(Seeds.of(7)).isEqualTo(7 + shift);
    assertThat(Seeds.random(7).nextLong()).isEqualTo(Seeds.random(7).nextLong());
    assertThat(Keys.members(1, 3)[0]).isEqualTo(Keys.pinned(3L * (1L << 41) + shift));
    assertThat(Keys.outsiders(1)[0]).isEqualTo(Keys.pinned((1L << 40) + shift));
    assertThat(Seeds.shift(0)).isZero();
    assertThat(LongStream.rangeClosed(-500, 500).map(Seeds::shift).distinct().count())
        .isEqualTo(1001);
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

  @Test
  void jsonIsReadAsTheStandardSays() {
    assertThat(Json.parse(" {\"a\": [1, -0.5e+2, true, null, {}], \"\\u0041\\n\": \"/\"}\n"))
        .isEqualTo(Map.of("a", Arrays.asList(1.0, -50.0, true, null, Map.of()), "A\n", "/"));
    assertThat(Json.object("{\"a\":[],\"b\":1}\n")).isEqualTo(Map.of("a", List.of(), "b", 1.0));
    for (String wrong :
        List.of("", "{", "[1", "[1}", "[1,]", "{\"a\"}", "01", ".5", "NaN", "+1", "1 2", "'a'")) {
      assertThatThrownBy(() -> Json.parse(wrong))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> Json.parse("\"\\x\"")).hasMessageContaining("an escape");
    assertThatThrownBy(() -> Json.parse("\"\n\"")).hasMessageContaining("control character");
    for (String line : List.of("{}", "{} \n", "{\"a\": 1}\n", "{\n}\n", "{}\n\n")) {
      assertThatThrownBy(() -> Json.object(line))
          .as(line)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aFailureInAnyThreadFailsTheRace() {
    List<Integer> ran = Collections.synchronizedList(new ArrayList<>());
    Race.run(3, ran::add);
    assertThat(ran).containsExactlyInAnyOrder(0, 1, 2);
    assertThatThrownBy(
            () ->
                Race.run(
                    2,
                    number -> {
                      if (number == 1) {
                        throw new IOException("broken");
                      }
                    }))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("broken");
  }
}
