package io.bloomery.similarity;

import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.WordAccess;
import io.bloomery.internal.probe.Probes;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import java.io.IOException;

/**
 * The Bloom filter of one level or of all levels, with a bulk add that returns whether anything
 * changed.
 */
final class DigestFilter {

  final BloomFilter bits;
  private final Words words;
  private final Probes probes;

  /** Wraps a Bloom filter; its bits are shared, not copied. */
  DigestFilter(BloomFilter bits) {
    this.bits = bits;
    this.words = WordAccess.of(bits, BloomFilter.KIND);
    this.probes = new Probes(bits.scheme(), bits.shape().bits(), bits.shape().hashesPerKey());
  }

  /** Section {@code index} of a frame. */
  static DigestFilter decode(Frame frame, int index, BloomShape shape) throws IOException {
    return new DigestFilter(frame.decodePart(BloomFilter.KIND, shape, index, shape.bits()));
  }

  Words words() {
    return words;
  }

  DigestFilter copy() {
    return new DigestFilter(bits.copy());
  }

  /** Adds keys; true if one of them was certainly new. */
  boolean add(long[] keys, int count) {
    return probes.setAll(keys, 0, count, words);
  }

  boolean mightContain(long key) {
    return probes.allSet(key, words);
  }
}
