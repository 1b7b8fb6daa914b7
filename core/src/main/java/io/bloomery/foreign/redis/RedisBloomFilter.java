package io.bloomery.foreign.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

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
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A Bloom filter of RedisBloom ({@code BF.*}): layers of growing size, the last of which receives
 * new keys; when it is full, a layer of {@link #expansion()} times its capacity and half its rate
 * is added, or the filter refuses further keys if it does not scale. After the same adds it has the
 * same bytes as Redis.
 *
 * <p>Its file is the concatenated output of {@code BF.SCANDUMP}: the header, then the bits of all
 * layers. {@link #chunks()} are the single replies, for {@code BF.LOADCHUNK}. Keys are hashed by
 * MurmurHash64A; a {@code long} is its decimal digits, as Redis commands carry it.
 *
 * <p>Any number of threads may query; adding needs a lock.
 */
public final class RedisBloomFilter implements AddableForeignFilter {

  public static final ForeignFormat<RedisBloomFilter> FORMAT =
      ForeignFormat.of(
              "redis-bloom",
              "RedisBloom BF.SCANDUMP",
              RedisBloomFilter.class,
              new FileLayout<>(
                      FileLayout.Evidence.MAGIC, RedisBloomFilter::header, RedisBloomFilter::read)
                  .knownBy(20))
          .withKeys(KeyCoding.Standard.DIGITS)
          .madeBy((keys, rate) -> create(keys, rate, 2));

  /** The reply of {@code DUMP}; only read, and written as {@link #FORMAT}. */
  public static final ForeignFormat<RedisBloomFilter> DUMP = RedisDumpFormat.around(FORMAT);

  /** The largest capacity that Redis accepts. */
  public static final long MAX_CAPACITY = 1 << 30;

  private static final int HEADER_BYTES = 20;
  private static final int LINK_BYTES = 53;
  private static final int SCALING = 5; // no rounding to powers of two, hashes of 64 bits
  private static final int NOT_SCALING = SCALING | 8;
  private static final double TIGHTENING = 0.5;
  private static final double LN2 = Math.log(2);
  private static final double LN2_SQUARED = 0.480453013918201; // as Redis writes it
  private static final double ROUNDING = 1e-9; // of the logarithm in another language
  private static final long SEED = 0xc6a4a7935bd1e995L;
  private static final int MAX_LINKS = 1 << 16;
  private static final int MAX_HASHES_PER_KEY = 2048;
  private static final int MAX_LAYER_BYTES = Integer.MAX_VALUE - 64;

  private final boolean scaling;
  private final int expansion;
  private final List<Link> links;
  private final long budget;
  private long size;

  private RedisBloomFilter(
      boolean scaling, int expansion, long size, List<Link> links, long budget) {
    this.scaling = scaling;
    this.expansion = expansion;
    this.size = size;
    this.links = links;
    this.budget = budget;
  }

  /** One layer. */
  private static final class Link {
    private final double error;
    private final double bitsPerEntry;
    private final int hashesPerKey;
    private final long entries;
    private final int bytes;
    private byte[] bits = {}; // empty until it was read
    private long size;

    /** An empty layer. */
    Link(long entries, double error) {
      this.entries = entries;
      this.error = error;
      bitsPerEntry = bitsPerEntry(error);
      hashesPerKey = (int) Math.ceil(LN2 * bitsPerEntry);
      bytes = layerBytes(entries, bitsPerEntry);
      bits = new byte[bytes];
    }

    /** The description of a layer. */
    Link(ForeignBytes in) throws IOException {
      long length = in.i64("the bytes of a layer");
      bytes = (int) in.within(length, 1, MAX_LAYER_BYTES, "the bytes of a layer");
      in.within(in.i64("the bits of a layer"), length << 3, length << 3, "the bits of a layer");
      size = in.i64("the keys of a layer");
      error = in.f64("the rate of a layer");
      bitsPerEntry = in.f64("the bits per key of a layer");
      hashesPerKey = in.i32("the hashes per key of a layer");
      in.within(hashesPerKey, 1, MAX_HASHES_PER_KEY, "the hashes per key of a layer");
      entries = in.i64("the capacity of a layer");
      in.within(entries, 1, Long.MAX_VALUE, "the capacity of a layer");
      in.within(in.u8("a power of two"), 0, 0, "a power of two");
      if (!(error > 0 && error < 1)
          || hashesPerKey != Math.ceil(LN2 * bitsPerEntry)
          || Math.abs(bitsPerEntry / bitsPerEntry(error) - 1) > ROUNDING) {
        throw in.problem(
            in.position(),
            "a layer has rate %s, %s bits per key and %d hashes per key, which do not fit together",
            error,
            bitsPerEntry,
            hashesPerKey);
      }
      if (bytesWanted(entries, bitsPerEntry) > bytes) {
        throw in.problem(
            in.position(), "a layer of %d bytes claims a capacity of %d keys", bytes, entries);
      }
    }

    private static double bitsPerEntry(double error) {
      return -Math.log(error) / LN2_SQUARED;
    }

    private static double bytesWanted(long entries, double bitsPerEntry) {
      return Math.floor(entries * bitsPerEntry) / Byte.SIZE;
    }

    private static int layerBytes(long entries, double bitsPerEntry) {
      if (bytesWanted(entries, bitsPerEntry) > MAX_LAYER_BYTES) {
        throw new FilterFullException(
            "a layer for " + entries + " keys would take more bytes than one array holds");
      }
      long words = ((long) (entries * bitsPerEntry) + Long.SIZE - 1) / Long.SIZE;
      return (int) Math.max(words, 1) * Long.BYTES;
    }

    boolean has(long a, long b) {
      long sizeInBits = (long) bytes * Byte.SIZE;
      for (int i = 0; i < hashesPerKey; i++) {
        long bit = Long.remainderUnsigned(a + i * b, sizeInBits);
        if ((bits[(int) (bit >>> 3)] >>> (bit & 7) & 1) == 0) {
          return false;
        }
      }
      return true;
    }

    void set(long a, long b) {
      long sizeInBits = (long) bytes * Byte.SIZE;
      for (int i = 0; i < hashesPerKey; i++) {
        long bit = Long.remainderUnsigned(a + i * b, sizeInBits);
        bits[(int) (bit >>> 3)] |= (byte) (1 << (bit & 7));
      }
      size++;
    }

    double rate() {
      long set = 0;
      for (byte some : bits) {
        set += Integer.bitCount(some & 0xff);
      }
      return Math.pow(set / ((double) bytes * Byte.SIZE), hashesPerKey);
    }
  }

  /**
   * An empty filter as {@code BF.RESERVE key rate capacity EXPANSION expansion} makes it. Its first
   * layer has half of the rate, so that all layers together stay within it.
   *
   * @param capacity how many keys the first layer takes, 1…2^30
   * @param falsePositiveRate above 0 and below 1
   * @param expansion how many times larger than the last one a new layer is, 1…32,768
   * @return the filter
   */
  public static RedisBloomFilter create(long capacity, double falsePositiveRate, int expansion) {
    Arguments.inRange("expansion", expansion, 1, 1 << 15);
    return create(capacity, falsePositiveRate, true, expansion);
  }

  /**
   * An empty filter as {@code BF.RESERVE key rate capacity NONSCALING} makes it.
   *
   * @param capacity how many keys it takes, 1…2^30
   * @param falsePositiveRate above 0 and below 1
   * @return the filter
   */
  public static RedisBloomFilter createNonScaling(long capacity, double falsePositiveRate) {
    return create(capacity, falsePositiveRate, false, 2);
  }

  private static RedisBloomFilter create(
      long capacity, double rate, boolean scaling, int expansion) {
    Arguments.inRange("capacity", capacity, 1, MAX_CAPACITY);
    Arguments.rate("falsePositiveRate", rate);
    List<Link> links = new ArrayList<>();
    try {
      links.add(new Link(capacity, scaling ? rate * TIGHTENING : rate));
    } catch (FilterFullException e) {
      throw new IllegalArgumentException("capacity = " + capacity + ": " + e.getMessage(), e);
    }
    return new RedisBloomFilter(scaling, expansion, 0, links, Memory.budget());
  }

  /**
   * Restores a filter from the replies of {@code BF.SCANDUMP}.
   *
   * @param chunks all replies in their order, without the last one, whose iterator is 0
   * @return the filter
   * @throws FilterFormatException if they are damaged or incomplete
   */
  public static RedisBloomFilter ofChunks(List<Chunk> chunks) throws FilterFormatException {
    return FORMAT.read(Chunk.join(chunks));
  }

  /**
   * The replies of {@code BF.SCANDUMP}, each the arguments of a {@code BF.LOADCHUNK}.
   *
   * @return header and data, without the reply that ends a dump
   */
  public List<Chunk> chunks() {
    return Chunk.of(header(), links.stream().map(link -> link.bits).toList());
  }

  private static RedisBloomFilter read(ForeignBytes in) throws IOException {
    RedisBloomFilter filter = header(in);
    for (Link link : filter.links) {
      link.bits = in.bytes(link.bytes, "the bits of a layer");
    }
    return filter;
  }

  /** Reads and checks everything but the bits. */
  private static RedisBloomFilter header(ForeignBytes in) throws IOException {
    in.order(ByteOrder.LITTLE_ENDIAN);
    long size = in.i64("the number of keys");
    int count = (int) in.within(in.u32("the number of layers"), 1, MAX_LINKS, "the layers");
    int options = in.i32("the options");
    if (options != SCALING && options != NOT_SCALING) {
      throw in.problem(in.position(), "the options are %d; 5 or 13 is expected", options);
    }
    long growth = in.u32("the expansion");
    in.within(growth, options == SCALING ? 1 : 0, Integer.MAX_VALUE, "the expansion");
    in.need((long) count * LINK_BYTES, "the layers");
    List<Link> links = new ArrayList<>();
    long sum = 0;
    long data = 0;
    for (int i = 0; i < count; i++) {
      Link link = new Link(in);
      sum += link.size;
      data += link.bytes;
      links.add(link);
    }
    if (sum != size) {
      throw in.problem(0, "the layers have %d keys, the header says %d", sum, size);
    }
    in.needExactly(data, "the bits");
    return new RedisBloomFilter(options == SCALING, (int) growth, size, links, in.budget());
  }

  private byte[] header() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      ForeignBytes.Output out =
          new ForeignBytes.Output(bytes, ByteOrder.LITTLE_ENDIAN)
              .i64(size)
              .i32(links.size())
              .i32(scaling ? SCALING : NOT_SCALING)
              .i32(expansion);
      for (Link link : links) {
        out.i64(link.bytes)
            .i64((long) link.bytes * Byte.SIZE)
            .i64(link.size)
            .f64(link.error)
            .f64(link.bitsPerEntry)
            .i32(link.hashesPerKey)
            .i64(link.entries)
            .u8(0);
      }
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * The number of adds that returned {@code true}, as {@code BF.CARD} reports.
   *
   * @return 0 or more
   */
  public long keyCount() {
    return size;
  }

  /**
   * How many keys all layers take.
   *
   * @return 1 or more
   */
  public long capacity() {
    return links.stream().mapToLong(link -> link.entries).sum();
  }

  /**
   * How many layers there are.
   *
   * @return 1 or more
   */
  public int layers() {
    return links.size();
  }

  /**
   * Whether it grows when it is full.
   *
   * @return {@code false} if it was reserved with {@code NONSCALING}
   */
  public boolean isScaling() {
    return scaling;
  }

  /**
   * How many times larger than the last one a new layer is.
   *
   * @return without meaning if it does not scale
   */
  public int expansion() {
    return expansion;
  }

  @Override
  public boolean mightContain(byte[] bytes, int offset, int length) {
    Objects.requireNonNull(bytes, "bytes");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    long a = Murmur64A.hash(bytes, offset, length, SEED);
    return has(a, Murmur64A.hash(bytes, offset, length, a));
  }

  @Override
  public boolean mightContain(long key) {
    return mightContain(Long.toString(key).getBytes(US_ASCII));
  }

  private boolean has(long a, long b) {
    for (Link link : links) {
      if (link.has(a, b)) {
        return true;
      }
    }
    return false;
  }

  /**
   * {@inheritDoc}
   *
   * @throws FilterFullException if it does not scale and is full, or no larger layer fits into
   *     memory; the filter is then unchanged
   */
  @Override
  public boolean add(byte[] bytes, int offset, int length) {
    Objects.requireNonNull(bytes, "bytes");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    long a = Murmur64A.hash(bytes, offset, length, SEED);
    long b = Murmur64A.hash(bytes, offset, length, a);
    if (has(a, b)) {
      return false;
    }
    Link last = links.get(links.size() - 1);
    if (last.size >= last.entries) {
      last = grow(last);
    }
    last.set(a, b);
    size++;
    return true;
  }

  @Override
  public boolean add(long key) {
    return add(Long.toString(key).getBytes(US_ASCII));
  }

  private Link grow(Link last) {
    if (!scaling) {
      throw new FilterFullException(
          "a redis-bloom filter that does not scale holds its " + last.entries + " keys");
    }
    if (last.entries > Long.MAX_VALUE / expansion || links.size() == MAX_LINKS) {
      throw new FilterFullException("a redis-bloom filter of " + size + " keys cannot grow more");
    }
    long entries = last.entries * expansion;
    double error = last.error * TIGHTENING;
    if (Link.bytesWanted(entries, Link.bitsPerEntry(error)) > budget) {
      throw new FilterFullException(
          "a redis-bloom filter of %d keys cannot grow: a layer for %d keys is beyond the budget of %d bytes"
              .formatted(size, entries, budget));
    }
    Link next = new Link(entries, error);
    links.add(next);
    return next;
  }

  @Override
  public ForeignFormat<RedisBloomFilter> format() {
    return FORMAT;
  }

  @Override
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("keys", size);
    fields.put("capacity", capacity());
    fields.put("layers", layers());
    fields.put("scaling", scaling ? "yes" : "no");
    fields.put("expansion", expansion);
    fields.put("rate of the first layer", links.get(0).error);
    return Collections.unmodifiableMap(fields);
  }

  @Override
  public double falsePositiveRate() {
    double none = 1;
    for (Link link : links) {
      none *= 1 - link.rate();
    }
    return 1 - none;
  }

  @Override
  public long sizeInBits() {
    return links.stream().mapToLong(link -> link.bytes).sum() * Byte.SIZE;
  }

  @Override
  public long storedBytes() {
    return HEADER_BYTES + (long) links.size() * LINK_BYTES + sizeInBits() / Byte.SIZE;
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    out.write(header());
    for (Link link : links) {
      out.write(link.bits);
    }
  }

  @Override
  public String toString() {
    return "RedisBloomFilter[%d of %d keys, %d layers]".formatted(size, capacity(), layers());
  }

  /**
   * A reply of {@code BF.SCANDUMP} or {@code CF.SCANDUMP}, and the arguments of the {@code
   * LOADCHUNK} that restores it. The reply that ends a dump, iterator 0 without data, is not one of
   * them.
   *
   * @param iterator 1 for the header; for data 1 plus the bytes of data up to the end of this chunk
   * @param data the bytes; not copied
   */
  @SuppressWarnings("ArrayRecordComponent") // chunks are passed on, never compared
  public record Chunk(long iterator, byte[] data) {

    private static final int MAX_DATA = 16 << 20;

    /**
     * Takes over the array.
     *
     * @param iterator what came with the data
     * @param data the bytes; not null
     */
    public Chunk {
      Objects.requireNonNull(data, "data");
    }

    /** The chunks of a header and of layers, of which none is in the same chunk as another. */
    static List<Chunk> of(byte[] header, List<byte[]> layers) {
      List<Chunk> chunks = new ArrayList<>();
      chunks.add(new Chunk(1, header));
      long iterator = 1;
      for (byte[] layer : layers) {
        for (int from = 0; from < layer.length; ) {
          int to = Math.min(layer.length - from, MAX_DATA) + from;
          iterator += to - from;
          chunks.add(new Chunk(iterator, Arrays.copyOfRange(layer, from, to)));
          from = to;
        }
      }
      return chunks;
    }

    /** Header and data concatenated, as in a file. */
    static byte[] join(List<Chunk> chunks) throws FilterFormatException {
      Objects.requireNonNull(chunks, "chunks");
      long total = 0;
      for (Chunk chunk : chunks) {
        total += chunk.data.length;
      }
      if (total > Integer.MAX_VALUE - 8) {
        throw problem("chunks of %d bytes are more than one array holds".formatted(total));
      }
      byte[] all = new byte[(int) total];
      int at = 0;
      long iterator = 1;
      for (Chunk chunk : chunks) {
        iterator += at == 0 ? 0 : chunk.data.length;
        if (chunk.iterator != iterator) {
          throw problem(
              "a chunk has iterator %d, not %d: are all there, in the order of SCANDUMP?"
                  .formatted(chunk.iterator, iterator));
        }
        System.arraycopy(chunk.data, 0, all, at, chunk.data.length);
        at += chunk.data.length;
      }
      return all;
    }

    private static FilterFormatException problem(String what) {
      return new FilterFormatException("chunks", 0, what);
    }
  }
}
