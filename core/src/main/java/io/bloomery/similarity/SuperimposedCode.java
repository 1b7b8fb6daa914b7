package io.bloomery.similarity;

import io.bloomery.FilterKind;
import io.bloomery.QueryCost;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.plan.Need;
import io.bloomery.theory.HashBits;
import java.io.IOException;
import java.util.BitSet;
import java.util.Collection;
import java.util.Objects;

/**
 * A deck of edge-notched cards: which cards carry all of these descriptors? Every such card is
 * found, and some others drop by chance. The Bloom filter of 1947, one per card.
 *
 * <p>Each descriptor has a few distinct positions along the edge, the same on all cards, and a card
 * is notched at the positions of its descriptors. A needle through a position lifts all cards
 * except those notched there; the cards that drop at all positions of a query are the answer
 * ({@link #sort(long...) sort}). With few descriptors per card one pass selects from thousands of
 * cards.
 *
 * <p>As a filter it answers whether some card carries a descriptor.
 *
 * <p>Threads: any number may query; adding cards needs a lock. A query takes time proportional to
 * the number of cards.
 *
 * <p>Mooers 1947, Zatocoding. Deviation: positions come from a hash instead of a code book, so that
 * no list of descriptors is kept.
 */
public final class SuperimposedCode extends ShapedFilter<CardShape> implements QueryCost {

  public static final FilterKind<SuperimposedCode> KIND =
      Kind.of(68, "superimposed", SuperimposedCode.class)
          .question("which cards carry all descriptors of x?")
          .codec(SuperimposedCode::encode, SuperimposedCode::decode)
          .meets(Need.PARTIAL_MATCH)
          .unplanned("needs cards, each with its descriptors, instead of keys");

  private final BitRows cards;

  private SuperimposedCode(CardShape shape, Hasher hasher, BitRows cards) {
    super(shape, hasher);
    this.cards = cards;
  }

  /**
   * A deck of cards of a given shape.
   *
   * @param shape the positions of a card and of a descriptor
   * @return an empty deck
   */
  public static SuperimposedCode create(CardShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A deck of cards of a given shape and hasher.
   *
   * @param shape the positions of a card and of a descriptor
   * @param hasher turns descriptors into hashes
   * @return an empty deck
   */
  public static SuperimposedCode create(CardShape shape, Hasher hasher) {
    Objects.requireNonNull(shape, "shape");
    return new SuperimposedCode(shape, hasher, BitRows.empty(shape.notches()));
  }

  private Frame encode() {
    return Frame.of(hasher())
        .put(shape())
        .put("cards", (long) cards.size())
        .section(cards.section());
  }

  private static SuperimposedCode decode(Frame frame) throws IOException {
    CardShape shape = frame.shape(CardShape.class);
    return new SuperimposedCode(
        shape, frame.hasher(), BitRows.read(frame, "cards", shape.notches()));
  }

  @Override
  public FilterKind<SuperimposedCode> kind() {
    return KIND;
  }

  /**
   * How many cards there are.
   *
   * @return their number
   */
  public int cards() {
    return cards.size();
  }

  /**
   * Adds a card.
   *
   * @param descriptors texts, in any order
   * @return its number; cards are numbered from 0
   * @throws IllegalStateException if the deck is a read-only view of a mapped file
   */
  public int add(Collection<? extends CharSequence> descriptors) {
    return add(hashes(descriptors));
  }

  /**
   * Adds a card by the hashes of its descriptors.
   *
   * @param descriptors their hashes by {@link #hasher()}, in any order
   * @return its number; cards are numbered from 0
   * @throws IllegalStateException if the deck is a read-only view of a mapped file
   */
  public int add(long... descriptors) {
    return cards.add(notchesOf(descriptors));
  }

  /**
   * The cards that drop for a query: all that carry each of its descriptors, and false drops.
   *
   * @param descriptors texts; without any, all cards drop
   * @return the numbers of the cards, ascending
   */
  public int[] sort(Collection<? extends CharSequence> descriptors) {
    return sort(hashes(descriptors));
  }

  /**
   * The cards that drop for a query given by hashes.
   *
   * @param descriptors their hashes by {@link #hasher()}; without any, all cards drop
   * @return the numbers of the cards, ascending
   */
  public int[] sort(long... descriptors) {
    return cards.covering(notchesOf(descriptors));
  }

  /**
   * The positions at which a card is notched.
   *
   * @param card its number
   * @return the positions, ascending
   */
  public int[] notches(int card) {
    Objects.checkIndex(card, cards.size());
    return BitSet.valueOf(cards.get(card)).stream().toArray();
  }

  private long[] hashes(Collection<? extends CharSequence> descriptors) {
    return descriptors.stream().mapToLong(hasher()::hash).toArray();
  }

  private long[] notchesOf(long... descriptors) {
    Objects.requireNonNull(descriptors, "descriptors");
    long[] row = new long[cards.rowWords()];
    int[] positions = new int[shape().notchesPerDescriptor()];
    for (long descriptor : descriptors) {
      Subsets.draw(descriptor, shape().notches(), positions);
      for (int position : positions) {
        row[position >>> 6] |= 1L << position;
      }
    }
    return row;
  }

  @Override
  public boolean mightContainHash(long hash) {
    int[] positions = new int[shape().notchesPerDescriptor()];
    Subsets.draw(hash, shape().notches(), positions);
    return cards.anyHas(positions);
  }

  /** {@inheritDoc} Here: of all cards. */
  @Override
  public long sizeInBits() {
    return Math.max(1, (long) cards.size()) * shape().notches();
  }

  /**
   * {@inheritDoc} Here: the rate at which some card drops for one descriptor that no card carries;
   * cards are treated as independent.
   */
  @Override
  public double falsePositiveRate() {
    double none = 0; // ln of the probability that no card drops
    for (int card = 0; card < cards.size(); card++) {
      none += Math.log1p(-dropRate(card));
    }
    return none == 0 ? 0 : -Math.expm1(none);
  }

  /** {@inheritDoc} Here: log2 of the notches of a card for each of a descriptor. */
  @Override
  public int hashBits() {
    return shape().notchesPerDescriptor() * HashBits.choice(shape().notches());
  }

  /** {@inheritDoc} Here: the notches of a descriptor, in each card. */
  @Override
  public int memoryAccesses() {
    return (int)
        Math.min(Integer.MAX_VALUE, Math.max(1L, cards.size()) * shape().notchesPerDescriptor());
  }

  /**
   * The share of cards that drop falsely for a query of descriptors that no card carries.
   *
   * @param descriptors how many descriptors the query has, 1 or more
   * @return the mean over all cards, exact for the notches that they have; 0 for an empty deck
   */
  public double falseDropRate(int descriptors) {
    Arguments.inRange("descriptors", descriptors, 1, Integer.MAX_VALUE);
    double sum = 0;
    for (int card = 0; card < cards.size(); card++) {
      sum += Math.pow(dropRate(card), descriptors);
    }
    return cards.size() == 0 ? 0 : sum / cards.size();
  }

  /** The probability that one random descriptor has only positions that a card is notched at. */
  private double dropRate(int card) {
    double rate = 1;
    long notched = Math.min(shape().notches(), cards.bitCount(card)); // a mapped file may be forged
    for (int i = 0; i < shape().notchesPerDescriptor(); i++) {
      rate *= Math.max(0.0, (double) notched - i) / (shape().notches() - i);
    }
    return rate;
  }

  @Override
  public String toString() {
    return "SuperimposedCode[" + cards.size() + " cards, " + shape() + ", " + hasher() + "]";
  }
}
