package io.bloomery.similarity;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.probe.Mix;
import java.util.Objects;

/** The functions of {@link LocalityHash#bitSampling}. */
record BitSampling(int dimension, int samples, long seed) implements LocalityHash<byte[]> {

  /** The most bits of a vector. */
  static final int MAX_DIMENSION = 1 << 27;

  /** The most samples of a function. */
  static final int MAX_SAMPLES = 4096;

  BitSampling {
    Arguments.inRange("dimension", dimension, 1, MAX_DIMENSION);
    Arguments.inRange("samples", samples, 1, MAX_SAMPLES);
  }

  /**
   * The length of a vector.
   *
   * @return bytes
   */
  int vectorBytes() {
    return (dimension + 7) / 8;
  }

  /**
   * The bit that a function samples.
   *
   * @param function the number of the function
   * @param sample the number of the sample, starting at 0
   * @return 0 … {@code dimension} - 1
   */
  int position(int function, int sample) {
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
