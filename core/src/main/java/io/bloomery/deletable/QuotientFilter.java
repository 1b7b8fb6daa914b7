package io.bloomery.deletable;

import io.bloomery.CardinalityFilter;
import io.bloomery.FilterFullException;
import io.bloomery.FilterKind;
import io.bloomery.HashedFilter;
import io.bloomery.Mergeable;
import io.bloomery.RemovableFilter;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.PrimitiveIterator;

/**
 * A sorted table of fingerprints, with deletes, that merges, doubles and lists its fingerprints
 * without the keys. It moves entries, so it needs a lock if any thread writes while others use it.
 * It never reports an added key absent, unless a key that was not in it was removed; a key that was
 * not added is reported present if its fingerprint is one of those in the filter, about {@code load
 * / 2^r} with remainders of r bits.
 *
 * <p>It is a multiset: each {@code add} stores another copy of the fingerprint, even if the key is
 * already there, and each {@code remove} removes one. Removing a key that was never added but is
 * reported present removes another key's copy, and only that key may then be reported absent. A
 * fingerprint with {@link #MAX_COPIES} copies is stuck, like a counter at its maximum: further ones
 * are not stored, and none is removed until the filter is cleared, so that keys repeated without
 * end neither fill the filter nor make it slow.
 *
 * <p>When the filter is nine tenths full, {@code add} throws {@link FilterFullException} and leaves
 * it unchanged. {@link #grow} doubles it; a {@linkplain QuotientShape#withGrowth growing} one
 * doubles by itself. Each doubling leaves the fingerprints as they are, so the rate grows only with
 * the number of keys; doubling ends when a remainder has one bit left. It is larger than {@link
 * CuckooFilter} at the same rate; choose it for merging, growing or listing.
 *
 * <p>Threads: any number may query while none writes. {@link
 * io.bloomery.Filters#locked(RemovableFilter)} returns a view that several threads may write to.
 *
 * <p>Bender et al. 2012, "Don't Thrash: How to Cache Your Hash on Flash", with three flags per
 * slot; the flags of every 64 slots are in separate words, as in Pandey et al. 2017, "A
 * General-Purpose Counting Filter". Deviation: the number of slots is any multiple of 64, because a
 * fingerprint is the hash reduced to {@code slots · 2^r} instead of its first bits.
 */
public final class QuotientFilter extends ShapedFilter<QuotientShape>
    implements RemovableFilter, CardinalityFilter, Mergeable<QuotientFilter> {

  public static final FilterKind<QuotientFilter> KIND =
      Kind.of(21, "quotient", QuotientFilter.class)
          .question("is x in the set, with deletes? sorted fingerprints that merge and double")
          .codec(QuotientFilter::encode, QuotientFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("quotient", QuotientShape.class)
                          .meets(Need.DELETES)
                          .forKeys(QuotientShape::forKeys)
                          .forBudget(QuotientShape::forBudget)
                          .reads(shape -> 3, shape -> 6)
                          .works(shape -> 14)
                          .absent(shape -> 2, shape -> 11)
                          .fetches(shape -> 1, shape -> 1)
                          .falseDeletion("loses the key that shares its fingerprint")
                          .why(
                              "Sorted fingerprints, which can be deleted, merged and listed without"
                                  + " the keys; threads that write need a lock")
                          .oneWriter()
                          .mergesExactly()
                          .storesDuplicates()
                          .creates(QuotientFilter::create)));

  /** The most copies of a fingerprint that are stored; from then on they stay. */
  public static final int MAX_COPIES = 255;

  private final long fingerprints;
  private QuotientShape shape;
  private QuotientTable table;
  private long size = -1;

  private QuotientFilter(QuotientShape shape, Hasher hasher, QuotientTable table) {
    super(shape, hasher);
    this.fingerprints = shape.fingerprints();
    this.shape = shape;
    this.table = table;
  }

  /**
   * The smallest filter for a number of keys and a rate, three quarters full at that number.
   *
   * @param expectedKeys how many distinct keys it will hold at a time, 0 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static QuotientFilter create(long expectedKeys, double falsePositiveRate) {
    return create(QuotientShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape number of slots, width of remainders, whether it grows by itself
   * @return an empty filter
   */
  public static QuotientFilter create(QuotientShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape number of slots, width of remainders, whether it grows by itself
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static QuotientFilter create(QuotientShape shape, Hasher hasher) {
    Objects.requireNonNull(shape, "shape");
    QuotientFilter filter = new QuotientFilter(shape, hasher, QuotientTable.of(shape));
    filter.size = 0;
    return filter;
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape).section(table.words());
  }

  private static QuotientFilter decode(Frame frame) throws IOException {
    QuotientShape shape = frame.shape(QuotientShape.class);
    QuotientTable table =
        new QuotientTable(shape, frame.section(0, shape.sizeInBits() / Long.SIZE));
    frame.requireOfWords(
        () -> table.isSound() && table.count() <= shape.capacity(),
        "the slots contradict each other");
    return new QuotientFilter(shape, frame.hasher(), table);
  }

  @Override
  public FilterKind<QuotientFilter> kind() {
    return KIND;
  }

  @Override
  public QuotientShape shape() {
    return shape;
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
    return mightContainHash(hash(key));
  }

  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    HashedFilter.checkBatch(hashes, from, to, hits);
    QuotientTable present = table;
    long[] asked = new long[Long.SIZE + 1];
    int total = 0;
    for (int start = from, at = 0; start < to; start += Long.SIZE, at++) {
      int count = Math.min(Long.SIZE, to - start);
      // First brings the flags of all keys into the cache, so that the misses overlap.
      long touched = 0;
      for (int i = 0; i < count; i++) {
        asked[i] = fingerprint(hashes[start + i]);
        touched |= present.touch(asked[i]);
      }
      asked[Long.SIZE] = touched; // otherwise the compiler would remove the reads
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
   * {@inheritDoc} Stores another copy in either case, up to {@link #MAX_COPIES}.
   *
   * @throws FilterFullException if nine tenths of the slots are taken and the filter does not, or
   *     cannot, double; nothing has changed
   */
  @Override
  public boolean addHash(long hash) {
    table.words().writable();
    long before = keyCount();
    long fingerprint = fingerprint(hash);
    int copies = table.copies(fingerprint, MAX_COPIES);
    if (copies == MAX_COPIES) {
      return false;
    }
    if (before >= shape.capacity()) {
      if (!shape.growing() || !shape.canDouble()) {
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
    table.insert(fingerprint);
    size = before + 1;
    return copies == 0;
  }

  @Override
  public boolean add(long key) {
    return addHash(hash(key));
  }

  /**
   * {@inheritDoc} Removes one copy, unless there are {@link #MAX_COPIES}, which stay. If the key
   * was never added, the copy belonged to another key, which may then be reported absent.
   */
  @Override
  public boolean removeHash(long hash) {
    table.words().writable();
    long before = keyCount();
    long fingerprint = fingerprint(hash);
    if (table.copies(fingerprint, MAX_COPIES) == MAX_COPIES) {
      return true;
    }
    boolean removed = table.remove(fingerprint);
    size = removed ? before - 1 : before;
    return removed;
  }

  /**
   * Doubles the number of slots, without needing the keys. No answer changes.
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
   * Filters can be merged if their fingerprints have the same range; the numbers of slots may
   * differ.
   */
  @Override
  protected Object layout() {
    return new Range(fingerprints);
  }

  private record Range(long fingerprints) {}

  /**
   * {@inheritDoc} Here: hashers and numbers of fingerprints are equal. The numbers of slots may
   * differ.
   */
  @Override
  public boolean isCompatible(QuotientFilter other) {
    return fits(other);
  }

  /**
   * {@inheritDoc} All copies of the other filter are added to this one, so the counts of each key
   * add up, to {@link #MAX_COPIES} at most. The result has the slots of the larger one, and doubles
   * until there is room, even if the filter does not grow by itself.
   *
   * @throws FilterFullException if it cannot double often enough; nothing has changed
   */
  @Override
  public void merge(QuotientFilter other) {
    requireFits(other);
    table.words().writable();
    if (other == this) {
      return;
    }
    long together = keyCount() + other.keyCount();
    long slots = Math.max(shape.slots(), other.shape.slots());
    QuotientShape merged = shape;
    while (merged.slots() < slots) {
      merged = merged.doubled();
    }
    while (merged.capacity() < together) {
      if (!merged.canDouble()) {
        throw new FilterFullException(
            "no room for %d and %d keys: %s cannot double"
                .formatted(keyCount(), other.keyCount(), merged));
      }
      merged = merged.doubled();
    }
    QuotientTable union = QuotientTable.of(merged);
    insertAll(table, union);
    long added = 0;
    for (PrimitiveIterator.OfLong all = other.table.iterator(); all.hasNext(); ) {
      long fingerprint = all.nextLong();
      if (union.copies(fingerprint, MAX_COPIES) < MAX_COPIES) {
        union.insert(fingerprint);
        added++;
      }
    }
    size = keyCount() + added;
    shape = merged;
    table = union;
  }

  /**
   * All fingerprints in ascending order, each as often as it is in the filter: {@code high(hash,
   * shape().fingerprints())} of the keys, where high is the upper half of the 128-bit product. The
   * filter must not change during the iteration.
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

  /** {@inheritDoc} Here: the current size, which doubles. */
  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  /**
   * The number of fingerprint copies in the filter, which equals the number of keys if each was
   * added once. The first call on an opened filter counts them.
   *
   * @return 0…{@code shape().capacity()}
   */
  public long keyCount() {
    if (size >= 0) {
      return size;
    }
    long counted = table.count();
    if (!table.words().isReadOnly()) {
      size = counted;
    }
    return counted;
  }

  /** {@inheritDoc} Here: the share of slots that are taken, 0.9 at most. */
  @Override
  public double fillRatio() {
    return (double) keyCount() / shape.slots();
  }

  /**
   * {@inheritDoc} Here: from the number of distinct fingerprints, since keys may share one. Copies
   * of a key do not count.
   */
  @Override
  public double cardinality() {
    return Math.log1p(-falsePositiveRate()) / Math.log1p(-1.0 / fingerprints);
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public QuotientFilter copy() {
    return new QuotientFilter(shape, hasher(), new QuotientTable(shape, table.words().copy()));
  }

  /** Removes every key; the number of slots stays. */
  public void clear() {
    table.words().clear();
    size = 0;
  }
}
