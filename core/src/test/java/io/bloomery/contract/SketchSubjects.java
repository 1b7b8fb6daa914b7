package io.bloomery.contract;

import io.bloomery.format.FilterKind;
import java.util.List;

/** The space-code, adaptive, layered filters and counter braids that the contracts run over. */
final class SketchSubjects {

  /** Kinds whose counts are estimates that may be too low. */
  private static final List<FilterKind<?>> MAY_COUNT_LOW = List.of();

  /** Kinds whose additions draw at random, so that adding twice is not adding two at once. */
  private static final List<FilterKind<?>> DRAW_AT_RANDOM = List.of();

  private SketchSubjects() {}

  static List<Subject> all() {
    return List.of();
  }

  static boolean mayCountLow(Subject subject) {
    return MAY_COUNT_LOW.stream().anyMatch(kind -> kind == subject.kind());
  }

  static boolean drawsAtRandom(Subject subject) {
    return DRAW_AT_RANDOM.stream().anyMatch(kind -> kind == subject.kind());
  }
}
