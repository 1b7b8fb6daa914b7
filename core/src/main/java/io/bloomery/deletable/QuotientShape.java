package io.bloomery.deletable;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;

/**
 * The shape of a quotient filter: a ring of slots that each hold r bits and three flags.
 *
 * <p>A key's fingerprint is one of {@code slots · 2^r} numbers, of which the slot where it belongs
 * is the higher part. The rate is {@code 1 - (1 - 1/(slots · 2^r))^n}, about {@code load · 2^-r}.
 * Twice the slots with one bit less have the same fingerprints, so a filter can double without the
 * keys.
 *
 * @param slots number of slots, a multiple of 64; with the flags at most {@link Shape#MAX_BITS}
 * @param remainderBits r, the bits of a fingerprint that a slot holds, 1 … 40
 * @param growing whether the filter doubles by itself when it is nine tenths full
 */
public record QuotientShape(
    @FieldName("slots") long slots,
    @FieldName("remainder bits") int remainderBits,
    @FieldName("growing") boolean growing)
    implements Shape {

  /** The default share of slots taken at the expected number of keys. */
  public static final double DEFAULT_LOAD_FACTOR = 0.75;

  /** The share of slots that may be taken. */
  public static final double MAX_LOAD_FACTOR = 0.9;

  private static final int BLOCK_SLOTS = 64;
  private static final int FLAG_BITS = 3;
  private static final int MOST_BITS = 40;

  public QuotientShape {
    Arguments.inRange("remainderBits", remainderBits, 1, MOST_BITS);
    Arguments.inRange("slots", slots, BLOCK_SLOTS, mostSlots(remainderBits));
    Arguments.multipleOf("slots", slots, BLOCK_SLOTS);
  }

  private static long mostSlots(int remainderBits) {
    long most = Math.min(MAX_BITS / (remainderBits + FLAG_BITS), 1L << (60 - remainderBits));
    return most & -BLOCK_SLOTS;
  }

  /**
   * The smallest filter that {@code expectedKeys} keys fill to three quarters at most, and whose
   * exact rate is then at most {@code falsePositiveRate}.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static QuotientShape forKeys(long expectedKeys, double falsePositiveRate) {
    return forKeys(expectedKeys, falsePositiveRate, DEFAULT_LOAD_FACTOR);
  }

  /**
   * The smallest filter that {@code expectedKeys} keys fill to a given share at most, and whose
   * exact rate is then at most {@code falsePositiveRate}. Queries are faster at lower loads.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @param loadFactor the share of slots, 0.1 … 0.9
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static QuotientShape forKeys(
      long expectedKeys, double falsePositiveRate, double loadFactor) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    Arguments.inRange("loadFactor", loadFactor, 0.1, MAX_LOAD_FACTOR);
    double fingerprints = -1 / Math.expm1(Math.log1p(-falsePositiveRate) / expectedKeys);
    QuotientShape best = null;
    for (int bits = 1; bits <= MOST_BITS; bits++) {
      double least = Math.max(expectedKeys / loadFactor, Math.scalb(fingerprints, -bits));
      long slots = blocks(least) * BLOCK_SLOTS;
      if (slots <= mostSlots(bits) && rate(slots, bits, expectedKeys) > falsePositiveRate) {
        slots += BLOCK_SLOTS; // a rounding error of the line above
      }
      if (slots <= mostSlots(bits)
          && (best == null || slots * (bits + FLAG_BITS) < best.sizeInBits())) {
        best = of(slots, bits);
      }
    }
    if (best == null) {
      throw Sizing.tooLarge("a quotient filter", expectedKeys, falsePositiveRate);
    }
    return best;
  }

  /**
   * The smallest filter that {@code expectedKeys} keys fill to a given share at most, with
   * remainders of a given width.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param remainderBits bits of a remainder, 1 … 40
   * @param loadFactor the share of slots, 0.1 … 0.9
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static QuotientShape forRemainders(
      long expectedKeys, int remainderBits, double loadFactor) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    Arguments.inRange("loadFactor", loadFactor, 0.1, MAX_LOAD_FACTOR);
    return of(blocks(expectedKeys / loadFactor) * BLOCK_SLOTS, remainderBits);
  }

  /**
   * The filter with the most bits in a slot that holds {@code expectedKeys} keys within a memory
   * budget, filled to three quarters at most.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 256 … {@link Shape#MAX_BITS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the budget has no room
   *     for that many keys
   */
  public static QuotientShape forBudget(long expectedKeys, long bits) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    Sizing.requireBudget(bits, BLOCK_SLOTS * (FLAG_BITS + 1));
    for (int width = MOST_BITS; width >= 1; width--) {
      long slots = Math.min((bits / (width + FLAG_BITS)) & -BLOCK_SLOTS, mostSlots(width));
      if (slots > 0 && slots * DEFAULT_LOAD_FACTOR >= expectedKeys) {
        return of(slots, width);
      }
    }
    throw Arguments.impossible(
        Arguments.named("bits", bits),
        " has no room for ",
        Arguments.named("expectedKeys", expectedKeys),
        " as remainders of 1 bit");
  }

  /**
   * A filter of a given size, as papers specify it, that does not double by itself.
   *
   * @param slots number of slots, a multiple of 64
   * @param remainderBits bits of a remainder, 1 … 40
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static QuotientShape of(long slots, int remainderBits) {
    return new QuotientShape(slots, remainderBits, false);
  }

  /**
   * This shape, for a filter that doubles by itself when it is nine tenths full.
   *
   * @return a shape of the same size
   */
  public QuotientShape withGrowth() {
    return new QuotientShape(slots, remainderBits, true);
  }

  private static long blocks(double slots) {
    return Math.max(1, (long) Math.ceil(Math.min(slots, MAX_BITS) / BLOCK_SLOTS));
  }

  /**
   * The number of possible fingerprints; each key has one.
   *
   * @return {@code slots · 2^r}
   */
  public long fingerprints() {
    return slots << remainderBits;
  }

  /**
   * The capacity in keys: nine tenths of the slots.
   *
   * @return number of keys, counting each copy
   */
  public long capacity() {
    return (long) (MAX_LOAD_FACTOR * slots);
  }

  @Override
  public long maxKeys() {
    return capacity();
  }

  @Override
  public QuotientShape grownTo(long keys) {
    QuotientShape grown = this;
    while (grown.capacity() < keys) {
      if (!grown.canDouble()) {
        throw new IllegalArgumentException(this + " cannot grow to " + keys + " keys");
      }
      grown = grown.doubled();
    }
    return grown;
  }

  /**
   * Whether a shape of twice the slots has the same fingerprints.
   *
   * @return false if a remainder has only one bit, or the shape would be too large
   */
  public boolean canDouble() {
    return remainderBits > 1 && 2 * slots <= mostSlots(remainderBits - 1);
  }

  /**
   * The shape of twice the slots with the same fingerprints.
   *
   * @return the shape
   * @throws IllegalStateException if there is none
   */
  public QuotientShape doubled() {
    if (!canDouble()) {
      throw new IllegalStateException(this + " cannot double");
    }
    return new QuotientShape(2 * slots, remainderBits - 1, growing);
  }

  @Override
  public long sizeInBits() {
    return slots * (remainderBits + FLAG_BITS);
  }

  @Override
  public double falsePositiveRate(long keys) {
    return rate(slots, remainderBits, Sizing.requireLoad(keys));
  }

  private static double rate(long slots, int bits, long keys) {
    return -Math.expm1(keys * Math.log1p(-1 / Math.scalb((double) slots, bits)));
  }
}
