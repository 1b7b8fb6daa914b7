package io.bloomery.foreign;

import io.bloomery.foreign.bytes.FileLayout;
import io.bloomery.foreign.bytes.ForeignBytes;
import io.bloomery.foreign.hash.Xxh64;
import io.bloomery.internal.check.Arguments;
import io.bloomery.plan.Shape;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteOrder;
import java.util.Map;

/**
 * The Bloom filter of Apache DataSketches, {@code toByteArray}: a preamble of family 21, then the
 * words, lowest byte first; an empty filter is its preamble only. Keys are byte strings, the UTF-8
 * bytes of texts, or 8 bytes little-endian of integers.
 *
 * <p>Filters above 2^32 bits are refused: the Java library chooses the word of a bit from the lower
 * 32 bits of its number, so its large files disagree with the specification.
 */
public final class DataSketchesFormat {

  public static final ForeignFormat<ForeignBloomFilter> FORMAT =
      ForeignFormat.of(
              "datasketches",
              "Apache DataSketches BloomFilter.toByteArray",
              ForeignBloomFilter.class,
              new FileLayout<>(
                      FileLayout.Evidence.MAGIC,
                      DataSketchesFormat::header,
                      DataSketchesFormat::read)
                  .knownBy(8))
          .withKeys(KeyCoding.Standard.LONG)
          .madeBy((expectedKeys, rate) -> create(expectedKeys, rate, 0));

  private static final int EMPTY_LONGS = 3;
  private static final int FULL_LONGS = 4;
  private static final int VERSION = 1;
  private static final int FAMILY = 21;
  private static final int EMPTY_FLAG = 4;
  private static final int MOST_WORDS = 1 << 26;
  private static final int NOT_COUNTED = -1;
  private static final double LN2 = Math.log(2);

  private DataSketchesFormat() {}

  /**
   * An empty filter as {@code BloomFilterBuilder.createByAccuracy} makes it.
   *
   * @param expectedKeys how many keys will be added, 1 or more
   * @param falsePositiveRate above 0 and below 1
   * @param seed seed of the hash function
   * @return the filter
   */
  public static ForeignBloomFilter create(long expectedKeys, double falsePositiveRate, long seed) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, Shape.MAX_KEYS);
    Arguments.rate("falsePositiveRate", falsePositiveRate);
    long bits = (long) Math.ceil(-expectedKeys * Math.log(falsePositiveRate) / (LN2 * LN2));
    int hashesPerKey = (int) Math.max(1, Math.ceil((double) bits / expectedKeys * LN2));
    return of(bits, hashesPerKey, seed);
  }

  /**
   * An empty filter.
   *
   * @param bits how many bits there are, rounded up to a multiple of 64; 1…2^32
   * @param hashesPerKey hashes per key, 1…32767
   * @param seed seed of the hash function
   * @return the filter
   */
  public static ForeignBloomFilter of(long bits, int hashesPerKey, long seed) {
    Arguments.inRange("bits", bits, 1, (long) MOST_WORDS << 6);
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, Short.MAX_VALUE);
    return new ForeignBloomFilter(
        new Scheme(hashesPerKey, seed, false), (bits + 63) & -64, new long[0]);
  }

  private record Header(Scheme scheme, int words, long bitsSet) {}

  private static Header header(ForeignBytes in) throws IOException {
    in.order(ByteOrder.LITTLE_ENDIAN);
    int longs = in.u8("the length of the preamble");
    in.within(longs, EMPTY_LONGS, FULL_LONGS, "the length of the preamble");
    in.within(in.u8("the version"), VERSION, VERSION, "the version");
    in.within(in.u8("the family"), FAMILY, FAMILY, "the family");
    int flags = longs == EMPTY_LONGS ? EMPTY_FLAG : 0;
    in.within(in.u8("the flags"), flags, flags, "the flags");
    int hashesPerKey =
        (int) in.within(in.u16("hashes per key"), 1, Short.MAX_VALUE, "hashes per key");
    in.within(in.u16("an unused field"), 0, 0, "an unused field");
    long seed = in.i64("the seed");
    int words = in.i32("the number of words");
    in.within(words, 1, MOST_WORDS, "the number of words");
    if (longs == EMPTY_LONGS) {
      in.claim((long) words * Long.BYTES, "an empty filter of " + words + " words");
    }
    in.within(in.i32("an unused field"), 0, 0, "an unused field");
    if (longs == EMPTY_LONGS) {
      in.needExactly(0, "the end");
      return new Header(new Scheme(hashesPerKey, seed, false), words, 0);
    }
    long bitsSet = in.i64("the number of set bits");
    in.within(bitsSet, NOT_COUNTED, (long) words << 6, "the number of set bits");
    in.needExactly((long) words * Long.BYTES, "the words");
    return new Header(new Scheme(hashesPerKey, seed, bitsSet != NOT_COUNTED), words, bitsSet);
  }

  private static ForeignBloomFilter read(ForeignBytes in) throws IOException {
    Header header = header(in);
    long[] words = in.words(in.remaining() / Long.BYTES, "the words");
    ForeignBloomFilter filter =
        new ForeignBloomFilter(header.scheme, (long) header.words << 6, words);
    if (header.scheme.counted && header.bitsSet != filter.bitsSet()) {
      throw in.problem(
          EMPTY_LONGS * Long.BYTES,
          "%d bits are set, but the header counts %d",
          filter.bitsSet(),
          header.bitsSet);
    }
    return filter;
  }

  /** Whether the number of set bits is written: preserved from the file that was read. */
  private record Scheme(int hashesPerKey, long seed, boolean counted)
      implements ForeignBloomFilter.Scheme {

    @Override
    public ForeignFormat<ForeignBloomFilter> format() {
      return FORMAT;
    }

    @Override
    public void indexes(byte[] bytes, int offset, int length, long bits, long[] out) {
      long sum = Xxh64.hash(bytes, offset, length, seed);
      long step = Xxh64.hash(bytes, offset, length, sum);
      for (int i = 0; i < out.length; i++) {
        sum += step;
        out[i] = (sum >>> 1) % bits;
      }
    }

    @Override
    public Object mergeKey() {
      return new Scheme(hashesPerKey, seed, false);
    }

    @Override
    public Map<String, Object> fields() {
      return Map.of("seed", seed);
    }

    @Override
    public long storedBytes(long bits, long[] words) {
      return ForeignBloomFilter.bitsSet(words) == 0
          ? EMPTY_LONGS * Long.BYTES
          : FULL_LONGS * Long.BYTES + bits / Byte.SIZE;
    }

    @Override
    public void write(long bits, long[] words, OutputStream out) throws IOException {
      long bitsSet = ForeignBloomFilter.bitsSet(words);
      ForeignBytes.Output to = new ForeignBytes.Output(out, ByteOrder.LITTLE_ENDIAN);
      to.u8(bitsSet == 0 ? EMPTY_LONGS : FULL_LONGS).u8(VERSION).u8(FAMILY);
      to.u8(bitsSet == 0 ? EMPTY_FLAG : 0).u16(hashesPerKey).u16(0).i64(seed);
      to.i32((int) (bits >>> 6)).i32(0);
      if (bitsSet > 0) {
        to.i64(counted ? bitsSet : NOT_COUNTED).words(words);
      }
      to.flush();
    }
  }
}
