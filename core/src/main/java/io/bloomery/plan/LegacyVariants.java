package io.bloomery.plan;

import io.bloomery.Filter;
import io.bloomery.FilterBuilder;
import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.HashedFilter;
import io.bloomery.Storable;
import io.bloomery.Variant;
import io.bloomery.hash.Hasher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Variants of kinds that still have a rule and a recipe. */
public final class LegacyVariants {

  private static final Map<FilterKind<?>, List<Variant<?>>> KNOWN = new ConcurrentHashMap<>();

  private LegacyVariants() {}

  /**
   * The variants.
   *
   * @param kind a kind with a recipe
   * @return its variants
   */
  public static List<Variant<?>> of(FilterKind<?> kind) {
    return KNOWN.computeIfAbsent(kind, LegacyVariants::find);
  }

  private static List<Variant<?>> find(FilterKind<?> kind) {
    List<Variant<?>> variants = new ArrayList<>();
    for (PlanRule<?> rule : rules()) {
      if (rule.className().equals(kind.type().getName())) {
        variants.add(variant(kind.recipe(), rule));
      }
    }
    return variants;
  }

  private static List<PlanRule<?>> rules() {
    return Stream.of(
            CascadeRules.all(),
            MapRules.all())
        .flatMap(List::stream)
        .toList();
  }

  @SuppressWarnings("unchecked")
  private static <S extends Shape> Variant<S> variant(FilterRecipe<?> recipe, PlanRule<S> rule) {
    Variant.Builder<S> builder =
        Variant.of(rule.kind(), (Class<S>) (Class<?>) Shape.class)
            .meets(rule.meets().toArray(new Need[0]))
            .sized(
                needs ->
                    rule.sizer()
                        .apply(all(needs))
                        .orElseThrow(() -> new IllegalArgumentException("not sized by this")))
            .reads(rule.cacheLines(), rule.words())
            .why(rule.why());
    Need[] only =
        Stream.of(Need.values()).filter(need -> !applies(rule, without(need))).toArray(Need[]::new);
    for (Need need : only) {
      builder.onlyFor(need);
    }
    if (!rule.hashed()) {
      builder.unhashed();
    }
    if (recipe.refusal().isPresent()) {
      return builder.needsMore(recipe.refusal().get()).hasOwnBuilder();
    }
    if (!recipe.isLockFree()) {
      builder.oneWriter();
    }
    if (!recipe.needsAllFirst()) {
      return builder.creates((shape, hasher) -> empty(recipe, shape, hasher));
    }
    return builder.builds(
        (shape, hasher, threads) -> {
          FilterRecipe.Making making =
              recipe.start(shape, Needs.forKeys(1000, 0.5), hasher, threads);
          return new FilterBuilder() {
            @Override
            public void addHashes(long[] hashes, int from, int to) {
              making.addHashes(hashes, from, to);
            }

            @Override
            public HashedFilter build() throws IOException {
              return making.finish().filter();
            }
          };
        });
  }

  @SuppressWarnings("unchecked")
  private static <F extends Filter & Storable> F empty(
      FilterRecipe<?> recipe, Shape shape, Hasher hasher) {
    try {
      return (F) recipe.start(shape, Needs.forKeys(1000, 0.5), hasher, 1).finish().filter();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean applies(PlanRule<?> rule, Needs needs) {
    try {
      return rule.sizer().apply(needs).isPresent();
    } catch (IllegalArgumentException e) {
      return true;
    }
  }

  private static Needs without(Need left) {
    Needs needs = Needs.forKeys(1000, 0.01).withUniverse(2000);
    for (Need need : Need.values()) {
      needs = need == left ? needs : needs.with(need);
    }
    return needs;
  }

  private static Needs all(Needs needs) {
    Needs all = needs;
    for (Need need : Need.values()) {
      all = all.with(need);
    }
    return all;
  }
}
