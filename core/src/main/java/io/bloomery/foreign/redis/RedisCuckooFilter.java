package io.bloomery.foreign.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.FilterFormatException;
import io.bloomery.FilterFullException;
import io.bloomery.foreign.AddableForeignFilter;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.KeyCoding;
import io.bloomery.foreign.bytes.FileLayout;
import io.bloomery.foreign.bytes.ForeignBytes;
import io.bloomery.foreign.hash.Murmur64A;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Memory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A cuckoo filter of RedisBloom ({@code CF.*}): one-byte fingerprints in one of two buckets, with a
 * layer added when no slot is free. Keys can be removed; removing one that was never added may
 * remove another key with the same fingerprint. After the same operations it has the same bytes as
 * Redis.
 *
 * <p>Its file is the concatenated output of {@code CF.SCANDUMP}: the header, then the slots of all
 * layers. {@link #chunks()} are the single replies, for {@code CF.LOADCHUNK}. Keys are hashed by
 * MurmurHash64A; a {@code long} is its decimal digits, as Redis commands carry it.
 *
 * <p>Any number of threads may query; adding and removing need a lock.
 */
public final class RedisCuckooFilter implements AddableForeignFilter {

  public static final ForeignFormat<RedisCuckooFilter> FORMAT =
      ForeignFormat.of(
              "redis-cuckoo",
              "RedisBloom CF.SCANDUMP",
              RedisCuckooFilter.class,
              new FileLayout<>(
                      FileLayout.Evidence.LAYOUT,
                      RedisCuckooFilter::header,
                      RedisCuckooFilter::read)
                  .knownBy(38))
          .withKeys(KeyCoding.Standard.DIGITS)
          .madeBy(RedisCuckooFilter::forRate);

  /** The reply of {@code DUMP}; only read, and written as {@link #FORMAT}. */
  public static final ForeignFormat<RedisCuckooFilter> DUMP = RedisDumpFormat.around(FORMAT);

  /** The largest capacity that Redis accepts. */
  public static final long MAX_CAPACITY = 1 << 30;

  private static final int HEADER_BYTES = 38;
  private static final int FINGERPRINTS = 255; // 1…255; 0 is a free slot
  private static final long ALTERNATE = 0x5bd1e995L;
  private static final double MAX_DELETED = 0.1; // above this share, layers are compacted
  private static final int MAX_LAYERS = 1 << 16;
  private static final int MAX_LAYER_BYTES = Integer.MAX_VALUE - 8;
  private static final int DEFAULT_ITERATIONS = 20;

  private final long buckets;
  private final int bucketSize;
  private final int maxIterations;
  private final int expansion;
  private final List<byte[]> layers = new ArrayList<>();
  private long budget = Memory.budget();
  private long size;
  private long deleted;

  private RedisCuckooFilter(long buckets, int bucketSize, int maxIterations, int expansion) {
    this.buckets = buckets;
    this.bucketSize = bucketSize;
    this.maxIterations = maxIterations;
    this.expansion = expansion;
  }

  /**
   * An empty filter as {@code CF.RESERVE} makes it.
   *
   * @param capacity slots of the first layer, {@code 2 * bucketSize}…2^30; rounded up so that the
   *     number of buckets is a power of two
   * @param bucketSize slots of a bucket, 1…255; more of them fill better and give more false
   *     positives
   * @param maxIterations how many keys move before a layer counts as full, 1…65,535
   * @param expansion how many times larger than the last one a new layer is, rounded up to a power
   *     of two, at most 32,768; 0: none is added
   * @return the filter
   */
  public static RedisCuckooFilter create(
      long capacity, int bucketSize, int maxIterations, int expansion) {
    Arguments.inRange("bucketSize", bucketSize, 1, 255);
    Arguments.inRange("capacity", capacity, 2L * bucketSize, MAX_CAPACITY);
    Arguments.inRange("maxIterations", maxIterations, 1, 0xffff);
    Arguments.inRange("expansion", expansion, 0, 1 << 15);
    long buckets = powerOfTwo((capacity + bucketSize - 1) / bucketSize);
    int growth = expansion == 0 ? 0 : (int) powerOfTwo(expansion);
    RedisCuckooFilter filter = new RedisCuckooFilter(buckets, bucketSize, maxIterations, growth);
    filter.grow();
    return filter;
  }

  private static RedisCuckooFilter forRate(long expectedKeys, double rate) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_CAPACITY / 2);
    Arguments.rate("falsePositiveRate", rate);
    int bucketSize = (int) Math.min(rate * FINGERPRINTS / 2, 4);
    if (bucketSize == 0) {
      throw Arguments.refused(
          Arguments.named("falsePositiveRate", rate),
          " is outside the allowed range [0.0079, 1): fingerprints have 8 bits");
    }
    double load = bucketSize == 1 ? 0.45 : bucketSize == 2 ? 0.8 : 0.9;
    long capacity = Math.max((long) Math.ceil(expectedKeys / load), 2L * bucketSize);
    return create(Math.min(capacity, MAX_CAPACITY), bucketSize, DEFAULT_ITERATIONS, 1);
  }

  private static long powerOfTwo(long atLeast) {
    return atLeast == 1 ? 1 : Long.highestOneBit(atLeast - 1) << 1;
  }

  /**
   * Restores a filter from the replies of {@code CF.SCANDUMP}.
   *
   * @param chunks all replies in their order, without the last one, whose iterator is 0
   * @return the filter
   * @throws FilterFormatException if they are damaged or incomplete
   */
  public static RedisCuckooFilter ofChunks(List<RedisBloomFilter.Chunk> chunks)
      throws FilterFormatException {
    return FORMAT.read(RedisBloomFilter.Chunk.join(chunks));
  }

  /**
   * The replies of {@code CF.SCANDUMP}, each the arguments of a {@code CF.LOADCHUNK}.
   *
   * @return header and data, without the reply that ends a dump; nothing if the filter is empty, as
   *     in Redis
   */
  public List<RedisBloomFilter.Chunk> chunks() {
    return size == 0 ? List.of() : RedisBloomFilter.Chunk.of(header(), layers);
  }

  private static RedisCuckooFilter header(ForeignBytes in) throws IOException {
    in.order(ByteOrder.LITTLE_ENDIAN);
    long size = in.i64("the number of keys");
    long buckets = in.i64("the number of buckets");
    in.within(buckets, 1, MAX_LAYER_BYTES, "the number of buckets");
    long deleted = in.i64("the number of removed keys");
    in.within(deleted, 0, Long.MAX_VALUE, "the number of removed keys");
    long count = in.within(in.i64("the number of layers"), 1, MAX_LAYERS, "the layers");
    int bucketSize = (int) in.within(in.u16("the bucket size"), 1, 255, "the bucket size");
    int maxIterations = (int) in.within(in.u16("the iterations"), 1, 0xffff, "the iterations");
    int expansion = (int) in.within(in.u16("the expansion"), 0, 1 << 15, "the expansion");
    if (Long.bitCount(buckets) != 1 || Integer.bitCount(expansion) > 1) {
      throw in.problem(
          in.position(), "%d buckets and expansion %d are not powers of two", buckets, expansion);
    }
    if (expansion == 0 && count > 1) {
      throw in.problem(in.position(), "%d layers, but expansion 0", count);
    }
    RedisCuckooFilter filter = new RedisCuckooFilter(buckets, bucketSize, maxIterations, expansion);
    filter.budget = in.budget();
    filter.deleted = deleted;
    filter.size = size;
    long slots = 0;
    for (int i = 0; i < count; i++) {
      slots += filter.layerBytes(i);
      in.within(slots, 1, in.length(), "the slots of " + count + " layers");
    }
    in.within(size, 0, slots, "the number of keys");
    in.needExactly(slots, "the slots");
    while (filter.layers.size() < count) {
      filter.layers.add(new byte[0]);
    }
    return filter;
  }

  private static RedisCuckooFilter read(ForeignBytes in) throws IOException {
    RedisCuckooFilter filter = header(in);
    for (int i = 0; i < filter.layers.size(); i++) {
      filter.layers.set(i, in.bytes(filter.layerBytes(i), "the slots of a layer"));
    }
    return filter;
  }

  /** How many slots a layer has, or one more than fit into an array. */
  private long layerBytes(int layer) {
    long bytes = buckets * bucketSize;
    for (int i = 0; i < layer && bytes <= MAX_LAYER_BYTES && expansion > 1; i++) {
      bytes *= expansion;
    }
    return Math.min(bytes, MAX_LAYER_BYTES + 1L);
  }

  private byte[] header() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      new ForeignBytes.Output(out, ByteOrder.LITTLE_ENDIAN)
          .i64(size)
          .i64(buckets)
          .i64(deleted)
          .i64(layers.size())
          .u16(bucketSize)
          .u16(maxIterations)
          .u16(expansion)
          .flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /**
   * How many keys it holds, as often as they were added.
   *
   * @return 0 or more
   */
  public long keyCount() {
    return size;
  }

  /**
   * How many keys were removed since the last compaction.
   *
   * @return 0 or more
   */
  public long removedCount() {
    return deleted;
  }

  /**
   * How many layers there are.
   *
   * @return 1 or more
   */
  public int layers() {
    return layers.size();
  }

  @Override
  public boolean mightContain(byte[] bytes, int offset, int length) {
    long hash = hash(bytes, offset, length);
    int fingerprint = fingerprint(hash);
    for (byte[] layer : layers) {
      if (find(layer, hash, fingerprint, fingerprint) >= 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean mightContain(long key) {
    return mightContain(text(key));
  }

  /**
   * How often a key was added and not removed, as {@code CF.COUNT} reports; never too low.
   *
   * @param key the key
   * @return 0: certainly absent
   */
  public long count(byte[] key) {
    long hash = hash(Objects.requireNonNull(key, "key"), 0, key.length);
    int fingerprint = fingerprint(hash);
    long count = 0;
    for (byte[] layer : layers) {
      int first = bucket(layer, hash);
      int second = bucket(layer, alternate(hash, fingerprint));
      count += count(layer, first, fingerprint);
      count += second == first ? 0 : count(layer, second, fingerprint);
    }
    return count;
  }

  /**
   * {@inheritDoc} A key that is already there is added once more, as {@code CF.ADD} does.
   *
   * @throws FilterFullException if no slot is free and no layer may be added, or none fits into
   *     memory; the filter is then unchanged
   */
  @Override
  public boolean add(byte[] bytes, int offset, int length) {
    boolean before = mightContain(bytes, offset, length);
    long hash = hash(bytes, offset, length);
    int fingerprint = fingerprint(hash);
    while (!place(hash, fingerprint)) {
      if (expansion == 0) {
        throw new FilterFullException(
            "a redis-cuckoo filter of %d slots that does not expand is full with %d keys"
                .formatted(layers.get(0).length, size));
      }
      grow();
    }
    size++;
    return !before;
  }

  @Override
  public boolean add(long key) {
    return add(text(key));
  }

  /**
   * Adds a key unless it is probably there, as {@code CF.ADDNX} does.
   *
   * @param key the key
   * @return {@code true}: certainly new and added; {@code false}: probably there, nothing changed
   * @throws FilterFullException as {@link #add(byte[], int, int)}
   */
  public boolean addIfAbsent(byte[] key) {
    return !mightContain(key) && add(key);
  }

  /**
   * Removes a key once, as {@code CF.DEL} does.
   *
   * @param key a key that was added
   * @return {@code false}: certainly absent, nothing changed; {@code true}: removed
   */
  public boolean remove(byte[] key) {
    long hash = hash(Objects.requireNonNull(key, "key"), 0, key.length);
    int fingerprint = fingerprint(hash);
    for (int i = layers.size() - 1; i >= 0; i--) {
      int slot = find(layers.get(i), hash, fingerprint, fingerprint);
      if (slot >= 0) {
        layers.get(i)[slot] = 0;
        size--;
        deleted++;
        if (layers.size() > 1 && deleted > size * MAX_DELETED) {
          compact();
        }
        return true;
      }
    }
    return false;
  }

  /**
   * Removes a text key once, as {@link #remove(byte[])} does.
   *
   * @param key a key that was added
   * @return {@code false}: certainly absent, nothing changed; {@code true}: removed
   */
  public boolean remove(CharSequence key) {
    return remove(Objects.requireNonNull(key, "key").toString().getBytes(UTF_8));
  }

  private static byte[] text(long key) {
    return Long.toString(key).getBytes(US_ASCII);
  }

  private static long hash(byte[] bytes, int offset, int length) {
    Objects.requireNonNull(bytes, "bytes");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    return Murmur64A.hash(bytes, offset, length, 0);
  }

  private static int fingerprint(long hash) {
    return (int) Long.remainderUnsigned(hash, FINGERPRINTS) + 1;
  }

  /** The other bucket, of a hash or of a bucket's number. */
  private static long alternate(long bucket, int fingerprint) {
    return bucket ^ fingerprint * ALTERNATE;
  }

  /** Where the bucket of a number begins. */
  private int bucket(byte[] layer, long number) {
    return (int) (number & (layer.length / bucketSize - 1)) * bucketSize;
  }

  /** The first slot of the two buckets that holds a value, or -1. */
  private int find(byte[] layer, long hash, int fingerprint, int value) {
    int slot = find(layer, bucket(layer, hash), value);
    return slot >= 0 ? slot : find(layer, bucket(layer, alternate(hash, fingerprint)), value);
  }

  private int find(byte[] layer, int bucket, int value) {
    for (int slot = bucket; slot < bucket + bucketSize; slot++) {
      if (layer[slot] == (byte) value) {
        return slot;
      }
    }
    return -1;
  }

  private int count(byte[] layer, int bucket, int fingerprint) {
    int count = 0;
    for (int slot = bucket; slot < bucket + bucketSize; slot++) {
      count += layer[slot] == (byte) fingerprint ? 1 : 0;
    }
    return count;
  }

  /** Takes a free slot, of the youngest layer first, or moves keys of that layer. */
  private boolean place(long hash, int fingerprint) {
    for (int i = layers.size() - 1; i >= 0; i--) {
      if (put(layers.get(i), hash, fingerprint)) {
        return true;
      }
    }
    return move(layers.get(layers.size() - 1), hash, fingerprint);
  }

  private boolean put(byte[] layer, long hash, int fingerprint) {
    int slot = find(layer, hash, fingerprint, 0);
    if (slot >= 0) {
      layer[slot] = (byte) fingerprint;
    }
    return slot >= 0;
  }

  /**
   * Moves fingerprints to their other bucket in a chain; undoes the moves if the chain is too long.
   */
  private boolean move(byte[] layer, long hash, int fingerprint) {
    int[] moved = new int[maxIterations];
    int carried = fingerprint;
    int bucket = bucket(layer, hash);
    for (int i = 0; i < maxIterations; i++) {
      int slot = bucket + i % bucketSize;
      moved[i] = slot;
      int pushed = layer[slot] & 0xff;
      layer[slot] = (byte) carried;
      carried = pushed;
      bucket = bucket(layer, alternate(bucket / bucketSize, carried));
      int free = find(layer, bucket, 0);
      if (free >= 0) {
        layer[free] = (byte) carried;
        return true;
      }
    }
    for (int i = maxIterations - 1; i >= 0; i--) {
      int back = layer[moved[i]] & 0xff;
      layer[moved[i]] = (byte) carried;
      carried = back;
    }
    return false;
  }

  private void grow() {
    long bytes = layerBytes(layers.size());
    if (bytes > MAX_LAYER_BYTES || layers.size() == MAX_LAYERS) {
      throw new FilterFullException("a redis-cuckoo filter of " + size + " keys cannot grow more");
    }
    if (bytes > budget && !layers.isEmpty()) {
      throw new FilterFullException(
          "a redis-cuckoo filter of %d keys cannot grow: a layer of %d bytes is beyond the budget of %d"
              .formatted(size, bytes, budget));
    }
    layers.add(new byte[(int) bytes]);
  }

  /** Moves keys of young layers to older ones; stops at the first layer that is not emptied. */
  private void compact() {
    for (int i = layers.size() - 1; i > 0 && emptied(i); i--) {
      layers.remove(i);
    }
    deleted = 0;
  }

  private boolean emptied(int index) {
    byte[] layer = layers.get(index);
    boolean empty = true;
    for (int slot = 0; slot < layer.length; slot++) {
      int fingerprint = layer[slot] & 0xff;
      if (fingerprint != 0) {
        boolean placed = false;
        for (int older = 0; older < index && !placed; older++) {
          placed = put(layers.get(older), slot / bucketSize, fingerprint);
        }
        if (placed) {
          layer[slot] = 0;
        } else {
          empty = false;
        }
      }
    }
    return empty;
  }

  @Override
  public ForeignFormat<RedisCuckooFilter> format() {
    return FORMAT;
  }

  @Override
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("keys", size);
    fields.put("removed keys", deleted);
    fields.put("layers", layers());
    fields.put("buckets", buckets);
    fields.put("bucket size", bucketSize);
    fields.put("iterations", maxIterations);
    fields.put("expansion", expansion);
    return Collections.unmodifiableMap(fields);
  }

  /**
   * {@inheritDoc} Here: the probability that one of the slots of a new key's buckets has its
   * fingerprint.
   */
  @Override
  public double falsePositiveRate() {
    double compared = 0;
    for (byte[] layer : layers) {
      long taken = 0;
      for (byte slot : layer) {
        taken += slot == 0 ? 0 : 1;
      }
      compared += 2.0 * bucketSize * taken / layer.length;
    }
    return 1 - Math.pow(1 - 1.0 / FINGERPRINTS, compared);
  }

  @Override
  public long sizeInBits() {
    return layers.stream().mapToLong(layer -> layer.length).sum() * Byte.SIZE;
  }

  @Override
  public long storedBytes() {
    return HEADER_BYTES + sizeInBits() / Byte.SIZE;
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    out.write(header());
    for (byte[] layer : layers) {
      out.write(layer);
    }
  }

  @Override
  public String toString() {
    return "RedisCuckooFilter[%d keys, %d layers]".formatted(size, layers());
  }
}
