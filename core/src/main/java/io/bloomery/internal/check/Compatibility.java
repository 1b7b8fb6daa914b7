package io.bloomery.internal.check;

import io.bloomery.IncompatibleFiltersException;
import io.bloomery.hash.Hasher;

/** Whether two filters may be combined: equal hashers and equal shapes. */
public final class Compatibility {

  private Compatibility() {}

  /** Whether both hashers and both shapes (records, compared by value) are equal. */
  public static boolean equal(Hasher hasher, Hasher otherHasher, Object shape, Object otherShape) {
    return hasher.equals(otherHasher) && shape.equals(otherShape);
  }

  /** Throws with the first difference, hasher before shape. */
  public static void require(Hasher hasher, Hasher otherHasher, Object shape, Object otherShape) {
    if (!hasher.equals(otherHasher)) {
      throw new IncompatibleFiltersException("hasher " + hasher + " != " + otherHasher);
    }
    if (!shape.equals(otherShape)) {
      throw new IncompatibleFiltersException("shape " + shape + " != " + otherShape);
    }
  }
}
