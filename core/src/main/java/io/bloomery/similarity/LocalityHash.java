package io.bloomery.similarity;

/**
 * A family of locality-sensitive hash functions: the closer two items are, the more of the
 * functions give both the same value. {@link BitSampling} is one for the Hamming distance of bit
 * vectors, {@link MinHash} one for the Jaccard distance of sets; any other can be plugged in.
 *
 * @param <T> the items
 */
@FunctionalInterface
public interface LocalityHash<T> {

  /**
   * The value of one function of the family. Any number will do: it need not look random.
   *
   * @param item the item
   * @param function the number of the function, 0 or more; functions are independent of each other
   * @return the same value for equal items, always
   */
  long hash(T item, int function);
}
