package io.bloomery.deletable;

import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.WordAccess;
import io.bloomery.internal.probe.Probes;
import io.bloomery.membership.BloomFilter;
import java.io.IOException;

/**
 * The Bloom filter underlying a filter of this package, with access to its bits and the positions
 * of a hash. Queries, batches and rates are those of the Bloom filter itself.
 */
final class BloomBits {

  final BloomFilter filter;
  final Words words;
  final Probes probes;

  private BloomBits(BloomFilter filter) {
    this.filter = filter;
    this.words = WordAccess.of(filter, BloomFilter.KIND);
    this.probes = new Probes(filter.scheme(), filter.shape().bits(), filter.shape().hashesPerKey());
  }

  /** Wraps a Bloom filter; its bits are shared, not copied. */
  static BloomBits of(BloomFilter filter) {
    return new BloomBits(filter);
  }

  /** Reads the fields and section 0 of a Bloom filter from a frame that may hold more. */
  static BloomBits decode(Frame frame) throws IOException {
    return new BloomBits(frame.decodeAs(BloomFilter.KIND));
  }

  /** A frame with the fields and section 0 of the Bloom filter, to which more can be added. */
  Frame encode() {
    return Frame.encode(filter);
  }

  BloomBits copy() {
    return of(filter.copy());
  }

  /** How many positions there are. */
  long size() {
    return probes.bits();
  }

  /** The positions of a hash. */
  long[] positions(long hash) {
    long[] positions = new long[probes.count()];
    probes.indexes(hash, positions);
    return positions;
  }
}
