package io.bloomery.membership;

import io.bloomery.Filter;
import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.Mergeable;
import io.bloomery.Storable;
import io.bloomery.hash.Funnel;
import io.bloomery.hash.KeyFields;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.code.Numbers;
import io.bloomery.internal.frame.Frame;
import java.io.IOException;
import java.util.Objects;

/**
 * An exact set of the numbers 0…universe−1, one bit each; it is never wrong, and numbers may leave
 * again. Smaller than a Bloom filter of rate p as soon as the universe has fewer than
 * 1.44·log2(1/p) numbers per key.
 *
 * <p>Every key is a byte string and a number is its 8 bytes little-endian, so a key of another
 * length, or whose value is outside of the universe, is certainly absent. Nothing is hashed.
 *
 * <p>Source: the direct bit array that Bloom filters are contrasted with in Broder and
 * Mitzenmacher, "Network Applications of Bloom Filters: A Survey", Internet Mathematics 1(4), 2004,
 * sec. 2.2. The other degenerate case named there, one hash function, is {@code
 * BloomFilter.ofBits(m, 1)}.
 *
 * <p>Threads: any number may add, remove and query without a lock; each call is atomic.
 */
public final class DirectBitSet implements Filter, Mergeable<DirectBitSet>, Storable {

  /** How files name this kind. */
  public static final FilterKind<DirectBitSet> KIND =
      new FilterKind<>(
          8,
          "direct",
          "is the number x in the set? one bit per number: exact",
          DirectBitSet.class,
          DirectBitSet::encode,
          DirectBitSet::decode,
          () -> FilterRecipe.none("takes numbers, not bytes"));

  private static final long MAX_UNIVERSE = Words.MAX_WORDS * Long.SIZE;

  private final long universe;
  private final Words words;

  private DirectBitSet(long universe, Words words) {
    this.universe = universe;
    this.words = words;
  }

  /**
   * A set of the numbers below a bound.
   *
   * @param universe how many numbers there are, 1 or more
   * @return an empty set
   */
  public static DirectBitSet ofUniverse(long universe) {
    Arguments.inRange("universe", universe, 1, MAX_UNIVERSE);
    return new DirectBitSet(universe, Words.forBits(universe, true));
  }

  private Frame encode() {
    return Frame.of(null).put("universe", universe).section(words);
  }

  private static DirectBitSet decode(Frame frame) throws IOException {
    long universe = frame.number("universe", 1, MAX_UNIVERSE);
    Words words = frame.section(0, Words.wordsFor(universe));
    if (words.bitCountOfBits(universe, words.length() * Long.SIZE) != 0) {
      throw frame.problem("there are numbers outside of the universe " + universe);
    }
    return new DirectBitSet(universe, words);
  }

  @Override
  public FilterKind<DirectBitSet> kind() {
    return KIND;
  }

  /**
   * How many numbers there are to choose from.
   *
   * @return the bound that all members are below
   */
  public long universe() {
    return universe;
  }

  /**
   * Adds a number.
   *
   * @param key 0…universe−1
   * @return whether it was absent before
   * @throws IllegalArgumentException if it is outside of the universe
   * @throws IllegalStateException if the set is a read-only view of a mapped file
   */
  public boolean add(long key) {
    return words.setBit(Arguments.inRange("key", key, 0, universe - 1));
  }

  /**
   * Removes a number.
   *
   * @param key any number; one outside of the universe is absent
   * @return whether it was present before
   * @throws IllegalStateException if the set is a read-only view of a mapped file
   */
  public boolean remove(long key) {
    return key >= 0 && key < universe && words.clearBit(key);
  }

  /**
   * Whether a number is in the set; exact in both directions.
   *
   * @param key any number
   * @return true if and only if it was added and not removed since
   */
  public boolean contains(long key) {
    return key >= 0 && key < universe && words.getBit(key);
  }

  /**
   * How many numbers the set holds. Reads the whole set.
   *
   * @return the exact number
   */
  public long cardinality() {
    return words.bitCount();
  }

  /** {@inheritDoc} Here both answers are certain. */
  @Override
  public boolean mightContain(long key) {
    return contains(key);
  }

  /** {@inheritDoc} Here both answers are certain. */
  @Override
  public boolean mightContain(byte[] key) {
    return contains(Numbers.of(key));
  }

  /** {@inheritDoc} Here both answers are certain. */
  @Override
  public boolean mightContain(byte[] bytes, int offset, int length) {
    return contains(Numbers.of(bytes, offset, length));
  }

  /** {@inheritDoc} Here both answers are certain; only text of 8 bytes can be a number. */
  @Override
  public boolean mightContain(CharSequence key) {
    return contains(Numbers.of(key));
  }

  /** {@inheritDoc} Here both answers are certain. */
  @Override
  public <T> boolean mightContain(T key, Funnel<? super T> funnel) {
    return mightContain(KeyFields.bytesOf(key, funnel));
  }

  /**
   * {@inheritDoc}
   *
   * @return 0, always
   */
  @Override
  public double falsePositiveRate() {
    return 0;
  }

  @Override
  public long sizeInBits() {
    return universe;
  }

  @Override
  public boolean isCompatible(DirectBitSet other) {
    Objects.requireNonNull(other, "other");
    return universe == other.universe;
  }

  @Override
  public void merge(DirectBitSet other) {
    if (!isCompatible(other)) {
      throw new IncompatibleFiltersException("universe " + universe + " != " + other.universe);
    }
    words.orAll(other.words);
  }

  /**
   * An independent heap copy. It reflects every call that returned before; of calls that run
   * meanwhile it may reflect some.
   *
   * @return a set with the same numbers
   */
  public DirectBitSet copy() {
    return new DirectBitSet(universe, words.copy());
  }
}
