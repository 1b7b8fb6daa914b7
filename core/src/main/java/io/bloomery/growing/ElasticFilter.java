package io.bloomery.growing;

import io.bloomery.FilterFullException;
import io.bloomery.FilterKind;
import io.bloomery.HashedFilter;
import io.bloomery.RemovableFilter;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import io.bloomery.plan.Shape;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A table of fingerprints for a set of unknown size, with deletes, that grows by one small page at
 * a time without the keys: 14.4 to 17.6 bits per key at 1 % from a thousand to a hundred million
 * keys, and a query reads one page regardless of growth, in two to four times the time of a blocked
 * filter. It moves entries, so it needs a lock if any thread writes while others use it. It never
 * reports an added key absent, unless a key that was not in it was removed.
 *
 * <p>It is a multiset: each {@code add} stores another copy, even if the key is already there, and
 * each {@code remove} removes one. A fingerprint with {@link #MAX_COPIES} copies is stuck, like a
 * counter at its maximum: further ones are not stored, and none is removed until the filter is
 * cleared. As the filter grows, keys get longer fingerprints, which are counted anew. A page
 * refuses more than 65,535 entries, which only hashes chosen for it can reach.
 *
 * <p>Growth. The pages split one after another, round by round (linear hashing). A split moves the
 * next bit of each fingerprint from the entry to the number of its page, so that older keys have
 * shorter entries; new keys get longer ones ({@link ElasticShape}). An entry without remaining
 * bits, which belongs to a key added when the filter was about a thousandth of its current size,
 * matches its whole bucket and is copied into both pages. The number of doublings is unlimited.
 * Removing such a key removes its copy from the only bucket that a query for it reads; the other
 * copies stay and count in {@link #falsePositiveRate()}. Pages are never joined: after mass
 * removals the filter keeps about 1,900 bits per page.
 *
 * <p>Threads: any number may query while none writes. {@link
 * io.bloomery.Filters#locked(RemovableFilter)} returns a view that several threads may write to. A
 * mapped filter copies a page per query, about a kilobyte.
 *
 * <p>Fingerprints that lose a bit per doubling, and entries that mark their own length: Dayan,
 * Bercea, Reviriego and Pagh 2023, "InfiniFilter". Entries without bits that are in both halves:
 * Dayan, Bercea and Pagh 2024, "Aleph Filter". Longest match for deletes: both. Pages that split in
 * turn: Litwin 1980, "Linear Hashing". Deviations: pages of any number of words, sorted by bucket
 * with unary counts, instead of slots in a table that doubles, which is half empty after each
 * doubling; growth by less than a thousandth at a time where theirs is by a factor of 2.
 */
public final class ElasticFilter extends ShapedFilter<ElasticShape> implements RemovableFilter {

  public static final FilterKind<ElasticFilter> KIND =
      Kind.of(91, "elastic", ElasticFilter.class)
          .question("is x in the set, with deletes? grows by a page at a time, without the keys")
          .codec(ElasticFilter::encode, ElasticFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("elastic", ElasticShape.class)
                          .meets(Need.UNKNOWN_GROWTH, Need.DELETES)
                          .onlyFor(Need.UNKNOWN_GROWTH)
                          .forKeys(ElasticShape::forKeys)
                          .forBudget(ElasticShape::forBudget)
                          .reads(shape -> 4, shape -> 6)
                          .works(shape -> 9.5)
                          .absent(shape -> 4, shape -> 9)
                          .fetches(shape -> 3, shape -> 2.5)
                          .falseDeletion("loses the key that shares its fingerprint")
                          .why(
                              "Keeps its rate and its bits per key within a fifth however many keys are"
                                  + " added, for two to four times the time of a blocked filter;"
                                  + " threads that write need a lock")
                          .oneWriter()
                          .orderMatters()
                          .storesDuplicates()
                          .creates(ElasticFilter::create)));

  /** The most copies of a fingerprint that are stored; from then on they stay. */
  public static final int MAX_COPIES = ElasticPage.MAX_COPIES;

  /** The most pages of a file, enough for 2^36 keys. */
  private static final long MAX_PAGES = Shape.MAX_KEYS / ElasticShape.PAGE_KEYS;

  private final ElasticPages pages;
  private long keys;

  private ElasticFilter(ElasticShape shape, Hasher hasher, ElasticPages pages, long keys) {
    super(shape, hasher);
    this.pages = pages;
    this.keys = keys;
  }

  /**
   * A filter that starts small and grows.
   *
   * @param expectedKeys an estimate, 0 or more; a wrong one costs little
   * @param falsePositiveRate the highest acceptable rate at any number of keys, above 0, below 1
   * @return an empty filter
   */
  public static ElasticFilter create(long expectedKeys, double falsePositiveRate) {
    return create(ElasticShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape the number of keys it starts from, and its rate
   * @return an empty filter
   */
  public static ElasticFilter create(ElasticShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape the number of keys it starts from, and its rate
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static ElasticFilter create(ElasticShape shape, Hasher hasher) {
    Objects.requireNonNull(shape, "shape");
    long count = shape.pages(0);
    ElasticPages pages = ElasticPages.empty((int) count, shape.fingerprintBits(count));
    return new ElasticFilter(shape, hasher, pages, 0);
  }

  private Frame encode() {
    Frame frame = Frame.of(hasher()).put(shape()).put("pages", pages.count()).put("keys", keys);
    return pages.write(frame);
  }

  private static @Nullable ElasticFilter decode(Frame frame) throws IOException {
    ElasticShape shape = frame.shape(ElasticShape.class);
    int count = (int) frame.number("pages", shape.pages(0), Math.max(shape.pages(0), MAX_PAGES));
    long keys = frame.number("keys", 0, (long) count * ElasticShape.PAGE_KEYS);
    ElasticPages pages = ElasticPages.read(frame, count, shape.fingerprintBits(count), keys);
    return pages == null ? null : new ElasticFilter(shape, frame.hasher(), pages, keys);
  }

  @Override
  public FilterKind<ElasticFilter> kind() {
    return KIND;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return pages.contains(hash);
  }

  @Override
  public boolean mightContain(long key) {
    return mightContainHash(hash(key));
  }

  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    HashedFilter.checkBatch(hashes, from, to, hits);
    return pages.contains(hashes, from, to, hits);
  }

  /**
   * {@inheritDoc} Stores another copy in either case, up to {@link #MAX_COPIES}.
   *
   * @throws FilterFullException if the key's page has 65,535 entries, which only hashes chosen for
   *     it can reach; nothing has changed
   */
  @Override
  public boolean addHash(long hash) {
    if (pages.isStuck(hash)) {
      return false;
    }
    pages.requireRoom(hash);
    while (pages.count() < shape().pages(keys + 1)) {
      pages.split(shape().fingerprintBits(pages.count() + 1));
    }
    boolean isNew = !pages.contains(hash);
    pages.insert(hash);
    keys++;
    return isNew;
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
    int removed = pages.remove(hash);
    keys -= Math.max(0, removed);
    return removed >= 0;
  }

  /** {@inheritDoc} Here exactly the share of all hashes that match an entry. Reads all pages. */
  @Override
  public double falsePositiveRate() {
    return pages.covered();
  }

  /** {@inheritDoc} Here: the current size, with the references to pages and their headers. */
  @Override
  public long sizeInBits() {
    return pages.sizeInBits();
  }

  /**
   * The number of keys in the filter, counting repetitions.
   *
   * @return additions minus removals
   */
  public long keyCount() {
    return keys;
  }

  /**
   * The number of pages.
   *
   * @return 1 or more
   */
  public int pageCount() {
    return pages.count();
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public ElasticFilter copy() {
    return new ElasticFilter(shape(), hasher(), pages.copy(), keys);
  }

  /** Removes every key and the pages that were added. */
  public void clear() {
    long count = shape().pages(0);
    pages.clear((int) count, shape().fingerprintBits(count));
    keys = 0;
  }
}
