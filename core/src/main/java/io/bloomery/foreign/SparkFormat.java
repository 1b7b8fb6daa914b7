package io.bloomery.foreign;

import io.bloomery.foreign.bytes.FileLayout;
import io.bloomery.foreign.bytes.ForeignBytes;
import io.bloomery.foreign.hash.Murmur3;
import io.bloomery.internal.check.Arguments;
import io.bloomery.plan.Shape;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Spark's {@code org.apache.spark.util.sketch.BloomFilter.writeTo}, versions 1 and 2: the version,
 * hashes per key, in version 2 a seed, the number of words and the words, highest byte first. Keys
 * are the UTF-8 bytes of texts, byte strings, or 8 bytes little-endian of integers.
 */
public final class SparkFormat {

  /** How bits follow from two hashes of 32 bits. */
  public enum Version {
    /** 32-bit sums without a seed; written by Spark up to 4.0. */
    V1(1, 12),
    /** 64-bit sums with a seed; written by Spark since 4.1. */
    V2(2, 16);

    private final int wireId;
    private final int headerBytes;

    Version(int wireId, int headerBytes) {
      this.wireId = wireId;
      this.headerBytes = headerBytes;
    }
  }

  public static final ForeignFormat<ForeignBloomFilter> FORMAT =
      ForeignFormat.of(
              "spark",
              "Spark sketch BloomFilter.writeTo",
              ForeignBloomFilter.class,
              new FileLayout<>(FileLayout.Evidence.LAYOUT, SparkFormat::header, SparkFormat::read)
                  .knownBy(12))
          .withKeys(KeyCoding.Standard.INTEGER)
          .madeBy(SparkFormat::create);

  private static final int MOST_PROBES = 0xffff;
  private static final int MOST_WORDS = Integer.MAX_VALUE - 8;
  private static final double LN2 = Math.log(2);

  private SparkFormat() {}

  /**
   * An empty filter as {@code BloomFilter.create} makes it.
   *
   * @param expectedKeys how many keys will be added, 1 or more
   * @param falsePositiveRate above 0 and below 1
   * @return a filter of version 2 with seed 0
   */
  public static ForeignBloomFilter create(long expectedKeys, double falsePositiveRate) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, Shape.MAX_KEYS);
    Arguments.rate("falsePositiveRate", falsePositiveRate);
    long bits = (long) (-expectedKeys * Math.log(falsePositiveRate) / (LN2 * LN2));
    bits = Math.max(bits, 1);
    int hashesPerKey = (int) Math.max(1, Math.round((double) bits / expectedKeys * LN2));
    return of(Version.V2, bits, hashesPerKey, 0);
  }

  /**
   * An empty filter.
   *
   * @param version how bits are chosen
   * @param bits how many bits there are, rounded up to a multiple of 64
   * @param hashesPerKey hashes per key, 1…65535
   * @param seed seed of the hash function, 0 in version 1
   * @return the filter
   */
  public static ForeignBloomFilter of(Version version, long bits, int hashesPerKey, int seed) {
    Arguments.inRange("bits", bits, 1, (long) MOST_WORDS << 6);
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, MOST_PROBES);
    if (version == Version.V1) {
      Arguments.inRange("seed of version 1", seed, 0, 0);
    }
    long words = (bits + 63) >>> 6;
    return new ForeignBloomFilter(
        new Scheme(version, hashesPerKey, seed), words << 6, new long[(int) words]);
  }

  private static Scheme header(ForeignBytes in) throws IOException {
    in.order(ByteOrder.BIG_ENDIAN);
    int wireId = (int) in.within(in.i32("the version"), 1, 2, "the version");
    Version version = wireId == 1 ? Version.V1 : Version.V2;
    int hashesPerKey = (int) in.within(in.i32("hashes per key"), 1, MOST_PROBES, "hashes per key");
    int seed = version == Version.V1 ? 0 : in.i32("the seed");
    long words = in.within(in.i32("the number of words"), 1, MOST_WORDS, "the number of words");
    in.needExactly(words * Long.BYTES, "the words");
    return new Scheme(version, hashesPerKey, seed);
  }

  private static ForeignBloomFilter read(ForeignBytes in) throws IOException {
    Scheme scheme = header(in);
    long[] words = in.words(in.remaining() / Long.BYTES, "the words");
    return new ForeignBloomFilter(scheme, (long) words.length << 6, words);
  }

  private record Scheme(Version version, int hashesPerKey, int seed)
      implements ForeignBloomFilter.Scheme {

    @Override
    public ForeignFormat<ForeignBloomFilter> format() {
      return FORMAT;
    }

    @Override
    public void indexes(byte[] bytes, int offset, int length, long bits, long[] out) {
      int first = Murmur3.sparkHash32(bytes, offset, length, seed);
      int step = Murmur3.sparkHash32(bytes, offset, length, first);
      if (version == Version.V1) {
        int sum = first;
        for (int i = 0; i < out.length; i++) {
          sum += step;
          out[i] = (sum < 0 ? ~sum : sum) % bits;
        }
      } else {
        long sum = (long) first * Integer.MAX_VALUE;
        for (int i = 0; i < out.length; i++) {
          sum += step;
          out[i] = (sum < 0 ? ~sum : sum) % bits;
        }
      }
    }

    @Override
    public Map<String, Object> fields() {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("version", version.wireId);
      if (version == Version.V2) {
        fields.put("seed", seed);
      }
      return fields;
    }

    @Override
    public long storedBytes(long bits, long[] words) {
      return version.headerBytes + bits / Byte.SIZE;
    }

    @Override
    public void write(long bits, long[] words, OutputStream out) throws IOException {
      ForeignBytes.Output to = new ForeignBytes.Output(out, ByteOrder.BIG_ENDIAN);
      to.i32(version.wireId).i32(hashesPerKey);
      if (version == Version.V2) {
        to.i32(seed);
      }
      to.i32(words.length).words(words).flush();
    }
  }
}
