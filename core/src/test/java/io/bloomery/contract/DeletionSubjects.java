package io.bloomery.contract;

import io.bloomery.deletable.DLeftCountingFilter;
import io.bloomery.plan.DLeftShape;
import java.util.List;
import java.util.Map;

/** The multilayer, d-left and deletable filters that the contracts run over. */
final class DeletionSubjects {

  private DeletionSubjects() {}

  /** The d-left filters have room for the 20 000 keys that some contracts add. */
  static List<Subject> all() {
    return List.of(
        dLeft(new DLeftShape(4, 1_024, 2, 10, 2)),
        dLeft(new DLeftShape(4, 700, 4, 14, 4)),
        dLeft(new DLeftShape(3, 2_500, 1, 9, 2)));
  }

  private static Subject dLeft(DLeftShape shape) {
    return Subjects.addable(
        "d-left " + shape,
        DLeftCountingFilter.KIND,
        hasher -> DLeftCountingFilter.of(shape, hasher),
        Map.of(),
        false);
  }
}
