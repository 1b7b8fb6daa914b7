package io.bloomery.contract;

import io.bloomery.frozen.RibbonFilter;
import io.bloomery.hash.Hasher;
import java.util.List;
import java.util.Map;

/** The ribbon filter that the contracts run over. */
final class RibbonSubjects {

  private RibbonSubjects() {}

  static List<Subject> all() {
    return List.of(
        new Subject("ribbon", RibbonFilter.KIND, RibbonSubjects::ribbon, Map.of(), false));
  }

  private static RibbonFilter ribbon(Hasher hasher, long[] hashes) {
    return RibbonFilter.builder()
        .columns(7)
        .hasher(hasher)
        .addHashes(hashes, 0, hashes.length)
        .build();
  }
}
