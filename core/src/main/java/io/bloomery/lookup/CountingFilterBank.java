package io.bloomery.lookup;

import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.Storable;
import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import java.io.IOException;
import java.util.Objects;

/**
 * Which of many sets hold x, when keys leave sets or move from one to another? A {@link FilterBank}
 * that answers every query, and beside it a counter for each of its bits, which only additions and
 * removals touch. The sets that a key is in are always among the answers, as long as only keys that
 * are in a set are removed from it.
 *
 * <p>Removing a key from a set that certainly does not hold it changes nothing and says so.
 * Removing one that was never there but is answered "probably" lowers counters that other keys
 * need, which may then be lost. Counters that reach their highest value stay there.
 *
 * <p>Threads: one writer at a time; queries see what it has written when it has told them of it.
 *
 * <p>Fan, Cao, Almeida and Broder 2000, "Summary Cache", for counters that are kept beside the bits
 * that are sent; Tarkoma, Rothenberg and Lagerspetz 2012, sec. III-M.
 */
public final class CountingFilterBank implements ManySetsFilter, Storable {

  /** How files name this kind. */
  public static final FilterKind<CountingFilterBank> KIND =
      new FilterKind<>(
          57,
          "counting-bank",
          "which of many sets hold x? keys may leave and move",
          CountingFilterBank.class,
          CountingFilterBank::encode,
          CountingFilterBank::decode,
          () -> FilterRecipe.none("holds many sets and needs the set of each key"));

  private final FilterBank bits;
  private final Counters counters;

  private CountingFilterBank(FilterBank bits, Counters counters) {
    this.bits = bits;
    this.counters = counters;
  }

  /**
   * The smallest bank with one filter of 4-bit counters for each set.
   *
   * @param sets number of sets, 1 or more
   * @param keysPerSet how many different keys the largest set will have at a time, 1 or more
   * @param falsePositiveRate the rate of each filter at that number of keys, above 0, below 1
   * @return an empty bank
   */
  public static CountingFilterBank create(int sets, long keysPerSet, double falsePositiveRate) {
    return FilterBank.builder()
        .sets(sets)
        .keysPerSet(keysPerSet)
        .falsePositiveRate(falsePositiveRate)
        .buildCounting();
  }

  /**
   * A bank of a given shape.
   *
   * @param shape the bits and the width of the counters
   * @param hasher turns keys into hashes
   * @return an empty bank
   */
  public static CountingFilterBank of(CountingBankShape shape, Hasher hasher) {
    Objects.requireNonNull(hasher, "hasher");
    Words words = Words.forBits(shape.bank().sizeInBits(), false);
    return new CountingFilterBank(
        new FilterBank(hasher, shape.bank(), words),
        Counters.allocate(shape.counters(), shape.counterBits(), true, false));
  }

  private Frame encode() {
    return bits.encode().put("counter bits", counters.width()).section(counters.words());
  }

  private static CountingFilterBank decode(Frame frame) throws IOException {
    int width = (int) frame.number("counter bits", 2, 16);
    FilterBank bits = FilterBank.decode(frame);
    CountingBankShape shape;
    try {
      shape = new CountingBankShape(bits.shape(), width);
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    return new CountingFilterBank(bits, frame.counters(1, shape.counters(), width, true));
  }

  @Override
  public FilterKind<CountingFilterBank> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return bits.hasher();
  }

  /**
   * Size, sets, codes and the width of the counters.
   *
   * @return the shape, with its rates
   */
  public CountingBankShape shape() {
    return new CountingBankShape(bits.shape(), counters.width());
  }

  @Override
  public int sets() {
    return bits.sets();
  }

  @Override
  public int setsOfHash(long hash, long[] hits) {
    return bits.setsOfHash(hash, hits);
  }

  @Override
  public long getHash(long hash) {
    return bits.getHash(hash);
  }

  @Override
  public long getOnlyHash(long hash) {
    return bits.getOnlyHash(hash);
  }

  /**
   * Whether a set may hold a key.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @param set 0 … {@link #sets} - 1
   * @return {@code false}: certainly not; {@code true}: all filters of the set's code have the key
   */
  public boolean mightContainHash(long hash, int set) {
    return bits.mightContainHash(hash, set);
  }

  /** {@inheritDoc} A key that is added again must be removed as often. */
  @Override
  public boolean addHash(long hash, int set) {
    boolean changed = bits.addHash(hash, set);
    int filters = bits.shape().filters();
    for (int column = bits.column(set, 0); column >= 0; column = bits.column(set, column + 1)) {
      for (int i = 0; i < bits.shape().probes(); i++) {
        counters.add(bits.index(hash, i) * filters + column, 1);
      }
    }
    return changed;
  }

  /**
   * Removes a key from a set by its hash.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @param set 0 … {@link #sets} - 1
   * @return {@code false}: the key was certainly not in the set and nothing changed; {@code true}:
   *     it is there once less, or it was a false positive and other keys may be lost
   * @throws IllegalStateException if the bank is a read-only view of a mapped file
   */
  public boolean removeHash(long hash, int set) {
    counters.words().writable();
    if (!bits.mightContainHash(hash, set)) {
      return false;
    }
    int filters = bits.shape().filters();
    for (int column = bits.column(set, 0); column >= 0; column = bits.column(set, column + 1)) {
      for (int i = 0; i < bits.shape().probes(); i++) {
        long row = bits.index(hash, i);
        if (counters.subtract(row * filters + column, 1) == 0) {
          bits.words().clearBit(bits.bit(row, column));
        }
      }
    }
    return true;
  }

  /**
   * Moves a key from one set to another by its hash: its action changes.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @param from the set that it is in
   * @param to the set that it will be in
   * @return {@code false}: the key was certainly not in {@code from} and nothing changed
   * @throws IllegalStateException if the bank is a read-only view of a mapped file
   */
  public boolean moveHash(long hash, int from, int to) {
    Arguments.inRange("to", to, 0, bits.sets() - 1);
    if (!removeHash(hash, from)) {
      return false;
    }
    addHash(hash, to);
    return true;
  }

  /**
   * Removes a text key from a set.
   *
   * @param key the key
   * @param set 0 … {@link #sets} - 1
   * @return {@code false}: certainly not in the set, nothing changed; {@code true}: removed
   */
  public boolean remove(CharSequence key, int set) {
    return removeHash(hasher().hash(key), set);
  }

  /**
   * Removes a byte-string key from a set.
   *
   * @param key the key
   * @param set 0 … {@link #sets} - 1
   * @return {@code false}: certainly not in the set, nothing changed; {@code true}: removed
   */
  public boolean remove(byte[] key, int set) {
    return removeHash(hasher().hash(key), set);
  }

  /**
   * Removes a number from a set.
   *
   * @param key the key
   * @param set 0 … {@link #sets} - 1
   * @return {@code false}: certainly not in the set, nothing changed; {@code true}: removed
   */
  public boolean remove(long key, int set) {
    return removeHash(hasher().hash(key), set);
  }

  /**
   * Removes an object from a set.
   *
   * @param key the object
   * @param set 0 … {@link #sets} - 1
   * @param funnel writes the object's fields
   * @param <T> the object's type
   * @return {@code false}: certainly not in the set, nothing changed; {@code true}: removed
   */
  public <T> boolean remove(T key, int set, Funnel<? super T> funnel) {
    return removeHash(hasher().hash(key, funnel), set);
  }

  @Override
  public double falsePositiveRate() {
    return bits.falsePositiveRate();
  }

  @Override
  public long sizeInBits() {
    return shape().sizeInBits();
  }

  /**
   * How many counters are at their highest value and stay there.
   *
   * @return the number of saturated counters
   */
  public long overflowedCounters() {
    return counters.saturated();
  }

  /**
   * The bank of the keys that are in this one now, without counters, to be sent or saved.
   *
   * @return a new bank that shares nothing with this one
   */
  public FilterBank toFilterBank() {
    FilterBank bank =
        new FilterBank(hasher(), bits.shape(), Words.forBits(bits.sizeInBits(), true));
    bank.words().orAll(bits.words());
    return bank;
  }

  /**
   * A copy in heap memory that shares nothing with this bank.
   *
   * @return a bank with the same keys, writable even if this one is mapped
   */
  public CountingFilterBank copy() {
    return new CountingFilterBank(bits.copy(), counters.copy());
  }

  @Override
  public String toString() {
    return "CountingFilterBank[" + shape() + ", " + hasher() + "]";
  }
}
