package io.bloomery.cli.option;

import io.bloomery.Filter;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.FrequencyFilter;
import io.bloomery.RemovableFilter;
import io.bloomery.Variant;
import io.bloomery.weighted.ClassShape;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The kinds that an error recommends in place of the kind at hand. */
public final class Alternatives {

  private static final List<Class<?>> KEPT = List.of(RemovableFilter.class, FrequencyFilter.class);

  private Alternatives() {}

  /**
   * The names of the kinds with a capability that {@code bloom build} makes from keys alone; if
   * there are such, only those that delete or count where this filter does.
   */
  public static String to(Filter filter, Class<?> capability) {
    Predicate<FilterKind<?>> able = kind -> capability.isAssignableFrom(kind.type());
    Predicate<FilterKind<?>> alike =
        kind ->
            KEPT.stream()
                .allMatch(kept -> !kept.isInstance(filter) || kept.isAssignableFrom(kind.type()));
    String names = names(able.and(alike));
    return names.isEmpty() ? names(able) : names;
  }

  private static String names(Predicate<FilterKind<?>> wanted) {
    return Filters.kinds().stream()
        .filter(wanted)
        .filter(kind -> kind.variants().stream().anyMatch(Alternatives::takesKeysAlone))
        .map(FilterKind::name)
        .collect(Collectors.joining(", "));
  }

  private static boolean takesKeysAlone(Variant variant) {
    return variant.refusal().isEmpty() && !takesWeights(variant);
  }

  /** Whether a filter of this variant is built from keys and their weights. */
  public static boolean takesWeights(Variant variant) {
    return ClassShape.class.isAssignableFrom(variant.shapeType());
  }
}
