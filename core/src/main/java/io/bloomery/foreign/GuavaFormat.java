package io.bloomery.foreign;

import io.bloomery.foreign.bytes.FileLayout;
import io.bloomery.foreign.bytes.ForeignBytes;
import io.bloomery.foreign.hash.Murmur3;
import io.bloomery.internal.check.Arguments;
import io.bloomery.plan.Shape;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteOrder;
import java.util.Map;

/**
 * Guava's {@code BloomFilter.writeTo}: a byte for the strategy, one for the hashes per key, the
 * number of words and the words, highest byte first. Keys are the bytes that the funnel writes,
 * hashed by MurmurHash3 x64_128: raw text bytes for {@code stringFunnel(UTF_8)}, 8 bytes
 * little-endian for {@code longFunnel}, UTF-16LE bytes for {@code unencodedCharsFunnel}.
 */
public final class GuavaFormat {

  /** How bits follow from a hash of 128 bits. */
  public enum Strategy {
    /** The lower half as two 32-bit numbers; written by Guava up to 19. */
    MURMUR128_MITZ_32,
    /** Both halves, 64-bit sums; written by Guava today. */
    MURMUR128_MITZ_64
  }

  public static final ForeignFormat<ForeignBloomFilter> FORMAT =
      ForeignFormat.of(
              "guava",
              "Guava BloomFilter.writeTo",
              ForeignBloomFilter.class,
              new FileLayout<>(FileLayout.Evidence.LAYOUT, GuavaFormat::header, GuavaFormat::read))
          .withKeys(KeyCoding.Standard.LITTLE_ENDIAN)
          .madeBy(GuavaFormat::create);

  private static final int HEADER_BYTES = 6;
  private static final double LN2 = Math.log(2);

  private GuavaFormat() {}

  /**
   * An empty filter as {@code BloomFilter.create} makes it.
   *
   * @param expectedKeys how many keys will be added, 1 or more
   * @param falsePositiveRate above 0 and below 1
   * @return a filter with the strategy that Guava uses today
   */
  public static ForeignBloomFilter create(long expectedKeys, double falsePositiveRate) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, Shape.MAX_KEYS);
    Arguments.rate("falsePositiveRate", falsePositiveRate);
    long bits = (long) (-expectedKeys * Math.log(falsePositiveRate) / (LN2 * LN2));
    int hashesPerKey = (int) Math.max(1, Math.round(-Math.log(falsePositiveRate) / LN2));
    return of(Strategy.MURMUR128_MITZ_64, Math.max(bits, 1), hashesPerKey);
  }

  /**
   * An empty filter.
   *
   * @param strategy how bits are chosen
   * @param bits how many bits there are, rounded up to a multiple of 64
   * @param hashesPerKey hashes per key, 1…255
   * @return the filter
   */
  public static ForeignBloomFilter of(Strategy strategy, long bits, int hashesPerKey) {
    Arguments.inRange("bits", bits, 1, (Integer.MAX_VALUE - 8L) << 6);
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, 255);
    long words = (bits + 63) >>> 6;
    return new ForeignBloomFilter(
        new Scheme(strategy, hashesPerKey), words << 6, new long[(int) words]);
  }

  private static Scheme header(ForeignBytes in) throws IOException {
    in.order(ByteOrder.BIG_ENDIAN);
    int strategy = (int) in.within(in.u8("the strategy"), 0, 1, "the strategy");
    int hashesPerKey = (int) in.within(in.u8("hashes per key"), 1, 255, "hashes per key");
    int words = in.i32("the number of words");
    in.within(words, 1, Integer.MAX_VALUE - 8, "the number of words");
    in.needExactly((long) words * Long.BYTES, "the words");
    return new Scheme(
        strategy == 1 ? Strategy.MURMUR128_MITZ_64 : Strategy.MURMUR128_MITZ_32, hashesPerKey);
  }

  private static ForeignBloomFilter read(ForeignBytes in) throws IOException {
    Scheme scheme = header(in);
    long[] words = in.words(in.remaining() / Long.BYTES, "the words");
    return new ForeignBloomFilter(scheme, (long) words.length << 6, words);
  }

  private record Scheme(Strategy strategy, int hashesPerKey) implements ForeignBloomFilter.Scheme {

    @Override
    public ForeignFormat<ForeignBloomFilter> format() {
      return FORMAT;
    }

    @Override
    public void indexes(byte[] bytes, int offset, int length, long bits, long[] out) {
      long[] hash = Murmur3.hash128(bytes, offset, length, 0);
      if (strategy == Strategy.MURMUR128_MITZ_64) {
        long sum = hash[0];
        for (int i = 0; i < out.length; i++) {
          out[i] = (sum & Long.MAX_VALUE) % bits;
          sum += hash[1];
        }
      } else {
        int step = (int) (hash[0] >>> 32);
        int sum = (int) hash[0];
        for (int i = 0; i < out.length; i++) {
          sum += step;
          out[i] = (sum < 0 ? ~sum : sum) % bits;
        }
      }
    }

    @Override
    public Map<String, Object> fields() {
      return Map.of("strategy", strategy.name());
    }

    @Override
    public long storedBytes(long bits, long[] words) {
      return HEADER_BYTES + bits / Byte.SIZE;
    }

    @Override
    public void write(long bits, long[] words, OutputStream out) throws IOException {
      new ForeignBytes.Output(out, ByteOrder.BIG_ENDIAN)
          .u8(strategy == Strategy.MURMUR128_MITZ_64 ? 1 : 0)
          .u8(hashesPerKey)
          .i32(words.length)
          .words(words)
          .flush();
    }
  }
}
