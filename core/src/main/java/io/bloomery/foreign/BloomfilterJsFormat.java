package io.bloomery.foreign;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.foreign.bytes.FileLayout;
import io.bloomery.foreign.bytes.ForeignBytes;
import io.bloomery.internal.check.Arguments;
import io.bloomery.plan.Shape;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteOrder;
import java.util.Map;

/**
 * The JSON of {@code JSON.stringify} of a filter of the npm package bloomfilter (bloomfilter.js)
 * 1.x: {@code {"version":1,"m":…,"k":…,"buckets":[…]}}, without spaces; a line end may follow. Keys
 * are text, hashed by its UTF-16 code units; a number is its decimal digits.
 */
public final class BloomfilterJsFormat {

  /** {@code JSON.stringify(filter)}. */
  public static final ForeignFormat<ForeignBloomFilter> FORMAT =
      ForeignFormat.of(
              "bloomfilter-js",
              "bloomfilter.js 1.x JSON",
              ForeignBloomFilter.class,
              new FileLayout<>(
                      FileLayout.Evidence.MAGIC,
                      BloomfilterJsFormat::check,
                      BloomfilterJsFormat::read)
                  .knownBy(17))
          .withKeys(KeyCoding.Standard.DIGITS)
          .madeBy(BloomfilterJsFormat::create);

  private static final String START = "{\"version\":1,\"m\":";
  private static final String HASHES = ",\"k\":";
  private static final String BUCKETS = ",\"buckets\":[";
  private static final String END = "]}";
  private static final int BUCKET_BITS = 32;
  private static final long MOST_BITS = 1L << 32;
  private static final int MOST_HASHES = 0xFFFF;
  private static final double LN2 = Math.log(2);

  private BloomfilterJsFormat() {}

  /**
   * An empty filter as {@code BloomFilter.withTargetError} makes it.
   *
   * @param expectedKeys how many keys will be added, 1 or more
   * @param falsePositiveRate above 0 and below 1
   * @return the filter
   */
  public static ForeignBloomFilter create(long expectedKeys, double falsePositiveRate) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, Shape.MAX_KEYS);
    Arguments.rate("falsePositiveRate", falsePositiveRate);
    double wanted = Math.ceil(-expectedKeys * (Math.log(falsePositiveRate) / LN2) / LN2);
    Arguments.inRange("bits", (long) wanted, 1, MOST_BITS);
    int hashesPerKey = (int) Math.ceil(LN2 * wanted / expectedKeys);
    long buckets = ((long) wanted + BUCKET_BITS - 1) / BUCKET_BITS;
    return new ForeignBloomFilter(
        new Scheme(hashesPerKey, false),
        buckets * BUCKET_BITS,
        new long[(int) ((buckets + 1) / 2)]);
  }

  private static void check(ForeignBytes in) throws IOException {
    read(in);
    in.end();
  }

  private static ForeignBloomFilter read(ForeignBytes in) throws IOException {
    if (in.remaining() > 0 && in.u8("JSON") == '[') {
      throw in.problem(
          0,
          "a bare array, as version 0.0.x writes, says neither how many hashes a key has nor which;"
              + " store JSON.stringify(filter) of version 1");
    }
    in.seek(0);
    expect(in, START);
    long bits = number(in, MOST_BITS, HASHES.charAt(0), "m");
    if (bits == 0 || bits % BUCKET_BITS != 0) {
      throw in.problem(START.length(), "m is %d, not a multiple of 32", bits);
    }
    expect(in, HASHES);
    int hashesPerKey = (int) number(in, MOST_HASHES, BUCKETS.charAt(0), "k");
    if (hashesPerKey == 0) {
      throw in.problem(in.position(), "k is 0");
    }
    expect(in, BUCKETS);
    int buckets = (int) (bits / BUCKET_BITS);
    in.need(2L * buckets + 1, "the buckets");
    long[] words = new long[(buckets + 1) / 2];
    for (int i = 0; i < buckets; i++) {
      boolean last = i == buckets - 1;
      long bucket = number(in, 0xFFFF_FFFFL, last ? ']' : ',', "a bucket");
      words[i >>> 1] |= bucket << (BUCKET_BITS * (i & 1));
      if (!last) {
        expect(in, ",");
      }
    }
    expect(in, END);
    boolean line = in.remaining() > 0;
    if (line) {
      expect(in, "\n");
    }
    return new ForeignBloomFilter(new Scheme(hashesPerKey, line), bits, words);
  }

  private static void expect(ForeignBytes in, String text) throws IOException {
    for (int i = 0; i < text.length(); i++) {
      if (in.u8("JSON") != text.charAt(i)) {
        throw in.problem(in.position() - 1, "expected %s", text);
      }
    }
  }

  /** A number without a sign, leading zeros or a fraction, and what must follow it. */
  private static long number(ForeignBytes in, long most, char end, String what) throws IOException {
    long start = in.position();
    long value = 0;
    int digits = 0;
    int next = in.u8(what);
    while (next >= '0' && next <= '9' && value <= most && (digits == 0 || value > 0)) {
      value = 10 * value + next - '0';
      digits++;
      next = in.u8(what);
    }
    if (digits == 0 || value > most || next != end) {
      throw in.problem(start, "%s is not a whole number of 0 … %d", what, most);
    }
    in.seek(in.position() - 1);
    return value;
  }

  /** Bits by enhanced double hashing of FNV-1a, 64 bits, over code units instead of bytes. */
  private record Scheme(int hashesPerKey, boolean line) implements ForeignBloomFilter.Scheme {

    private static final long OFFSET = 0xCBF29CE484222325L;
    private static final long PRIME = 0x100000001B3L;

    @Override
    public ForeignFormat<ForeignBloomFilter> format() {
      return FORMAT;
    }

    @Override
    public void indexes(byte[] bytes, int offset, int length, long bits, long[] out) {
      String text = new String(bytes, offset, length, UTF_8);
      long hash = OFFSET;
      for (int i = 0; i < text.length(); i++) {
        hash = (hash ^ text.charAt(i)) * PRIME;
      }
      long a = Math.floorMod(hash >> 32, bits); // both halves with their signs
      long b = Math.floorMod(hash << 32 >> 32, bits);
      for (int i = 0; i < out.length; i++) {
        out[i] = a;
        a = (a + b) % bits;
        b = (b + i + 1) % bits;
      }
    }

    @Override
    public void indexes(long key, long bits, long[] out) {
      byte[] digits = Long.toString(key).getBytes(UTF_8);
      indexes(digits, 0, digits.length, bits, out);
    }

    @Override
    public Object mergeKey() {
      return hashesPerKey;
    }

    @Override
    public Map<String, Object> fields() {
      return Map.of("version", 1);
    }

    @Override
    public long storedBytes(long bits, long[] words) {
      long length = (long) head(bits).length() + END.length() + (line ? 1 : 0) - 1;
      for (int i = 0; i < bits / BUCKET_BITS; i++) {
        length += bucket(words, i).length() + 1;
      }
      return length;
    }

    @Override
    public void write(long bits, long[] words, OutputStream out) throws IOException {
      ForeignBytes.Output to = new ForeignBytes.Output(out, ByteOrder.BIG_ENDIAN);
      to.bytes(head(bits).getBytes(UTF_8));
      for (int i = 0; i < bits / BUCKET_BITS; i++) {
        to.bytes(((i == 0 ? "" : ",") + bucket(words, i)).getBytes(UTF_8));
      }
      to.bytes((END + (line ? "\n" : "")).getBytes(UTF_8)).flush();
    }

    private String head(long bits) {
      return START + bits + HASHES + hashesPerKey + BUCKETS;
    }

    private static String bucket(long[] words, int i) {
      return Long.toString(words[i >>> 1] >>> (BUCKET_BITS * (i & 1)) & 0xFFFF_FFFFL);
    }
  }
}
