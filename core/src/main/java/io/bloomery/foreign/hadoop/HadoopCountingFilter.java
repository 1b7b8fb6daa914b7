package io.bloomery.foreign.hadoop;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.IncompatibleFiltersException;
import io.bloomery.Mergeable;
import io.bloomery.foreign.AddableForeignFilter;
import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.ForeignFilter;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.bytes.FileLayout;
import io.bloomery.foreign.bytes.ForeignBytes;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Hadoop's {@code CountingBloomFilter}: counters of 4 bits that stick at 15. A key is found until
 * it was removed as often as it was added; removing a key that was not added may cause false
 * negatives.
 *
 * <p>Any number of threads may query; adding, removing and merging need a lock.
 */
public final class HadoopCountingFilter
    implements AddableForeignFilter, Mergeable<HadoopCountingFilter> {

  /** The output of {@code CountingBloomFilter.write}: one 4-bit counter per position. */
  public static final ForeignFormat<HadoopCountingFilter> FORMAT =
      ForeignFormat.of(
              "hadoop-counting",
              "Hadoop CountingBloomFilter.write",
              HadoopCountingFilter.class,
              new FileLayout<>(
                      FileLayout.Evidence.LAYOUT,
                      HadoopCountingFilter::header,
                      HadoopCountingFilter::read)
                  .knownBy(13))
          .madeBy((keys, rate) -> create(keys, rate, HadoopFormat.Hash.MURMUR));

  /** Bits of a counter. */
  private static final int CELL_BITS = 4;

  private static final int CELLS_PER_WORD = Long.SIZE / CELL_BITS;
  private static final int MOST = 15;

  private final HadoopScheme scheme;
  private final int cells;
  private final long[] words;

  /** Takes over the words: counter i is in word i / 16, the first in its lowest bits. */
  HadoopCountingFilter(HadoopScheme scheme, int cells, long[] words) {
    this.scheme = scheme;
    this.cells = cells;
    this.words = words;
  }

  /**
   * An empty filter of as many counters as {@link HadoopFormat#create} has bits.
   *
   * @param expectedKeys how many keys will be added, 1 or more
   * @param falsePositiveRate above 0 and below 1
   * @param hash the hash function
   * @return the filter
   */
  public static HadoopCountingFilter create(
      long expectedKeys, double falsePositiveRate, HadoopFormat.Hash hash) {
    int cells = HadoopFormat.bits(expectedKeys, falsePositiveRate);
    HadoopScheme scheme = HadoopScheme.of(hash, HadoopFormat.hashesPerKey(cells, expectedKeys));
    return new HadoopCountingFilter(scheme, cells, new long[wordsFor(cells)]);
  }

  private static void header(ForeignBytes in) throws IOException {
    HadoopScheme.read(in);
    int cells = HadoopScheme.readBits(in);
    in.needExactly((long) wordsFor(cells) * Long.BYTES, "the counters");
  }

  private static HadoopCountingFilter read(ForeignBytes in) throws IOException {
    HadoopScheme scheme = HadoopScheme.read(in);
    int cells = HadoopScheme.readBits(in);
    long[] words = in.words(wordsFor(cells), "the counters");
    HadoopFormat.checkEnd(in, words, (long) cells * CELL_BITS);
    return new HadoopCountingFilter(scheme, cells, words);
  }

  /** How many words a number of counters takes. */
  private static int wordsFor(int cells) {
    return (cells - 1) / CELLS_PER_WORD + 1;
  }

  @Override
  public ForeignFormat<HadoopCountingFilter> format() {
    return FORMAT;
  }

  /** {@inheritDoc} Here: a {@code BloomFilter} that has a bit for each counter that is not 0. */
  @Override
  public Optional<ForeignFilter> as(ForeignFormat<?> other) {
    if (other != HadoopFormat.FORMAT) {
      return Optional.empty();
    }
    long[] bits = new long[(cells + Long.SIZE - 1) / Long.SIZE];
    for (int i = 0; i < cells; i++) {
      long counter = (words[i / CELLS_PER_WORD] >>> ((i % CELLS_PER_WORD) * CELL_BITS)) & MOST;
      bits[i >>> 6] |= counter == 0 ? 0 : 1L << i;
    }
    return Optional.of(new ForeignBloomFilter(scheme, cells, bits));
  }

  @Override
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("counters", cells);
    fields.put("counters per key", scheme.hashesPerKey());
    fields.putAll(scheme.fields());
    return Collections.unmodifiableMap(fields);
  }

  /**
   * How many counters are above 0.
   *
   * @return 0 or more
   */
  public long cellsUsed() {
    long used = 0;
    for (long word : words) {
      long any = word | word >>> 2;
      any |= any >>> 1;
      used += Long.bitCount(any & 0x1111_1111_1111_1111L);
    }
    return used;
  }

  @Override
  public boolean mightContain(byte[] bytes, int offset, int length) {
    Objects.requireNonNull(bytes, "bytes");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    return scheme.takes(length) && allUsed(positions(bytes, offset, length));
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the key is empty, which Hadoop refuses
   */
  @Override
  public boolean add(byte[] bytes, int offset, int length) {
    Objects.requireNonNull(bytes, "bytes");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (!scheme.takes(length)) {
      throw new IllegalArgumentException(format() + " filters do not accept empty keys");
    }
    long[] positions = positions(bytes, offset, length);
    boolean isNew = !allUsed(positions);
    for (long position : positions) {
      if (cell(position) < MOST) {
        words[word(position)] += 1L << shift(position);
      }
    }
    return isNew;
  }

  /**
   * Removes a byte-string key given as a range of an array, once.
   *
   * @param bytes the array
   * @param offset the index of the key's first byte
   * @param length the key's length in bytes
   * @return {@code true}: it was probably there; {@code false}: certainly not, nothing was changed
   */
  public boolean remove(byte[] bytes, int offset, int length) {
    if (!mightContain(bytes, offset, length)) {
      return false;
    }
    for (long position : positions(bytes, offset, length)) {
      int count = cell(position);
      if (count > 0 && count < MOST) {
        words[word(position)] -= 1L << shift(position);
      }
    }
    return true;
  }

  /**
   * Removes a byte-string key, once.
   *
   * @param key the key
   * @return {@code true}: it was probably there; {@code false}: certainly not, nothing was changed
   */
  public boolean remove(byte[] key) {
    return remove(Objects.requireNonNull(key, "key"), 0, key.length);
  }

  /**
   * Removes a text key, once.
   *
   * @param key the key
   * @return {@code true}: it was probably there; {@code false}: certainly not, nothing was changed
   */
  public boolean remove(CharSequence key) {
    return remove(Objects.requireNonNull(key, "key").toString().getBytes(UTF_8));
  }

  /**
   * Removes an integer, once.
   *
   * @param key the key
   * @return {@code true}: it was probably there; {@code false}: certainly not, nothing was changed
   */
  public boolean remove(long key) {
    return remove(ForeignFilter.littleEndian(key));
  }

  /**
   * Removes a character, once.
   *
   * @param key the key, which counts as text
   * @return {@code true}: it was probably there; {@code false}: certainly not, nothing was changed
   */
  public boolean remove(char key) {
    return remove(String.valueOf(key));
  }

  private long[] positions(byte[] bytes, int offset, int length) {
    long[] positions = new long[scheme.hashesPerKey()];
    scheme.indexes(bytes, offset, length, cells, positions);
    return positions;
  }

  private boolean allUsed(long[] positions) {
    for (long position : positions) {
      if (cell(position) == 0) {
        return false;
      }
    }
    return true;
  }

  private int cell(long position) {
    return (int) (words[word(position)] >>> shift(position)) & MOST;
  }

  private static int word(long position) {
    return (int) (position / CELLS_PER_WORD);
  }

  private static int shift(long position) {
    return (int) (position % CELLS_PER_WORD) * CELL_BITS;
  }

  @Override
  public boolean isCompatible(HadoopCountingFilter other) {
    return cells == other.cells && scheme.mergeKey().equals(other.scheme.mergeKey());
  }

  /**
   * {@inheritDoc} Counters are added and stick at 15, so keys of both can be removed. (Hadoop's own
   * {@code or} combines the bits of counters, after which removing loses keys.)
   */
  @Override
  public void merge(HadoopCountingFilter other) {
    if (cells != other.cells) {
      throw new IncompatibleFiltersException("counters " + cells + " != " + other.cells);
    }
    if (!isCompatible(other)) {
      throw new IncompatibleFiltersException(
          "hashing " + scheme.mergeKey() + " != " + other.scheme.mergeKey());
    }
    for (int position = 0; position < cells; position++) {
      long sum = Math.min(MOST, (long) cell(position) + other.cell(position));
      int shift = shift(position);
      words[word(position)] = (words[word(position)] & ~((long) MOST << shift)) | sum << shift;
    }
  }

  /** {@inheritDoc} Here: the share of used counters to the power of the counters per key. */
  @Override
  public double falsePositiveRate() {
    return Math.pow((double) cellsUsed() / cells, scheme.hashesPerKey());
  }

  @Override
  public long sizeInBits() {
    return (long) cells * CELL_BITS;
  }

  @Override
  public long storedBytes() {
    return scheme.headerBytes() + (long) words.length * Long.BYTES;
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    scheme.writeHeader(Objects.requireNonNull(out, "out"), cells).words(words).flush();
  }

  @Override
  public String toString() {
    return "HadoopCountingFilter[%d counters, %d per key]".formatted(cells, scheme.hashesPerKey());
  }
}
