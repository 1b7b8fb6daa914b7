package io.bloomery.bench;

import com.clearspring.analytics.stream.frequency.CountMinSketch;
import com.github.mgunlogson.cuckoofilter4j.CuckooFilter;
import com.google.common.hash.Funnels;
import io.bloomery.hash.Hasher;
import java.lang.reflect.Constructor;
import org.apache.commons.collections4.bloomfilter.EnhancedDoubleHasher;
import org.apache.commons.collections4.bloomfilter.Shape;
import org.apache.commons.collections4.bloomfilter.SimpleBloomFilter;
import org.apache.datasketches.filters.bloomfilter.BloomFilterBuilder;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.fastfilter.bloom.BlockedBloom;
import org.fastfilter.bloom.Bloom;
import org.fastfilter.bloom.count.CountingBloom;
import org.fastfilter.cuckoo.Cuckoo16;

/** The peers with {@code long} keys, each called as its documentation says. */
final class PeerLongs {

  private PeerLongs() {}

  static final class Guava extends LongSubject.Filling {

    private com.google.common.hash.BloomFilter<Long> filter;
    private long bits;

    @Override
    void create(int keys, double rate) {
      filter = com.google.common.hash.BloomFilter.create(Funnels.longFunnel(), keys, rate);
      bits = guavaBits(keys, rate);
    }

    @Override
    void add(long key) {
      filter.put(key);
    }

    @Override
    boolean query(long key) {
      return filter.mightContain(key);
    }

    @Override
    long sizeInBits() {
      return bits;
    }
  }

  /** Guava shows its size nowhere; this is its formula, rounded to words as it does. */
  static long guavaBits(long keys, double rate) {
    long bits = (long) (-keys * Math.log(rate) / (Math.log(2) * Math.log(2)));
    return (bits + Long.SIZE - 1) / Long.SIZE * Long.SIZE;
  }

  /**
   * fastfilter's blocked filter. It is made through its package-private constructor, because the
   * public factory adds the keys in a loop of its own.
   */
  static final class FastBlocked extends LongSubject.Filling {

    private static final Constructor<BlockedBloom> NEW =
        constructor(BlockedBloom.class, int.class, int.class);

    private BlockedBloom filter;

    /** With the whole bits per key that come closest to the rate. */
    @Override
    void create(int keys, double rate) {
      filter = make(NEW, keys, rate < 0.005 ? 22 : 11);
    }

    @Override
    void add(long key) {
      filter.add(key);
    }

    @Override
    boolean query(long key) {
      return filter.mayContain(key);
    }

    @Override
    long sizeInBits() {
      return filter.getBitCount();
    }
  }

  private static double optimalPerKey(double rate) {
    return Math.ceil(-10 * Math.log(rate) / (Math.log(2) * Math.log(2))) / 10;
  }

  /** fastfilter's plain Bloom filter, made as {@link FastBlocked} is. */
  static final class FastBloom extends LongSubject.Filling {

    private static final Constructor<Bloom> NEW =
        constructor(Bloom.class, int.class, double.class, int.class);

    private Bloom filter;

    /** With the optimal bits per key, rounded up to a tenth. */
    @Override
    void create(int keys, double rate) {
      double bitsPerKey = optimalPerKey(rate);
      int k = (int) Math.max(1, Math.round(bitsPerKey * Math.log(2)));
      filter = make(NEW, keys, bitsPerKey, k);
    }

    @Override
    void add(long key) {
      filter.add(key);
    }

    @Override
    boolean query(long key) {
      return filter.mayContain(key);
    }

    @Override
    long sizeInBits() {
      return filter.getBitCount();
    }
  }

  /** fastfilter's counting filter with counters of 4 bits, made as {@link FastBlocked} is. */
  static final class FastCounting extends LongSubject.Filling {

    private static final Constructor<CountingBloom> NEW =
        constructor(CountingBloom.class, int.class, double.class, int.class);

    private CountingBloom filter;

    /** With the optimal counters per key, rounded up to a tenth. */
    @Override
    void create(int keys, double rate) {
      double perKey = optimalPerKey(rate);
      filter = make(NEW, keys, perKey, (int) Math.max(1, Math.round(perKey * Math.log(2))));
    }

    @Override
    void add(long key) {
      filter.add(key);
    }

    @Override
    boolean query(long key) {
      return filter.mayContain(key);
    }

    @Override
    long sizeInBits() {
      return filter.getBitCount();
    }
  }

  /** fastfilter's cuckoo filter with fingerprints of 16 bits, sized as its factory does. */
  static final class FastCuckoo extends LongSubject.Filling {

    private Cuckoo16 filter;

    @Override
    void create(int keys, double rate) {
      filter = new Cuckoo16((int) (keys / 0.95));
    }

    @Override
    void add(long key) {
      filter.insert(key);
    }

    @Override
    boolean query(long key) {
      return filter.mayContain(key);
    }

    @Override
    long sizeInBits() {
      return filter.getBitCount();
    }
  }

  static final class Cuckoo4j extends LongSubject.Filling {

    private CuckooFilter<Long> filter;

    @Override
    void create(int keys, double rate) {
      filter =
          new CuckooFilter.Builder<>(Funnels.longFunnel(), keys)
              .withFalsePositiveRate(rate)
              .build();
    }

    @Override
    void add(long key) {
      if (!filter.put(key)) {
        throw new IllegalStateException("cuckoofilter4j is full");
      }
    }

    @Override
    boolean query(long key) {
      return filter.mightContain(key);
    }

    @Override
    long sizeInBits() {
      return filter.getStorageSize();
    }
  }

  /** stream-lib's count-min sketch of {@link Rows#DEPTH} rows, as wide as ours. */
  static final class StreamLib extends LongSubject.Filling {

    private CountMinSketch sketch;
    private int width;

    @Override
    void create(int keys, double rate) {
      width = Rows.width(keys);
      sketch = new CountMinSketch(Rows.DEPTH, width, 1);
    }

    @Override
    void add(long key) {
      sketch.add(key, 1);
    }

    @Override
    boolean query(long key) {
      return sketch.estimateCount(key) > 0;
    }

    @Override
    long sizeInBits() {
      return (long) Rows.DEPTH * width * Long.SIZE;
    }
  }

  static final class DataSketches extends LongSubject.Filling {

    private org.apache.datasketches.filters.bloomfilter.BloomFilter filter;

    @Override
    void create(int keys, double rate) {
      filter = BloomFilterBuilder.createByAccuracy(keys, rate, 1);
    }

    @Override
    void add(long key) {
      filter.update(key);
    }

    @Override
    boolean query(long key) {
      return filter.query(key);
    }

    @Override
    long sizeInBits() {
      return filter.getCapacity();
    }
  }

  static final class Spark extends LongSubject.Filling {

    private org.apache.spark.util.sketch.BloomFilter filter;

    @Override
    void create(int keys, double rate) {
      filter = org.apache.spark.util.sketch.BloomFilter.create(keys, rate);
    }

    @Override
    void add(long key) {
      filter.putLong(key);
    }

    @Override
    boolean query(long key) {
      return filter.mightContainLong(key);
    }

    @Override
    long sizeInBits() {
      return filter.bitSize();
    }
  }

  /** Commons Collections leaves hashing to the caller: XXH3, and its finalised value as step. */
  static final class Commons extends LongSubject.Filling {

    private final Hasher hasher = Hasher.xxh3();
    private SimpleBloomFilter filter;

    @Override
    void create(int keys, double rate) {
      filter = new SimpleBloomFilter(Shape.fromNP(keys, rate));
    }

    private EnhancedDoubleHasher probes(long key) {
      long hash = hasher.hash(key);
      return new EnhancedDoubleHasher(hash, Keys.mix(hash));
    }

    @Override
    void add(long key) {
      filter.merge(probes(key));
    }

    @Override
    boolean query(long key) {
      return filter.contains(probes(key));
    }

    @Override
    long sizeInBits() {
      return filter.getShape().getNumberOfBits();
    }
  }

  static final class Parquet extends LongSubject.Filling {

    private BlockSplitBloomFilter filter;

    @Override
    void create(int keys, double rate) {
      filter = newParquet(keys, rate);
    }

    @Override
    void add(long key) {
      filter.insertHash(filter.hash(key));
    }

    @Override
    boolean query(long key) {
      return filter.findHash(filter.hash(key));
    }

    @Override
    long sizeInBits() {
      return (long) filter.getBitsetSize() * Byte.SIZE;
    }
  }

  static BlockSplitBloomFilter newParquet(int keys, double rate) {
    return new BlockSplitBloomFilter(
        BlockSplitBloomFilter.optimalNumOfBits(keys, rate) / Byte.SIZE);
  }

  private static <T> Constructor<T> constructor(Class<T> type, Class<?>... parameters) {
    try {
      Constructor<T> constructor = type.getDeclaredConstructor(parameters);
      constructor.setAccessible(true);
      return constructor;
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("fastfilter changed", e);
    }
  }

  private static <T> T make(Constructor<T> constructor, Object... arguments) {
    try {
      return constructor.newInstance(arguments);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("fastfilter changed", e);
    }
  }
}
