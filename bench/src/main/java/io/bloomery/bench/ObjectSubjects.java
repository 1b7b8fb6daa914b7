package io.bloomery.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hasher128;
import com.dynatrace.hash4j.hashing.Hashing;
import com.google.common.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.membership.BloomFilter;
import io.bloomery.similarity.HierarchicalDigest;
import io.bloomery.similarity.HierarchicalDigestShape;
import org.apache.commons.collections4.bloomfilter.EnhancedDoubleHasher;
import org.apache.commons.collections4.bloomfilter.Shape;
import org.apache.commons.collections4.bloomfilter.SimpleBloomFilter;
import org.apache.datasketches.filters.bloomfilter.BloomFilterBuilder;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.parquet.io.api.Binary;

/** The filters that take text or bytes. */
final class ObjectSubjects {

  private ObjectSubjects() {}

  static final class BlockedStrings extends ObjectSubject<String> {

    private final boolean keyed;
    private BlockedBloomFilter filter;

    BlockedStrings(boolean keyed) {
      this.keyed = keyed;
    }

    @Override
    void create(int keys, double rate) {
      filter = keyed ? Rows.blockedKeyed(keys, rate) : BlockedBloomFilter.create(keys, rate);
    }

    @Override
    void add(String key) {
      filter.add(key);
    }

    @Override
    boolean query(String key) {
      return filter.mightContain(key);
    }

    @Override
    long sizeInBits() {
      return filter.sizeInBits();
    }
  }

  static final class PlainStrings extends ObjectSubject<String> {

    private BloomFilter filter;

    @Override
    void create(int keys, double rate) {
      filter = BloomFilter.create(keys, rate);
    }

    @Override
    void add(String key) {
      filter.add(key);
    }

    @Override
    boolean query(String key) {
      return filter.mightContain(key);
    }

    @Override
    long sizeInBits() {
      return filter.sizeInBits();
    }
  }

  static final class BlockedBytes extends ObjectSubject<byte[]> {

    private BlockedBloomFilter filter;

    @Override
    void create(int keys, double rate) {
      filter = BlockedBloomFilter.create(keys, rate);
    }

    @Override
    void add(byte[] key) {
      filter.add(key);
    }

    @Override
    boolean query(byte[] key) {
      return filter.mightContain(key);
    }

    @Override
    long sizeInBits() {
      return filter.sizeInBits();
    }
  }

  static final class PlainBytes extends ObjectSubject<byte[]> {

    private BloomFilter filter;

    @Override
    void create(int keys, double rate) {
      filter = BloomFilter.create(keys, rate);
    }

    @Override
    void add(byte[] key) {
      filter.add(key);
    }

    @Override
    boolean query(byte[] key) {
      return filter.mightContain(key);
    }

    @Override
    long sizeInBits() {
      return filter.sizeInBits();
    }
  }

  /** The hash of the key and one read, as {@link PhysicalRow.RawRead}. */
  static final class RawRead<K> extends ObjectSubject<K> {

    /** Hashes a key. */
    @FunctionalInterface
    interface KeyHash<K> {
      long of(Hasher hasher, K key);
    }

    private final Hasher hasher = Hasher.xxh3();
    private final KeyHash<K> hash;
    private long[] words;

    RawRead(KeyHash<K> hash) {
      this.hash = hash;
    }

    @Override
    boolean isFilter() {
      return false;
    }

    @Override
    void create(int keys, double rate) {
      words = PhysicalRow.RawRead.words(keys, rate);
    }

    @Override
    void add(K key) {
      throw new UnsupportedOperationException("nothing is added to a physical row");
    }

    @Override
    boolean query(K key) {
      return words[PhysicalRow.RawRead.index(hash.of(hasher, key), words.length)] == 0;
    }

    @Override
    long sizeInBits() {
      return (long) words.length * Long.SIZE;
    }
  }

  static final class Guava<K> extends ObjectSubject<K> {

    private final Funnel<? super K> funnel;
    private com.google.common.hash.BloomFilter<K> filter;
    private long bits;

    Guava(Funnel<? super K> funnel) {
      this.funnel = funnel;
    }

    @Override
    void create(int keys, double rate) {
      filter = com.google.common.hash.BloomFilter.create(funnel, keys, rate);
      bits = PeerLongs.guavaBits(keys, rate);
    }

    @Override
    void add(K key) {
      filter.put(key);
    }

    @Override
    boolean query(K key) {
      return filter.mightContain(key);
    }

    @Override
    long sizeInBits() {
      return bits;
    }
  }

  static final class DataSketchesStrings extends ObjectSubject<String> {

    private org.apache.datasketches.filters.bloomfilter.BloomFilter filter;

    @Override
    void create(int keys, double rate) {
      filter = BloomFilterBuilder.createByAccuracy(keys, rate, 1);
    }

    @Override
    void add(String key) {
      filter.update(key);
    }

    @Override
    boolean query(String key) {
      return filter.query(key);
    }

    @Override
    long sizeInBits() {
      return filter.getCapacity();
    }
  }

  static final class SparkStrings extends ObjectSubject<String> {

    private org.apache.spark.util.sketch.BloomFilter filter;

    @Override
    void create(int keys, double rate) {
      filter = org.apache.spark.util.sketch.BloomFilter.create(keys, rate);
    }

    @Override
    void add(String key) {
      filter.putString(key);
    }

    @Override
    boolean query(String key) {
      return filter.mightContainString(key);
    }

    @Override
    long sizeInBits() {
      return filter.bitSize();
    }
  }

  /** Commons Collections with XXH3-128 of the UTF-8 bytes. */
  static final class CommonsStrings extends ObjectSubject<String> {

    private final Hasher128 hasher = Hashing.xxh3_128();
    private SimpleBloomFilter filter;

    @Override
    void create(int keys, double rate) {
      filter = new SimpleBloomFilter(Shape.fromNP(keys, rate));
    }

    private EnhancedDoubleHasher probes(String key) {
      HashValue128 hash = hasher.hashBytesTo128Bits(key.getBytes(UTF_8));
      return new EnhancedDoubleHasher(
          hash.getMostSignificantBits(), hash.getLeastSignificantBits());
    }

    @Override
    void add(String key) {
      filter.merge(probes(key));
    }

    @Override
    boolean query(String key) {
      return filter.contains(probes(key));
    }

    @Override
    long sizeInBits() {
      return filter.getShape().getNumberOfBits();
    }
  }

  static final class ParquetStrings extends ObjectSubject<String> {

    private BlockSplitBloomFilter filter;

    @Override
    void create(int keys, double rate) {
      filter = PeerLongs.newParquet(keys, rate);
    }

    @Override
    void add(String key) {
      filter.insertHash(filter.hash(Binary.fromString(key)));
    }

    @Override
    boolean query(String key) {
      return filter.findHash(filter.hash(Binary.fromString(key)));
    }

    @Override
    long sizeInBits() {
      return (long) filter.getBitsetSize() * Byte.SIZE;
    }
  }

  /** A digest of payloads with blocks of 32 bytes; one level makes the block digest. */
  static final class Digest extends ObjectSubject<byte[]> {

    private static final int BLOCK_BYTES = 32;
    private static final int EXCERPT_AT = 777;
    private static final int EXCERPT_BYTES = 100;

    private final int levels;
    private final boolean contentKeys;
    private HierarchicalDigest digest;

    Digest(int levels, boolean contentKeys) {
      this.levels = levels;
      this.contentKeys = contentKeys;
    }

    @Override
    void create(int keys, double rate) {
      digest =
          HierarchicalDigest.create(
              HierarchicalDigestShape.forPayloads(
                  (long) keys * Keys.PAYLOAD_BYTES, rate, BLOCK_BYTES, contentKeys, levels));
    }

    @Override
    void add(byte[] payload) {
      digest.add(payload);
    }

    @Override
    boolean query(byte[] payload) {
      return digest.mightContain(payload, EXCERPT_AT, EXCERPT_BYTES);
    }

    @Override
    long sizeInBits() {
      return digest.sizeInBits();
    }
  }
}
