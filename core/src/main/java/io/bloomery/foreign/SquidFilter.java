package io.bloomery.foreign;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.IncompatibleFiltersException;
import io.bloomery.Mergeable;
import io.bloomery.foreign.bytes.FileLayout;
import io.bloomery.foreign.bytes.ForeignBytes;
import io.bloomery.internal.check.Arguments;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A cache digest of the proxy Squid: the response of {@code /squid-internal-periodic/store_digest},
 * by which caches announce their contents to each other. A header of 128 bytes, highest byte first,
 * and the bits. A key is the URL of a GET request; {@link #mightContain(int, CharSequence)} takes
 * another method, and {@link #mightContainKey} the MD5 key that Squid's logs show. Each of the four
 * 32-bit words of that key selects a bit, modulo the number of bits.
 *
 * <p>Any number of threads may query. Adding and merging need a lock.
 *
 * <p>Rousskov and Wessels 1998, "Cache Digests"; Squid, "Cache Digest specification, version 5".
 */
public final class SquidFilter implements AddableForeignFilter, Mergeable<SquidFilter> {

  public static final ForeignFormat<SquidFilter> FORMAT =
      ForeignFormat.of(
              "squid-digest",
              "Squid cache digest",
              SquidFilter.class,
              new FileLayout<>(FileLayout.Evidence.MAGIC, SquidFilter::header, SquidFilter::read)
                  .knownBy(18))
          .madeBy(SquidFilter::sized);

  /** Squid's number of the method GET. */
  public static final int GET = 1;

  private static final int VERSION = 5;
  private static final int REQUIRED_VERSION = 3;
  private static final int PROBES = 4;
  private static final int KEY_BYTES = 16;
  private static final int HEADER_BYTES = 128;
  private static final int RESERVED_BYTES = 106;
  private static final int MAX_MASK_BYTES = Integer.MAX_VALUE - 8;

  private final int capacity;
  private final int bitsPerEntry;
  private final int deletions;
  private final long bits;
  private final long[] words;
  private int count;

  private SquidFilter(Header header, long[] words) {
    this.capacity = header.capacity;
    this.bitsPerEntry = header.bitsPerEntry;
    this.deletions = header.deletions;
    this.bits = 8L * header.maskBytes();
    this.words = words;
    this.count = header.count;
  }

  private record Header(int capacity, int count, int deletions, int bitsPerEntry) {

    /** The number of bits, at least capacity × bits per entry, in whole bytes. */
    long maskBytes() {
      return ((long) capacity * bitsPerEntry + 7) >>> 3;
    }
  }

  /**
   * An empty digest.
   *
   * @param capacity how many entries it is sized for, 1 or more
   * @param bitsPerEntry 1…255; Squid's configuration has 5 if nothing is set
   * @return the digest
   */
  public static SquidFilter create(int capacity, int bitsPerEntry) {
    Arguments.inRange("capacity", capacity, 1, Integer.MAX_VALUE);
    Arguments.inRange("bitsPerEntry", bitsPerEntry, 1, 255);
    Header header = new Header(capacity, 0, 0, bitsPerEntry);
    Arguments.inRange("capacity in bytes", header.maskBytes(), 1, MAX_MASK_BYTES);
    return new SquidFilter(header, new long[(int) ((header.maskBytes() + 7) >>> 3)]);
  }

  /** The fewest bits per entry that keep a rate with four bits per key. */
  private static SquidFilter sized(long expectedKeys, double falsePositiveRate) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, Integer.MAX_VALUE);
    double fill = Math.pow(Arguments.rate("falsePositiveRate", falsePositiveRate), 1.0 / PROBES);
    double bitsPerEntry = Math.max(1, Math.ceil(-PROBES / Math.log1p(-fill)));
    if (bitsPerEntry > 255) {
      throw Arguments.refused(
          Arguments.named("falsePositiveRate", falsePositiveRate),
          " needs more than 255 bits per entry");
    }
    return create((int) expectedKeys, (int) bitsPerEntry);
  }

  private static Header header(ForeignBytes in) throws IOException {
    in.order(ByteOrder.BIG_ENDIAN);
    in.within(in.u16("the version"), VERSION, VERSION, "the version");
    in.within(in.u16("the version"), REQUIRED_VERSION, REQUIRED_VERSION, "the version to know");
    int capacity = number(in, 1, "the capacity");
    int count = number(in, 0, "the count");
    int deletions = number(in, 0, "the count of deletions");
    int maskBytes = number(in, 1, "the mask's bytes");
    int bitsPerEntry = (int) in.within(in.u8("bits per entry"), 1, 255, "bits per entry");
    in.within(in.u8("hash functions"), PROBES, PROBES, "the number of hash functions");
    Header header = new Header(capacity, count, deletions, bitsPerEntry);
    in.within(maskBytes, header.maskBytes(), header.maskBytes(), "the mask's bytes");
    for (byte reserved : in.bytes(RESERVED_BYTES, "reserved bytes")) {
      in.within(reserved, 0, 0, "a reserved byte");
    }
    in.needExactly(maskBytes, "the mask");
    return header;
  }

  private static int number(ForeignBytes in, int least, String what) throws IOException {
    return (int) in.within(in.i32(what), least, Integer.MAX_VALUE, what);
  }

  private static SquidFilter read(ForeignBytes in) throws IOException {
    Header header = header(in);
    return new SquidFilter(header, in.bits(header.maskBytes(), "the mask"));
  }

  /**
   * The key by which Squid stores a reply.
   *
   * @param method Squid's number of the method, 0…255; {@link #GET} for nearly all that is stored
   * @param url the URL
   * @return 16 bytes, the MD5 of the method's byte and the URL
   */
  public static byte[] storeKey(int method, CharSequence url) {
    byte[] bytes = Objects.requireNonNull(url, "url").toString().getBytes(UTF_8);
    return storeKey(Arguments.inRange("method", method, 0, 255), bytes, 0, bytes.length);
  }

  private static byte[] storeKey(int method, byte[] url, int offset, int length) {
    try {
      MessageDigest md5 = MessageDigest.getInstance("MD5");
      md5.update((byte) method);
      md5.update(url, offset, length);
      return md5.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has MD5", e);
    }
  }

  private long[] indexes(byte[] key) {
    if (Objects.requireNonNull(key, "key").length != KEY_BYTES) {
      throw new IllegalArgumentException("key has " + key.length + " bytes; it must have 16");
    }
    ByteBuffer in = ByteBuffer.wrap(key);
    long[] indexes = new long[PROBES];
    for (int i = 0; i < PROBES; i++) {
      indexes[i] = Integer.toUnsignedLong(in.getInt()) % bits;
    }
    return indexes;
  }

  /** {@inheritDoc} Here: whether the cache may hold the reply to a GET request of a URL. */
  @Override
  public boolean mightContain(byte[] bytes, int offset, int length) {
    Objects.requireNonNull(bytes, "bytes");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    return mightContainKey(storeKey(GET, bytes, offset, length));
  }

  /**
   * Whether the cache may hold the reply to a request.
   *
   * @param method Squid's number of the method, 0…255
   * @param url the URL
   * @return {@code false}: it certainly did not when the digest was created
   */
  public boolean mightContain(int method, CharSequence url) {
    return mightContainKey(storeKey(method, url));
  }

  /**
   * Whether the cache may hold a reply.
   *
   * @param storeKey 16 bytes, as {@link #storeKey} makes them
   * @return {@code false}: it certainly did not when the digest was created
   */
  public boolean mightContainKey(byte[] storeKey) {
    return ForeignBloomFilter.allSet(words, indexes(storeKey));
  }

  /** {@inheritDoc} Here: the URL of a GET request. */
  @Override
  public boolean add(byte[] bytes, int offset, int length) {
    Objects.requireNonNull(bytes, "bytes");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    return addKey(storeKey(GET, bytes, offset, length));
  }

  /**
   * Adds a reply. Each call counts as an entry, as it does in Squid.
   *
   * @param storeKey 16 bytes, as {@link #storeKey} makes them
   * @return {@code true}: certainly new; {@code false}: probably added before
   */
  public boolean addKey(byte[] storeKey) {
    boolean changed = ForeignBloomFilter.setAll(words, indexes(storeKey));
    count = count == Integer.MAX_VALUE ? count : count + 1;
    return changed;
  }

  /**
   * How many entries it was sized for.
   *
   * @return 1 or more
   */
  public int capacity() {
    return capacity;
  }

  /**
   * How many entries were added.
   *
   * @return 0 or more; may be above the capacity
   */
  public int keyCount() {
    return count;
  }

  @Override
  public boolean isCompatible(SquidFilter other) {
    return capacity == other.capacity && bitsPerEntry == other.bitsPerEntry;
  }

  /** {@inheritDoc} The count becomes the larger of both, a lower bound for the merged set. */
  @Override
  public void merge(SquidFilter other) {
    if (!isCompatible(other)) {
      throw new IncompatibleFiltersException(
          "capacity and bits per entry %d, %d != %d, %d"
              .formatted(capacity, bitsPerEntry, other.capacity, other.bitsPerEntry));
    }
    for (int i = 0; i < words.length; i++) {
      words[i] |= other.words[i];
    }
    count = Math.max(count, other.count);
  }

  @Override
  public ForeignFormat<SquidFilter> format() {
    return FORMAT;
  }

  @Override
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("version", VERSION);
    fields.put("capacity", capacity);
    fields.put("count", count);
    fields.put("deletions", deletions);
    fields.put("bits", bits);
    fields.put("bits per entry", bitsPerEntry);
    fields.put("hashes per key", PROBES);
    return Collections.unmodifiableMap(fields);
  }

  /** {@inheritDoc} Here: the share of set bits to the power of 4. */
  @Override
  public double falsePositiveRate() {
    return Math.pow((double) ForeignBloomFilter.bitsSet(words) / bits, PROBES);
  }

  @Override
  public long sizeInBits() {
    return bits;
  }

  @Override
  public long storedBytes() {
    return HEADER_BYTES + bits / Byte.SIZE;
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    new ForeignBytes.Output(Objects.requireNonNull(out, "out"), ByteOrder.BIG_ENDIAN)
        .u16(VERSION)
        .u16(REQUIRED_VERSION)
        .i32(capacity)
        .i32(count)
        .i32(deletions)
        .i32((int) (bits / Byte.SIZE))
        .u8(bitsPerEntry)
        .u8(PROBES)
        .bytes(new byte[RESERVED_BYTES])
        .bits(words, bits / Byte.SIZE)
        .flush();
  }

  @Override
  public String toString() {
    return "SquidFilter[%d of %d entries, %d bits]".formatted(count, capacity, bits);
  }
}
