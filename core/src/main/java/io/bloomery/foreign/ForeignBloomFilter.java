package io.bloomery.foreign;

import io.bloomery.IncompatibleFiltersException;
import io.bloomery.Intersectable;
import io.bloomery.theory.Estimates;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A Bloom filter of another system: an array of bits, where each key sets a few. The {@linkplain
 * #format() format} defines which bits, and how the array is stored.
 *
 * <p>Any number of threads may query. Adding and merging need a lock.
 */
public final class ForeignBloomFilter
    implements AddableForeignFilter, Intersectable<ForeignBloomFilter> {

  private final Scheme scheme;
  private final long bits;
  private long[] words; // of length 0 until the first bit is set, or in full length

  /**
   * A filter with these bits. An array of length 0 is an empty filter, whose words are allocated
   * with the first key.
   *
   * @param scheme which bits a key sets, and how they are stored
   * @param bits how many bits there are
   * @param words the bits, not copied: bit i is bit i mod 64 of word i / 64; those from {@code
   *     bits} on are 0
   */
  public ForeignBloomFilter(Scheme scheme, long bits, long[] words) {
    this.scheme = scheme;
    this.bits = bits;
    this.words = words;
  }

  @Override
  public ForeignFormat<ForeignBloomFilter> format() {
    return scheme.format();
  }

  @Override
  public KeyCoding keyCoding() {
    return scheme.keyCoding();
  }

  @Override
  public Optional<ForeignFilter> as(ForeignFormat<?> other) {
    return scheme.in(other).map(same -> new ForeignBloomFilter(same, bits, toLongArray()));
  }

  @Override
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("bits", bits);
    fields.put("hashes per key", hashesPerKey());
    fields.putAll(scheme.fields());
    return Collections.unmodifiableMap(fields);
  }

  /**
   * Which bits a key sets, and how they are stored.
   *
   * @return the fields of the header
   */
  public Scheme scheme() {
    return scheme;
  }

  /**
   * The bits.
   *
   * @return a copy: bit i of the filter is bit i mod 64 of word i / 64
   */
  public long[] toLongArray() {
    return Arrays.copyOf(words, wordsFor(bits));
  }

  /**
   * Hashes per key: how many bits each key sets.
   *
   * @return 1 or more
   */
  public int hashesPerKey() {
    return scheme.hashesPerKey();
  }

  /**
   * How many bits are set.
   *
   * @return 0 … {@link #sizeInBits()}
   */
  public long bitsSet() {
    return bitsSet(words);
  }

  /** How many bits are set. */
  static long bitsSet(long[] words) {
    long set = 0;
    for (long word : words) {
      set += Long.bitCount(word);
    }
    return set;
  }

  @Override
  public boolean mightContain(byte[] bytes, int offset, int length) {
    Objects.requireNonNull(bytes, "bytes");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (!scheme.takes(length)) {
      return false;
    }
    long[] indexes = new long[hashesPerKey()];
    scheme.indexes(bytes, offset, length, bits, indexes);
    return allSet(words, indexes);
  }

  @Override
  public boolean mightContain(long key) {
    long[] indexes = new long[hashesPerKey()];
    scheme.indexes(key, bits, indexes);
    return allSet(words, indexes);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the key is empty and the other system does not accept empty
   *     keys
   */
  @Override
  public boolean add(byte[] bytes, int offset, int length) {
    Objects.requireNonNull(bytes, "bytes");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (!scheme.takes(length)) {
      throw new IllegalArgumentException(
          format() + " filters do not accept keys of " + length + " bytes");
    }
    long[] indexes = new long[hashesPerKey()];
    scheme.indexes(bytes, offset, length, bits, indexes);
    allocate();
    return setAll(words, indexes);
  }

  @Override
  public boolean add(long key) {
    long[] indexes = new long[hashesPerKey()];
    scheme.indexes(key, bits, indexes);
    allocate();
    return setAll(words, indexes);
  }

  /** Whether these bits are all set; without words, none are. */
  static boolean allSet(long[] words, long[] indexes) {
    for (long index : indexes) {
      if (words.length == 0 || (words[(int) (index >>> 6)] & 1L << index) == 0) {
        return false;
      }
    }
    return true;
  }

  /** Sets these bits; returns whether any of them was not set before. */
  static boolean setAll(long[] words, long[] indexes) {
    boolean changed = false;
    for (long index : indexes) {
      long word = words[(int) (index >>> 6)];
      long more = word | 1L << index;
      changed |= word != more;
      words[(int) (index >>> 6)] = more;
    }
    return changed;
  }

  @Override
  public boolean isCompatible(ForeignBloomFilter other) {
    return format() == other.format()
        && bits == other.bits
        && scheme.mergeKey().equals(other.scheme.mergeKey());
  }

  @Override
  public void merge(ForeignBloomFilter other) {
    requireCompatible(other);
    if (other.words.length > 0) {
      allocate();
    }
    for (int i = 0; i < other.words.length; i++) {
      words[i] |= other.words[i];
    }
  }

  @Override
  public void intersect(ForeignBloomFilter other) {
    requireCompatible(other);
    for (int i = 0; i < words.length; i++) {
      words[i] &= other.words.length == 0 ? 0 : other.words[i];
    }
  }

  private void requireCompatible(ForeignBloomFilter other) {
    if (format() != other.format()) {
      throw new IncompatibleFiltersException("format " + format() + " != " + other.format());
    }
    if (bits != other.bits) {
      throw new IncompatibleFiltersException("bits " + bits + " != " + other.bits);
    }
    if (!isCompatible(other)) {
      throw new IncompatibleFiltersException(
          "hashing " + scheme.mergeKey() + " != " + other.scheme.mergeKey());
    }
  }

  @Override
  public double fillRatio() {
    return bits == 0 ? 0 : (double) bitsSet() / bits;
  }

  /** {@inheritDoc} Here: ln(1 − X/m) / (k·ln(1 − 1/m)), for the X of m bits that are set. */
  @Override
  public double cardinality() {
    return cardinality(bitsSet());
  }

  @Override
  public double unionCardinality(ForeignBloomFilter other) {
    requireCompatible(other);
    long set = 0;
    for (int i = 0; i < Math.max(words.length, other.words.length); i++) {
      set += Long.bitCount(word(i) | other.word(i));
    }
    return cardinality(set);
  }

  private long word(int i) {
    return words.length == 0 ? 0 : words[i];
  }

  private double cardinality(long set) {
    if (set == 0 || set == bits || hashesPerKey() == 0) {
      return set == 0 ? 0 : Double.POSITIVE_INFINITY;
    }
    return Estimates.cardinality(bits, 1, set) / bits / (-hashesPerKey() * Math.log1p(-1.0 / bits));
  }

  private void allocate() {
    if (words.length == 0) {
      words = new long[wordsFor(bits)];
    }
  }

  private static int wordsFor(long bits) {
    return Math.toIntExact((bits + Long.SIZE - 1) / Long.SIZE);
  }

  /**
   * {@inheritDoc} Here: the share of set bits to the power of the hashes per key, in each block
   * where the format has blocks.
   */
  @Override
  public double falsePositiveRate() {
    return scheme.falsePositiveRate(bits, words);
  }

  @Override
  public long sizeInBits() {
    return bits;
  }

  @Override
  public long storedBytes() {
    return scheme.storedBytes(bits, words);
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    scheme.write(bits, words, Objects.requireNonNull(out, "out"));
  }

  @Override
  public String toString() {
    return "ForeignBloomFilter[%s, %d bits, %d hashes per key]"
        .formatted(format(), bits, hashesPerKey());
  }

  /**
   * The part that differs between the Bloom filters of different formats: which bits a key sets,
   * and the bytes around the bits. Implemented by one record per format, whose components are the
   * fields of the header. Two filters merge if their {@link #mergeKey} and their number of bits are
   * equal.
   *
   * <p>Where a method takes {@code words}, bit i of the filter is bit i mod 64 of word i / 64, and
   * an array of length 0 is an empty filter.
   */
  public interface Scheme {

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
     * @param offset the index of the key's first byte
     * @param length the key's length in bytes
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
    default Optional<Scheme> in(ForeignFormat<?> other) {
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
     * The expected false-positive rate at the current fill.
     *
     * @param bits how many bits the filter has
     * @param words the bits
     * @return 0…1; the share of set bits to the power of {@link #hashesPerKey} unless the format
     *     has blocks
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
     * @param out the stream; neither flushed nor closed
     * @throws IOException if writing fails
     */
    void write(long bits, long[] words, OutputStream out) throws IOException;
  }
}
