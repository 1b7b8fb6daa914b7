package io.bloomery.foreign.registry;

import io.bloomery.IncompatibleFiltersException;
import io.bloomery.Mergeable;
import io.bloomery.foreign.AddableForeignFilter;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.bytes.FileLayout;
import io.bloomery.foreign.bytes.ForeignBytes;
import io.bloomery.internal.check.Arguments;
import io.bloomery.plan.Shape;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The Bloom filter of DCSO's {@code bloom}, in which CIRCL publishes the digests of known files: a
 * header of six 64-bit numbers, the words of the bits, and any bytes that its writer added. The
 * bits of a key follow from FNV-1 by repeated multiplication.
 *
 * <p>Any number of threads may query. Adding and merging need a lock.
 */
final class DcsoFilter implements AddableForeignFilter, Mergeable<DcsoFilter> {

  static final ForeignFormat<DcsoFilter> FORMAT =
      ForeignFormat.of(
              "dcso",
              "DCSO bloom, CIRCL hashlookup",
              DcsoFilter.class,
              new FileLayout<>(FileLayout.Evidence.LAYOUT, DcsoFilter::header, DcsoFilter::read))
          .madeBy(DcsoFilter::create);

  private static final int HEADER_BYTES = 48;
  private static final int VERSION = 1;
  private static final int MOST_HASHES = 1100; // more than the smallest positive rate needs
  private static final int LARGEST_CLASS = 5; // the logarithm of their most
  private static final long MOST_BITS = (Integer.MAX_VALUE - 8L) << 6;
  private static final long FNV_OFFSET = 0xCBF29CE484222325L;
  private static final long FNV_PRIME = 0x100000001B3L;
  private static final long MODULUS = -59; // 2^64 - 59, a prime
  private static final long FACTOR = -1469; // 2^64 - 1469
  private static final double LN2 = Math.log(2);

  private final Header header;
  private final long[] words;
  private final byte[] data;
  private long added;

  private DcsoFilter(Header header, long[] words, byte[] data) {
    this.header = header;
    this.words = words;
    this.data = data;
    this.added = header.added;
  }

  /** The fields, of which the last changes when keys are added. */
  private record Header(
      long flags, long expectedKeys, double rate, int hashesPerKey, long bits, long added) {

    int words() {
      return (int) ((bits + 63) >>> 6);
    }

    Header empty() {
      return new Header(flags, expectedKeys, rate, hashesPerKey, bits, 0);
    }
  }

  /** An empty filter of the size that DCSO's tool chooses. */
  private static DcsoFilter create(long expectedKeys, double falsePositiveRate) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, Shape.MAX_KEYS);
    Arguments.rate("falsePositiveRate", falsePositiveRate);
    double exact = bits(expectedKeys, falsePositiveRate);
    if (exact >= MOST_BITS) {
      throw Arguments.impossible(
          Arguments.named("expectedKeys", expectedKeys), " need more than 2^37 bits");
    }
    long bits = Math.max(1, (long) exact); // rounded down, as there
    int hashesPerKey = (int) Math.max(1, Math.ceil(LN2 * bits / expectedKeys));
    Header header = new Header(VERSION, expectedKeys, falsePositiveRate, hashesPerKey, bits, 0);
    return new DcsoFilter(header, new long[header.words()], new byte[0]);
  }

  private static double bits(long expectedKeys, double rate) {
    return -expectedKeys * Math.log(rate) / (LN2 * LN2);
  }

  /**
   * Reads the header. The numbers of bits and of hashes must follow from keys and rate, with room
   * for rounding: this tells the format from others.
   */
  private static Header header(ForeignBytes in) throws IOException {
    in.order(ByteOrder.LITTLE_ENDIAN);
    long flags = in.i64("the version");
    in.within(flags & 0xFF, VERSION, VERSION, "the version");
    long keys = in.within(in.i64("the expected keys"), 1, Shape.MAX_KEYS, "the expected keys");
    double rate = in.f64("the rate");
    if (!(rate >= Double.MIN_NORMAL && rate < 1)) {
      throw in.problem(16, "the rate is %s, not above 0 and below 1", rate);
    }
    int hashes = (int) in.within(in.i64("hashes per key"), 1, MOST_HASHES, "hashes per key");
    long bits = in.within(in.i64("the number of bits"), 1, MOST_BITS, "the number of bits");
    double exact = bits(keys, rate);
    if (Math.abs(bits - exact) > 1 + exact * 1e-9
        || Math.abs(hashes - LN2 * bits / keys) > 1 + 1e-9) {
      throw in.problem(
          24, "%d hashes and %d bits are not those of %d keys at %s", hashes, bits, keys, rate);
    }
    long added = in.within(in.i64("the added keys"), 0, Long.MAX_VALUE, "the added keys");
    Header header = new Header(flags, keys, rate, hashes, bits, added);
    in.need((long) header.words() * Long.BYTES, "the bits");
    return header;
  }

  private static DcsoFilter read(ForeignBytes in) throws IOException {
    Header header = header(in);
    long[] words = in.words(header.words(), "the bits");
    int spare = (int) (-header.bits & 63);
    if (spare > 0 && (words[words.length - 1] >>> (Long.SIZE - spare)) != 0) {
      throw in.problem(in.position() - Long.BYTES, "bits beyond the last of %d", header.bits);
    }
    return new DcsoFilter(header, words, in.bytes(in.remaining(), "the data"));
  }

  private static long hash(byte[] bytes, int offset, int length) {
    long hash = FNV_OFFSET;
    for (int i = offset; i < offset + length; i++) {
      hash = (hash * FNV_PRIME) ^ (bytes[i] & 0xFF);
    }
    return modulus(hash);
  }

  private static long modulus(long number) {
    return Long.compareUnsigned(number, MODULUS) >= 0 ? number - MODULUS : number;
  }

  @Override
  public boolean mightContain(byte[] bytes, int offset, int length) {
    Objects.requireNonNull(bytes, "bytes");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    long state = hash(bytes, offset, length);
    for (int i = 0; i < header.hashesPerKey; i++) {
      state = modulus(state * FACTOR);
      long bit = Long.remainderUnsigned(state, header.bits);
      if ((words[(int) (bit >>> 6)] & 1L << bit) == 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean add(byte[] bytes, int offset, int length) {
    Objects.requireNonNull(bytes, "bytes");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    boolean changed = false;
    long state = hash(bytes, offset, length);
    for (int i = 0; i < header.hashesPerKey; i++) {
      state = modulus(state * FACTOR);
      long bit = Long.remainderUnsigned(state, header.bits);
      long word = words[(int) (bit >>> 6)];
      changed |= (word & 1L << bit) == 0;
      words[(int) (bit >>> 6)] = word | 1L << bit;
    }
    count(changed ? 1 : 0);
    return changed;
  }

  private void count(long more) {
    added = added > Long.MAX_VALUE - more ? Long.MAX_VALUE : added + more;
  }

  @Override
  public boolean isCompatible(DcsoFilter other) {
    return header.empty().equals(other.header.empty());
  }

  /**
   * {@inheritDoc} The number of added keys becomes the sum of both, as in DCSO's tool, unless the
   * other filter adds no bit. Data after the bits remains that of this filter.
   */
  @Override
  public void merge(DcsoFilter other) {
    if (!isCompatible(other)) {
      throw new IncompatibleFiltersException(
          "expected keys and rate %d, %s != %d, %s"
              .formatted(
                  header.expectedKeys, header.rate, other.header.expectedKeys, other.header.rate));
    }
    boolean changed = false;
    for (int i = 0; i < words.length; i++) {
      changed |= (other.words[i] & ~words[i]) != 0;
      words[i] |= other.words[i];
    }
    count(changed ? other.added : 0);
  }

  @Override
  public ForeignFormat<DcsoFilter> format() {
    return FORMAT;
  }

  @Override
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("version", VERSION);
    fields.put("expected keys", header.expectedKeys);
    fields.put("rate", header.rate);
    fields.put("hashes per key", header.hashesPerKey);
    fields.put("bits", header.bits);
    fields.put("added keys", added);
    fields.put("bytes of data", data.length);
    return Collections.unmodifiableMap(fields);
  }

  /**
   * {@inheritDoc} Here: the share of set bits to the power of the hashes per key, if the number of
   * bits is odd. If 2^a divides it, the first bit of a key decides on the remainders of all others
   * modulo 2^a, and the rate is the mean over these of the product of their shares. Small filters
   * therefore have a higher rate than the header promises.
   */
  @Override
  public double falsePositiveRate() {
    int classes = 1 << Math.min(LARGEST_CLASS, Long.numberOfTrailingZeros(header.bits));
    long[] set = new long[classes];
    long every = Long.divideUnsigned(-1L, (1L << classes) - 1); // bits 0, classes, 2·classes …
    for (long word : words) {
      for (int i = 0; i < classes; i++) {
        set[i] += Long.bitCount((word >>> i) & every);
      }
    }
    double sum = 0;
    for (long first = 0; first < classes; first++) {
      double product = 1;
      long remainder = first;
      for (int i = 0; i < header.hashesPerKey; i++) {
        product *= (double) set[(int) remainder] * classes / header.bits;
        remainder = (remainder * FACTOR) & (classes - 1);
      }
      sum += product;
    }
    return sum / classes;
  }

  @Override
  public long sizeInBits() {
    return header.bits;
  }

  @Override
  public long storedBytes() {
    return HEADER_BYTES + (long) words.length * Long.BYTES + data.length;
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    new ForeignBytes.Output(Objects.requireNonNull(out, "out"), ByteOrder.LITTLE_ENDIAN)
        .i64(header.flags)
        .i64(header.expectedKeys)
        .f64(header.rate)
        .i64(header.hashesPerKey)
        .i64(header.bits)
        .i64(added)
        .words(words)
        .bytes(data)
        .flush();
  }

  @Override
  public String toString() {
    return "DcsoFilter[%d of %d keys, %d bits]".formatted(added, header.expectedKeys, header.bits);
  }
}
