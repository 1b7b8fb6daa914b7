package io.bloomery.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.frozen.CompressedShape;
import io.bloomery.membership.BloomShape;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The planner's cost is what it states, and the winner changes only where costs cross. */
class PlanCostTest {

  private static final Planner PLANNER = Planner.standard();

  /** Without kinds that take long to size and win nowhere. */
  private static final Planner QUICK =
      Planner.of(
          Filters.kinds().stream()
              .filter(kind -> !List.of("best-of", "hash-selection").contains(kind.name()))
              .toList());

  private static final int DECADES_OF_RATE = 12;
  private static final int DECADES_OF_KEYS = 10;

  @Test
  void theCostIsTheStatedFormula() {
    for (Needs.Preference preference : Needs.Preference.values()) {
      Needs needs = Needs.forKeys(1_000_000, 0.01).with(Need.FROZEN_SET).prefer(preference);
      for (Plan plan : PLANNER.plan(needs).ranked()) {
        double time = plan.queryNanos() + plan.addNanos() / 20;
        double memory = (plan.shape().sizeInBits() + 2048.0 * 8) / 1_000_000 + 1;
        double asked = Math.log(100) / Math.log(2);
        double rejection = Math.min(asked + 1, Math.log(1 / plan.predictedRate()) / Math.log(2));
        assertThat(plan.cost())
            .isCloseTo(
                time * Math.pow(memory / rejection, preference.memoryWeight()),
                within(1e-9 * plan.cost()));
      }
    }
    for (Plan plan : PLANNER.plan(Needs.forBudget(1_000_000, 8_000_000)).ranked()) {
      double time = plan.queryNanos() + plan.addNanos() / 20;
      double memory = (plan.shape().sizeInBits() + 2048.0 * 8) / 1_000_000 + 1;
      double rejection = Math.min(57, Math.log(1 / plan.predictedRate()) / Math.log(2));
      assertThat(plan.cost())
          .isCloseTo(
              time * Math.pow(memory / (rejection * rejection), 3), within(1e-9 * plan.cost()));
    }
    assertThat(Needs.Preference.SPEED.memoryWeight()).isEqualTo(0.25);
    assertThat(Needs.Preference.BALANCED.memoryWeight()).isEqualTo(3);
    assertThat(Needs.Preference.SIZE.memoryWeight()).isEqualTo(25);
  }

  /** Figures of docs/benchmarks.md in cache (200,000 keys), with 10 and with 100 million keys. */
  @Test
  void theBuiltInFiguresAreThoseOfTheBenchmarks() {
    assertThat(nanos("blocked-64", 200_000, 0.01)).isBetween(4.0, 8.0); // 5.3
    assertThat(nanos("bloom", 200_000, 0.01)).isBetween(20.0, 30.0); // 27.4
    assertThat(nanos("fuse", 200_000, 0.0039)).isBetween(7.0, 13.0); // 9.2
    assertThat(nanos("ribbon", 200_000, 0.0039)).isBetween(30.0, 65.0); // 37.5
    assertThat(nanos("blocked-64", 10_000_000, 0.01)).isBetween(20.0, 35.0); // 28.5
    assertThat(nanos("bloom", 10_000_000, 0.01)).isBetween(65.0, 90.0); // 73.6 to 80.4
    assertThat(nanos("fuse", 10_000_000, 0.0039)).isBetween(30.0, 50.0); // 39.5 to 41.9
    assertThat(nanos("ribbon", 10_000_000, 0.0039)).isBetween(75.0, 145.0); // 140.8
    assertThat(nanos("two-choice", 10_000_000, 0.01)).isBetween(120.0, 190.0); // 183.7
    assertThat(nanos("blocked-64", 100_000_000, 0.01)).isBetween(45.0, 70.0); // 59.1
    assertThat(nanos("bloom", 100_000_000, 0.01)).isBetween(170.0, 220.0); // 197.1
  }

  private static double nanos(String name, long keys, double rate) {
    return PLANNER.named(name, Needs.forKeys(keys, rate)).queryNanos();
  }

  @ParameterizedTest
  @EnumSource(
      value = Need.class,
      names = {"FROZEN_SET", "SKEWED_POPULARITY"})
  void eachWinnerHoldsOneInterval(Need need) {
    Set<FilterKind<?>> contenders = new HashSet<>();
    for (Plans plans : assertIntervals(QUICK, need, 1)) {
      assertNoneIsDominated(plans.ranked());
      plans.ranked().stream().limit(3).map(Plan::kind).forEach(contenders::add);
    }
    assertIntervals(Planner.of(contenders), need, 2);
  }

  /** Along keys and along the rate, in a number of steps per decade; returns all plans. */
  private static List<Plans> assertIntervals(Planner planner, Need need, int steps) {
    int rows = steps * (DECADES_OF_KEYS - 1) + 1;
    int columns = steps * (DECADES_OF_RATE - 1) + 1;
    Plans[][] plans = new Plans[rows][columns];
    Plans[][] turned = new Plans[columns][rows];
    for (int n = 0; n < rows; n++) {
      for (int p = 0; p < columns; p++) {
        plans[n][p] = plans(planner, 1 + (double) n / steps, 1 + (double) p / steps, need);
        turned[p][n] = plans[n][p];
      }
    }
    for (Plans[] along : plans) {
      assertIntervals(Arrays.asList(along), steps > 1);
    }
    for (Plans[] along : turned) {
      assertIntervals(Arrays.asList(along), steps > 1);
    }
    return Arrays.stream(plans).flatMap(Arrays::stream).filter(Objects::nonNull).toList();
  }

  /** The plans, or null if 64-bit hashes allow no such rate. */
  private static Plans plans(Planner planner, double decadesOfKeys, double decades, Need need) {
    long keys = Math.round(Math.pow(10, decadesOfKeys));
    double rate = Math.pow(10, -decades);
    return rate < keys * 0x1p-57 ? null : planner.plan(Needs.forKeys(keys, rate).with(need));
  }

  @Test
  void whatTakesLongToSizeWinsNowhere() {
    for (long keys : new long[] {10, 1_000, 1_000_000}) {
      for (double rate : new double[] {0.1, 1e-3, 1e-6}) {
        Needs needs = Needs.forKeys(keys, rate).with(Need.FROZEN_SET);
        List<Plan> ranked = PLANNER.plan(needs).ranked();
        assertNoneIsDominated(ranked);
        assertThat(ranked.get(0).name()).isEqualTo(QUICK.plan(needs).best().name());
      }
    }
  }

  /**
   * A kind wins again only where those that won in between cannot have such a size; in small steps
   * only where the one that won last cannot.
   */
  private static void assertIntervals(List<Plans> along, boolean fine) {
    Map<FilterKind<?>, Integer> last = new HashMap<>();
    List<Plans> some = along.stream().filter(plans -> plans != null && !plans.isEmpty()).toList();
    for (int i = 0; i < some.size(); i++) {
      FilterKind<?> winner = some.get(i).best().kind();
      Integer before = last.put(winner, i);
      if (before != null && before < i - 1) {
        Set<FilterKind<?>> possible =
            some.get(i).ranked().stream().map(Plan::kind).collect(Collectors.toSet());
        for (Plans between : some.subList(fine ? i - 1 : before + 1, i)) {
          assertThat(possible).as(winner + " wins again").doesNotContain(between.best().kind());
        }
      }
    }
  }

  private static void assertNoneIsDominated(List<Plan> ranked) {
    for (int i = 0; i < ranked.size(); i++) {
      Plan above = ranked.get(i);
      for (Plan below : ranked.subList(i + 1, ranked.size())) {
        boolean dominated =
            above.sizeInBits() > below.sizeInBits()
                && time(above) > time(below)
                && above.predictedRate() > below.predictedRate();
        assertThat(dominated).as("%s above %s", above, below).isFalse();
        assertThat(above.cost()).isLessThanOrEqualTo(below.cost());
        if (above.cost() == below.cost()) {
          assertThat(above.predictedRate()).isLessThanOrEqualTo(below.predictedRate());
        }
      }
    }
  }

  private static double time(Plan plan) {
    return plan.queryNanos() + plan.addNanos() / 20;
  }

  @Test
  void equalMemoryIsRankedByRateAndTime() {
    for (long keys : new long[] {10, 1_000_000, 1_000_000_000}) {
      for (long bits : new long[] {8_000_000_000L, 12 * keys + 512}) {
        assertNoneIsDominated(PLANNER.plan(Needs.forBudget(keys, bits)).ranked());
      }
    }
    List<Plan> billion = PLANNER.plan(Needs.forBudget(1_000_000_000, 8_000_000_000L)).ranked();
    assertThat(billion.get(0).name()).isEqualTo("blocked-512");
    assertThat(billion.get(1).name()).isEqualTo("blocked-256");
    // 64-bit hashes cannot make use of more.
    Plan few = PLANNER.plan(Needs.forBudget(10, 8_000_000_000L)).best();
    assertThat(few.shape().sizeInBits()).isLessThan(4096);
    assertThat(few.predictedRate()).isLessThan(10 * 0x1p-57);
  }

  @Test
  void aBudgetBuysTheLowestRateUnlessItIsMuchSlower() {
    assertThat(best(Needs.forBudget(1_000_000, 8_000_000))).isEqualTo("blocked-512");
    assertThat(best(Needs.forBudget(1_000_000, 8_000_000).prefer(Needs.Preference.SPEED)))
        .isEqualTo("blocked-64");
    assertThat(best(Needs.forBudget(1_000_000, 8_000_000).with(Need.FROZEN_SET))).isEqualTo("fuse");
  }

  /** Coded forms win at every rate that filters are sent with, with few hashes per key. */
  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.05, 0.04, 0.03, 0.02, 0.01, 0.003, 0.001})
  void filtersThatAreSentAreCoded(double rate) {
    Plan best = PLANNER.plan(Needs.forKeys(1_000_000, rate).with(Need.TRANSFER)).best();
    assertThat(best.name()).isEqualTo("compressed-bloom");
    CompressedShape shape = (CompressedShape) best.shape();
    BloomShape plain = BloomShape.forKeys(1_000_000, rate);
    assertThat(shape.hashesPerKey()).isLessThan(plain.hashesPerKey());
    assertThat(shape.sizeInBits()).isLessThan(plain.bits());
    assertThat(CompressedShape.forBudget(1_000_000, shape.sizeInBits()).hashesPerKey())
        .isLessThan(plain.hashesPerKey());
  }

  @Test
  void whatIsPreferredDecides() {
    Needs needs = Needs.forKeys(10_000_000, 0.01);
    assertThat(best(needs.prefer(Needs.Preference.SPEED))).isEqualTo("blocked-64");
    assertThat(best(needs)).isEqualTo("blocked-512");
    assertThat(best(needs.prefer(Needs.Preference.SIZE))).isEqualTo("bloom");
    Needs frozen = needs.with(Need.FROZEN_SET);
    assertThat(best(frozen)).isEqualTo("fuse");
    assertThat(best(frozen.prefer(Needs.Preference.SIZE))).isEqualTo("ribbon");
    assertThat(needs.preference()).isEqualTo(Needs.Preference.BALANCED);
    assertThat(needs.with(Need.TRANSFER).preference()).isEqualTo(Needs.Preference.SIZE);
    assertThat(needs.with(Need.TRANSFER).prefer(Needs.Preference.SPEED).preference())
        .isEqualTo(Needs.Preference.SPEED);
  }

  private static String best(Needs needs) {
    return PLANNER.plan(needs).best().name();
  }

  @Test
  void variantsWithALimitComeAfterThoseWithout() {
    for (Need need : new Need[] {Need.COUNTS, Need.UNKNOWN_GROWTH, Need.DELETES, Need.WINDOW}) {
      Needs needs = Needs.forKeys(1_000_000, 0.01).with(need);
      boolean limited = false;
      for (Plan plan : PLANNER.plan(needs).ranked()) {
        List<String> limits = plan.variant().limits(needs);
        assertThat(limits.isEmpty() && limited).as(plan.name()).isFalse();
        limited |= !limits.isEmpty();
        limits.forEach(limit -> assertThat(plan.why()).contains("; but " + limit));
      }
      assertThat(limited).isTrue();
    }
  }

  @Test
  void reasonsNameTheNumbersThatDecided() {
    List<Plan> frozen =
        PLANNER.plan(Needs.forKeys(10_000_000, 0.01).with(Need.FROZEN_SET)).ranked();
    Plan ribbon = frozen.stream().filter(p -> p.name().equals("ribbon")).findFirst().orElseThrow();
    assertThat(ribbon.why())
        .matches(".*; 6\\.7[0-9] bits/key against 7\\.8[0-9], 2\\.[0-9]× slower than fuse\\.");
    assertThat(frozen.get(0).why())
        .endsWith("; 7.89 bits/key against 10.19, 1.6× slower than blocked-512.");
    for (Plan plan : frozen.subList(1, frozen.size())) {
      assertThat(plan.why()).containsPattern(" (than|fast as) fuse").endsWith(".");
    }
  }

  @Test
  void anotherMachineMakesAnotherChoice() {
    Needs needs = Needs.forKeys(1_000_000, 0.01);
    Planner.Machine slowMemory =
        Planner.Machine.BUILT_IN.withTables(List.of(new Planner.Machine.Table(1L << 10, 1000)));
    Planner.Machine slowWords =
        new Planner.Machine(1, 1000, 0.4, Planner.Machine.BUILT_IN.tables());
    assertThat(PLANNER.on(slowMemory).plan(needs).best().name()).isEqualTo("blocked-512");
    assertThat(PLANNER.on(slowWords).plan(needs).best().name()).isEqualTo("blocked-64");
    assertThat(PLANNER.on(slowWords).machine()).isEqualTo(slowWords);
    assertThat(slowMemory.lineNanos(8)).isEqualTo(1000);
    assertThat(slowMemory.lineNanos(1L << 40)).isEqualTo(1000);
    Planner.Machine two =
        Planner.Machine.BUILT_IN.withTables(
            List.of(new Planner.Machine.Table(1024, 1), new Planner.Machine.Table(4096, 3)));
    assertThat(two.lineNanos(2048 * 8)).isCloseTo(2, within(1e-12));
    assertThat(two.queryNanos(1, 3, 5)).isCloseTo(2 + 2 * 5 + 1 + 2 * 0.4, within(1e-12));
  }

  @Test
  void figuresOfAMachineAreChecked() {
    List<Planner.Machine.Table> tables = Planner.Machine.BUILT_IN.tables();
    assertThatThrownBy(() -> new Planner.Machine(-1, 2, 0.4, tables))
        .hasMessageContaining("callNanos");
    assertThatThrownBy(() -> new Planner.Machine(1, Double.NaN, 0.4, tables))
        .hasMessageContaining("wordNanos");
    assertThatThrownBy(() -> new Planner.Machine(0, 0, 0.4, tables))
        .hasMessageContaining("takes time");
    assertThatThrownBy(() -> new Planner.Machine(1, 2, 1.4, tables))
        .hasMessageContaining("overlap");
    assertThatThrownBy(() -> new Planner.Machine(1, 2, 0.4, List.of()))
        .hasMessageContaining("tables");
    assertThatThrownBy(() -> new Planner.Machine(1, 2, 0.4, List.of(tables.get(1), tables.get(0))))
        .hasMessageContaining("do not rise");
  }
}
