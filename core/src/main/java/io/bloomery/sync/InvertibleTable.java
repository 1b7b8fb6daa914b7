package io.bloomery.sync;

import io.bloomery.Filter;
import io.bloomery.FilterKind;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.Storable;
import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An invertible Bloom lookup table: a set whose keys can be listed, provided that few enough remain
 * at that time. It may have held any number of keys before. Two sides with large sets each fill a
 * table of the same shape, {@linkplain #subtract subtract} one from the other and {@linkplain
 * #decode list} what remains: the keys that only one side has.
 *
 * <p>Every key has one cell in each of k sub-tables. A cell stores the number of its keys and the
 * xor of their bytes, of their values and of their checksums. A cell with one key reveals it;
 * removing that key from its other cells may leave further cells with one key, and so on. The
 * probability that this empties the table rises steeply once there are more than 1.295 cells per
 * key (k = 4; 1.222 for k = 3): {@link InvertibleShape#forDifference} gives the sizes, and {@link
 * Difference#isComplete} tells whether it succeeded.
 *
 * <p><b>A key is in the set once.</b> Inserting a key twice adds 2 to its counts and nothing to its
 * sums: it cannot be listed, the sums look as if it were absent, and keys that share its cells
 * cannot be listed either. Deleting a key that is not in the set is allowed; it is then listed as a
 * key that only the other side has.
 *
 * <p><b>Hostile input.</b> Anyone who knows the hasher can choose keys that share all their cells.
 * If others choose the keys, use a {@linkplain Hasher#keyed keyed} hasher known to both sides.
 * Decoding takes at most as many steps as there are cells, even for a forged table: a key is listed
 * only once, and only from a cell it belongs to.
 *
 * <p>As a {@link Filter} it answers whether a key may have been inserted: like {@link #get} without
 * the value, where unknown counts as present. Keys of a length that the table does not accept are
 * absent.
 *
 * <p>Threads: any number may query, decode and copy; changes need a lock.
 *
 * <p>Goodrich and Mitzenmacher 2011, "Invertible Bloom Lookup Tables"; Eppstein, Goodrich, Uyeda
 * and Varghese 2011, "What's the Difference? Efficient Set Reconciliation without Prior Context".
 * Deviations: values are added by xor, and a cell counts as a single key only if the key also
 * belongs to that cell, which adds log2(m / k) bits to the checksum.
 */
public final class InvertibleTable implements Filter, Storable {

  public static final FilterKind<InvertibleTable> KIND =
      Kind.of(80, "invertible", InvertibleTable.class)
          .question("what do you have that I lack? a table that lists the difference")
          .codec(InvertibleTable::encode, InvertibleTable::decode)
          .hashesParts()
          .unplanned("is sized for a difference of two sets, not for a rate");

  private static final int CHECKSUM = 1;
  private static final int KEY = 2;

  private final InvertibleShape shape;
  private final KeyCodec codec;
  private final CellHash cells;
  private final Words words;
  private final int valueAt;

  private InvertibleTable(InvertibleShape shape, Hasher hasher, Words words) {
    this.shape = shape;
    this.codec = new KeyCodec(shape.keys(), hasher);
    this.cells = new CellHash(shape);
    this.words = words;
    this.valueAt = KEY + KeyCodec.words(shape.keys());
  }

  /**
   * An empty table.
   *
   * @param shape cells, keys and values
   * @return the table, with the default hasher
   */
  public static InvertibleTable create(InvertibleShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * An empty table.
   *
   * @param shape cells, keys and values
   * @param hasher hashes keys; a keyed one if others may choose keys
   * @return the table
   */
  public static InvertibleTable create(InvertibleShape shape, Hasher hasher) {
    Objects.requireNonNull(hasher, "hasher");
    Objects.requireNonNull(shape, "shape");
    return new InvertibleTable(shape, hasher, Words.allocate(shape.words(), false));
  }

  private Frame encode() {
    return Frame.of(codec.hasher()).put(shape).section(words);
  }

  private static InvertibleTable decode(Frame frame) throws IOException {
    InvertibleShape shape = frame.shape(InvertibleShape.class);
    Words words = frame.section(0, shape.words());
    CellRules rules = new CellRules(shape);
    frame.requireOfWords(() -> rules.areUnusedBitsZero(words), "a cell has bits of no field");
    frame.requireOfWords(
        () -> rules.areSubTablesEqual(words), "the sub-tables do not hold the same keys");
    return new InvertibleTable(shape, frame.hasher(), words);
  }

  @Override
  public FilterKind<InvertibleTable> kind() {
    return KIND;
  }

  /**
   * The parameters of this table.
   *
   * @return cells, keys and values
   */
  public InvertibleShape shape() {
    return shape;
  }

  /**
   * The hasher of keys.
   *
   * @return the hasher this table was created with
   */
  public Hasher hasher() {
    return codec.hasher();
  }

  /**
   * Inserts a number, which is 8 bytes little-endian.
   *
   * @param key the key, which must not be in the set
   * @throws IllegalArgumentException if the table does not take keys of 8 bytes or has values
   * @throws IllegalStateException if the table is a read-only view of a mapped file
   */
  public void add(long key) {
    change(key, 1);
  }

  /**
   * Inserts a character.
   *
   * @param key the key, which counts as text and must not be in the set
   * @throws IllegalArgumentException if the table does not take keys of this length or has values
   * @throws IllegalStateException if the table is a read-only view of a mapped file
   */
  public void add(char key) {
    add(String.valueOf(key));
  }

  /**
   * Inserts a key.
   *
   * @param key the key, which must not be in the set
   * @throws IllegalArgumentException if the table does not take keys of this length or has values
   * @throws IllegalStateException if the table is a read-only view of a mapped file
   */
  public void add(byte[] key) {
    change(key, 1);
  }

  /**
   * Inserts a text, as its UTF-8 bytes.
   *
   * @param key the key, which must not be in the set
   * @throws IllegalArgumentException if the table does not take keys of this length or has values
   * @throws IllegalStateException if the table is a read-only view of a mapped file
   */
  public void add(CharSequence key) {
    change(KeyCodec.bytesOf(key), 1);
  }

  /**
   * Inserts a key with its value.
   *
   * @param key the key, which must not be in the set
   * @param value the value, of {@link InvertibleShape#valueBytes} bytes
   * @throws IllegalArgumentException if the table does not take keys or values of these lengths
   * @throws IllegalStateException if the table is a read-only view of a mapped file
   */
  public void add(byte[] key, byte[] value) {
    change(key, value, 1);
  }

  /**
   * Deletes a number; a key that is not in the set is listed as one that only the other side has.
   *
   * @param key the key
   * @throws IllegalArgumentException if the table does not take keys of 8 bytes or has values
   * @throws IllegalStateException if the table is a read-only view of a mapped file
   */
  public void remove(long key) {
    change(key, -1);
  }

  /**
   * Deletes a character; a key that is not in the set is listed as one that only the other side
   * has.
   *
   * @param key the key, which counts as text
   * @throws IllegalArgumentException if the table does not take keys of this length or has values
   * @throws IllegalStateException if the table is a read-only view of a mapped file
   */
  public void remove(char key) {
    remove(String.valueOf(key));
  }

  /**
   * Deletes a key; a key that is not in the set is listed as one that only the other side has.
   *
   * @param key the key
   * @throws IllegalArgumentException if the table does not take keys of this length or has values
   * @throws IllegalStateException if the table is a read-only view of a mapped file
   */
  public void remove(byte[] key) {
    change(key, -1);
  }

  /**
   * Deletes a text; a key that is not in the set is listed as one that only the other side has.
   *
   * @param key the key
   * @throws IllegalArgumentException if the table does not take keys of this length or has values
   * @throws IllegalStateException if the table is a read-only view of a mapped file
   */
  public void remove(CharSequence key) {
    change(KeyCodec.bytesOf(key), -1);
  }

  /**
   * Deletes a key with its value, which must be the one that it was inserted with.
   *
   * @param key the key
   * @param value the value
   * @throws IllegalArgumentException if the table does not take keys or values of these lengths
   * @throws IllegalStateException if the table is a read-only view of a mapped file
   */
  public void remove(byte[] key, byte[] value) {
    change(key, value, -1);
  }

  private void change(long key, int times) {
    if (!codec.isLongs()) {
      change(KeyCodec.bytesOf(key), times);
      return;
    }
    requireNoValues();
    long[] heap = words.writable();
    long hash = codec.hash(key);
    long checksum = cells.checksum(hash);
    for (int i = 0; i < shape.hashesPerKey(); i++) {
      int at = Words.BASE + cells.at(hash, i);
      heap[at] += times;
      heap[at + CHECKSUM] ^= checksum;
      heap[at + KEY] ^= key;
    }
  }

  private void change(byte[] key, int times) {
    requireNoValues();
    change(key, new byte[0], times);
  }

  private void requireNoValues() {
    if (shape.valueBytes() != 0) {
      throw new IllegalArgumentException(
          "a key needs its value of " + shape.valueBytes() + " bytes");
    }
  }

  private void change(byte[] key, byte[] value, int times) {
    codec.checked(key);
    Objects.requireNonNull(value, "value");
    if (value.length != shape.valueBytes()) {
      throw new IllegalArgumentException(
          "value has %d bytes; it must have %d".formatted(value.length, shape.valueBytes()));
    }
    long[] heap = words.writable();
    long hash = codec.hash(key);
    long[] sum = new long[shape.cellWords()];
    sum[CHECKSUM] = cells.checksum(hash);
    codec.pack(key, sum, KEY);
    KeyCodec.packBytes(value, sum, valueAt, sum.length - valueAt);
    for (int i = 0; i < shape.hashesPerKey(); i++) {
      CellHash.add(heap, Words.BASE + cells.at(hash, i), times, sum, 0, sum.length);
    }
  }

  /**
   * Looks up a key.
   *
   * @param key the key
   * @return its value, absent, or unknown
   */
  public Lookup get(byte[] key) {
    Objects.requireNonNull(key, "key");
    if (!codec.fits(key.length)) {
      return new Lookup(Lookup.Answer.ABSENT, null);
    }
    long hash = codec.hash(key);
    long[] own = new long[KeyCodec.words(shape.keys())];
    codec.pack(key, own, 0);
    return get(hash, own);
  }

  /**
   * Looks up a number, which is 8 bytes little-endian.
   *
   * @param key the key
   * @return its value, absent, or unknown
   */
  public Lookup get(long key) {
    return codec.isLongs() ? get(codec.hash(key), new long[] {key}) : get(KeyCodec.bytesOf(key));
  }

  /**
   * Looks up a character.
   *
   * @param key the key, which counts as text
   * @return its value, absent, or unknown
   */
  public Lookup get(char key) {
    return get(String.valueOf(key));
  }

  /**
   * Looks up a text, as its UTF-8 bytes.
   *
   * @param key the key
   * @return its value, absent, or unknown
   */
  public Lookup get(CharSequence key) {
    return get(KeyCodec.bytesOf(key));
  }

  /** An empty cell, or one with another key alone, proves that the key is absent. */
  private Lookup get(long hash, long[] own) {
    Lookup.Answer answer = Lookup.Answer.UNKNOWN;
    byte[] value = null;
    long[] cell = new long[shape.cellWords()];
    for (int i = 0; i < shape.hashesPerKey(); i++) {
      int at = cells.at(hash, i);
      for (int j = 0; j < cell.length; j++) {
        cell[j] = words.get(at + j);
      }
      if (isZero(cell)) {
        return new Lookup(Lookup.Answer.ABSENT, null);
      }
      if (Math.abs(cell[0]) == 1 && cells.isSingle(codec, cell, 0, at)) {
        if (cell[0] < 0 || !Arrays.equals(cell, KEY, valueAt, own, 0, own.length)) {
          return new Lookup(Lookup.Answer.ABSENT, null);
        }
        answer = Lookup.Answer.PRESENT;
        value = KeyCodec.unpackBytes(cell, valueAt, shape.valueBytes());
      }
    }
    return new Lookup(answer, value);
  }

  private static boolean isZero(long[] cell) {
    for (long word : cell) {
      if (word != 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean mightContain(CharSequence key) {
    return isPossible(get(key));
  }

  @Override
  public boolean mightContain(byte[] key) {
    return isPossible(get(key));
  }

  @Override
  public boolean mightContain(byte[] bytes, int offset, int length) {
    Objects.requireNonNull(bytes, "bytes");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    return isPossible(get(Arrays.copyOfRange(bytes, offset, offset + length)));
  }

  @Override
  public boolean mightContain(long key) {
    return isPossible(get(key));
  }

  @Override
  public <T> boolean mightContain(T key, Funnel<? super T> funnel) {
    return mightContain(Funnel.Fields.bytesOf(key, funnel));
  }

  private static boolean isPossible(Lookup found) {
    return found.answer() != Lookup.Answer.ABSENT;
  }

  /**
   * {@inheritDoc} Here: the probability that {@link #get} returns unknown, from the cells that hold
   * several keys.
   */
  @Override
  public double falsePositiveRate() {
    long[] all = cellWords();
    double rate = 1;
    int stride = shape.cellWords();
    int subTable = shape.cellsPerHash() * stride;
    for (int i = 0; i < shape.hashesPerKey(); i++) {
      int several = 0;
      for (int at = i * subTable; at < (i + 1) * subTable; at += stride) {
        boolean single = Math.abs(all[at]) == 1 && cells.isSingle(codec, all, at, at);
        several +=
            single || Arrays.equals(all, at, at + stride, new long[stride], 0, stride) ? 0 : 1;
      }
      rate *= (double) several / shape.cellsPerHash();
    }
    return rate;
  }

  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  /**
   * Whether another table can be subtracted.
   *
   * @param other another table
   * @return true if shapes and hashers are equal
   */
  public boolean isCompatible(InvertibleTable other) {
    Objects.requireNonNull(other, "other");
    return shape.equals(other.shape) && hasher().equals(other.hasher());
  }

  /**
   * Deletes all keys of another table from this one. The difference of the sets remains; keys that
   * both have (with the same value, if there are values) are gone.
   *
   * @param other a table of the same shape and hasher; it does not change
   * @throws IncompatibleFiltersException if they differ; nothing has changed
   * @throws IllegalStateException if this table is a read-only view of a mapped file
   */
  public void subtract(InvertibleTable other) {
    Objects.requireNonNull(other, "other");
    if (!hasher().equals(other.hasher())) {
      throw new IncompatibleFiltersException("hasher " + hasher() + " != " + other.hasher());
    }
    if (!shape.equals(other.shape)) {
      throw new IncompatibleFiltersException("shape " + shape + " != " + other.shape);
    }
    long[] heap = words.writable();
    long[] theirs = other.cellWords();
    int stride = shape.cellWords();
    for (int at = 0; at < theirs.length; at += stride) {
      CellHash.add(heap, Words.BASE + at, -theirs[at], theirs, at, stride);
    }
  }

  /**
   * A copy in heap memory that shares nothing with this table.
   *
   * @return a table with the same keys, writable even if this one is mapped
   */
  public InvertibleTable copy() {
    return new InvertibleTable(shape, hasher(), Words.copyOf(cellWords(), false));
  }

  /** All words, in a new array. */
  private long[] cellWords() {
    long[] all = new long[Math.toIntExact(words.length())];
    words.copyTo(0, LongBuffer.wrap(all));
    return all;
  }

  /**
   * Lists the keys; after {@link #subtract}, the difference. The table does not change. Takes time
   * in proportion to the number of cells, for any contents.
   *
   * @return inserted keys as those only here, deleted ones as those only there; partial if there
   *     were too many, or if the cells do not represent any set
   */
  public Difference decode() {
    return new CellPeeling(shape, codec, cells, cellWords()).run();
  }

  /**
   * Writes the cells without shape and hasher, for another side that knows them: mostly {@link
   * InvertibleShape#cellBytes()} bytes and a little more where counts are large.
   * docs/format/sync.md has the layout.
   *
   * @param out the stream, which stays open; buffered, since most writes are short
   * @throws IOException if writing fails
   */
  public void writeCells(OutputStream out) throws IOException {
    CellStream.write(Objects.requireNonNull(out, "out"), shape, words);
  }

  /**
   * Reads what {@link #writeCells} wrote and no byte more. The shape determines the memory it
   * takes: check a shape that another side chooses before calling this.
   *
   * @param in the stream, which stays open; buffered, since most reads are short
   * @param shape the shape of the table that was written
   * @param hasher its hasher
   * @return the table
   * @throws io.bloomery.FilterFormatException if the bytes are not the cells of such a table
   * @throws java.io.EOFException if the stream ends before
   * @throws IOException if reading fails
   */
  public static InvertibleTable readCells(InputStream in, InvertibleShape shape, Hasher hasher)
      throws IOException {
    Objects.requireNonNull(in, "in");
    InvertibleTable table = create(shape, hasher);
    CellStream.read(in, shape, table.words);
    return table;
  }

  /** Subtracts what {@link #writeCells} wrote. */
  void subtractCells(InputStream in) throws IOException {
    CellStream.subtract(in, shape, words);
  }

  @Override
  public String toString() {
    return "InvertibleTable[" + shape + ", " + hasher() + "]";
  }

  /**
   * The answer of {@link InvertibleTable#get}: present with its value, certainly absent, or
   * unknown.
   */
  public static final class Lookup {

    /** What a table knows about a key. */
    public enum Answer {
      /** The key was inserted and not deleted. */
      PRESENT,
      /** The key was not inserted, or was deleted. */
      ABSENT,
      /** All cells of the key hold other keys too; {@link InvertibleTable#decode} may know more. */
      UNKNOWN
    }

    private final Answer answer;
    private final byte @Nullable [] value;

    Lookup(Answer answer, byte @Nullable [] value) {
      this.answer = Objects.requireNonNull(answer, "answer");
      this.value = value;
    }

    /**
     * What the table knows.
     *
     * @return one of three answers
     */
    public Answer answer() {
      return answer;
    }

    /**
     * The value of a key that is present.
     *
     * @return a new array, without bytes if the table has no values; empty unless the key is
     *     present
     */
    public Optional<byte[]> value() {
      return Optional.ofNullable(value).map(byte[]::clone);
    }

    @Override
    public String toString() {
      return answer.toString();
    }
  }
}
