package io.bloomery.hash;

/**
 * Writes the fields that identify an object. Every field is stored with its length, so that the
 * pairs ("ab", "c") and ("a", "bc") have different hashes.
 *
 * @param <T> the object's type
 */
@FunctionalInterface
public interface Funnel<T> {

  /**
   * Writes an object's fields, always the same ones in the same order.
   *
   * @param object the object
   * @param into where to write
   */
  void funnel(T object, KeyFields into);
}
