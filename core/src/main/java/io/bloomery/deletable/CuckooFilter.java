package io.bloomery.deletable;

import io.bloomery.FilterFullException;
import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.HashedFilter;
import io.bloomery.RemovableFilter;
import io.bloomery.SizedBuilder;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Compatibility;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.probe.CuckooProbes;
import java.io.IOException;
import java.util.Objects;

/**
 * A table of fingerprints of 4 to 32 bits that keys may leave again, and that moves entries, so it
 * needs a lock as soon as one of several threads writes. It never reports an added key absent,
 * unless a key that was not in it was removed; a key that was not added is reported present with
 * probability about {@code 8·load/2^f}, 0.19 % with 12 bits at a load of 95 %.
 *
 * <p>Smaller than a Bloom filter for rates below 0.4 %, and a query reads two cache lines whatever
 * the rate. A key has two buckets of four slots. It is a multiset: each {@code add} stores one more
 * copy of the fingerprint, also of a key that was there, and each {@code remove} takes one away.
 * All copies of a key, and of keys with the same fingerprint and buckets, must lie in its two
 * buckets, so a ninth does not fit.
 *
 * <p>A key for which no room can be made is refused with {@link FilterFullException}, and the
 * filter is exactly as it was. Removing a key that was never added but is answered "probably
 * present" takes away the copy of another key, and just that one key may then be reported absent.
 *
 * <p>Threads: any number may query while none writes. {@link
 * io.bloomery.Filters#locked(RemovableFilter)} gives a view for threads that write.
 *
 * <p>Fan, Andersen, Kaminsky and Mitzenmacher 2014, "Cuckoo Filter: Practically Better Than Bloom".
 * Deviations: the number of buckets need only be even, because the other bucket is found by a
 * difference ({@link Partner#DIFFERENCE}); room is made by the shortest chain of moves, searched
 * breadth first before anything moves, instead of by a random walk; there is no victim cache.
 */
public final class CuckooFilter implements RemovableFilter, Storable {

  /** How files name this kind. */
  public static final FilterKind<CuckooFilter> KIND =
      new FilterKind<>(
          20,
          "cuckoo",
          "is x in the set, and may it leave? fingerprints in one of two buckets",
          CuckooFilter.class,
          CuckooFilter::encode,
          CuckooFilter::decode,
          () ->
              FilterRecipe.locked(
                  CuckooShape.class,
                  CuckooShape::forKeys,
                  CuckooShape::forBudget,
                  order -> builder().shape(order.shape()).hasher(order.hasher()).build()));

  private static final int DEFAULT_FINGERPRINT_BITS = 12;

  private final Hasher hasher;
  private final CuckooShape shape;
  private final Partner partner;
  private final CuckooProbes probes;
  private final Words words;

  // Only for writers; path and size are made and counted when first needed.
  private final long[] touched = new long[1];
  private CuckooPath path;
  private long size = -1;

  private CuckooFilter(Hasher hasher, CuckooShape shape, Partner partner, Words words) {
    this.hasher = hasher;
    this.shape = shape;
    this.partner = partner;
    this.words = words;
    this.probes =
        new CuckooProbes(shape.buckets(), shape.fingerprintBits(), partner == Partner.XOR);
  }

  /** How the other bucket of a fingerprint is found from one bucket and the fingerprint. */
  public enum Partner {
    /** An odd number that depends on the fingerprint, minus the bucket: any even number of them. */
    DIFFERENCE(1),
    /** The classic scheme, bucket xor an odd number: the number of buckets is a power of two. */
    XOR(2);

    private final int wireId;

    Partner(int wireId) {
      this.wireId = wireId;
    }
  }

  /**
   * The smallest filter for a number of keys and a rate.
   *
   * @param expectedKeys how many keys will be in it at the same time, 1 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static CuckooFilter create(long expectedKeys, double falsePositiveRate) {
    return builder().expectedKeys(expectedKeys).falsePositiveRate(falsePositiveRate).build();
  }

  /**
   * A filter whose size is given, as papers do.
   *
   * @param buckets number of buckets of four, even, 2 or more
   * @param fingerprintBits bits per fingerprint, 4…32
   * @return an empty filter
   */
  public static CuckooFilter ofBuckets(long buckets, int fingerprintBits) {
    return builder().shape(new CuckooShape(buckets, fingerprintBits)).build();
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
        .put("buckets", shape.buckets())
        .put("fingerprint bits", shape.fingerprintBits())
        .put("partner", partner.wireId)
        .section(words);
  }

  private static CuckooFilter decode(Frame frame) throws IOException {
    long buckets = frame.number("buckets", 2, 1L << 32);
    int bits = (int) frame.number("fingerprint bits", 4, 32);
    Partner partner = Partner.values()[(int) frame.number("partner", 1, 2) - 1];
    CuckooShape shape;
    try {
      shape = new CuckooShape(buckets, bits);
      requirePowerOfTwo(shape, partner);
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    Words words = frame.section(0, wordsFor(shape));
    long last = (shape.sizeInBits() - 1) >>> 6;
    if (words.get(last + 1) != 0 || words.get(last) >>> 1 >>> (shape.sizeInBits() - 1) != 0) {
      throw frame.problem("section 0 has bits beyond those of " + shape);
    }
    return new CuckooFilter(frame.hasher(), shape, partner, words);
  }

  private static long wordsFor(CuckooShape shape) {
    return CuckooProbes.wordsFor(shape.buckets(), shape.fingerprintBits());
  }

  private static void requirePowerOfTwo(CuckooShape shape, Partner partner) {
    if (partner == Partner.XOR && Long.bitCount(shape.buckets()) != 1) {
      throw new IllegalArgumentException(
          "buckets = " + shape.buckets() + " is no power of two, which partner XOR needs");
    }
  }

  @Override
  public FilterKind<CuckooFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * Number of buckets and width of fingerprints.
   *
   * @return the shape, with its rate formula
   */
  public CuckooShape shape() {
    return shape;
  }

  /**
   * How the other bucket is found.
   *
   * @return the scheme
   */
  public Partner partner() {
    return partner;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return probes.contains(hash, words);
  }

  @Override
  public boolean mightContain(long key) {
    return mightContainHash(hasher.hash(key));
  }

  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    HashedFilter.checkBatch(hashes, from, to, hits);
    return probes.contains(hashes, from, to, hits, words);
  }

  /**
   * {@inheritDoc} Stores one more copy in either case.
   *
   * @throws FilterFullException if no room can be made; nothing has changed then
   */
  @Override
  public boolean addHash(long hash) {
    words.writable();
    long before = size();
    boolean isNew = !probes.contains(hash, words);
    long fingerprint = probes.fingerprint(hash);
    long one = probes.bucket(hash);
    long two = probes.other(one, fingerprint);
    if (!probes.insert(one, two, fingerprint, words) && !makeRoom(one, two, fingerprint)) {
      throw new FilterFullException(
          "no room for another key: %d of %d slots are taken, %s is for %d keys"
              .formatted(before, shape.slots(), shape, shape.capacity()));
    }
    size = before + 1;
    return isNew;
  }

  @Override
  public boolean add(long key) {
    return addHash(hasher.hash(key));
  }

  private boolean makeRoom(long one, long two, long fingerprint) {
    if (path == null) {
      path = new CuckooPath(probes, words);
    }
    return path.insert(one, two, fingerprint);
  }

  /**
   * {@inheritDoc}
   *
   * @throws FilterFullException if no room can be made for one of the keys; those before it in the
   *     range were added, it and those after it were not
   */
  @Override
  public void addHashes(long[] hashes, int from, int to) {
    Objects.requireNonNull(hashes, "hashes");
    Objects.checkFromToIndex(from, to, hashes.length);
    long[] heap = words.writable();
    for (int start = from; start < to; start += Long.SIZE) {
      int end = Math.min(start + Long.SIZE, to);
      probes.touch(hashes, start, end, heap, touched, 0);
      for (int i = start; i < end; i++) {
        addHash(hashes[i]);
      }
    }
  }

  /**
   * {@inheritDoc} Takes away one copy. If the key was never added, that copy was another key's,
   * which may then be reported absent.
   */
  @Override
  public boolean removeHash(long hash) {
    words.writable();
    long fingerprint = probes.fingerprint(hash);
    long bucket = probes.bucket(hash);
    int lane = probes.find(bucket, fingerprint, words);
    if (lane < 0) {
      bucket = probes.other(bucket, fingerprint);
      lane = probes.find(bucket, fingerprint, words);
    }
    if (lane < 0) {
      return false;
    }
    long before = size();
    probes.set(bucket, lane, 0, words);
    size = before - 1;
    return true;
  }

  /**
   * {@inheritDoc} Here exactly the share of pairs of bucket and fingerprint that are answered
   * "probably present".
   */
  @Override
  public double falsePositiveRate() {
    double pairs = (double) shape.buckets() * ((1L << shape.fingerprintBits()) - 1);
    return probes.coveredPairs(words) / pairs;
  }

  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  /**
   * How many copies of fingerprints are in the filter, which is the number of keys if each was
   * added once. Counts them when a filter that was opened is first asked.
   *
   * @return 0…{@code shape().slots()}
   */
  public long size() {
    if (size >= 0) {
      return size;
    }
    long counted = probes.count(words);
    if (!words.isReadOnly()) {
      size = counted;
    }
    return counted;
  }

  /**
   * The share of slots that are taken.
   *
   * @return 0…1
   */
  public double loadFactor() {
    return (double) size() / shape.slots();
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public CuckooFilter copy() {
    return new CuckooFilter(hasher, shape, partner, words.copy());
  }

  /** Removes every key. */
  public void clear() {
    words.clear();
    size = 0;
  }

  /**
   * Whether two filters have equal shapes, partner schemes, hashers and slots. Filters of the same
   * keys may differ in this, since the order of adding decides which slots they take.
   *
   * @param other another filter
   * @return true if every slot is equal
   */
  public boolean sameBits(CuckooFilter other) {
    return Compatibility.equal(hasher, other.hasher, shape, other.shape)
        && partner == other.partner
        && words.sameBits(other.words);
  }

  @Override
  public String toString() {
    return "CuckooFilter[" + shape + ", " + partner + ", " + hasher + "]";
  }

  /** Options of a filter: expected keys with a rate or a width, or a shape. */
  public static final class Builder extends SizedBuilder<Builder> {
    private int fingerprintBits;
    private Partner partner = Partner.DIFFERENCE;
    private CuckooShape shape;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * The width of a fingerprint, instead of a rate.
     *
     * @param fingerprintBits 4…32; 12 if neither this nor a rate is given
     * @return this
     */
    public Builder fingerprintBits(int fingerprintBits) {
      this.fingerprintBits = Arguments.inRange("fingerprintBits", fingerprintBits, 4, 32);
      return this;
    }

    /**
     * How the other bucket is found.
     *
     * @param partner {@link Partner#DIFFERENCE} if never called; with {@link Partner#XOR} the
     *     number of buckets is rounded up to a power of two
     * @return this
     */
    public Builder partner(Partner partner) {
      this.partner = Objects.requireNonNull(partner, "partner");
      return this;
    }

    /**
     * The whole shape, instead of keys, rate and width.
     *
     * @param shape the shape
     * @return this
     */
    public Builder shape(CuckooShape shape) {
      this.shape = Objects.requireNonNull(shape, "shape");
      return this;
    }

    /**
     * Makes the filter.
     *
     * @return an empty filter
     * @throws IllegalArgumentException if neither {@code expectedKeys} nor a shape was given, or
     *     both a rate and a width, or a shape that does not suit the partner scheme
     */
    public CuckooFilter build() {
      CuckooShape chosen = chosenShape();
      requirePowerOfTwo(chosen, partner);
      Words words = Words.allocate(wordsFor(chosen), false);
      CuckooFilter filter = new CuckooFilter(hasher, chosen, partner, words);
      filter.size = 0;
      return filter;
    }

    private CuckooShape chosenShape() {
      if (shape != null) {
        if (expectedKeys != 0 || falsePositiveRate != 0 || fingerprintBits != 0) {
          throw new IllegalArgumentException(
              "shape " + shape + " excludes expectedKeys, falsePositiveRate and fingerprintBits");
        }
        return shape;
      }
      if (falsePositiveRate != 0 && fingerprintBits != 0) {
        throw new IllegalArgumentException(
            "falsePositiveRate "
                + falsePositiveRate
                + " and fingerprintBits "
                + fingerprintBits
                + " exclude each other");
      }
      CuckooShape sized =
          falsePositiveRate != 0
              ? CuckooShape.forKeys(expectedKeys, falsePositiveRate)
              : CuckooShape.forKeys(
                  expectedKeys, fingerprintBits == 0 ? DEFAULT_FINGERPRINT_BITS : fingerprintBits);
      if (partner == Partner.DIFFERENCE || Long.bitCount(sized.buckets()) == 1) {
        return sized;
      }
      return new CuckooShape(Long.highestOneBit(sized.buckets()) << 1, sized.fingerprintBits());
    }
  }
}
