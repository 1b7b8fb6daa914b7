package io.bloomery.foreign;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

/**
 * What the Bloom filters of one format differ in: how a key chooses its bits, and the bytes around
 * the bits. Implemented by one record per format, whose fields are those of the header; two filters
 * merge if {@link #mergeKey} and their numbers of bits are equal.
 */
interface BitScheme {

  /** The format. */
  ForeignFormat<ForeignBloomFilter> format();

  /** How many bits a key sets. */
  int probes();

  /**
   * Puts the bits of a key, each below {@code bits}, into {@code out}, whose length is {@link
   * #probes}.
   */
  void indexes(byte[] bytes, int offset, int length, long bits, long[] out);

  /** The bits of an integer. */
  default void indexes(long key, long bits, long[] out) {
    indexes(ForeignFilter.littleEndian(key), 0, Long.BYTES, bits, out);
  }

  /** Whether the system takes this key; those that it does not are never added and never found. */
  default boolean takes(int length) {
    return true;
  }

  /** What must be equal for two filters to merge; records of the same format are comparable. */
  default Object mergeKey() {
    return this;
  }

  /** The rate expected at the present fill, of bits that are anywhere. */
  default double falsePositiveRate(ForeignBloomFilter filter) {
    return Math.pow((double) filter.bitsSet() / filter.sizeInBits(), probes());
  }

  /** The header for people, without the number of bits and of bits per key. */
  Map<String, Object> fields();

  /** How long the file is. */
  long storedBytes(ForeignBloomFilter filter);

  /** Writes header and bits. */
  void write(ForeignBloomFilter filter, OutputStream out) throws IOException;
}
