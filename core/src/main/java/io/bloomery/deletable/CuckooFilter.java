package io.bloomery.deletable;

import io.bloomery.CardinalityFilter;
import io.bloomery.FilterFullException;
import io.bloomery.FilterKind;
import io.bloomery.HashedFilter;
import io.bloomery.RemovableFilter;
import io.bloomery.ShapedFilter;
import io.bloomery.deletable.CuckooShape.Partner;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.PackedLanes;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.CuckooProbes;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A table of fingerprints of 4 to 32 bits, with deletes. It moves entries, so it needs a lock if
 * any thread writes while others use it. It never reports an added key absent, unless a key that
 * was not in it was removed; a key that was not added is reported present with probability about
 * {@code 8·load/2^f}, 0.19 % with 12 bits at a load of 95 %.
 *
 * <p>Smaller than a Bloom filter for rates below 0.4 %, and a query reads two cache lines whatever
 * the rate. A key has two buckets of four slots. It is a multiset: each {@code add} stores another
 * copy of the fingerprint, even if the key is already there, and each {@code remove} removes one.
 * All copies of a key, and of keys with the same fingerprint and buckets, must lie in its two
 * buckets, so a ninth is refused.
 *
 * <p>If no room can be made for a key, {@code add} throws {@link FilterFullException} and the
 * filter is unchanged. Removing a key that was never added but is reported present removes another
 * key's copy, and only that key may then be reported absent.
 *
 * <p>Threads: any number may query while none writes. {@link
 * io.bloomery.Filters#locked(RemovableFilter)} returns a view that several threads may write to.
 *
 * <p>Fan, Andersen, Kaminsky and Mitzenmacher 2014, "Cuckoo Filter: Practically Better Than Bloom".
 * Deviations: the number of buckets need only be even, because the other bucket is found by a
 * difference ({@link Partner#DIFFERENCE}); room is made by the shortest chain of moves, searched
 * breadth first before anything moves, instead of by a random walk; there is no victim cache.
 */
public final class CuckooFilter extends ShapedFilter<CuckooShape>
    implements RemovableFilter, CardinalityFilter {

  public static final FilterKind<CuckooFilter> KIND =
      Kind.of(20, "cuckoo", CuckooFilter.class)
          .question("is x in the set, with deletes? fingerprints in one of two buckets")
          .codec(CuckooFilter::encode, CuckooFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("cuckoo", CuckooShape.class)
                          .meets(Need.DELETES)
                          .forKeys(CuckooShape::forKeys)
                          .forBudget(CuckooShape::forBudget)
                          .reads(shape -> 2, shape -> shape.fingerprintBits() > 16 ? 6 : 4)
                          .works(shape -> 2.2 + 0.05 * shape.fingerprintBits())
                          .addsLike(4.5)
                          .falseDeletion("loses the key that shares its fingerprint")
                          .why(
                              "Fingerprints in one of two buckets, which can be deleted; two cache"
                                  + " lines per query, and threads that write need a lock")
                          .oneWriter()
                          .orderMatters()
                          .storesDuplicates()
                          .creates(CuckooFilter::create)));

  private final CuckooProbes probes;
  private final PackedLanes table;

  // Only for writers; path is created and size counted when first needed.
  private final long[] touched = new long[1];
  private @Nullable CuckooPath path;
  private long size = -1;

  private CuckooFilter(CuckooShape shape, Hasher hasher, CuckooProbes probes, PackedLanes table) {
    super(shape, hasher);
    this.probes = probes;
    this.table = table;
  }

  /**
   * The smallest filter for a number of keys and a rate.
   *
   * @param expectedKeys how many distinct keys it will hold at a time, 0 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static CuckooFilter create(long expectedKeys, double falsePositiveRate) {
    return create(CuckooShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape number of buckets, width of fingerprints, partner scheme
   * @return an empty filter
   */
  public static CuckooFilter create(CuckooShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape number of buckets, width of fingerprints, partner scheme
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static CuckooFilter create(CuckooShape shape, Hasher hasher) {
    Objects.requireNonNull(shape, "shape");
    CuckooProbes probes = probes(shape);
    PackedLanes table = PackedLanes.allocate(wordsFor(shape), probes.inBytes());
    CuckooFilter filter = new CuckooFilter(shape, hasher, probes, table);
    filter.size = 0;
    return filter;
  }

  private static CuckooProbes probes(CuckooShape shape) {
    boolean xor = shape.partner() == Partner.XOR;
    return new CuckooProbes(shape.buckets(), shape.fingerprintBits(), xor);
  }

  /** The words of the table, not copied. */
  Words words() {
    return table.words();
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape()).section(words());
  }

  private static CuckooFilter decode(Frame frame) throws IOException {
    CuckooShape shape = frame.shape(CuckooShape.class);
    if (probes(shape).inBytes()) {
      frame.requireHeap(wordsFor(shape) * Long.BYTES);
    }
    Words words = frame.section(0, wordsFor(shape));
    long last = (shape.sizeInBits() - 1) >>> 6;
    if (words.get(last + 1) != 0 || words.get(last) >>> 1 >>> (shape.sizeInBits() - 1) != 0) {
      throw frame.problem("section 0 has bits beyond those of " + shape);
    }
    CuckooProbes probes = probes(shape);
    boolean inBytes = probes.inBytes() && !frame.isOnlyVerified();
    return new CuckooFilter(shape, frame.hasher(), probes, PackedLanes.of(words, inBytes));
  }

  /** How many words hold a filter of a shape. */
  static long wordsFor(CuckooShape shape) {
    return CuckooProbes.wordsFor(shape.buckets(), shape.fingerprintBits());
  }

  @Override
  public FilterKind<CuckooFilter> kind() {
    return KIND;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return probes.contains(hash, table);
  }

  @Override
  public boolean mightContain(long key) {
    return mightContainHash(hash(key));
  }

  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    HashedFilter.checkBatch(hashes, from, to, hits);
    return probes.contains(hashes, from, to, hits, table);
  }

  /**
   * {@inheritDoc} Stores another copy in either case.
   *
   * @throws FilterFullException if no room can be made, or this key was added eight times; nothing
   *     has changed
   */
  @Override
  public boolean addHash(long hash) {
    table.requireWritable();
    long before = keyCount();
    boolean isNew = !probes.contains(hash, table);
    long fingerprint = probes.fingerprint(hash);
    long one = probes.bucket(hash);
    long two = probes.other(one, fingerprint);
    if (!probes.insert(one, two, fingerprint, table) && !makeRoom(one, two, fingerprint)) {
      throw full(one, two, fingerprint);
    }
    size = before + 1;
    return isNew;
  }

  @Override
  public boolean add(long key) {
    return addHash(hash(key));
  }

  private FilterFullException full(long one, long two, long fingerprint) {
    int most = 2 * CuckooShape.BUCKET_SLOTS;
    if (copies(one, fingerprint) + copies(two, fingerprint) == most) {
      return new FilterFullException(
          "this key's two buckets of %d slots are full of its own fingerprint: a key can be added at"
                  .formatted(CuckooShape.BUCKET_SLOTS)
              + " most %d times".formatted(most));
    }
    return new FilterFullException(
        "no room for another key: %d of %d slots are taken, %s is for %d keys"
            .formatted(keyCount(), shape().slots(), shape(), shape().capacity()));
  }

  private int copies(long bucket, long fingerprint) {
    int copies = 0;
    for (int lane = 0; lane < CuckooProbes.LANES; lane++) {
      copies += probes.get(bucket, lane, table) == fingerprint ? 1 : 0;
    }
    return copies;
  }

  private boolean makeRoom(long one, long two, long fingerprint) {
    if (path == null) {
      path = new CuckooPath(probes, table, shape().buckets());
    }
    return path.insert(one, two, fingerprint);
  }

  /** Memory kept for making room; none until both buckets of a key were full for the first time. */
  long scratchBytes() {
    return path == null ? 0 : path.scratchBytes();
  }

  /**
   * {@inheritDoc}
   *
   * @throws FilterFullException if no room can be made for one of the keys; the keys before it in
   *     the range were added, it and the following ones were not
   */
  @Override
  public void addHashes(long[] hashes, int from, int to) {
    Objects.requireNonNull(hashes, "hashes");
    Objects.checkFromToIndex(from, to, hashes.length);
    for (int start = from; start < to; start += Long.SIZE) {
      int end = Math.min(start + Long.SIZE, to);
      table.requireWritable();
      probes.touch(hashes, start, end, table, touched, 0);
      for (int i = start; i < end; i++) {
        addHash(hashes[i]);
      }
    }
  }

  /**
   * {@inheritDoc} Removes one copy. If the key was never added, the copy belonged to another key,
   * which may then be reported absent.
   */
  @Override
  public boolean removeHash(long hash) {
    table.requireWritable();
    long fingerprint = probes.fingerprint(hash);
    long bucket = probes.bucket(hash);
    int lane = probes.find(bucket, fingerprint, table);
    if (lane < 0) {
      bucket = probes.other(bucket, fingerprint);
      lane = probes.find(bucket, fingerprint, table);
    }
    if (lane < 0) {
      return false;
    }
    long before = keyCount();
    probes.set(bucket, lane, 0, table);
    size = before - 1;
    return true;
  }

  /**
   * {@inheritDoc} Here exactly the share of pairs of bucket and fingerprint that are reported
   * present.
   */
  @Override
  public double falsePositiveRate() {
    return probes.coveredPairs(table) / pairs();
  }

  /** All pairs of a bucket and a fingerprint. */
  private double pairs() {
    return (double) shape().buckets() * ((1L << shape().fingerprintBits()) - 1);
  }

  /**
   * The number of fingerprint copies in the filter, which equals the number of keys if each was
   * added once. The first call on an opened filter counts them.
   *
   * @return 0…{@code shape().slots()}
   */
  public long keyCount() {
    if (size >= 0) {
      return size;
    }
    long counted = probes.count(table);
    if (!table.isReadOnly()) {
      size = counted;
    }
    return counted;
  }

  /** {@inheritDoc} Here: the share of slots that are taken. */
  @Override
  public double fillRatio() {
    return (double) keyCount() / shape().slots();
  }

  /**
   * {@inheritDoc} Here: ln(1 − X) / ln(1 − 2/m), for the share X of the m pairs of bucket and
   * fingerprint that are reported present, of which a key has two. Copies of a key do not count.
   */
  @Override
  public double cardinality() {
    return Math.log1p(-falsePositiveRate()) / Math.log1p(-2 / pairs());
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public CuckooFilter copy() {
    return new CuckooFilter(shape(), hasher(), probes, table.copy(probes.inBytes()));
  }

  /** Removes every key. */
  public void clear() {
    table.clear();
    size = 0;
  }
}
