package io.bloomery.plan;

import static io.bloomery.testkit.Printed.assertPrinted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.plan.Popularity.Group;
import io.bloomery.weighted.PopularityShape;
import io.bloomery.weighted.WeightedShape;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Skewed popularity, and what the planner offers for it. */
class PopularityTest {

  private static final Planner PLANNER = Planner.standard();

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.5, 0.999_999, 1, 1.3, 3})
  void zipfsLawInGroups(double exponent) {
    long keys = 30_000;
    Popularity zipf = Popularity.zipf(keys, exponent);
    double all =
        LongStream.rangeClosed(1, keys).mapToDouble(i -> Math.pow((double) i, -exponent)).sum();
    long from = 1;
    for (Group group : zipf.groups()) {
      double sum =
          LongStream.range(from, from + group.keyCount())
              .mapToDouble(i -> Math.pow((double) i, -exponent))
              .sum();
      assertThat(group.queries()).isCloseTo(sum / all, within(1e-9));
      assertThat(group.likelihood()).isNaN();
      from += group.keyCount();
    }
    assertThat(zipf.keyCount()).isEqualTo(keys).isEqualTo(from - 1);
    assertThat(zipf.others()).isCloseTo(0, within(1e-12));
    assertThat(zipf).isEqualTo(Popularity.zipf(keys, exponent));
    assertThat(zipf).hasSameHashCodeAs(Popularity.zipf(keys, exponent));
    assertThat(zipf).hasToString("Zipf's law with exponent " + exponent + " over 30,000 keys");
  }

  @Test
  void groupsAreFewAndRising() {
    assertThat(Popularity.ends(0)).isEmpty();
    assertThat(Popularity.ends(1)).containsExactly(1);
    assertThat(Popularity.ends(12)).containsExactly(1, 2, 4, 7, 11, 12);
    for (long keys : new long[] {100, 1L << 27, 1L << 36, 1L << 53}) {
      long[] ends = Popularity.ends(keys);
      assertThat(ends).isSorted().doesNotHaveDuplicates().endsWith(keys);
      assertThat(ends.length).isLessThanOrEqualTo(Popularity.MAX_GROUPS);
    }
  }

  @Test
  void argumentsAreChecked() {
    assertThatThrownBy(() -> Popularity.zipf(0, 1)).hasMessageStartingWith("keys = 0 ");
    assertThatThrownBy(() -> Popularity.zipf(5, 11)).hasMessageStartingWith("exponent = 11.0 ");
    assertThatThrownBy(() -> new Group(0, 0, 0)).hasMessageStartingWith("keyCount = 0 ");
    assertThatThrownBy(() -> new Group(1, 2, 0)).hasMessageStartingWith("queries = 2.0 ");
    assertThatThrownBy(() -> new Group(1, 0, -1)).hasMessageStartingWith("likelihood = -1.0 ");
    assertThatThrownBy(() -> Popularity.of(List.of(new Group(1, 0.6, 0), new Group(1, 0.6, 0))))
        .hasMessageStartingWith("queries = 1.2 ");
    Popularity hot = Popularity.hot(100, 0.9, 0.5);
    assertThat(hot).hasToString("0.900 of the queries for 100 keys");
    assertThat(hot.others()).isCloseTo(0.1, within(1e-12));
    assertThat(hot).isNotEqualTo(Popularity.hot(100, 0.8, 0.5));
    assertThat(Popularity.of(List.of()).others()).isEqualTo(1);
    assertThat(Popularity.of(hot.groups())).hasToString("the weights of 100 keys");
  }

  @Test
  void skewedNeedsAdmitTheKindsThatUseThem() {
    Needs needs = Needs.forKeys(1_000_000, 0.01);
    assertThat(names(needs)).doesNotContain("weighted", "popularity");
    assertThat(names(needs.with(Need.SKEWED_POPULARITY))).contains("weighted", "popularity");
    Plan weighted = plan("weighted", needs.with(Need.SKEWED_POPULARITY));
    assertThat(weighted.why())
        .startsWith("More hashes for the popular keys, which a small table knows; ")
        .endsWith("; the rate is that of a query by Zipf's law, for want of weights.");
    // Zipf's law over twice as many keys is what is assumed.
    assertThat(weighted.shape())
        .isEqualTo(WeightedShape.forKeys(1_000_000, 0.01, Popularity.zipf(2_000_000, 1)));
    assertPrinted(weighted.bitsPerKey(), "7.44");
    assertThat(plan("bloom", needs.with(Need.SKEWED_POPULARITY)).why())
        .endsWith("; it treats popular and rare keys alike.");
  }

  @Test
  void aKnownPopularityDecidesTheSize() {
    Popularity hot = Popularity.hot(1_000, 0.9, 0);
    Needs needs = Needs.forKeys(1_000_000, 0.01).withPopularity(hot);
    assertThat(needs.has(Need.SKEWED_POPULARITY)).isTrue();
    assertThat(needs.popularity()).contains(hot);
    assertThat(
            needs
                .prefer(Needs.Preference.SIZE)
                .withUniverse(1L << 40)
                .with(Need.DELETES)
                .popularity())
        .contains(hot);
    Plan best = PLANNER.plan(needs.prefer(Needs.Preference.SIZE)).best();
    assertThat(best.name()).isIn("weighted", "popularity");
    // Only one query in ten can err: 10 % instead of 1 %, half of the memory.
    assertPrinted(best.bitsPerKey(), "4.83");
    assertThat(best.why())
        .endsWith("; the rate is that of a query by 0.900 of the queries for 1,000 keys.");
    Needs budget = Needs.forBudget(1_000_000, 10_000_000).withPopularity(hot);
    assertThat(plan("popularity", budget).shape())
        .isEqualTo(PopularityShape.forBudget(1_000_000, 10_000_000, hot));
    assertPrinted(plan("popularity", budget).predictedRate(), "8.27e-4");
    assertThatThrownBy(() -> needs.withPopularity(null)).hasMessage("known");
  }

  private static List<String> names(Needs needs) {
    return PLANNER.plan(needs).ranked().stream().map(Plan::name).toList();
  }

  private static Plan plan(String name, Needs needs) {
    return PLANNER.plan(needs).ranked().stream()
        .filter(plan -> plan.name().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
