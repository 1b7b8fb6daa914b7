package io.bloomery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.hash.Hasher;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import io.bloomery.plan.Shape;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What kinds state about their variants matches what is planned, built and measured. */
class VariantsTest {

  private static final int KEYS = 4000; // as many as every kind holds
  private static final int ABSENT = 20_000;
  private static final double RATE = 0.01;
  private static final Hasher HASHER = Hasher.xxh3(Seeds.of(7));
  private static final long[] HASHES = LongStream.range(0, KEYS).map(HASHER::hash).toArray();
  private static final Planner PLANNER = Planner.standard();

  /** Which the planner allows to lose a few keys. */
  private static final List<String> LOSSY = List.of("stable");

  static Stream<Plan> byRate() {
    return plans(Needs.forKeys(KEYS, RATE).withUniverse(2 * KEYS));
  }

  private static Stream<Plan> plans(Needs needs) {
    return PLANNER.variants().stream()
        .filter(variant -> variant.refusal().isEmpty())
        .map(variant -> PLANNER.named(variant.name(), needs));
  }

  private static HashedFilter build(Plan plan) throws IOException {
    FilterBuilder builder = plan.builder(HASHER, 2);
    for (int from = 0; from < KEYS; from += 999) {
      builder.addHashes(HASHES, from, Math.min(KEYS, from + 999));
    }
    HashedFilter filter = builder.build();
    assertThat(filter).isInstanceOf(plan.kind().type());
    assertThat(((Storable) filter).kind()).isSameAs(plan.kind());
    assertThat(filter.hasher()).isEqualTo(HASHER);
    if (!LOSSY.contains(plan.name())) {
      assertThat(LongStream.of(HASHES).filter(hash -> !filter.mightContainHash(hash)).count())
          .isZero();
    }
    return filter;
  }

  @ParameterizedTest
  @MethodSource("byRate")
  void aRateIsKept(Plan plan) throws IOException {
    HashedFilter filter = build(plan);
    long hits =
        LongStream.range(KEYS, KEYS + ABSENT)
            .filter(key -> filter.mightContainHash(HASHER.hash(key)))
            .count();
    double sigma = Math.sqrt(ABSENT * RATE * (1 - RATE));
    assertThat((double) hits).isLessThan(ABSENT * RATE + 5 * sigma);
  }

  @ParameterizedTest
  @MethodSource("byRate")
  void aBudgetIsKeptAndUsed(Plan atRate) throws IOException {
    long budget = atRate.shape().sizeInBits() + atRate.shape().sizeInBits() / 50 + 512;
    Plan plan = PLANNER.named(atRate.name(), Needs.forBudget(KEYS, budget).withUniverse(2 * KEYS));
    assertThat(plan.shape().sizeInBits()).isLessThanOrEqualTo(budget);
    // In memory a compressed filter has at most twice a budget, but by rate twice a plain filter.
    double most = plan.name().equals("compressed-bloom") ? 1.05 * RATE : RATE;
    assertThat(plan.predictedRate()).isLessThanOrEqualTo(most);
    build(plan);
  }

  /** The filter that is built has the planned shape, size and hasher. */
  @ParameterizedTest
  @MethodSource("byRate")
  void aPlanMakesItsOwnShape(Plan plan) throws IOException {
    assertShape(build(plan), plan.shape());
    Needs budget = Needs.forBudget(KEYS, 2 * plan.shape().sizeInBits()).withUniverse(2 * KEYS);
    Plan byBudget = PLANNER.named(plan.name(), budget);
    assertShape(build(byBudget), byBudget.shape());
    if (!plan.variant().isStatic()) {
      assertShape(plan.create(HASHER), plan.shape());
    }
  }

  private static void assertShape(Filter filter, Shape shape) {
    assertThat(filter)
        .isInstanceOfSatisfying(
            ShapedFilter.class, shaped -> assertThat(shaped.shape()).isEqualTo(shape));
  }

  /** {@code create(n, p)} of a class is what the planner sizes under the kind's name. */
  @ParameterizedTest
  @MethodSource("creatable")
  void aClassCreatesWhatItsKindPlans(FilterKind<?> kind) throws ReflectiveOperationException {
    Method create = kind.type().getMethod("create", long.class, double.class);
    for (double rate : new double[] {0.2, RATE, 1e-4}) {
      Filter filter = (Filter) create.invoke(null, KEYS, rate);
      assertShape(filter, PLANNER.named(kind.name(), Needs.forKeys(KEYS, rate)).shape());
    }
  }

  static Stream<FilterKind<?>> creatable() {
    return Filters.kinds().stream()
        .filter(kind -> !kind.variants().isEmpty())
        .filter(
            kind ->
                Stream.of(kind.type().getMethods())
                    .anyMatch(
                        method ->
                            method.getName().equals("create")
                                && Arrays.equals(
                                    method.getParameterTypes(),
                                    new Class<?>[] {long.class, double.class})));
  }

  @Test
  void whatNeedsMoreThanKeysSaysSo() {
    for (Variant variant : PLANNER.variants()) {
      if (variant.refusal().isPresent()) {
        assertThat(variant.refusal().get()).matches("(needs|holds|takes|is|forgets) [^.]+");
        Plan plan = PLANNER.named(variant.name(), Needs.forKeys(KEYS, RATE).withUniverse(2 * KEYS));
        assertThatThrownBy(() -> plan.builder(HASHER, 1))
            .isInstanceOf(IllegalStateException.class)
            .hasMessage(variant.name() + " " + variant.refusal().get());
      }
    }
  }

  @Test
  void everyKindHasVariantsOrSaysWhyNot() {
    for (FilterKind<?> kind : Filters.kinds()) {
      assertThat(kind.variants().isEmpty()).as(kind.name()).isEqualTo(kind.refusal().isPresent());
    }
  }

  @Test
  void namesAreUnique() {
    assertThat(PLANNER.variants()).extracting(Variant::name).doesNotHaveDuplicates();
    for (FilterKind<?> kind : Filters.kinds()) {
      for (Variant variant : PLANNER.variants()) {
        if (variant.name().equals(kind.name())) {
          assertThat(kind.variants()).contains(variant);
        }
      }
    }
  }

  /** Needs decide what is offered, never how it is sized. */
  @Test
  void anOfferedVariantIsSizedAsTheNamedOne() {
    Needs all = Needs.forKeys(KEYS, RATE).withUniverse(2 * KEYS);
    for (Need need : Need.values()) {
      all = all.with(need);
    }
    for (Variant variant : PLANNER.variants()) {
      assertThat(variant.shape(all))
          .as(variant.name())
          .isEqualTo(variant.shape(Needs.forKeys(KEYS, RATE).withUniverse(2 * KEYS)));
    }
  }
}
