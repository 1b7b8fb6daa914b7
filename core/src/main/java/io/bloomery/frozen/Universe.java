package io.bloomery.frozen;

import io.bloomery.internal.check.Arguments;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Shape;

/** Sizing of filters whose memory depends only on their keys and the universe. */
final class Universe {

  private Universe() {}

  /** The shape for a number of keys within a universe. */
  interface ForUniverse<S> {
    S shape(long expectedKeys, long universe);
  }

  /**
   * The shape that the needs imply.
   *
   * @param what the filter, for messages
   * @throws IllegalArgumentException if the universe is unknown or the shape exceeds the budget
   */
  static <S extends Shape> S sized(String what, Needs needs, ForUniverse<S> forUniverse) {
    if (needs.universe().isEmpty()) {
      throw Arguments.impossible(what + " needs the size of the universe");
    }
    S shape = forUniverse.shape(needs.keys(), needs.universe().getAsLong());
    if (shape.sizeInBits() > needs.budget().orElse(Shape.MAX_BITS)) {
      throw Arguments.impossible(
          what + " of ",
          needs.keys(),
          " keys takes ",
          shape.sizeInBits(),
          " bits; the budget is ",
          needs.budget().orElse(Shape.MAX_BITS));
    }
    return shape;
  }
}
