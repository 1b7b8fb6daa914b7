package io.bloomery.contract;

import io.bloomery.FilterKind;
import io.bloomery.Writers;
import io.bloomery.frequency.AdaptiveBloomFilter;
import io.bloomery.frequency.AdaptiveShape;
import io.bloomery.frequency.BraidsShape;
import io.bloomery.frequency.CountMinFilter;
import io.bloomery.frequency.CountMinShape;
import io.bloomery.frequency.CounterBraids;
import io.bloomery.frequency.LayeredBloomFilter;
import io.bloomery.frequency.LayeredShape;
import io.bloomery.frequency.SpaceCodeFilter;
import io.bloomery.frequency.SpaceCodeShape;
import io.bloomery.frequency.SpectralFilter;
import io.bloomery.frequency.SpectralShape;
import io.bloomery.frequency.SpectralShape.Method;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.membership.BloomShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The filters of {@code io.bloomery.frequency} that the contracts run over. */
final class FrequencySubjects {

  private static final int WIDTH = 13_700;

  /** Kinds whose counts are estimates that may be too low. */
  private static final List<FilterKind<?>> MAY_COUNT_LOW = List.of(SpaceCodeFilter.KIND);

  /** Kinds whose additions draw at random, so that adding twice is not adding two at once. */
  private static final List<FilterKind<?>> DRAW_AT_RANDOM = List.of(SpaceCodeFilter.KIND);

  private FrequencySubjects() {}

  static List<Subject> all() {
    List<Subject> all = new ArrayList<>(spectral());
    all.addAll(countMin());
    all.addAll(bits());
    return all;
  }

  private static List<Subject> spectral() {
    List<Subject> all = new ArrayList<>();
    for (Method method : Method.values()) {
      all.add(
          Subjects.addable(
              "spectral " + method,
              SpectralFilter.KIND,
              hasher -> spectral(hasher, method, WIDTH),
              Map.of(
                  "13701", hasher -> spectral(hasher, method, 13_701),
                  "method=", hasher -> spectral(hasher, other(method), WIDTH)),
              false));
    }
    all.add(
        Subjects.addable(
            "spectral shared",
            SpectralFilter.KIND,
            hasher ->
                SpectralFilter.create(
                    new SpectralShape(7, WIDTH, 16, Method.MINIMUM_SELECTION), hasher),
            Map.of("counterBits=16", hasher -> spectral(hasher, Method.MINIMUM_SELECTION, WIDTH)),
            true));
    for (Method method : List.of(Method.MINIMUM_SELECTION, Method.RECURRING_MINIMUM)) {
      all.add(
          Subjects.addable(
              "removable spectral " + method,
              null,
              hasher -> spectral(hasher, method, WIDTH).removable().orElseThrow(),
              Map.of(),
              false));
    }
    return all;
  }

  private static Method other(Method method) {
    return method == Method.MINIMUM_SELECTION ? Method.MINIMAL_INCREASE : Method.MINIMUM_SELECTION;
  }

  private static SpectralFilter spectral(Hasher hasher, Method method, long width) {
    return SpectralFilter.create(new SpectralShape(7, width, 32, method), hasher, Writers.ONE);
  }

  private static List<Subject> countMin() {
    return List.of(
        Subjects.addable(
            "count-min",
            CountMinFilter.KIND,
            hasher -> countMin(hasher, WIDTH, false, Writers.ONE),
            Map.of(
                "13701", hasher -> countMin(hasher, 13_701, false, Writers.ONE),
                "conservative", hasher -> countMin(hasher, WIDTH, true, Writers.ONE)),
            false),
        Subjects.addable(
            "count-min shared",
            CountMinFilter.KIND,
            hasher -> countMin(hasher, WIDTH, false, Writers.MANY),
            Map.of("width", hasher -> countMin(hasher, 13_701, false, Writers.MANY)),
            true),
        Subjects.addable(
            "count-min conservative",
            CountMinFilter.KIND,
            hasher -> countMin(hasher, WIDTH, true, Writers.ONE),
            Map.of("conservative", hasher -> countMin(hasher, WIDTH, false, Writers.ONE)),
            false));
  }

  private static CountMinFilter countMin(
      Hasher hasher, long width, boolean conservative, Writers writers) {
    return CountMinFilter.create(new CountMinShape(7, width, 64, conservative), hasher, writers);
  }

  private static List<Subject> bits() {
    return List.of(
        Subjects.addable(
            "space-code",
            SpaceCodeFilter.KIND,
            hasher -> spaceCode(hasher, 180_000, 1),
            Map.of(
                "bits", hasher -> spaceCode(hasher, 180_001, 1),
                "resolutions", hasher -> spaceCode(hasher, 180_000, 2)),
            true),
        Subjects.addable(
            "space-code 3",
            SpaceCodeFilter.KIND,
            hasher -> spaceCode(hasher, 180_000, 3),
            Map.of("resolutions", hasher -> spaceCode(hasher, 180_000, 2)),
            true),
        Subjects.addable(
            "adaptive",
            AdaptiveBloomFilter.KIND,
            hasher -> AdaptiveBloomFilter.create(AdaptiveShape.of(97_000, 6), hasher),
            Map.of(),
            true),
        Subjects.addable(
            "layered",
            LayeredBloomFilter.KIND,
            hasher -> LayeredBloomFilter.create(layers(), hasher),
            Map.of(),
            false),
        Subjects.addable(
            "counter-braids",
            CounterBraids.KIND,
            hasher -> CounterBraids.create(new BraidsShape(123_600, 3, 3, 3_000, 20), hasher),
            Map.of(
                "counters=123603",
                hasher -> CounterBraids.create(new BraidsShape(123_603, 3, 3, 3_000, 20), hasher)),
            true));
  }

  /** Counts end within the histories of the contracts. */
  private static LayeredShape layers() {
    List<BloomShape> layers = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      layers.add(new BloomShape(i < 8 ? 95_900 : 9_600, 7, IndexScheme.INDEPENDENT));
    }
    return new LayeredShape(layers);
  }

  private static SpaceCodeFilter spaceCode(Hasher hasher, long bits, int resolutions) {
    return SpaceCodeFilter.create(
        new SpaceCodeShape(bits, 12, SpaceCodeShape.DEFAULT_GROUPS, resolutions), hasher);
  }

  static boolean mayCountLow(Subject subject) {
    return MAY_COUNT_LOW.stream().anyMatch(kind -> kind == subject.kind());
  }

  static boolean drawsAtRandom(Subject subject) {
    return DRAW_AT_RANDOM.stream().anyMatch(kind -> kind == subject.kind());
  }
}
