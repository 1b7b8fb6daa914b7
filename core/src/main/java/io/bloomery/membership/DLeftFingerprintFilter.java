package io.bloomery.membership;

import io.bloomery.AddableFilter;
import io.bloomery.CardinalityFilter;
import io.bloomery.FilterKind;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.variant.VariantBuilder;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * A table of fingerprints that get shorter as it fills: a key is stored in the emptiest of d
 * buckets, and the fingerprints of a bucket share all its bits. It rewrites buckets, so it needs a
 * lock if any thread writes while others use it. It never reports an added key absent and never
 * refuses one. There are no deletes, since discarded bits are lost.
 *
 * <p>A query reads d buckets whatever the rate. At 10, 12 and 16 bits per key the rate is 4.3, 2.8
 * and 1.95 times that of {@link BloomFilter}, at 24 and 28 it is 0.80 and 0.56 times that. A cuckoo
 * filter of the same size has a lower rate than either from 14 bits per key on.
 *
 * <p>A key that is reported present is not stored again. A bucket that runs out of bits is
 * saturated and reports all its keys present, like a Bloom filter that is full of ones.
 *
 * <p>Threads: any number may query while none writes. {@link
 * io.bloomery.Filters#locked(AddableFilter)} returns a view that several threads may write to.
 *
 * <p>Bonomi, Mitzenmacher, Panigrahy, Singh and Varghese 2006, "Bloom Filters via d-left Hashing
 * and Dynamic Bit Reassignment". Deviation: only the even share of the bits, rounded down, is used;
 * buckets are one or two whole words.
 */
public final class DLeftFingerprintFilter extends ShapedFilter<DLeftFingerprintShape>
    implements AddableFilter, CardinalityFilter {

  public static final FilterKind<DLeftFingerprintFilter> KIND =
      Kind.of(70, "d-left-fingerprint", DLeftFingerprintFilter.class)
          .question("is x in the set? fingerprints that share the bits of their bucket")
          .codec(DLeftFingerprintFilter::encode, DLeftFingerprintFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("d-left-fingerprint", DLeftFingerprintShape.class)
                          .onlyByName()
                          .forKeys(DLeftFingerprintShape::forKeys)
                          .forBudget(DLeftFingerprintShape::forBudget)
                          .reads(
                              DLeftFingerprintShape::tables,
                              shape -> shape.tables() * shape.bucketWords())
                          .works(shape -> 10 + shape.tables() * shape.bucketWords())
                          .why(
                              "Fingerprints that get shorter as their bucket fills; never refuses a"
                                  + " key, and threads that write need a lock")
                          .oneWriter()
                          .orderMatters()
                          .creates(DLeftFingerprintFilter::create)));

  private final Words words;
  private final int tables;
  private final long buckets;
  private final int bucketWords;
  private final int countBits;
  private final int saturated;

  private DLeftFingerprintFilter(DLeftFingerprintShape shape, Hasher hasher, Words words) {
    super(shape, hasher);
    this.words = words;
    this.tables = shape.tables();
    this.buckets = shape.buckets();
    this.bucketWords = shape.bucketWords();
    this.countBits = DLeftFingerprintShape.countBits(bucketWords);
    this.saturated = DLeftFingerprintShape.saturated(bucketWords);
  }

  /**
   * The smallest filter for a number of keys and a rate.
   *
   * @param expectedKeys how many distinct keys will be added, 0 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static DLeftFingerprintFilter create(long expectedKeys, double falsePositiveRate) {
    return create(DLeftFingerprintShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape subtables and buckets
   * @return an empty filter
   */
  public static DLeftFingerprintFilter create(DLeftFingerprintShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape subtables and buckets
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static DLeftFingerprintFilter create(DLeftFingerprintShape shape, Hasher hasher) {
    Objects.requireNonNull(shape, "shape");
    Words words = Words.allocate(shape.sizeInBits() / Long.SIZE, false);
    return new DLeftFingerprintFilter(shape, hasher, words);
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape()).section(words);
  }

  private static DLeftFingerprintFilter decode(Frame frame) throws IOException {
    DLeftFingerprintShape shape = frame.shape(DLeftFingerprintShape.class);
    Words words = frame.section(0, shape.sizeInBits() / Long.SIZE);
    DLeftFingerprintFilter filter = new DLeftFingerprintFilter(shape, frame.hasher(), words);
    frame.requireOfWords(filter::isClean, "section 0 has bits that belong to no fingerprint");
    return filter;
  }

  /** Whether the bits above the fingerprints of each bucket are zero. */
  private boolean isClean() {
    for (long at = 0; at < words.length(); at += bucketWords) {
      int count = count(at);
      int used = countBits + (count == 0 || count == saturated ? 0 : count * length(count));
      for (int bit = used; bit < bucketWords * Long.SIZE; bit += Long.SIZE - bit % Long.SIZE) {
        if (words.get(at + (bit >>> 6)) >>> bit != 0) {
          return false;
        }
      }
    }
    return true;
  }

  @Override
  public FilterKind<DLeftFingerprintFilter> kind() {
    return KIND;
  }

  @Override
  public boolean mightContainHash(long hash) {
    long fingerprint = fingerprint(hash);
    for (int table = 0; table < tables; table++) {
      if (isIn(bucket(hash, table), fingerprint)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean mightContain(long key) {
    return mightContainHash(hash(key));
  }

  @Override
  public boolean addHash(long hash) {
    words.writable();
    if (mightContainHash(hash)) {
      return false;
    }
    long emptiest = bucket(hash, 0);
    for (int table = 1; table < tables; table++) {
      long at = bucket(hash, table);
      emptiest = count(at) < count(emptiest) ? at : emptiest;
    }
    insert(emptiest, fingerprint(hash));
    return true;
  }

  @Override
  public boolean add(long key) {
    return addHash(hash(key));
  }

  /** The fingerprint of a hash; buckets hold its highest bits. */
  private static long fingerprint(long hash) {
    return Mix.stream(hash, 0);
  }

  /** The first word of the bucket of a hash in a subtable. */
  private long bucket(long hash, int table) {
    return (table * buckets + Mix.reduce(Mix.stream(hash, table + 1), buckets)) * bucketWords;
  }

  private int count(long at) {
    return (int) words.get(at) & saturated;
  }

  private int length(int count) {
    return DLeftFingerprintShape.length(bucketWords, count);
  }

  private boolean isIn(long at, long fingerprint) {
    int count = count(at);
    if (count == 0 || count == saturated) {
      return count != 0;
    }
    int length = length(count);
    long wanted = fingerprint >>> -length;
    for (int i = 0; i < count; i++) {
      if (get(at, countBits + i * length, length) == wanted) {
        return true;
      }
    }
    return false;
  }

  /** Shortens the fingerprints of a bucket to make room for another one. */
  private void insert(long at, long fingerprint) {
    int count = count(at);
    if (count + 1 == saturated) {
      for (int i = 0; i < bucketWords; i++) {
        words.replace(at + i, words.get(at + i), i == 0 ? saturated : 0);
      }
      return;
    }
    int length = length(count + 1);
    int before = count == 0 ? length : length(count);
    long[] bucket = new long[bucketWords];
    for (int i = 0; i < count; i++) {
      put(
          bucket,
          countBits + i * length,
          get(at, countBits + i * before, before) >>> (before - length));
    }
    put(bucket, countBits + count * length, fingerprint >>> -length);
    bucket[0] |= count + 1L;
    for (int i = 0; i < bucketWords; i++) {
      words.replace(at + i, words.get(at + i), bucket[i]);
    }
  }

  /** A number of bits of a bucket. */
  private long get(long at, int bit, int length) {
    long bits = words.get(at + (bit >>> 6)) >>> bit;
    if ((bit & 63) + length > Long.SIZE) {
      bits |= words.get(at + 1) << -bit;
    }
    return bits & ((1L << length) - 1);
  }

  private static void put(long[] bucket, int bit, long value) {
    bucket[bit >>> 6] |= value << bit;
    if (bit >>> 6 == 0 && bucket.length > 1) {
      bucket[1] |= value >>> 1 >>> ~bit;
    }
  }

  /**
   * {@inheritDoc} Here: 1 − Π(1 − h) over the subtables, with h the exact mean, over their buckets,
   * of the share of all fingerprints that the bucket reports present.
   */
  @Override
  public double falsePositiveRate() {
    double rate = 0;
    for (int table = 0; table < tables; table++) {
      double found = 0;
      for (long bucket = table * buckets; bucket < (table + 1) * buckets; bucket++) {
        found += share(bucket * bucketWords);
      }
      rate += found / buckets * (1 - rate);
    }
    return rate;
  }

  /** The share of all fingerprints that a bucket reports present. */
  private double share(long at) {
    int count = count(at);
    if (count == 0 || count == saturated) {
      return count == 0 ? 0 : 1;
    }
    int length = length(count);
    int distinct = 0;
    for (int i = 0; i < count; i++) {
      long each = get(at, countBits + i * length, length);
      boolean repeated = false;
      for (int j = 0; j < i; j++) {
        repeated |= get(at, countBits + j * length, length) == each;
      }
      distinct += repeated ? 0 : 1;
    }
    return Math.scalb((double) distinct, -length);
  }

  /**
   * The number of buckets of each subtable by the number of fingerprints they hold.
   *
   * @return for each subtable an array whose element {@code i} is the number of buckets with {@code
   *     i} fingerprints; the last counts saturated ones
   */
  public long[][] loads() {
    long[][] loads = new long[tables][saturated + 1];
    for (long bucket = 0; bucket < tables * buckets; bucket++) {
      loads[(int) (bucket / buckets)][count(bucket * bucketWords)]++;
    }
    return loads;
  }

  /** {@inheritDoc} Here: the share of bits that belong to fingerprints. */
  @Override
  public double fillRatio() {
    double used = 0;
    for (long at = 0; at < words.length(); at += bucketWords) {
      int count = count(at);
      used += count == 0 ? 0 : count == saturated ? bucketWords * Long.SIZE : count * length(count);
    }
    return used / sizeInBits();
  }

  /**
   * {@inheritDoc} Here: the number of fingerprints; keys that were already reported present when
   * added are not counted; infinite if a bucket is saturated.
   */
  @Override
  public double cardinality() {
    double entries = 0;
    for (long[] table : loads()) {
      for (int i = 1; i < table.length; i++) {
        entries += table[i] == 0 ? 0 : i == saturated ? Double.POSITIVE_INFINITY : table[i] * i;
      }
    }
    return entries;
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public DLeftFingerprintFilter copy() {
    return new DLeftFingerprintFilter(shape(), hasher(), words.copy());
  }

  /** Removes every key. */
  public void clear() {
    words.clear();
  }
}
