package io.bloomery.membership;

import io.bloomery.CardinalityFilter;
import io.bloomery.Filter;
import io.bloomery.FilterKind;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.Mergeable;
import io.bloomery.Storable;
import io.bloomery.hash.Funnel;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.code.Numbers;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * An exact set of the numbers 0…universe−1, one bit each; it is never wrong, and numbers can be
 * removed. Smaller than a Bloom filter of rate p if the universe has fewer than 1.44·log2(1/p)
 * numbers per key.
 *
 * <p>Every key is a byte string and a number is its 8 bytes little-endian, so a key of another
 * length, or whose value is outside the universe, is certainly absent. Nothing is hashed.
 *
 * <p>Source: the direct bit array that Bloom filters are contrasted with in Broder and
 * Mitzenmacher, "Network Applications of Bloom Filters: A Survey", Internet Mathematics 1(4), 2004,
 * sec. 2.2. The other degenerate case named there, one hash function, is {@code BloomShape.of(m,
 * 1)}.
 *
 * <p>Threads: any number may add, remove and query without a lock; each call is atomic.
 */
public final class DirectBitSet
    implements Filter, Mergeable<DirectBitSet>, CardinalityFilter, Storable {

  public static final FilterKind<DirectBitSet> KIND =
      Kind.of(8, "direct", DirectBitSet.class)
          .question("is the number x in the set? one bit per number: exact")
          .codec(DirectBitSet::encode, DirectBitSet::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("direct", DirectShape.class)
                          .meets(Need.DELETES)
                          .sized(DirectBitSet::sized)
                          .reads(shape -> 1)
                          .unhashed()
                          .falsePositiveCosts("nothing: answers are exact")
                          .why(
                              "The universe is so small that one bit for each value takes less than"
                                  + " a Bloom filter and is never wrong")
                          .needsMore("takes numbers, not bytes")
                          .mergesExactly()
                          .creates((shape, hasher) -> create(shape))));

  private final DirectShape shape;
  private final Words words;

  private DirectBitSet(DirectShape shape, Words words) {
    this.shape = shape;
    this.words = words;
  }

  /**
   * A set of the numbers below a bound.
   *
   * @param shape how many numbers there are
   * @return an empty set
   */
  public static DirectBitSet create(DirectShape shape) {
    return new DirectBitSet(shape, Words.forBits(shape.universe(), true));
  }

  private static DirectShape sized(Needs needs) {
    long universe =
        needs
            .universe()
            .orElseThrow(() -> Arguments.impossible("direct needs the size of the universe"));
    return needs.rate().isPresent()
        ? DirectShape.forKeys(needs.keys(), needs.rate().getAsDouble(), universe)
        : DirectShape.forBudget(needs.keys(), needs.budget().orElseThrow(), universe);
  }

  private Frame encode() {
    return Frame.of(null).put(shape).section(words);
  }

  private static DirectBitSet decode(Frame frame) throws IOException {
    DirectShape shape = frame.shape(DirectShape.class);
    Words words = frame.section(0, Words.wordsFor(shape.universe()));
    frame.require(
        words.bitCountOfBits(shape.universe(), words.length() * Long.SIZE) == 0,
        "there are numbers outside the universe " + shape.universe());
    return new DirectBitSet(shape, words);
  }

  @Override
  public FilterKind<DirectBitSet> kind() {
    return KIND;
  }

  /**
   * The parameters of this set.
   *
   * @return the size of the universe
   */
  public DirectShape shape() {
    return shape;
  }

  /**
   * Adds a number.
   *
   * @param key 0…universe−1
   * @return whether it was absent before
   * @throws IllegalArgumentException if it is outside the universe
   * @throws IllegalStateException if the set is a read-only view of a mapped file
   */
  public boolean add(long key) {
    return words.setBit(Arguments.inRange("key", key, 0, shape.universe() - 1));
  }

  /**
   * Removes a number.
   *
   * @param key any number; one outside the universe is absent
   * @return whether it was present before
   * @throws IllegalStateException if the set is a read-only view of a mapped file
   */
  public boolean remove(long key) {
    return key >= 0 && key < shape.universe() && words.clearBit(key);
  }

  /**
   * Whether a number is in the set; exact in both directions.
   *
   * @param key any number
   * @return true if and only if it was added and not removed since
   */
  public boolean contains(long key) {
    return key >= 0 && key < shape.universe() && words.getBit(key);
  }

  @Override
  public double fillRatio() {
    return (double) words.bitCount() / shape.universe();
  }

  /** {@inheritDoc} Here: the exact number. */
  @Override
  public double cardinality() {
    return words.bitCount();
  }

  /** {@inheritDoc} Here both answers are certain. */
  @Override
  public boolean mightContain(long key) {
    return contains(key);
  }

  /**
   * {@inheritDoc} Keys of this set are numbers, so a character is looked up by its number, as it is
   * added.
   */
  @Override
  public boolean mightContain(char key) {
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
    return mightContain(Funnel.Fields.bytesOf(key, funnel));
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
    return shape.sizeInBits();
  }

  @Override
  public boolean isCompatible(DirectBitSet other) {
    Objects.requireNonNull(other, "other");
    return shape.equals(other.shape);
  }

  @Override
  public void merge(DirectBitSet other) {
    if (!isCompatible(other)) {
      throw new IncompatibleFiltersException("shape " + shape + " != " + other.shape);
    }
    words.orAll(other.words);
  }

  /**
   * A copy in heap memory that shares nothing with this set. It reflects every call that had
   * returned before it began, and possibly some concurrent ones.
   *
   * @return a set with the same numbers, writable even if this one is mapped
   */
  public DirectBitSet copy() {
    return new DirectBitSet(shape, words.copy());
  }

  @Override
  public String toString() {
    return "DirectBitSet[" + shape + "]";
  }
}
