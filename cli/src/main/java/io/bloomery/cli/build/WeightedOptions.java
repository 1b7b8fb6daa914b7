package io.bloomery.cli.build;

import io.bloomery.Filters;
import io.bloomery.cli.option.Alternatives;
import io.bloomery.cli.option.FilterChoice;
import io.bloomery.cli.option.NeedOptions;
import io.bloomery.cli.option.WeightsOption;
import io.bloomery.plan.Need;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.problem.Problem;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which options may be combined with {@code bloom build --weights}. */
final class WeightedOptions {

  private WeightedOptions() {}

  /** Fails, before anything is read, if the options contradict each other. */
  static void check(
      WeightsOption weights, @Nullable String kind, Set<Need> given, List<String> files) {
    boolean takesWeights = kind != null && takesWeights(kind);
    if (!weights.isGiven()) {
      if (takesWeights) {
        throw new Problem(
            "kind %s needs --weights FILE: past queries, one per line".formatted(kind));
      }
      return;
    }
    if (weights.isLaw()) {
      throw new Problem(
          "--weights %s names no keys; list the popular ones, the most popular first: --weights FILE"
                  .formatted(weights.file())
              + " --weights-format "
              + weights.file());
    }
    if (kind != null && !takesWeights) {
      FilterChoice.checkName(kind);
      throw new Problem(
          "kind %s treats all keys alike; --weights is for %s"
              .formatted(kind, String.join(" and ", kinds())));
    }
    Set<Need> others = EnumSet.copyOf(given.isEmpty() ? EnumSet.noneOf(Need.class) : given);
    others.removeAll(EnumSet.of(Need.SKEWED_POPULARITY, Need.HOSTILE_INPUT));
    if (!others.isEmpty()) {
      throw new Problem(
          "--weights and %s exclude each other: no filter here does both"
              .formatted(NeedOptions.option(others.iterator().next())));
    }
    boolean piped = files.isEmpty() || files.contains(KeyInput.STANDARD_INPUT);
    if (piped && weights.file().equals(KeyInput.STANDARD_INPUT)) {
      throw new Problem("keys and weights are both standard input; give a file for one of them");
    }
  }

  private static boolean takesWeights(String kind) {
    return kinds().contains(kind);
  }

  private static List<String> kinds() {
    return Filters.kinds().stream()
        .flatMap(kind -> kind.variants().stream())
        .filter(Alternatives::takesWeights)
        .map(variant -> variant.name())
        .toList();
  }
}
