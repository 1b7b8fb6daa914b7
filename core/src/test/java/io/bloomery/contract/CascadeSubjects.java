package io.bloomery.contract;

import io.bloomery.frozen.FilterCascade;
import io.bloomery.hash.Hasher;
import io.bloomery.testing.Keys;
import java.util.List;
import java.util.Map;

/** The cascades and the filter without errors in a zone that the contracts run over. */
final class CascadeSubjects {

  /** The other keys of the cascade's universe; none of the contracts asks for them. */
  private static final long[] OTHERS = Keys.members(300_000, 4711);

  private CascadeSubjects() {}

  static List<Subject> all() {
    return List.of(
        new Subject("cascade", FilterCascade.KIND, CascadeSubjects::cascade, Map.of(), false));
  }

  private static FilterCascade cascade(Hasher hasher, long[] hashes) {
    return FilterCascade.builder().hasher(hasher).build(hashes, OTHERS);
  }
}
