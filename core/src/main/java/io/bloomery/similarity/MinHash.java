package io.bloomery.similarity;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.probe.Mix;
import java.util.Objects;

/** The functions of {@link LocalityHash#minHash}. */
record MinHash(int samples, long seed) implements LocalityHash<long[]> {

  /** The value that represents the least element of the empty set. */
  private static final long NOTHING = -1;

  MinHash {
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
