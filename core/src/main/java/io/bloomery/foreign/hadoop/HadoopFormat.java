package io.bloomery.foreign.hadoop;

import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.bytes.FileLayout;
import io.bloomery.foreign.bytes.ForeignBytes;
import io.bloomery.internal.check.Arguments;
import io.bloomery.plan.Shape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What the filters of {@code org.apache.hadoop.util.bloom} write: a header, highest byte first, and
 * bits, counters or rows of filters. Hudi and HBase keep the same bytes. Nothing in a file says
 * which of the three it is; its length does.
 */
public final class HadoopFormat {

  /** {@code BloomFilter}: one bit per position. */
  public static final ForeignFormat<ForeignBloomFilter> BLOOM =
      ForeignFormat.of(
              "hadoop-bloom",
              "Hadoop BloomFilter.write",
              ForeignBloomFilter.class,
              new FileLayout<>(
                      FileLayout.Evidence.LAYOUT,
                      HadoopFormat::bloomHeader,
                      HadoopFormat::readBloom)
                  .knownBy(13))
          .madeBy((keys, rate) -> bloom(keys, rate, HadoopHash.MURMUR));

  /** {@code CountingBloomFilter}: one 4-bit counter per position. */
  public static final ForeignFormat<HadoopCountingFilter> COUNTING =
      ForeignFormat.of(
              "hadoop-counting",
              "Hadoop CountingBloomFilter.write",
              HadoopCountingFilter.class,
              new FileLayout<>(
                      FileLayout.Evidence.LAYOUT,
                      HadoopFormat::countingHeader,
                      HadoopFormat::readCounting)
                  .knownBy(13))
          .madeBy((keys, rate) -> counting(keys, rate, HadoopHash.MURMUR));

  /** {@code DynamicBloomFilter}: rows of filters, one more whenever the last is full. */
  public static final ForeignFormat<HadoopDynamicFilter> DYNAMIC =
      ForeignFormat.of(
              "hadoop-dynamic",
              "Hadoop DynamicBloomFilter.write",
              HadoopDynamicFilter.class,
              new FileLayout<>(
                      FileLayout.Evidence.LAYOUT,
                      HadoopFormat::dynamicHeader,
                      HadoopFormat::readDynamic)
                  .knownBy(13))
          .madeBy((keys, rate) -> dynamic(keys, rate, HadoopHash.MURMUR));

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
  public static ForeignBloomFilter bloom(
      long expectedKeys, double falsePositiveRate, HadoopHash hash) {
    int bits = bits(expectedKeys, falsePositiveRate);
    return HadoopScheme.of(hash, hashesPerKey(bits, expectedKeys)).empty(bits);
  }

  /**
   * An empty {@code CountingBloomFilter} of as many counters as {@link #bloom} has bits.
   *
   * @param expectedKeys how many keys will be added, 1 or more
   * @param falsePositiveRate above 0 and below 1
   * @param hash the hash function
   * @return the filter
   */
  public static HadoopCountingFilter counting(
      long expectedKeys, double falsePositiveRate, HadoopHash hash) {
    int cells = bits(expectedKeys, falsePositiveRate);
    HadoopScheme scheme = HadoopScheme.of(hash, hashesPerKey(cells, expectedKeys));
    return new HadoopCountingFilter(scheme, cells, new long[HadoopCountingFilter.wordsFor(cells)]);
  }

  /**
   * An empty {@code DynamicBloomFilter} whose rows have the size of {@link #bloom}.
   *
   * @param keysPerRow how many keys are added to a row, 1…2^31 − 1
   * @param falsePositiveRate of one full row, above 0 and below 1
   * @param hash the hash function
   * @return the filter
   */
  public static HadoopDynamicFilter dynamic(
      long keysPerRow, double falsePositiveRate, HadoopHash hash) {
    Arguments.inRange("keysPerRow", keysPerRow, 1, Integer.MAX_VALUE);
    List<ForeignBloomFilter> rows = new ArrayList<>();
    rows.add(bloom(keysPerRow, falsePositiveRate, hash));
    return new HadoopDynamicFilter((int) keysPerRow, 0, rows);
  }

  private static int bits(long keys, double rate) {
    Arguments.inRange("expectedKeys", keys, 1, Shape.MAX_KEYS);
    Arguments.rate("falsePositiveRate", rate);
    long bits = (long) Math.ceil(keys * (-Math.log(rate) / (LN2 * LN2)));
    return (int) Arguments.inRange("bits", bits, 1, Integer.MAX_VALUE);
  }

  private static int hashesPerKey(int bits, long keys) {
    return Math.max(1, (int) Math.ceil(LN2 * bits / keys));
  }

  private static void bloomHeader(ForeignBytes in) throws IOException {
    HadoopScheme.read(in);
    in.needExactly(bytesFor(HadoopScheme.readBits(in)), "the bits");
  }

  private static ForeignBloomFilter readBloom(ForeignBytes in) throws IOException {
    HadoopScheme scheme = HadoopScheme.read(in);
    return readRow(in, scheme);
  }

  private static ForeignBloomFilter readRow(ForeignBytes in, HadoopScheme scheme)
      throws IOException {
    int bits = HadoopScheme.readBits(in);
    long[] words = in.bits(bytesFor(bits), "the bits");
    checkEnd(in, words, bits);
    return new ForeignBloomFilter(scheme, bits, words);
  }

  private static void countingHeader(ForeignBytes in) throws IOException {
    HadoopScheme.read(in);
    int cells = HadoopScheme.readBits(in);
    in.needExactly((long) HadoopCountingFilter.wordsFor(cells) * Long.BYTES, "the counters");
  }

  private static HadoopCountingFilter readCounting(ForeignBytes in) throws IOException {
    HadoopScheme scheme = HadoopScheme.read(in);
    int cells = HadoopScheme.readBits(in);
    long[] words = in.words(HadoopCountingFilter.wordsFor(cells), "the counters");
    checkEnd(in, words, (long) cells * HadoopCountingFilter.CELL_BITS);
    return new HadoopCountingFilter(scheme, cells, words);
  }

  private record Dynamic(HadoopScheme scheme, int bits, int perRow, int inLast, int rows) {}

  private static Dynamic dynamicHeader(ForeignBytes in) throws IOException {
    HadoopScheme scheme = HadoopScheme.read(in);
    int bits = HadoopScheme.readBits(in);
    int perRow = in.i32("keys per row");
    in.within(perRow, 1, Integer.MAX_VALUE, "keys per row");
    int inLast = in.i32("keys in the last row");
    in.within(inLast, 0, Integer.MAX_VALUE, "keys in the last row");
    int rows = in.i32("the number of rows");
    in.within(rows, 1, Integer.MAX_VALUE, "the number of rows");
    in.needExactly(rows * (scheme.headerBytes() + bytesFor(bits)), "the rows");
    return new Dynamic(scheme, bits, perRow, inLast, rows);
  }

  private static HadoopDynamicFilter readDynamic(ForeignBytes in) throws IOException {
    Dynamic header = dynamicHeader(in);
    List<ForeignBloomFilter> rows = new ArrayList<>();
    for (int i = 0; i < header.rows; i++) {
      long start = in.position();
      HadoopScheme scheme = HadoopScheme.read(in);
      ForeignBloomFilter row = readRow(in, scheme);
      if (!scheme.equals(header.scheme) || row.sizeInBits() != header.bits) {
        throw in.problem(start, "row %d has another header than the filter", i);
      }
      rows.add(row);
    }
    return new HadoopDynamicFilter(header.perRow, header.inLast, rows);
  }

  static long bytesFor(long bits) {
    return (bits + Byte.SIZE - 1) / Byte.SIZE;
  }

  /** Fails if bits from {@code bits} on are set. */
  private static void checkEnd(ForeignBytes in, long[] words, long bits) throws IOException {
    if (bits % Long.SIZE != 0 && words[words.length - 1] >>> bits != 0) {
      throw in.problem(in.position(), "bits after the last of %d are set before this byte", bits);
    }
  }
}
