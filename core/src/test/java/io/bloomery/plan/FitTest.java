package io.bloomery.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.Variant;
import io.bloomery.deletable.CuckooShape;
import io.bloomery.error.ImpossibleSizeException;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A missing size is a value; a bug in a sizer is an error. */
final class FitTest {

  private static final Needs NEEDS = Needs.forKeys(1_000, 0.01);

  /** A kind that the planner takes, with one variant that is sized in a given way. */
  private record Sized(Function<Needs, BloomShape> sizer) implements FilterKind<BloomFilter> {
    @Override
    public int id() {
      return 1;
    }

    @Override
    public String name() {
      return "sized";
    }

    @Override
    public String question() {
      return "is x in the set?";
    }

    @Override
    public Class<BloomFilter> type() {
      return BloomFilter.class;
    }

    @Override
    public boolean isHashed() {
      return true;
    }

    @Override
    public List<Variant> variants() {
      return List.of(
          VariantBuilder.of("sized", BloomShape.class)
              .sized(sizer)
              .reads(BloomShape::hashesPerKey)
              .why("It has a sizer")
              .creates(BloomFilter::create));
    }

    @Override
    public Set<Need> meets() {
      return Set.of();
    }

    @Override
    public Optional<String> refusal() {
      return Optional.empty();
    }

    @Override
    public Optional<String> derivedKeys() {
      return Optional.empty();
    }

    private Planner planner() {
      return Planner.of(List.of(this));
    }
  }

  private static BloomShape thrown(RuntimeException problem) {
    throw problem;
  }

  @Test
  void aShapeThatFits() {
    Planner planner = new Sized(needs -> BloomShape.of(9_600, 7)).planner();
    Shape.Fit fit = planner.variants().get(0).fit(NEEDS);
    assertThat(fit.shape()).contains(BloomShape.of(9_600, 7));
    assertThat(fit.reason()).isEmpty();
    assertThat(fit.orElseThrow()).isEqualTo(BloomShape.of(9_600, 7)).hasToString(fit.toString());
    assertThat(planner.plan(NEEDS).best().shape()).isEqualTo(BloomShape.of(9_600, 7));
    assertThat(planner.named("sized", NEEDS).shape()).isEqualTo(BloomShape.of(9_600, 7));
  }

  @Test
  void aSizeThatDoesNotExistHasAReason() {
    Planner planner =
        new Sized(needs -> thrown(new ImpossibleSizeException("keys = 1000 are too many")))
            .planner();
    Shape.Fit fit = planner.variants().get(0).fit(NEEDS);
    assertThat(fit.shape()).isEmpty();
    assertThat(fit.reason()).isEqualTo("keys = 1000 are too many").isEqualTo(fit.toString());
    assertThatThrownBy(fit::orElseThrow)
        .isInstanceOf(ImpossibleSizeException.class)
        .hasMessage("keys = 1000 are too many");
    assertThat(planner.plan(NEEDS).isEmpty()).isTrue();
    assertThatThrownBy(() -> planner.named("sized", NEEDS))
        .isInstanceOf(ImpossibleSizeException.class)
        .hasMessage("keys = 1000 are too many");
  }

  /** Also one that checks of arguments throw: a kind with an error must not vanish from plans. */
  @Test
  void anErrorInASizerIsNotSwallowed() {
    for (RuntimeException error :
        List.of(
            new IllegalArgumentException("bits = -1 is outside the allowed range"),
            new ArithmeticException("long overflow"))) {
      Planner planner = new Sized(needs -> thrown(error)).planner();
      assertThatThrownBy(() -> planner.plan(NEEDS)).isSameAs(error);
      assertThatThrownBy(() -> planner.plan(Needs.forBudget(1_000, 9_600))).isSameAs(error);
      assertThatThrownBy(() -> planner.named("sized", NEEDS)).isSameAs(error);
    }
  }

  @Test
  void anErrorInASearchForABudgetIsNotSwallowed() {
    IllegalArgumentException error = new IllegalArgumentException("hashesPerKey = 0");
    Variant variant =
        VariantBuilder.of("searched", BloomShape.class)
            .forKeys((keys, rate) -> rate < 0.5 ? thrown(error) : BloomShape.forKeys(keys, rate))
            .searchBudget()
            .reads(BloomShape::hashesPerKey)
            .why("It has a sizer")
            .creates(BloomFilter::create);
    assertThatThrownBy(() -> variant.fit(Needs.forBudget(1_000, 9_600))).isSameAs(error);
  }

  /** Callers of a shape's factory get an exception. */
  @Test
  void shapesRefuseWhatDoesNotFit() {
    assertThatThrownBy(() -> CuckooShape.forBudget(1_000, 1_000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bits = 1000 has no room");
  }

  /** From one key to the most, from the smallest budget to the largest: a shape or a reason. */
  @Test
  void everyVariantHasAShapeOrAReasonForAnyNeeds() {
    for (Needs needs : extremes()) {
      for (FilterKind<?> kind : Filters.kinds()) {
        for (Variant variant : kind.variants()) {
          assertThatCode(
                  () -> {
                    Shape.Fit fit = variant.fit(needs);
                    assertThat(fit.reason().isEmpty()).isEqualTo(fit.shape().isPresent());
                  })
              .as("%s for %s", variant, needs)
              .doesNotThrowAnyException();
        }
      }
    }
  }

  private static List<Needs> extremes() {
    List<Needs> extremes = new ArrayList<>();
    for (long keys : new long[] {1, Shape.MAX_KEYS}) {
      extremes.add(Needs.forKeys(keys, Needs.lowestRate(keys)));
      extremes.add(Needs.forKeys(keys, 0.99).withUniverse(keys));
      extremes.add(Needs.forKeys(keys, 1e-4).withUniverse(Math.min(Shape.MAX_KEYS, 4 * keys)));
      extremes.add(Needs.forBudget(keys, Long.SIZE).withUniverse(1));
      extremes.add(Needs.forBudget(keys, Math.max(Long.SIZE, keys)).withUniverse(keys));
      extremes.add(Needs.forBudget(keys, Shape.MAX_BITS).withUniverse(Long.MAX_VALUE));
    }
    return extremes;
  }
}
