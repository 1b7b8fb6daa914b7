package io.bloomery.frozen;

import io.bloomery.plan.Shape;

/**
 * The shape of a filter of a static set. The number of cells of such a filter follows from the
 * number of distinct keys, which is known only after all keys were added; until then, a shape
 * determines only the rate.
 *
 * @param <S> the shape's own type
 */
public sealed interface StaticShape<S extends StaticShape<S>> extends Shape
    permits FuseShape, GolombShape, PerfectHashShape, RibbonShape, XorShape {

  /**
   * The shape of the same rate for another number of keys.
   *
   * @param keys distinct keys, 0 or more
   * @return the shape
   * @throws IllegalArgumentException if there are too many for one filter
   */
  S withKeys(long keys);
}
