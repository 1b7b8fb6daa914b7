package io.bloomery.lookup;

import io.bloomery.FilterKind;
import io.bloomery.QueryCost;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.util.List;

/**
 * Which of many sets hold x, with deletes and moves between sets? A {@link FilterBank} answers
 * every query; next to it there is a counter per bit, which only inserts and deletes touch. The
 * sets that a key is in are always among the answers, as long as only keys that are in a set are
 * removed from it.
 *
 * <p>Removing a key from a set that certainly does not hold it changes nothing and returns false.
 * Removing one that was never added but is reported present lowers counters of other keys, which
 * may then be lost. Counters that reach their highest value stay there.
 *
 * <p>Threads: one writer at a time; queries see its writes once these are safely published to their
 * thread.
 *
 * <p>Fan, Cao, Almeida and Broder 2000, "Summary Cache", for counters stored separately from the
 * bits that are sent; Tarkoma, Rothenberg and Lagerspetz 2012, sec. III-M.
 */
public final class CountingFilterBank extends ShapedFilter<CountingBankShape>
    implements ManySetsFilter, QueryCost {

  private static final int SETS = BankShape.PLANNED_SETS;

  public static final FilterKind<CountingFilterBank> KIND =
      Kind.of(57, "counting-bank", CountingFilterBank.class)
          .question("which of many sets hold x? with deletes and moves between sets")
          .codec(CountingFilterBank::encode, CountingFilterBank::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("counting-bank", CountingBankShape.class)
                          .meets(Need.MANY_SETS, Need.DELETES)
                          .onlyFor(Need.MANY_SETS)
                          .forKeys((n, p) -> CountingBankShape.forKeys(n, p, SETS))
                          .forBudget((n, bits) -> CountingBankShape.forBudget(n, bits, SETS))
                          .reads(
                              shape -> shape.bank().hashesPerKey(),
                              shape -> shape.bank().wordsPerQuery())
                          .why(
                              "Keys can be deleted from their sets and moved to others; sized for "
                                  + SETS
                                  + " sets of the same size")
                          .oneWriter()
                          .needsMore("holds many sets and needs the set of each key")
                          .creates(CountingFilterBank::create)));

  private final FilterBank bits;
  private final Counters counters;

  private CountingFilterBank(CountingBankShape shape, FilterBank bits, Counters counters) {
    super(shape, bits.hasher());
    this.bits = bits;
    this.counters = counters;
  }

  /**
   * A bank of a given shape.
   *
   * @param shape the bits and the width of the counters
   * @return an empty bank
   */
  public static CountingFilterBank create(CountingBankShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A bank of a given shape and hasher.
   *
   * @param shape the bits and the width of the counters
   * @param hasher turns keys into hashes
   * @return an empty bank
   */
  public static CountingFilterBank create(CountingBankShape shape, Hasher hasher) {
    Words words = Words.forBits(shape.bank().sizeInBits(), false);
    return new CountingFilterBank(
        shape,
        new FilterBank(shape.bank(), hasher, words),
        Counters.allocate(shape.counters(), shape.counterBits(), true, false));
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape()).section(bits.words()).section(counters.words());
  }

  private static CountingFilterBank decode(Frame frame) throws IOException {
    CountingBankShape shape = frame.shape(CountingBankShape.class);
    CountingFilterBank bank =
        new CountingFilterBank(
            shape,
            FilterBank.decode(frame, shape.bank()),
            frame.counters(1, shape.counters(), shape.counterBits(), true));
    frame.requireOfWords(bank::isSound, "the bits are not those of the counters");
    return bank;
  }

  /** Whether exactly the bits with nonzero counters are set. */
  private boolean isSound() {
    Words words = bits.words();
    int columns = bits.columns();
    for (long i = 0; i < counters.count(); i++) {
      long bit = bits.bit(i / columns, (int) (i % columns));
      if ((words.get(bit >>> 6) >>> bit & 1) != 0 != counters.get(i) > 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public FilterKind<CountingFilterBank> kind() {
    return KIND;
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

  /** {@inheritDoc} A key that is added several times must be removed as often. */
  @Override
  public boolean addHash(long hash, int set) {
    boolean changed = bits.addHash(hash, set);
    int filters = bits.shape().filters();
    for (int column = bits.column(set, 0); column >= 0; column = bits.column(set, column + 1)) {
      for (int i = 0; i < bits.shape().hashesPerKey(); i++) {
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
   *     one copy of it is removed, or it was a false positive and other keys may be lost
   * @throws IllegalStateException if the bank is a read-only view of a mapped file
   */
  public boolean removeHash(long hash, int set) {
    counters.words().writable();
    if (!bits.mightContainHash(hash, set)) {
      return false;
    }
    int filters = bits.shape().filters();
    for (int column = bits.column(set, 0); column >= 0; column = bits.column(set, column + 1)) {
      for (int i = 0; i < bits.shape().hashesPerKey(); i++) {
        long row = bits.index(hash, i);
        if (counters.subtract(row * filters + column, 1) == 0) {
          bits.words().clearBit(bits.bit(row, column));
        }
      }
    }
    return true;
  }

  /**
   * Moves a key from one set to another by its hash.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @param from the set that it is in
   * @param to the set to move it to
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
   * Removes a character from a set.
   *
   * @param key the key, which counts as text
   * @param set 0 … {@link #sets} - 1
   * @return {@code false}: certainly not in the set, nothing changed; {@code true}: removed
   */
  public boolean remove(char key, int set) {
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
  public int hashBits() {
    return shape().hashBits();
  }

  @Override
  public int memoryAccesses() {
    return shape().memoryAccesses();
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
   * The bank of the current keys without counters, to be sent or saved.
   *
   * @return a new bank that shares nothing with this one
   */
  public FilterBank toFilterBank() {
    FilterBank bank = FilterBank.create(bits.shape(), hasher());
    bank.words().orAll(bits.words());
    return bank;
  }

  /**
   * A copy in heap memory that shares nothing with this bank.
   *
   * @return a bank with the same keys, writable even if this one is mapped
   */
  public CountingFilterBank copy() {
    return new CountingFilterBank(shape(), bits.copy(), counters.copy());
  }
}
