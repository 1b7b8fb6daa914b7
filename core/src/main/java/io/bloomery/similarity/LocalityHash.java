package io.bloomery.similarity;

/**
 * A family of locality-sensitive hash functions: the closer two items are, the more of the
 * functions map both to the same value. {@link #bitSampling} is one for the Hamming distance of bit
 * vectors, {@link #minHash} one for the Jaccard distance of sets; any other can be plugged in.
 *
 * @param <T> the items
 */
@FunctionalInterface
public interface LocalityHash<T> {

  /**
   * The value of one function of the family. It may be any number and need not look random.
   *
   * @param item the item
   * @param function the number of the function, 0 or more; functions are independent of each other
   * @return the same value for equal items, always
   */
  long hash(T item, int function);

  /**
   * The hash functions of the Hamming distance: each samples some bits of the vector, at positions
   * drawn once for all vectors, with replacement. Two vectors that differ in a share d of their
   * bits have the same value with probability {@code (1 - d)^samples}.
   *
   * <p>A vector is a byte string of {@code ⌈dimension / 8⌉} bytes; bit i is bit {@code i mod 8},
   * counted from the lowest, of byte {@code i / 8}. Bits beyond the dimension are ignored.
   *
   * <p>Indyk and Motwani 1998, "Approximate Nearest Neighbors".
   *
   * @param dimension number of bits of a vector, 1 … 2^27
   * @param samples number of bits that a function samples, 1 … 4096
   * @param seed the seed of the positions
   * @return the functions; they refuse a vector of another length
   * @throws IllegalArgumentException if an argument is outside its range
   */
  static LocalityHash<byte[]> bitSampling(int dimension, int samples, long seed) {
    return new BitSampling(dimension, samples, seed);
  }

  /**
   * The hash functions of the Jaccard distance {@code 1 - |A∩B| / |A∪B|}: each takes the least of
   * the elements under some random orders. Two sets at distance d have the same value with
   * probability {@code (1 - d)^samples}.
   *
   * <p>A set is an array of 64-bit hashes of its elements, in any order; repeated elements count
   * once. The empty set is equal to itself and at distance 1 from every other.
   *
   * <p>Broder 1997, "On the resemblance and containment of documents".
   *
   * @param samples number of orders that a function combines, 1 … 4096
   * @param seed the seed of the orders
   * @return the functions
   * @throws IllegalArgumentException if the number of orders is outside its range
   */
  static LocalityHash<long[]> minHash(int samples, long seed) {
    return new MinHash(samples, seed);
  }
}
