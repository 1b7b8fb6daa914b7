package io.bloomery.foreign;

import io.bloomery.foreign.bytes.FileLayout;
import io.bloomery.foreign.bytes.ForeignBytes;
import io.bloomery.foreign.hash.CassandraMurmur3;
import io.bloomery.internal.check.Arguments;
import io.bloomery.plan.Shape;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Optional;

/**
 * {@code Filter.db} of a Cassandra table: the hashes per key, the number of words, highest byte
 * first, and the words. Their byte order changed with Cassandra 4.0 and the hashing with 3.0, and
 * only the file name shows which one applies, not the content. So the format must be named to open
 * a file: {@link #FORMAT}, {@link #FORMAT_3} or {@link #FORMAT_2}.
 *
 * <p>Keys are serialized partition keys: UTF-8 of a text, 8 bytes <em>big</em>-endian of a {@code
 * long} (bigint); they are hashed by Cassandra's own MurmurHash3.
 */
public final class CassandraFormat {

  /** Files since Cassandra 4.0, whose names begin with na or later. */
  public static final ForeignFormat<ForeignBloomFilter> FORMAT =
      format("cassandra", "Cassandra 4.0 and later, Filter.db", Version.V4);

  /** Files of Cassandra 3, whose names begin with ma … me. */
  public static final ForeignFormat<ForeignBloomFilter> FORMAT_3 =
      format("cassandra-3", "Cassandra 3, Filter.db", Version.V3);

  /** Files of Cassandra 1.2 to 2.2, whose names begin with ia … lb. */
  public static final ForeignFormat<ForeignBloomFilter> FORMAT_2 =
      format("cassandra-2", "Cassandra 1.2 to 2.2, Filter.db", Version.V2);

  private static final int HEADER_BYTES = 8;
  private static final int MAX_HASHES_PER_KEY = 255;
  private static final int MIN_BITS_PER_KEY = 2;
  private static final int MAX_BITS_PER_KEY = 20;
  private static final int EXCESS_BITS = 20;
  private static final int MAX_WORDS = Integer.MAX_VALUE / Long.BYTES - 1;

  private enum Version {
    V4,
    V3,
    V2;

    ByteOrder order() {
      return this == V4 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    }
  }

  private CassandraFormat() {}

  /**
   * An empty filter of the size that Cassandra 4 chooses: a whole number of bits per key, and the
   * fewest hashes per key that reach the rate with them.
   *
   * @param expectedKeys how many distinct keys will be added, 1 or more
   * @param falsePositiveRate above 0.00007 and below 1; Cassandra has none with a lower rate
   * @return the filter
   */
  public static ForeignBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return create(Version.V4, expectedKeys, falsePositiveRate);
  }

  private static ForeignBloomFilter create(Version version, long keys, double rate) {
    Arguments.inRange("expectedKeys", keys, 1, Shape.MAX_KEYS);
    Arguments.rate("falsePositiveRate", rate);
    int perKey = MIN_BITS_PER_KEY;
    while (perKey < MAX_BITS_PER_KEY && rate(perKey, best(perKey)) > rate) {
      perKey++;
    }
    int hashesPerKey = best(perKey);
    if (perKey == MAX_BITS_PER_KEY && rate(perKey, hashesPerKey) > rate) {
      throw Arguments.refused(
          Arguments.named("falsePositiveRate", rate),
          " is outside the allowed range [0.00007, 1): Cassandra uses at most 20 bits per key");
    }
    while (hashesPerKey > 1 && rate(perKey, hashesPerKey - 1) <= rate) {
      hashesPerKey--;
    }
    long words = (keys * perKey + EXCESS_BITS + Long.SIZE - 1) / Long.SIZE;
    Arguments.inRange("words", words, 1, MAX_WORDS);
    return new ForeignBloomFilter(
        new Scheme(version, hashesPerKey), words * Long.SIZE, new long[(int) words]);
  }

  private static int best(int perKey) {
    return (int) Math.max(1, Math.round(perKey * Math.log(2)));
  }

  /** The rate in the three digits of the table that Cassandra looks it up in. */
  private static double rate(int perKey, int hashesPerKey) {
    double rate = Math.pow(1 - Math.exp(-(double) hashesPerKey / perKey), hashesPerKey);
    return new BigDecimal(rate).round(new MathContext(3)).doubleValue();
  }

  private static ForeignFormat<ForeignBloomFilter> format(
      String name, String title, Version version) {
    return ForeignFormat.of(
            name,
            title,
            ForeignBloomFilter.class,
            new FileLayout<>(
                FileLayout.Evidence.LAYOUT, in -> header(in, version), in -> read(in, version)))
        .withKeys(KeyCoding.Standard.BIG_ENDIAN)
        .madeBy((keys, rate) -> create(version, keys, rate));
  }

  private static Scheme header(ForeignBytes in, Version version) throws IOException {
    in.order(ByteOrder.BIG_ENDIAN);
    int hashesPerKey = in.i32("hashes per key");
    in.within(hashesPerKey, 1, MAX_HASHES_PER_KEY, "hashes per key");
    int words = in.i32("the number of words");
    in.within(words, 1, Integer.MAX_VALUE - 8, "the number of words");
    in.needExactly((long) words * Long.BYTES, "the words");
    return new Scheme(version, hashesPerKey);
  }

  private static ForeignBloomFilter read(ForeignBytes in, Version version) throws IOException {
    Scheme scheme = header(in, version);
    in.order(version.order());
    long[] words = in.words(in.remaining() / Long.BYTES, "the words");
    return new ForeignBloomFilter(scheme, (long) words.length * Long.SIZE, words);
  }

  private record Scheme(Version version, int hashesPerKey) implements ForeignBloomFilter.Scheme {

    @Override
    public ForeignFormat<ForeignBloomFilter> format() {
      return switch (version) {
        case V4 -> FORMAT;
        case V3 -> FORMAT_3;
        case V2 -> FORMAT_2;
      };
    }

    /** Only the order of bytes changed between 3 and 4.0. */
    @Override
    public Optional<ForeignBloomFilter.Scheme> in(ForeignFormat<?> other) {
      if (version == Version.V4 && other == FORMAT_3) {
        return Optional.of(new Scheme(Version.V3, hashesPerKey));
      }
      return version == Version.V3 && other == FORMAT
          ? Optional.of(new Scheme(Version.V4, hashesPerKey))
          : Optional.empty();
    }

    @Override
    public void indexes(byte[] bytes, int offset, int length, long bits, long[] out) {
      long[] hash = CassandraMurmur3.hash128(bytes, offset, length);
      boolean swapped = version == Version.V2;
      long sum = swapped ? hash[0] : hash[1];
      long step = swapped ? hash[1] : hash[0];
      for (int i = 0; i < out.length; i++) {
        out[i] = Math.abs(sum % bits);
        sum += step;
      }
    }

    @Override
    public void indexes(long key, long bits, long[] out) {
      byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(key).array();
      indexes(bytes, 0, Long.BYTES, bits, out);
    }

    @Override
    public Map<String, Object> fields() {
      return Map.of(
          "version",
          switch (version) {
            case V4 -> "4.0 and later";
            case V3 -> "3";
            case V2 -> "1.2 to 2.2";
          });
    }

    @Override
    public long storedBytes(long bits, long[] words) {
      return HEADER_BYTES + bits / Byte.SIZE;
    }

    @Override
    public void write(long bits, long[] words, OutputStream out) throws IOException {
      new ForeignBytes.Output(out, ByteOrder.BIG_ENDIAN)
          .i32(hashesPerKey)
          .i32(words.length)
          .flush();
      new ForeignBytes.Output(out, version.order()).words(words).flush();
    }
  }
}
