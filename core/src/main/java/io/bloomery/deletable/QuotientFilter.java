package io.bloomery.deletable;

import io.bloomery.FilterFullException;
import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.HashedFilter;
import io.bloomery.Mergeable;
import io.bloomery.RemovableFilter;
import io.bloomery.SizedBuilder;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Compatibility;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.probe.Mix;
import java.io.IOException;
import java.util.Objects;
import java.util.PrimitiveIterator;

/**
 * A sorted table of fingerprints that keys may leave again, that merges, doubles and lists its
 * fingerprints without the keys, and that moves entries, so it needs a lock as soon as one of
 * several threads writes. It never reports an added key absent, unless a key that was not in it was
 * removed; a key that was not added is reported present if its fingerprint is one of those in the
 * filter, about {@code load / 2^r} with remainders of r bits.
 *
 * <p>It is a multiset: each {@code add} stores one more copy of the fingerprint, also of a key that
 * was there, and each {@code remove} takes one away. Removing a key that was never added but is
 * answered "probably present" takes away the copy of another key, and just that one key may then be
 * reported absent.
 *
 * <p>A filter that is nine tenths full refuses a key with {@link FilterFullException} and is
 * exactly as it was. {@link #grow} doubles it, {@link Builder#growing} lets it double by itself.
 * Each doubling leaves the fingerprints as they are, so the rate grows with the number of keys and
 * nothing else, and it ends when a remainder has one bit left. Larger than {@link CuckooFilter} at
 * the same rate; choose it for merging, growing or listing.
 *
 * <p>Threads: any number may query while none writes. {@link
 * io.bloomery.Filters#locked(RemovableFilter)} gives a view for threads that write.
 *
 * <p>Bender et al. 2012, "Don't Thrash: How to Cache Your Hash on Flash", with three flags a slot;
 * flags in words of their own for every 64 slots as in Pandey et al. 2017, "A General-Purpose
 * Counting Filter". Deviation: the number of slots is any multiple of 64, because a fingerprint is
 * the hash reduced to {@code slots · 2^r} instead of its first bits.
 */
public final class QuotientFilter implements RemovableFilter, Mergeable<QuotientFilter>, Storable {

  /** How files name this kind. */
  public static final FilterKind<QuotientFilter> KIND =
      new FilterKind<>(
          21,
          "quotient",
          "is x in the set, and may it leave? sorted fingerprints that merge and double",
          QuotientFilter.class,
          QuotientFilter::encode,
          QuotientFilter::decode,
          () ->
              FilterRecipe.locked(
                  QuotientShape.class,
                  QuotientShape::forKeys,
                  QuotientShape::forBudget,
                  order -> builder().shape(order.shape()).hasher(order.hasher()).build()));

  private static final int DEFAULT_REMAINDER_BITS = 9;

  private final Hasher hasher;
  private final boolean growing;
  private final long fingerprints;
  private QuotientShape shape;
  private QuotientTable table;
  private long size = -1;

  private QuotientFilter(Hasher hasher, boolean growing, QuotientShape shape, QuotientTable table) {
    this.hasher = hasher;
    this.growing = growing;
    this.fingerprints = shape.fingerprints();
    this.shape = shape;
    this.table = table;
  }

  /**
   * The smallest filter for a number of keys and a rate, three quarters full at that number.
   *
   * @param expectedKeys how many keys will be in it at the same time, 1 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static QuotientFilter create(long expectedKeys, double falsePositiveRate) {
    return builder().expectedKeys(expectedKeys).falsePositiveRate(falsePositiveRate).build();
  }

  /**
   * A filter whose size is given, as papers do.
   *
   * @param slots number of slots, a multiple of 64
   * @param remainderBits bits of a remainder, 1…40
   * @return an empty filter
   */
  public static QuotientFilter ofSlots(long slots, int remainderBits) {
    return builder().shape(new QuotientShape(slots, remainderBits)).build();
  }

  /**
   * All options.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  private Frame encode() {
    return Frame.of(hasher)
        .put("slots", shape.slots())
        .put("remainder bits", shape.remainderBits())
        .put("growing", growing ? 1 : 0)
        .section(table.words());
  }

  private static QuotientFilter decode(Frame frame) throws IOException {
    long slots = frame.number("slots", 64, QuotientShape.MAX_BITS);
    int bits = (int) frame.number("remainder bits", 1, 40);
    boolean growing = frame.number("growing", 0, 1) == 1;
    QuotientShape shape;
    try {
      shape = new QuotientShape(slots, bits);
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    QuotientTable table =
        new QuotientTable(shape, frame.section(0, shape.sizeInBits() / Long.SIZE));
    if (!table.words().isReadOnly() && !(table.isSound() && table.count() <= shape.capacity())) {
      throw frame.problem("the slots contradict each other");
    }
    return new QuotientFilter(frame.hasher(), growing, shape, table);
  }

  @Override
  public FilterKind<QuotientFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * Number of slots and width of remainders, which change when the filter doubles.
   *
   * @return the present shape, with its rate formula
   */
  public QuotientShape shape() {
    return shape;
  }

  /**
   * Whether the filter doubles by itself.
   *
   * @return as {@link Builder#growing} said
   */
  public boolean isGrowing() {
    return growing;
  }

  private long fingerprint(long hash) {
    return Mix.reduce(hash, fingerprints);
  }

  @Override
  public boolean mightContainHash(long hash) {
    return table.contains(fingerprint(hash));
  }

  @Override
  public boolean mightContain(long key) {
    return mightContainHash(hasher.hash(key));
  }

  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    HashedFilter.checkBatch(hashes, from, to, hits);
    QuotientTable present = table;
    long[] asked = new long[Long.SIZE + 1];
    int total = 0;
    for (int start = from, at = 0; start < to; start += Long.SIZE, at++) {
      int count = Math.min(Long.SIZE, to - start);
      // Brings the flags of all into the cache first, so that the misses overlap.
      long touched = 0;
      for (int i = 0; i < count; i++) {
        asked[i] = fingerprint(hashes[start + i]);
        touched |= present.touch(asked[i]);
      }
      asked[Long.SIZE] = touched; // else the reads would be dead code
      long answers = 0;
      for (int i = 0; i < count; i++) {
        answers |= (present.contains(asked[i]) ? 1L : 0L) << i;
      }
      hits[at] = answers;
      total += Long.bitCount(answers);
    }
    return total;
  }

  /**
   * {@inheritDoc} Stores one more copy in either case.
   *
   * @throws FilterFullException if nine tenths of the slots are taken and the filter does not, or
   *     cannot, double; nothing has changed then
   */
  @Override
  public boolean addHash(long hash) {
    table.words().writable();
    long before = size();
    if (before >= shape.capacity()) {
      if (!growing || !shape.canDouble()) {
        throw new FilterFullException(
            "no room for another key: %d of %d slots are taken, %s takes %d keys%s"
                .formatted(
                    before,
                    shape.slots(),
                    shape,
                    shape.capacity(),
                    shape.canDouble() ? "; grow() doubles it" : " and cannot double"));
      }
      grow();
    }
    long fingerprint = fingerprint(hash);
    boolean isNew = !table.contains(fingerprint);
    table.insert(fingerprint);
    size = before + 1;
    return isNew;
  }

  @Override
  public boolean add(long key) {
    return addHash(hasher.hash(key));
  }

  /**
   * {@inheritDoc} Takes away one copy. If the key was never added, that copy was another key's,
   * which may then be reported absent.
   */
  @Override
  public boolean removeHash(long hash) {
    table.words().writable();
    long before = size();
    boolean removed = table.remove(fingerprint(hash));
    size = removed ? before - 1 : before;
    return removed;
  }

  /**
   * Doubles the number of slots, without the keys. Every answer stays as it is.
   *
   * @throws IllegalStateException if a remainder has one bit left, or the filter would be too
   *     large, or it is a read-only view of a mapped file
   */
  public void grow() {
    table.words().writable();
    QuotientShape doubled = shape.doubled();
    QuotientTable larger = QuotientTable.of(doubled);
    insertAll(table, larger);
    shape = doubled;
    table = larger;
  }

  private static void insertAll(QuotientTable source, QuotientTable target) {
    for (PrimitiveIterator.OfLong all = source.iterator(); all.hasNext(); ) {
      target.insert(all.nextLong());
    }
  }

  /**
   * Whether {@link #merge} would accept the other filter: their hashers and numbers of fingerprints
   * are equal. The numbers of slots may differ.
   *
   * @param other another filter
   * @return true if they can be merged
   */
  @Override
  public boolean isCompatible(QuotientFilter other) {
    Objects.requireNonNull(other, "other");
    return Compatibility.equal(hasher, other.hasher, domain(), other.domain());
  }

  private Domain domain() {
    return new Domain(fingerprints);
  }

  private record Domain(long fingerprints) {}

  /**
   * {@inheritDoc} Every copy of the other is added to those of this filter, so it holds each key as
   * often as both together, and twice as often after merging with itself. The result has the slots
   * of the larger one, and doubles until there is room, also if the filter does not grow by itself.
   *
   * @throws FilterFullException if it cannot double so often; nothing has changed then
   */
  @Override
  public void merge(QuotientFilter other) {
    Objects.requireNonNull(other, "other");
    Compatibility.require(hasher, other.hasher, domain(), other.domain());
    table.words().writable();
    long together = size() + other.size();
    QuotientShape merged = shape.slots() >= other.shape.slots() ? shape : other.shape;
    while (merged.capacity() < together) {
      if (!merged.canDouble()) {
        throw new FilterFullException(
            "no room for %d and %d keys: %s cannot double".formatted(size(), other.size(), merged));
      }
      merged = merged.doubled();
    }
    QuotientTable union = QuotientTable.of(merged);
    insertAll(table, union);
    insertAll(other.table, union);
    shape = merged;
    table = union;
    size = together;
  }

  /**
   * All fingerprints in ascending order, as often as each is in the filter: {@code high(hash,
   * shape().fingerprints())} of the keys, where high is the upper half of the 128-bit product. The
   * filter must not change meanwhile.
   *
   * @return an iterator
   */
  public PrimitiveIterator.OfLong fingerprints() {
    return table.iterator();
  }

  /** {@inheritDoc} Here exactly the share of fingerprints that are in the filter. */
  @Override
  public double falsePositiveRate() {
    long distinct = 0;
    long last = -1;
    for (PrimitiveIterator.OfLong all = table.iterator(); all.hasNext(); ) {
      long fingerprint = all.nextLong();
      distinct += fingerprint == last ? 0 : 1;
      last = fingerprint;
    }
    return (double) distinct / fingerprints;
  }

  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  /**
   * How many copies of fingerprints are in the filter, which is the number of keys if each was
   * added once. Counts them when a filter that was opened is first asked.
   *
   * @return 0…{@code shape().capacity()}
   */
  public long size() {
    if (size >= 0) {
      return size;
    }
    long counted = table.count();
    if (!table.words().isReadOnly()) {
      size = counted;
    }
    return counted;
  }

  /**
   * The share of slots that are taken.
   *
   * @return 0…0.9
   */
  public double loadFactor() {
    return (double) size() / shape.slots();
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public QuotientFilter copy() {
    return new QuotientFilter(
        hasher, growing, shape, new QuotientTable(shape, table.words().copy()));
  }

  /** Removes every key; the number of slots stays. */
  public void clear() {
    table.words().clear();
    size = 0;
  }

  /**
   * Whether two filters have equal shapes, hashers and slots, which is so if they hold the same
   * fingerprints, in whatever order they were added.
   *
   * @param other another filter
   * @return true if they answer alike for ever
   */
  public boolean sameBits(QuotientFilter other) {
    return Compatibility.equal(hasher, other.hasher, shape, other.shape)
        && table.words().sameBits(other.table.words());
  }

  @Override
  public String toString() {
    return "QuotientFilter[" + shape + ", " + hasher + "]";
  }

  /** Options of a filter: expected keys with a rate, or a shape. */
  public static final class Builder extends SizedBuilder<Builder> {
    private double loadFactor;
    private boolean growing;
    private QuotientShape shape;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * The share of slots that the expected keys take at most.
     *
     * @param loadFactor 0.1…0.9; 0.75 if never called
     * @return this
     */
    public Builder loadFactor(double loadFactor) {
      this.loadFactor =
          Arguments.inRange("loadFactor", loadFactor, 0.1, QuotientShape.MAX_LOAD_FACTOR);
      return this;
    }

    /**
     * Whether the filter doubles by itself when it is nine tenths full.
     *
     * @param growing false if never called
     * @return this
     */
    public Builder growing(boolean growing) {
      this.growing = growing;
      return this;
    }

    /**
     * The whole shape, instead of keys, rate and load.
     *
     * @param shape the shape
     * @return this
     */
    public Builder shape(QuotientShape shape) {
      this.shape = Objects.requireNonNull(shape, "shape");
      return this;
    }

    /**
     * Makes the filter. Without a rate a remainder has 9 bits at the expected number of keys, which
     * gives 0.15 % at the default load.
     *
     * @return an empty filter
     * @throws IllegalArgumentException if neither {@code expectedKeys} nor a shape was given, or
     *     both
     */
    public QuotientFilter build() {
      QuotientShape chosen = chosenShape();
      QuotientFilter filter = new QuotientFilter(hasher, growing, chosen, QuotientTable.of(chosen));
      filter.size = 0;
      return filter;
    }

    private QuotientShape chosenShape() {
      if (shape != null) {
        if (expectedKeys != 0 || falsePositiveRate != 0 || loadFactor != 0) {
          throw new IllegalArgumentException(
              "shape " + shape + " excludes expectedKeys, falsePositiveRate and loadFactor");
        }
        return shape;
      }
      double load = loadFactor == 0 ? QuotientShape.DEFAULT_LOAD_FACTOR : loadFactor;
      return falsePositiveRate != 0
          ? QuotientShape.forKeys(expectedKeys, falsePositiveRate, load)
          : QuotientShape.forRemainders(expectedKeys, DEFAULT_REMAINDER_BITS, load);
    }
  }
}
