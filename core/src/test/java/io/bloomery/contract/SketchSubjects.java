package io.bloomery.contract;

import io.bloomery.FilterKind;
import io.bloomery.frequency.AdaptiveBloomFilter;
import io.bloomery.frequency.BraidsShape;
import io.bloomery.frequency.CounterBraids;
import io.bloomery.frequency.LayeredBloomFilter;
import io.bloomery.frequency.LayeredShape;
import io.bloomery.frequency.SpaceCodeFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BloomShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The space-code, adaptive, layered filters and counter braids that the contracts run over. */
final class SketchSubjects {

  /** Kinds whose counts are estimates that may be too low. */
  private static final List<FilterKind<?>> MAY_COUNT_LOW = List.of(SpaceCodeFilter.KIND);

  /** Kinds whose additions draw at random, so that adding twice is not adding two at once. */
  private static final List<FilterKind<?>> DRAW_AT_RANDOM = List.of(SpaceCodeFilter.KIND);

  private SketchSubjects() {}

  static List<Subject> all() {
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
            hasher -> AdaptiveBloomFilter.builder().bits(97_000).probes(6).hasher(hasher).build(),
            Map.of(),
            true),
        Subjects.addable(
            "layered",
            LayeredBloomFilter.KIND,
            hasher -> LayeredBloomFilter.of(layers(), hasher),
            Map.of(),
            false),
        Subjects.addable(
            "counter-braids",
            CounterBraids.KIND,
            hasher -> CounterBraids.of(new BraidsShape(123_600, 3, 3, 3_000, 20), hasher),
            Map.of(
                "counters=123603",
                hasher -> CounterBraids.of(new BraidsShape(123_603, 3, 3, 3_000, 20), hasher)),
            true));
  }

  /** Counts end within the histories of the contracts. */
  private static LayeredShape layers() {
    List<BloomShape> layers = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      layers.add(BloomShape.of(i < 8 ? 95_900 : 9_600, 7));
    }
    return new LayeredShape(layers);
  }

  private static SpaceCodeFilter spaceCode(Hasher hasher, long bits, int resolutions) {
    return SpaceCodeFilter.builder()
        .bits(bits)
        .probes(12)
        .resolutions(resolutions)
        .hasher(hasher)
        .build();
  }

  static boolean mayCountLow(Subject subject) {
    return MAY_COUNT_LOW.stream().anyMatch(kind -> kind == subject.kind());
  }

  static boolean drawsAtRandom(Subject subject) {
    return DRAW_AT_RANDOM.stream().anyMatch(kind -> kind == subject.kind());
  }
}
