package io.bloomery.similarity;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.probe.Mix;
import java.util.Objects;

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
 * @param seed decides the orders
 */
public record MinHash(int samples, long seed) implements LocalityHash<long[]> {

  /** What stands for the least element of the empty set. */
  private static final long NOTHING = -1;

  public MinHash {
    Arguments.inRange("samples", samples, 1, BitSampling.MAX_SAMPLES);
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
