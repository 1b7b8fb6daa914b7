package io.bloomery.foreign.parquet;

import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.KeyCoding;
import io.bloomery.foreign.bytes.FileLayout;
import io.bloomery.foreign.bytes.ForeignBytes;
import io.bloomery.foreign.hash.Xxh64;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.probe.SplitBlock;
import io.bloomery.plan.Shape;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;

/**
 * Parquet's split-block Bloom filter: a {@code BloomFilterHeader} in Thrift's compact protocol,
 * then blocks of 32 bytes. A key sets one bit in each of the eight 32-bit lanes of one block,
 * chosen by XXH64 with seed 0 of the value in plain encoding: numbers little-endian in 4 or 8
 * bytes, byte arrays without their length. Apache Parquet format, BloomFilter.md.
 *
 * <p>A {@code long} key is an INT64; {@link #plain(int)}, {@link #plain(float)} and {@link
 * #plain(double)} give the bytes of the other numbers. {@link ParquetFile} finds the filters within
 * {@code .parquet} files.
 */
public final class ParquetFormat {

  public static final ForeignFormat<ForeignBloomFilter> FORMAT =
      ForeignFormat.of(
              "parquet-bitset",
              "Parquet split-block Bloom filter with its header",
              ForeignBloomFilter.class,
              new FileLayout<>(
                      FileLayout.Evidence.MAGIC, ParquetFormat::header, ParquetFormat::read)
                  .knownBy(16))
          .withKeys(KeyCoding.Standard.LITTLE_ENDIAN)
          .madeBy(ParquetFormat::create);

  private static final int BLOCK_BYTES = 32;
  private static final int LANES = 8;
  private static final int LANE_BITS = 32;
  private static final int MIN_BYTES = BLOCK_BYTES;
  private static final int MAX_BYTES = 128 << 20; // parquet-java reads no more
  private static final int OLD_HEADER_BYTES = 12;
  private static final Scheme SCHEME = new Scheme(KeyCoding.Standard.LITTLE_ENDIAN);

  private ParquetFormat() {}

  /**
   * An empty filter of the smallest power of two of bytes that reaches the rate. Close to such a
   * size parquet-java takes twice as much, because it rounds up earlier.
   *
   * @param expectedKeys how many distinct keys will be added, 1 or more
   * @param falsePositiveRate above 0 and below 1
   * @return a filter of 32 bytes to 128 MiB
   */
  public static ForeignBloomFilter create(long expectedKeys, double falsePositiveRate) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, Shape.MAX_KEYS);
    Arguments.rate("falsePositiveRate", falsePositiveRate);
    double perKey = -LANES / Math.log(1 - Math.pow(falsePositiveRate, 1.0 / LANES));
    double bytes = Math.min(Math.ceil(expectedKeys * perKey / Byte.SIZE), MAX_BYTES);
    int rounded = Integer.highestOneBit(Math.max(MIN_BYTES, (int) bytes) - 1) << 1;
    return ofBytes(rounded);
  }

  /**
   * An empty filter.
   *
   * @param bytes the length of the bit set, a multiple of 32, at most 128 MiB
   * @return the filter
   */
  public static ForeignBloomFilter ofBytes(int bytes) {
    Arguments.inRange("bytes", bytes, MIN_BYTES, MAX_BYTES);
    if (bytes % BLOCK_BYTES != 0) {
      throw new IllegalArgumentException("bytes = " + bytes + " is not a multiple of 32");
    }
    return new ForeignBloomFilter(SCHEME, (long) bytes * Byte.SIZE, new long[bytes / Long.BYTES]);
  }

  /**
   * The plain encoding of an INT32, which also stores smaller integers, dates and short decimals.
   *
   * @param value the value
   * @return 4 bytes, the key to add or query
   */
  public static byte[] plain(int value) {
    return littleEndian(Integer.BYTES).putInt(value).array();
  }

  /**
   * The plain encoding of a FLOAT.
   *
   * @param value the value
   * @return 4 bytes, the key to add or query
   */
  public static byte[] plain(float value) {
    return littleEndian(Float.BYTES).putFloat(value).array();
  }

  /**
   * The plain encoding of a DOUBLE.
   *
   * @param value the value
   * @return 8 bytes, the key to add or query
   */
  public static byte[] plain(double value) {
    return littleEndian(Double.BYTES).putDouble(value).array();
  }

  private static ByteBuffer littleEndian(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static int header(ForeignBytes in) throws IOException {
    refuseOldHeader(in);
    int bytes = header(in, in.length());
    int length = (int) in.position();
    in.seek(0);
    byte[] found = in.bytes(length, "the header");
    if (!Arrays.equals(found, headerOf(bytes))) {
      throw in.problem(0, "the header is not encoded as Parquet's writers do");
    }
    in.needExactly(bytes, "the bit set");
    return bytes;
  }

  /** Before format 2.7 the header was three plain numbers, and keys were hashed by MurmurHash3. */
  private static void refuseOldHeader(ForeignBytes in) throws IOException {
    if (in.length() >= OLD_HEADER_BYTES) {
      in.order(ByteOrder.LITTLE_ENDIAN);
      long bytes = in.u32("the length");
      long rest = in.i64("hash and algorithm");
      if (rest == 0 && bytes == in.remaining()) {
        throw in.problem(
            0,
            "a Bloom filter of a Parquet draft before 2.7, which hashes by MurmurHash3; only the"
                + " XXH64 filters of released Parquet versions are read");
      }
      in.seek(0);
    }
  }

  /**
   * Reads a header that ends before {@code end}; returns the length of the bit set that follows.
   */
  static int header(ForeignBytes in, long end) throws IOException {
    long start = in.position();
    ThriftCompact thrift = new ThriftCompact(in, end);
    long bytes = -1;
    int choices = 0;
    thrift.enter();
    for (int field = thrift.field(); field != 0; field = thrift.field()) {
      switch (field) {
        case 1 -> bytes = thrift.i32("the length of the bit set");
        case 2 -> choices += first(in, thrift, "the algorithm", "split blocks");
        case 3 -> choices += first(in, thrift, "the hash", "XXH64");
        case 4 -> choices += first(in, thrift, "the compression", "none");
        default -> thrift.skip();
      }
    }
    thrift.leave();
    if (bytes < 0 || choices != 3) {
      throw in.problem(start, "length, algorithm, hash or compression is missing in the header");
    }
    in.within(bytes, MIN_BYTES, Integer.MAX_VALUE, "the length of the bit set");
    if (bytes % BLOCK_BYTES != 0) {
      throw in.problem(start, "the bit set has %d bytes, not a multiple of 32", bytes);
    }
    return (int) bytes;
  }

  /** Reads a union of which only the first choice is known; 1. */
  private static int first(ForeignBytes in, ThriftCompact thrift, String what, String only)
      throws IOException {
    thrift.want(ThriftCompact.STRUCT, what).enter();
    int choice = thrift.field();
    if (choice != 1) {
      throw in.problem(in.position(), "%s is choice %d; only 1, %s, is known", what, choice, only);
    }
    thrift.skip();
    if (thrift.field() != 0) {
      throw in.problem(in.position(), "%s is more than one choice", what);
    }
    thrift.leave();
    return 1;
  }

  private static ForeignBloomFilter read(ForeignBytes in) throws IOException {
    return bitset(in, header(in), KeyCoding.Standard.LITTLE_ENDIAN);
  }

  /** Reads the bit set that follows a header. */
  static ForeignBloomFilter bitset(ForeignBytes in, int bytes, KeyCoding keys) throws IOException {
    return new ForeignBloomFilter(
        new Scheme(keys), (long) bytes * Byte.SIZE, in.bits(bytes, "the bit set"));
  }

  /** The header that all known writers write. */
  private static byte[] headerOf(int bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(0x15); // field 1, a number
    long zigzag = (long) bytes << 1;
    for (; zigzag > 127; zigzag >>>= 7) {
      out.write(((int) zigzag & 127) | 128);
    }
    out.write((int) zigzag);
    for (int i = 0; i < 3; i++) { // fields 2, 3, 4: the first choice of a union, which is empty
      out.writeBytes(new byte[] {0x1c, 0x1c, 0, 0});
    }
    out.write(0);
    return out.toByteArray();
  }

  private record Scheme(KeyCoding keyCoding) implements ForeignBloomFilter.Scheme {

    @Override
    public Object mergeKey() {
      return "XXH64";
    }

    @Override
    public ForeignFormat<ForeignBloomFilter> format() {
      return FORMAT;
    }

    @Override
    public int hashesPerKey() {
      return LANES;
    }

    @Override
    public void indexes(byte[] bytes, int offset, int length, long bits, long[] out) {
      long hash = Xxh64.hash(bytes, offset, length, 0);
      long block = SplitBlock.first(hash, bits / (BLOCK_BYTES * Byte.SIZE)) << 6;
      for (int i = 0; i < LANES; i++) {
        out[i] = block + (long) i * LANE_BITS + SplitBlock.bit((int) hash, i);
      }
    }

    @Override
    public double falsePositiveRate(long bits, long[] words) {
      double sum = 0;
      for (int at = 0; at < words.length; at += SplitBlock.WORDS) {
        double product = 1;
        for (int i = 0; i < SplitBlock.WORDS; i++) {
          long word = words[at + i];
          product *= Integer.bitCount((int) word) * (double) Long.bitCount(word >>> LANE_BITS);
        }
        sum += product;
      }
      return sum * SplitBlock.WORDS / words.length * Math.pow(LANE_BITS, -LANES);
    }

    @Override
    public Map<String, Object> fields() {
      return Map.of("hash", "XXH64");
    }

    @Override
    public long storedBytes(long bits, long[] words) {
      int bytes = (int) (bits / Byte.SIZE);
      return headerOf(bytes).length + (long) bytes;
    }

    @Override
    public void write(long bits, long[] words, OutputStream out) throws IOException {
      new ForeignBytes.Output(out, ByteOrder.LITTLE_ENDIAN)
          .bytes(headerOf((int) (bits / Byte.SIZE)))
          .words(words)
          .flush();
    }
  }
}
