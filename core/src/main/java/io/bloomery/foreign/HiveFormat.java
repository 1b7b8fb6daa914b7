package io.bloomery.foreign;

import io.bloomery.foreign.bytes.FileLayout;
import io.bloomery.foreign.bytes.ForeignBytes;
import io.bloomery.foreign.hash.HiveMurmur3;
import io.bloomery.internal.check.Arguments;
import io.bloomery.plan.Shape;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;

/**
 * Hive's {@code BloomKFilter}, which its semi-joins exchange: a byte for the hashes per key, the
 * number of words and the words, highest byte first. All bits of a key are in one block of 8 words,
 * which the sum of the two halves of Hive's 64-bit MurmurHash3 chooses.
 *
 * <p>Texts and bytes are hashed as they are. A {@code long} is 8 bytes <em>big</em>-endian, as
 * {@code addLong} hashes it; {@code addDouble} adds the {@code long} of the same bits.
 */
public final class HiveFormat {

  public static final ForeignFormat<ForeignBloomFilter> FORMAT =
      ForeignFormat.of(
              "hive-bloomk",
              "Hive BloomKFilter",
              ForeignBloomFilter.class,
              new FileLayout<>(FileLayout.Evidence.LAYOUT, HiveFormat::header, HiveFormat::read))
          .withKeys(KeyCoding.Standard.BIG_ENDIAN)
          .madeBy(HiveFormat::create);

  private static final int HEADER_BYTES = 5;
  static final int BLOCK_WORDS = 8;
  static final int BLOCK_BITS = BLOCK_WORDS * Long.SIZE;
  private static final int MAX_WORDS = (Integer.MAX_VALUE - 8) / BLOCK_WORDS * BLOCK_WORDS;
  private static final double LN2 = Math.log(2);

  private HiveFormat() {}

  /**
   * An empty filter. At a rate of 0.05, which Hive always uses, it has the same size as in Hive.
   *
   * <p>The rate at the expected keys is higher than the given one: one key in 512 has a step that
   * chooses at most two distinct bits of its block, and block and bits follow from the same sum.
   * Measured at 0.05: 0.051 with an odd number of blocks, 0.058 with four times an odd number,
   * 0.084 with a power of two; at 0.01: 0.0125. {@link ForeignBloomFilter#falsePositiveRate} takes
   * both into account.
   *
   * @param expectedKeys how many distinct keys will be added, 1 or more
   * @param falsePositiveRate above 0 and below 1
   * @return the filter
   */
  public static ForeignBloomFilter create(long expectedKeys, double falsePositiveRate) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, Shape.MAX_KEYS);
    Arguments.rate("falsePositiveRate", falsePositiveRate);
    long bits = (long) (-expectedKeys * Math.log(falsePositiveRate) / (LN2 * LN2));
    int hashesPerKey = (int) Math.max(1, Math.round((double) bits / expectedKeys * LN2));
    long words = (bits + Long.SIZE - 1) / Long.SIZE;
    words += BLOCK_WORDS - words % BLOCK_WORDS;
    Arguments.inRange("words", words, 1, MAX_WORDS);
    Arguments.inRange("falsePositiveRate: hashes per key", hashesPerKey, 1, 127);
    return new ForeignBloomFilter(new Scheme(hashesPerKey), words << 6, new long[(int) words]);
  }

  private static Scheme header(ForeignBytes in) throws IOException {
    in.order(ByteOrder.BIG_ENDIAN);
    int hashesPerKey = (int) in.within(in.u8("hashes per key"), 1, 127, "hashes per key");
    int words = in.i32("the number of words");
    in.within(words, BLOCK_WORDS, MAX_WORDS, "the number of words");
    if (words % BLOCK_WORDS != 0) {
      throw in.problem(1, "%d words are not whole blocks of 8", words);
    }
    in.needExactly((long) words * Long.BYTES, "the words");
    return new Scheme(hashesPerKey);
  }

  private static ForeignBloomFilter read(ForeignBytes in) throws IOException {
    Scheme scheme = header(in);
    long[] words = in.words(in.remaining() / Long.BYTES, "the words");
    return new ForeignBloomFilter(scheme, (long) words.length << 6, words);
  }

  /** A sum made nonnegative as Hive and ORC do. */
  static int flipped(int sum) {
    return sum < 0 ? ~sum : sum;
  }

  private record Scheme(int hashesPerKey) implements ForeignBloomFilter.Scheme {

    @Override
    public ForeignFormat<ForeignBloomFilter> format() {
      return FORMAT;
    }

    @Override
    public void indexes(byte[] bytes, int offset, int length, long bits, long[] out) {
      long hash = HiveMurmur3.hash64(bytes, offset, length);
      int step = (int) (hash >>> 32);
      int sum = (int) hash + step;
      long block = flipped(sum) % (bits / BLOCK_BITS) * BLOCK_WORDS;
      for (int i = 0; i < out.length; i++) {
        sum += step;
        int chosen = flipped(sum);
        long word = block + chosen % BLOCK_WORDS;
        out[i] = word * Long.SIZE + chosen / BLOCK_WORDS % Long.SIZE;
      }
    }

    @Override
    public void indexes(long key, long bits, long[] out) {
      byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(key).array();
      indexes(bytes, 0, Long.BYTES, bits, out);
    }

    @Override
    public double falsePositiveRate(long bits, long[] words) {
      return words.length == 0 ? 0 : HiveRate.of(words, hashesPerKey);
    }

    @Override
    public Map<String, Object> fields() {
      return Map.of("block bits", BLOCK_BITS);
    }

    @Override
    public long storedBytes(long bits, long[] words) {
      return HEADER_BYTES + bits / Byte.SIZE;
    }

    @Override
    public void write(long bits, long[] words, OutputStream out) throws IOException {
      new ForeignBytes.Output(out, ByteOrder.BIG_ENDIAN)
          .u8(hashesPerKey)
          .i32(words.length)
          .words(words)
          .flush();
    }
  }
}
