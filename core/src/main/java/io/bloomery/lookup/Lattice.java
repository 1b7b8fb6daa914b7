package io.bloomery.lookup;

/**
 * Values some of which are above others, such that any two have a least value that is above both
 * and a greatest that is below both. Both operations must be associative and commutative, and
 * {@code join(a, meet(a, b))} and {@code meet(a, join(a, b))} must equal {@code a}. Values are
 * compared with {@code equals} and never changed.
 *
 * @param <V> the values' type
 */
public interface Lattice<V> {

  /**
   * The least value, which represents no value.
   *
   * @return the bottom
   */
  V bottom();

  /**
   * The least value above both.
   *
   * @param a a value
   * @param b a value
   * @return their join
   */
  V join(V a, V b);

  /**
   * The greatest value below both; the bottom if nothing else is.
   *
   * @param a a value
   * @param b a value
   * @return their meet
   */
  V meet(V a, V b);
}
