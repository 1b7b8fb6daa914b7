package io.bloomery.foreign;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.Optional;

/**
 * What distinguishes the Bloom filters of one format from those of others: which bits a key sets,
 * and the bytes around the bits. Implemented by one record per format, whose components are the
 * fields of the header. Two filters merge if their {@link #mergeKey} and their number of bits are
 * equal.
 *
 * <p>Where a method takes {@code words}, bit i of the filter is bit i mod 64 of word i / 64, and an
 * array of length 0 is an empty filter.
 */
public interface BitScheme {

  /**
   * The format.
   *
   * @return a registered format
   */
  ForeignFormat<ForeignBloomFilter> format();

  /**
   * What is hashed for keys of each type.
   *
   * @return that of the format, unless the file states the type of its keys
   */
  default KeyCoding keyCoding() {
    return format().keyCoding();
  }

  /**
   * Hashes per key: how many bits each key sets.
   *
   * @return at least 1, or 0 where the format allows it
   */
  int hashesPerKey();

  /**
   * Computes the bits of a key.
   *
   * @param bytes holds the key
   * @param offset where the key begins
   * @param length how many bytes it has
   * @param bits how many bits the filter has
   * @param out receives {@link #hashesPerKey} indexes, each below {@code bits}
   */
  void indexes(byte[] bytes, int offset, int length, long bits, long[] out);

  /**
   * Computes the bits of an integer key.
   *
   * @param key the key
   * @param bits how many bits the filter has
   * @param out receives {@link #hashesPerKey} indexes, each below {@code bits}
   */
  default void indexes(long key, long bits, long[] out) {
    indexes(ForeignFilter.littleEndian(key), 0, Long.BYTES, bits, out);
  }

  /**
   * The scheme of another format, or another form of this one, in which every key sets the same
   * bits.
   *
   * @param other the other format
   * @return empty if there is none
   */
  default Optional<BitScheme> in(ForeignFormat<?> other) {
    return Optional.empty();
  }

  /**
   * Whether the system accepts keys of this length; others cannot be added and are never found.
   *
   * @param length bytes
   * @return true unless the format says otherwise
   */
  default boolean takes(int length) {
    return true;
  }

  /**
   * What must be equal for two filters of the format to merge.
   *
   * @return compared with {@code equals}
   */
  default Object mergeKey() {
    return this;
  }

  /**
   * The false-positive rate expected at the present fill.
   *
   * @param bits how many bits the filter has
   * @param words the bits
   * @return 0…1; the share of set bits to the power of {@link #hashesPerKey} unless the format has
   *     blocks
   */
  default double falsePositiveRate(long bits, long[] words) {
    return Math.pow((double) ForeignBloomFilter.bitsSet(words) / bits, hashesPerKey());
  }

  /**
   * The header fields as text, without the number of bits and the hashes per key.
   *
   * @return names and values in the order of the header
   */
  Map<String, Object> fields();

  /**
   * How long the file is.
   *
   * @param bits how many bits the filter has
   * @param words the bits
   * @return bytes
   */
  long storedBytes(long bits, long[] words);

  /**
   * Writes header and bits.
   *
   * @param bits how many bits the filter has
   * @param words the bits
   * @param out where to; neither flushed nor closed
   * @throws IOException if writing fails
   */
  void write(long bits, long[] words, OutputStream out) throws IOException;
}
