package io.bloomery.foreign.hadoop;

import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.bytes.FileLayout;
import io.bloomery.foreign.bytes.ForeignBytes;
import io.bloomery.foreign.hash.Lookup3;
import io.bloomery.foreign.hash.Murmur2;
import io.bloomery.internal.check.Arguments;
import io.bloomery.plan.Shape;
import java.io.IOException;

/**
 * The output of the {@code BloomFilter} of {@code org.apache.hadoop.util.bloom}: a header, highest
 * byte first, and bits. Hudi and HBase keep the same bytes. {@link HadoopCountingFilter} and {@link
 * HadoopDynamicFilter} are written with the same header; only its length shows which of the three a
 * file is.
 */
public final class HadoopFormat {

  /** {@code BloomFilter}: one bit per position. */
  public static final ForeignFormat<ForeignBloomFilter> FORMAT =
      ForeignFormat.of(
              "hadoop-bloom",
              "Hadoop BloomFilter.write",
              ForeignBloomFilter.class,
              new FileLayout<>(FileLayout.Evidence.LAYOUT, HadoopFormat::header, HadoopFormat::read)
                  .knownBy(13))
          .madeBy((keys, rate) -> create(keys, rate, Hash.MURMUR));

  /** Hudi's simple filter, in Base64; only read, and written as {@link #FORMAT}. */
  public static final ForeignFormat<ForeignBloomFilter> HUDI =
      HudiFormat.around("hudi-simple", "Hudi SimpleBloomFilter in Base64", FORMAT);

  private static final double LN2 = Math.log(2);

  private HadoopFormat() {}

  /**
   * An empty {@code BloomFilter} of the size that Hudi chooses.
   *
   * @param expectedKeys how many keys will be added, 1 or more
   * @param falsePositiveRate above 0 and below 1
   * @param hash the hash function
   * @return the filter
   */
  public static ForeignBloomFilter create(long expectedKeys, double falsePositiveRate, Hash hash) {
    int bits = bits(expectedKeys, falsePositiveRate);
    return HadoopScheme.of(hash, hashesPerKey(bits, expectedKeys)).empty(bits);
  }

  static int bits(long keys, double rate) {
    Arguments.inRange("expectedKeys", keys, 1, Shape.MAX_KEYS);
    Arguments.rate("falsePositiveRate", rate);
    long bits = (long) Math.ceil(keys * (-Math.log(rate) / (LN2 * LN2)));
    return (int) Arguments.inRange("bits", bits, 1, Integer.MAX_VALUE);
  }

  static int hashesPerKey(int bits, long keys) {
    return Math.max(1, (int) Math.ceil(LN2 * bits / keys));
  }

  private static void header(ForeignBytes in) throws IOException {
    HadoopScheme.read(in);
    in.needExactly(bytesFor(HadoopScheme.readBits(in)), "the bits");
  }

  private static ForeignBloomFilter read(ForeignBytes in) throws IOException {
    HadoopScheme scheme = HadoopScheme.read(in);
    return readRow(in, scheme);
  }

  static ForeignBloomFilter readRow(ForeignBytes in, HadoopScheme scheme) throws IOException {
    int bits = HadoopScheme.readBits(in);
    long[] words = in.bits(bytesFor(bits), "the bits");
    checkEnd(in, words, bits);
    return new ForeignBloomFilter(scheme, bits, words);
  }

  static long bytesFor(long bits) {
    return (bits + Byte.SIZE - 1) / Byte.SIZE;
  }

  /** Fails if bits from {@code bits} on are set. */
  static void checkEnd(ForeignBytes in, long[] words, long bits) throws IOException {
    if (bits % Long.SIZE != 0 && words[words.length - 1] >>> bits != 0) {
      throw in.problem(in.position(), "bits after the last of %d are set before this byte", bits);
    }
  }

  /** The hash functions of Hadoop's filters. */
  public enum Hash {
    /** Jenkins' lookup3. */
    JENKINS(0),
    /** MurmurHash2 with Hadoop's own order and signs of the last bytes. */
    MURMUR(1);

    private final int wireId;

    Hash(int wireId) {
      this.wireId = wireId;
    }

    /** The number in files. */
    int wireId() {
      return wireId;
    }

    /** 32 bits of a byte string. */
    int hash(byte[] bytes, int offset, int length, int seed) {
      return this == JENKINS
          ? Lookup3.hash32(bytes, offset, length, seed)
          : Murmur2.hadoopHash32(bytes, offset, length, seed);
    }
  }
}
