package io.bloomery.contract;

import io.bloomery.frozen.RibbonFilter;
import java.util.List;
import java.util.Map;

/** The ribbon filter that the contracts run over. */
final class RibbonSubjects {

  private RibbonSubjects() {}

  static List<Subject> all() {
    return List.of(
        new Subject(
            "ribbon",
            RibbonFilter.KIND,
            (hasher, hashes) -> RibbonFilter.builder().columns(7).hasher(hasher).build(hashes),
            Map.of(),
            false));
  }
}
