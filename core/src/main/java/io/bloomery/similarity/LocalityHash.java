package io.bloomery.similarity;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.probe.Mix;
import java.util.Objects;

/**
 * A family of locality-sensitive hash functions: the closer two items are, the more of the
 * functions map both to the same value. {@link BitSampling} is one for the Hamming distance of bit
 * vectors, {@link MinHash} one for the Jaccard distance of sets; any other can be plugged in.
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
   * The locality-sensitive hash of the Hamming distance: each function samples some bits of the
   * vector, at positions drawn once for all vectors, with replacement. Two vectors that differ in a
   * share d of their bits have the same value with probability {@code (1 - d)^samples}.
   *
   * <p>A vector is a byte string of {@code ⌈dimension / 8⌉} bytes; bit i is bit {@code i mod 8},
   * counted from the lowest, of byte {@code i / 8}. Bits beyond the dimension are ignored.
   *
   * <p>Indyk and Motwani 1998, "Approximate Nearest Neighbors".
   *
   * @param dimension number of bits of a vector, 1 … 2^27
   * @param samples number of bits that a function samples, 1 … 4096
   * @param seed the seed of the positions
   */
  public record BitSampling(int dimension, int samples, long seed) implements LocalityHash<byte[]> {

    /** The most bits of a vector. */
    public static final int MAX_DIMENSION = 1 << 27;

    /** The most samples of a function. */
    public static final int MAX_SAMPLES = 4096;

    public BitSampling {
      Arguments.inRange("dimension", dimension, 1, MAX_DIMENSION);
      Arguments.inRange("samples", samples, 1, MAX_SAMPLES);
    }

    /**
     * The length of a vector.
     *
     * @return bytes
     */
    public int vectorBytes() {
      return (dimension + 7) / 8;
    }

    /**
     * The bit that a function samples.
     *
     * @param function the number of the function
     * @param sample the number of the sample, starting at 0
     * @return 0 … {@code dimension} - 1
     */
    public int position(int function, int sample) {
      return position(Mix.stream(seed, function), sample);
    }

    private int position(long start, int sample) {
      return (int) Mix.reduce(Mix.stream(start, sample + 1), dimension);
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the vector has another length
     */
    @Override
    public long hash(byte[] item, int function) {
      Objects.requireNonNull(item, "item");
      Arguments.inRange("item.length", item.length, vectorBytes(), vectorBytes());
      return hash(item, 0, function);
    }

    /** The same for a vector that begins at {@code offset}. */
    long hash(byte[] bytes, int offset, int function) {
      long start = Mix.stream(seed, function);
      long state = start;
      long word = 0;
      for (int i = 0; i < samples; i++) {
        int at = position(start, i);
        word |= (bytes[offset + (at >>> 3)] >>> (at & 7) & 1L) << i;
        if ((i & 63) == 63 || i == samples - 1) {
          state = Mix.mix(state ^ word);
          word = 0;
        }
      }
      return state;
    }
  }

  /**
   * The locality-sensitive hash of the Jaccard distance {@code 1 - |A∩B| / |A∪B|}: each function
   * takes the least of the elements under some random orders. Two sets at distance d have the same
   * value with probability {@code (1 - d)^samples}.
   *
   * <p>A set is an array of 64-bit hashes of its elements, in any order; repeated elements count
   * once. The empty set is equal to itself and at distance 1 from every other.
   *
   * <p>Broder 1997, "On the resemblance and containment of documents".
   *
   * @param samples number of orders that a function combines, 1 … 4096
   * @param seed the seed of the orders
   */
  public record MinHash(int samples, long seed) implements LocalityHash<long[]> {

    /** The value that represents the least element of the empty set. */
    private static final long NOTHING = -1;

    public MinHash {
      Arguments.inRange("samples", samples, 1, LocalityHash.BitSampling.MAX_SAMPLES);
    }

    @Override
    public long hash(long[] item, int function) {
      Objects.requireNonNull(item, "item");
      long start = Mix.stream(seed, function);
      long state = start;
      for (int i = 0; i < samples; i++) {
        long order = Mix.stream(start, i + 1);
        long least = NOTHING;
        for (long element : item) {
          long rank = Mix.mix(element ^ order);
          least = Long.compareUnsigned(rank, least) < 0 ? rank : least;
        }
        state = Mix.mix(state ^ least);
      }
      return state;
    }
  }
}
