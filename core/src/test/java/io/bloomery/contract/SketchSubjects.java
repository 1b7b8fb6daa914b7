package io.bloomery.contract;

import java.util.List;

/** The space-code, adaptive, layered filters and counter braids that the contracts run over. */
final class SketchSubjects {

  private SketchSubjects() {}

  static List<Subject> all() {
    return List.of();
  }
}
