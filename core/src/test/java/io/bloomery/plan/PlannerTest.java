package io.bloomery.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.AddableFilter;
import io.bloomery.Filters;
import io.bloomery.RemovableFilter;
import io.bloomery.Writers;
import io.bloomery.error.ImpossibleSizeException;
import io.bloomery.frequency.CountMinFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BloomShape;
import io.bloomery.membership.DirectShape;
import io.bloomery.membership.RemovedPairFilter;
import io.bloomery.membership.SortedHashShape;
import io.bloomery.membership.TwoChoiceShape;
import io.bloomery.membership.WordShape;
import io.bloomery.theory.BloomMath;
import io.bloomery.window.RecentFilter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PlannerTest {

  private static final Planner PLANNER = Planner.standard();

  /** Knows no kind that meets a need but the direct bit set. */
  private static final Planner MEMBERSHIP =
      Planner.of(
          Filters.kinds().stream()
              .filter(kind -> kind.type().getPackageName().endsWith(".membership"))
              .filter(kind -> kind != RemovedPairFilter.KIND)
              .toList());

  private static List<String> kinds(List<Plan> plans) {
    return plans.stream().map(Plan::name).toList();
  }

  @Test
  void onePercentOfAMillionKeys() {
    Plans plans = PLANNER.plan(Needs.forKeys(1_000_000, 0.01));
    assertThat(plans.unmet()).isEmpty();
    assertThat(kinds(plans.ranked()))
        .containsExactly(
            "blocked-512",
            "blocked-256",
            "blocked-128",
            "blocked-64",
            "split-block",
            "bloom",
            "bloom-g",
            "cuckoo",
            "prefix",
            "partitioned",
            "striped",
            "two-choice",
            "quotient");
    Plan best = plans.best();
    assertThat(best.kind().type().getName()).isEqualTo("io.bloomery.membership.BlockedBloomFilter");
    assertThat(best.shape()).isEqualTo(BlockShape.forKeys(1_000_000, 0.01));
    assertThat(best.bitsPerKey()).isCloseTo(10.19, within(0.005));
    assertThat(best.predictedRate()).isBetween(0.0099, 0.01);
    assertThat(best.cacheLines()).isEqualTo(1);
    assertThat(best.why()).endsWith(".").doesNotContain("secret");
    assertThat(best.keyed()).isFalse();
    assertThat(kinds(plans.smallestFirst())).startsWith("bloom").endsWith("quotient");
  }

  @Test
  void everyPlanMeetsTheRateAndTellsTheTruth() {
    for (double rate : new double[] {0.3, 0.01, 1e-5}) {
      for (long keys : new long[] {1, 30, 50_000, 200_000_000}) {
        Plans plans =
            PLANNER.plan(Needs.forKeys(keys, rate).with(Need.FROZEN_SET).withUniverse(keys * 2));
        assertThat(plans.ranked()).hasSizeGreaterThan(8);
        for (Plan plan : plans.ranked()) {
          assertThat(plan.predictedRate()).isLessThanOrEqualTo(rate);
          assertThat(plan.predictedRate())
              .isEqualTo(plan.shape().falsePositiveRate(keys / plan.shards()));
          assertThat(plan.bitsPerKey()).isEqualTo((double) plan.sizeInBits() / keys);
          assertThat(plan.sizeInBits()).isEqualTo(plan.shards() * plan.shape().sizeInBits());
          assertThat(plan.cacheLines()).isPositive();
        }
      }
    }
  }

  @Test
  void firstBlockedPlanIsTheDefaultOfTheLibrary() {
    for (long keys : new long[] {100, 10_000, 3_000_000}) {
      for (double rate : new double[] {0.1, 0.01, 0.001, 1e-5}) {
        Plan first =
            PLANNER.plan(Needs.forKeys(keys, rate)).ranked().stream()
                .filter(plan -> plan.kind().name().equals("blocked"))
                .findFirst()
                .orElseThrow();
        assertThat(first.shape()).isEqualTo(BlockShape.forKeys(keys, rate));
        assertThat(PLANNER.named("blocked", Needs.forKeys(keys, rate)).shape())
            .isEqualTo(first.shape());
      }
    }
  }

  @Test
  void twoChoiceIsSmallerThanBloomOnlyForLowRates() {
    assertThat(TwoChoiceShape.forKeys(100_000, 0.0055).bits())
        .isLessThan(BloomShape.forKeys(100_000, 0.0055).bits());
    assertThat(TwoChoiceShape.forKeys(100_000, 0.0075).bits())
        .isGreaterThan(BloomShape.forKeys(100_000, 0.0075).bits());
  }

  @Test
  void aSmallUniverseIsStoredDirectly() {
    long bloom = BloomShape.forKeys(1000, 0.01).bits();
    // Catalogue M3: DIRECT when |U| ≤ m of the Bloom filter.
    assertThat(DirectShape.isRecommended(1000, 0.01, bloom)).isTrue();
    assertThat(DirectShape.isRecommended(1000, 0.01, bloom + 1)).isFalse();
    Plan best = PLANNER.plan(Needs.forKeys(1000, 0.01).withUniverse(bloom)).best();
    assertThat(best.name()).isEqualTo("direct");
    assertThat(best.kind().type().getName()).isEqualTo("io.bloomery.membership.DirectBitSet");
    assertThat(best.predictedRate()).isZero();
    assertThat(kinds(PLANNER.plan(Needs.forKeys(1000, 0.01).withUniverse(bloom + 1)).ranked()))
        .doesNotContain("direct");
    assertThat(new DirectShape(77).sizeInBits()).isEqualTo(77);
  }

  @Test
  void deletesAreMetByTheDirectBitSetOnly() {
    Needs needs = Needs.forKeys(1000, 0.01).with(Need.DELETES);
    assertThat(kinds(MEMBERSHIP.plan(needs.withUniverse(5000)).ranked())).containsExactly("direct");
    Plans none = MEMBERSHIP.plan(needs);
    assertThat(none.ranked()).isEmpty();
    assertThatThrownBy(none::best).hasMessage(none.unmet());
    assertThat(none.unmet())
        .isEqualTo("No kind of filter here supports deletes for 1000 keys with a rate of 0.01.");
  }

  @Test
  void unmetNeedsAreNamed() {
    Needs needs = Needs.forKeys(1000, 0.01);
    assertThat(MEMBERSHIP.plan(needs.with(Need.COUNTS)).unmet())
        .isEqualTo("No kind of filter here supports counts.");
    assertThat(MEMBERSHIP.plan(needs.with(Need.WINDOW).with(Need.COUNTS)).unmet())
        .isEqualTo("No kind of filter here supports counts or a window.");
    assertThat(MEMBERSHIP.plan(needs.with(Need.UNKNOWN_GROWTH)).unmet())
        .isEqualTo("No kind of filter here supports unknown growth.");
    assertThat(MEMBERSHIP.plan(Needs.forKeys(1L << 36, 0.001)).unmet())
        .isEqualTo("No kind of filter here holds 68719476736 keys with a rate of 0.001.");
  }

  @Test
  void needsThatNoKindMeetsTogetherAreNamed() {
    Planner some = Planner.of(List.of(CountMinFilter.KIND, RecentFilter.KIND));
    Needs needs = Needs.forKeys(1000, 0.01).with(Need.COUNTS);
    assertThat(kinds(some.plan(needs).ranked())).containsExactly("count-min-32", "count-min");
    assertThat(Planner.of(List.of(CountMinFilter.KIND)).plan(needs.with(Need.WINDOW)).unmet())
        .isEqualTo("No kind of filter here supports a window.");
    assertThat(some.plan(needs.with(Need.WINDOW)).unmet())
        .isEqualTo("No kind of filter here supports counts and a window together.");
  }

  @Test
  void namesOfKindsAndVariantsArePlanned() {
    Needs needs = Needs.forKeys(1_000_000, 0.01);
    assertThat(PLANNER.named("blocked", needs).shape())
        .isEqualTo(BlockShape.forKeys(1_000_000, 0.01));
    assertThat(PLANNER.named("blocked-64", needs).shape())
        .isEqualTo(BlockShape.forKeys(1_000_000, 0.01, 64));
    assertThatThrownBy(() -> PLANNER.named("bloomy", needs))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bloomy is not one of: adaptive, aging,");
    assertThatThrownBy(() -> PLANNER.named("direct", needs))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("universe");
  }

  @Test
  void hostileInputTakesAKeyedHasherOnly() {
    Needs needs =
        Needs.forKeys(1000, 0.01)
            .with(Need.HOSTILE_INPUT)
            .with(Need.SKEWED_POPULARITY)
            .withUniverse(9000);
    Hasher keyed = Hasher.keyed(new byte[16]);
    for (Plan plan : PLANNER.plan(needs).ranked()) {
      boolean direct = plan.name().equals("direct");
      assertThat(plan.keyed()).isEqualTo(!direct);
      assertThat(plan.why().contains("secret key")).isEqualTo(!direct);
      assertThat(plan.why().contains("popular")).isEqualTo(!direct);
      assertThat(plan.why()).endsWith(".").doesNotContain("Hasher");
      assertThat(plan.create(keyed)).isInstanceOf(plan.kind().type());
      if (!direct) {
        assertThatThrownBy(plan::create)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("Hasher.keyed");
        assertThatThrownBy(() -> plan.builder(Hasher.xxh3(1), 1))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("Hasher.keyed");
      }
    }
  }

  @Test
  void frozenSetsAdmitTheHashList() {
    Needs needs = Needs.forKeys(4096, 1.0 / 4096);
    assertThat(kinds(PLANNER.plan(needs).ranked())).doesNotContain("sorted-hashes");
    Plan list =
        PLANNER.plan(needs.with(Need.FROZEN_SET)).ranked().stream()
            .filter(plan -> plan.name().equals("sorted-hashes"))
            .findFirst()
            .orElseThrow();
    // Catalogue M4: n = 2^12 and h = 2·log2 n = 24 bits give a rate of 1/4096.
    assertThat(list.shape()).isEqualTo(new SortedHashShape(4096, 24));
    assertThat(list.predictedRate()).isCloseTo(1.0 / 4096, within(1e-7));
    // 192 cache lines: a binary search reads at most 8 of them.
    assertThat(list.cacheLines()).isEqualTo(8);
    assertThat(SortedHashShape.forBudget(4096, 4096 * 24 + 5).hashBits()).isEqualTo(24);
    assertThat(new SortedHashShape(4096, 24).falsePositiveRate(0)).isZero();
  }

  @Test
  void budgetsRankByRate() {
    Needs needs = Needs.forBudget(1_000_000, 10_000_000);
    Plans plans = PLANNER.plan(needs);
    assertThat(plans.ranked()).hasSize(12);
    for (Plan plan : plans.ranked()) {
      assertThat(plan.shape().sizeInBits()).isBetween(9_990_000L, 10_000_000L);
    }
    assertThat(plans.ranked().get(0).cacheLines()).isEqualTo(1);
    List<Plan> oneLine = plans.ranked().stream().filter(p -> p.cacheLines() == 1).toList();
    assertThat(kinds(oneLine)).startsWith("blocked-512", "blocked-256");
    // Every kind gets its best probes: no kind beats its own rate with other probes.
    for (Plan plan : plans.ranked()) {
      if (plan.shape() instanceof BloomShape shape && shape.partitioned()) {
        for (int k = 1; k < 20; k++) {
          assertThat(BloomMath.partitionedRate(10_000_000L / k * k, 1_000_000, k))
              .isGreaterThanOrEqualTo(plan.predictedRate());
        }
      }
      if (plan.shape() instanceof WordShape shape) {
        for (int k = 2; k < 12; k++) {
          assertThat(new WordShape(shape.words(), 64, 2, k).falsePositiveRate(1_000_000))
              .isGreaterThanOrEqualTo(plan.predictedRate());
        }
      }
    }
    // Kinds that the budget cannot hold are left out, the others stay.
    assertThat(kinds(PLANNER.plan(Needs.forBudget(10, 64)).ranked()))
        .contains("blocked-64", "bloom")
        .doesNotContain("blocked-128", "split-block");
  }

  /** One fuse filter holds 2^27 keys; its builder makes shards of more. */
  @Test
  void largeStaticSetsArePlannedInShards() {
    for (String name : List.of("fuse", "fuse-4", "xor", "perfect-hash")) {
      Plan whole = PLANNER.named(name, Needs.forKeys(1L << 27, 0.01));
      Plan sharded = PLANNER.named(name, Needs.forKeys(1L << 30, 0.01));
      assertThat(whole.shards()).as(name).isEqualTo(1);
      assertThat(sharded.shards()).as(name).isEqualTo(8);
      assertThat(sharded.shape()).as(name).isEqualTo(whole.shape());
      assertThat(sharded.bitsPerKey()).as(name).isEqualTo(whole.bitsPerKey());
    }
    Plans plans = PLANNER.plan(Needs.forKeys(200_000_000, 0.01).with(Need.FROZEN_SET));
    assertThat(kinds(plans.ranked())).contains("fuse", "xor");
    Plan inBudget = PLANNER.named("fuse", Needs.forBudget(1L << 30, 10L << 30));
    assertThat(inBudget.shards()).isEqualTo(8);
    assertThat(inBudget.sizeInBits()).isLessThanOrEqualTo(10L << 30);
    assertThatThrownBy(() -> PLANNER.named("quotient", Needs.forKeys(1L << 36, 1e-6)))
        .isInstanceOf(ImpossibleSizeException.class);
  }

  @Test
  void contradictionsAreSaid() {
    Needs frozen = Needs.forKeys(1000, 0.01).with(Need.FROZEN_SET);
    for (Need change : List.of(Need.DELETES, Need.UNKNOWN_GROWTH, Need.WINDOW)) {
      Plans plans = PLANNER.plan(frozen.with(change));
      assertThat(plans.ranked()).isEmpty();
      assertThat(plans.unmet())
          .isEqualTo(
              "A frozen set never changes, which contradicts %s: leave out one of the two.",
              change.words());
    }
  }

  /** Any filter of n keys in m bits lets at least 2^(-m/n) of the other keys pass. */
  @Test
  void aHopelessBudgetIsRefusedWithTheReason() {
    Plans plans = PLANNER.plan(Needs.forBudget(1_000_000_000, 8_000_000));
    assertThat(plans.ranked()).isEmpty();
    assertThat(plans.unmet())
        .isEqualTo(
            "0.0080 bits per key are too few: the best kind here would report 100 % of absent keys"
                + " present. A Bloom filter takes 1.4 bits per key for a rate of 50 %, 9.6 for"
                + " 1 %.");
    assertThat(PLANNER.plan(Needs.forBudget(1_000_000, 1_000_000)).ranked()).isEmpty();
    assertThat(PLANNER.plan(Needs.forBudget(1_000_000, 2_000_000)).ranked())
        .isNotEmpty()
        .allMatch(plan -> plan.predictedRate() <= 0.5);
    assertThat(PLANNER.plan(Needs.forKeys(1_000_000, 0.9)).best().predictedRate())
        .isBetween(0.8999, 0.9);
  }

  @Test
  void mergingAndSeveralWritersAreFactsOfTheVariant() {
    Needs needs = Needs.forKeys(1_000_000, 0.01);
    assertThat(PLANNER.plan(needs.with(Need.MERGES)).ranked())
        .isNotEmpty()
        .allMatch(plan -> plan.variant().mergesExactly())
        .noneMatch(plan -> plan.name().equals("cuckoo"));
    assertThat(PLANNER.plan(needs.with(Need.MANY_WRITERS)).ranked())
        .isNotEmpty()
        .allMatch(plan -> plan.variant().supports(Writers.MANY));
    assertThat(kinds(PLANNER.plan(needs.with(Need.MANY_WRITERS).with(Need.FROZEN_SET)).ranked()))
        .contains("fuse", "blocked-512");
    assertThat(kinds(PLANNER.plan(needs.withRanges(100)).ranked())).containsExactly("dyadic");
    assertThat(kinds(PLANNER.plan(needs.withRanges(100).with(Need.FROZEN_SET)).ranked()))
        .containsExactly("grafite", "dyadic");
  }

  @Test
  void needsAreCheckedAndImmutable() {
    Needs needs = Needs.forKeys(10, 0.1);
    assertThat(needs.with(Need.DELETES).has(Need.DELETES)).isTrue();
    assertThat(needs.has(Need.DELETES)).isFalse();
    assertThat(needs.all()).isEmpty();
    assertThat(needs.rate()).hasValue(0.1);
    assertThat(needs.budget()).isEmpty();
    assertThat(needs.withUniverse(5).universe()).hasValue(5);
    assertThatThrownBy(() -> Needs.forKeys(10, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("falsePositiveRate = 1.0 ");
    assertThatThrownBy(() -> Needs.forBudget(10, 63))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("bits = 63 ");
    assertThatThrownBy(() -> needs.withUniverse(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("universe = 0 ");
    assertThatThrownBy(() -> needs.with(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("need");
  }

  @Test
  void aPlanGivesTheCapabilityThatWasNeeded() {
    Plan deletes = PLANNER.plan(Needs.forKeys(1_000, 0.01).with(Need.DELETES)).ranked().get(0);
    RemovableFilter filter = deletes.create(RemovableFilter.class);
    filter.add("a");
    assertThat(filter.remove("a")).isTrue();
    Plan plain = PLANNER.plan(Needs.forKeys(1_000, 0.01)).ranked().get(0);
    assertThat(plain.create(AddableFilter.class, Hasher.xxh3(7)).hasher())
        .isEqualTo(Hasher.xxh3(7));
    assertThatThrownBy(() -> plain.create(RemovableFilter.class))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is no RemovableFilter");
  }

  /** About 20 ms in all; far more would be felt at every start of the command. */
  @Test
  @Timeout(20)
  void aBillionStaticKeysArePlannedQuickly() {
    Needs needs = Needs.forKeys(1_000_000_000, 1e-4).with(Need.FROZEN_SET);
    for (int i = 0; i < 30; i++) {
      assertThat(PLANNER.plan(needs).ranked()).isNotEmpty();
    }
  }
}
