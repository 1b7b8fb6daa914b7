package io.bloomery.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.AddableFilter;
import io.bloomery.Filters;
import io.bloomery.HashedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.membership.BloomFilter;
import io.bloomery.plan.BloomShape;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.PlanRule;
import io.bloomery.plan.Planner;
import io.bloomery.plan.Shape;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FilterRecipeTest {

  private static final int KEYS = 5000;
  private static final int ABSENT = 20_000;
  private static final double RATE = 0.01;
  private static final Hasher HASHER = Hasher.xxh3(7);
  private static final long[] HASHES = LongStream.range(0, KEYS).map(HASHER::hash).toArray();

  static Stream<FilterKind<?>> makeable() {
    return Filters.kinds().stream().filter(kind -> kind.recipe().refusal().isEmpty());
  }

  static Stream<FilterKind<?>> refused() {
    return Filters.kinds().stream().filter(kind -> kind.recipe().refusal().isPresent());
  }

  private static HashedFilter build(FilterKind<?> kind, Shape shape, Needs needs)
      throws IOException {
    FilterRecipe.Making making = kind.recipe().start(shape, needs, HASHER, 2);
    for (int from = 0; from < KEYS; from += 999) {
      making.addHashes(HASHES, from, Math.min(KEYS, from + 999));
    }
    FilterRecipe.Made made = making.finish();
    assertThat(made.storable()).isSameAs(made.filter());
    assertThat(made.storable().kind()).isSameAs(kind);
    return made.filter();
  }

  private static void assertHoldsAll(HashedFilter filter) {
    assertThat(filter.hasher()).isEqualTo(HASHER);
    assertThat(LongStream.of(HASHES).filter(hash -> !filter.mightContainHash(hash)).count())
        .isZero();
  }

  @ParameterizedTest
  @MethodSource("makeable")
  void aRateIsKept(FilterKind<?> kind) throws IOException {
    Needs needs = Needs.forKeys(KEYS, RATE);
    HashedFilter filter = build(kind, kind.recipe().shape(needs), needs);
    assertHoldsAll(filter);
    long hits =
        LongStream.range(KEYS, KEYS + ABSENT)
            .filter(key -> filter.mightContainHash(HASHER.hash(key)))
            .count();
    double sigma = Math.sqrt(ABSENT * RATE * (1 - RATE));
    assertThat((double) hits).isLessThan(ABSENT * RATE + 5 * sigma);
    assertThat(kind.recipe().needsAllFirst()).isEqualTo(!takesKeysOneByOne(kind));
  }

  private static boolean takesKeysOneByOne(FilterKind<?> kind) {
    return AddableFilter.class.isAssignableFrom(kind.type()) && !kind.name().equals("bloom-alpha");
  }

  @ParameterizedTest
  @MethodSource("makeable")
  void aBudgetIsKeptAndUsed(FilterKind<?> kind) throws IOException {
    long atRate = kind.recipe().shape(Needs.forKeys(KEYS, RATE)).sizeInBits();
    long budget = atRate + atRate / 50 + 512;
    Needs needs = Needs.forBudget(KEYS, budget);
    Shape shape = kind.recipe().shape(needs);
    assertThat(shape.sizeInBits()).isLessThanOrEqualTo(budget);
    assertThat(shape.falsePositiveRate(KEYS)).isLessThanOrEqualTo(1.05 * RATE);
    assertHoldsAll(build(kind, shape, needs));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void whatNeedsMoreThanKeysSaysSo(FilterKind<?> kind) {
    FilterRecipe<?> recipe = kind.recipe();
    assertThat(recipe.refusal().orElseThrow()).matches("(needs|holds|takes|is|forgets) [^.]+");
    Needs needs = Needs.forKeys(KEYS, RATE);
    assertThatThrownBy(() -> recipe.shape(needs))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(recipe.refusal().orElseThrow());
    assertThatThrownBy(() -> recipe.start(BloomShape.ofBits(64, 2), needs, HASHER, 1))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void mostKindsAreMadeOfKeys() {
    assertThat(refused().map(FilterKind::name))
        .containsExactlyInAnyOrder(
            "direct",
            "split",
            "time-decaying",
            "cascade",
            "exact-zone",
            "bloomier",
            "mutable-bloomier",
            "bloomier-cascade",
            "filter-bank",
            "spatial",
            "combinatorial",
            "compact-approximator",
            "attenuated",
            "sharded",
            "counting-bank");
  }

  /** What the planner recommends can be made, in each variant. */
  @Test
  void plansAreMadeAsPlanned() throws IOException {
    List<FilterKind<?>> kinds = makeable().toList();
    for (PlanRule<?> rule : Planner.standard().rules()) {
      Optional<FilterKind<?>> kind =
          kinds.stream().filter(k -> k.type().getName().equals(rule.className())).findFirst();
      Needs needs = Needs.forKeys(KEYS, RATE);
      for (Need need : Need.values()) {
        needs = needs.with(need);
      }
      if (kind.isPresent()) {
        Shape shape = rule.sizer().apply(needs).orElseThrow();
        HashedFilter filter = build(kind.get(), shape, needs);
        if (!rule.kind().equals("stable")) { // which the planner allows to lose a few
          assertHoldsAll(filter);
        }
      }
    }
  }

  @Test
  void theBitsOfABloomFilterAreThoseOfItsBuilder() throws IOException {
    Needs needs = Needs.forKeys(KEYS, RATE);
    BloomFilter twin =
        BloomFilter.builder().expectedKeys(KEYS).falsePositiveRate(RATE).hasher(HASHER).build();
    twin.addHashes(HASHES, 0, KEYS);
    BloomFilter made =
        (BloomFilter) build(BloomFilter.KIND, BloomFilter.KIND.recipe().shape(needs), needs);
    assertThat(made.shape()).isEqualTo(twin.shape());
    assertThat(made.scheme()).isEqualTo(twin.scheme());
    assertThat(made.isCompatible(twin)).isTrue();
  }

  @Test
  void aShapeOfAnotherKindIsRefused() {
    Needs needs = Needs.forKeys(KEYS, RATE);
    FilterRecipe<?> blocked = BlockedBloomFilter.KIND.recipe();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> blocked.start(BloomShape.ofBits(64, 2), needs, HASHER, 1))
        .withMessageContaining("is no BlockShape");
  }

  @Test
  void aBudgetThatIsTooSmallIsRefused() {
    Needs needs = Needs.forBudget(1_000_000, 64);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Filters.kind("banked").recipe().shape(needs))
        .withMessage("bits = 64 is too few for 1000000 keys in this kind of filter");
  }
}
