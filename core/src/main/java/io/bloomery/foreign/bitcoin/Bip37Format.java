package io.bloomery.foreign.bitcoin;

import io.bloomery.FilterFormatException;
import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.KeyCoding;
import io.bloomery.foreign.bytes.FileLayout;
import io.bloomery.foreign.bytes.ForeignBytes;
import io.bloomery.foreign.hash.Murmur3;
import io.bloomery.internal.check.Arguments;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Bitcoin's {@code filterload} message, by which a wallet tells a node what to send: the length of
 * the bits as a CompactSize, the bits, the number of hash functions, a tweak, and flags that say
 * what {@link #isRelevantAndUpdate} adds. Keys are data of scripts, transaction ids in internal
 * byte order, and outpoints of 36 bytes.
 *
 * <p>A filter without bits matches everything, and nothing can be added to it.
 *
 * <p>Hearn and Corallo 2012, BIP 37, "Connection Bloom filtering".
 */
public final class Bip37Format {

  /** What is added to a filter when an output of a transaction matches. */
  public enum Update {
    /** Nothing. */
    NONE(0),
    /** The outpoint of every output that matches. */
    ALL(1),
    /** The outpoint, if the output pays to a public key or to several. */
    P2PUBKEY_ONLY(2);

    private final int wireId;

    Update(int wireId) {
      this.wireId = wireId;
    }

    /**
     * The number that identifies it in messages.
     *
     * @return 0, 1 or 2
     */
    public int wireId() {
      return wireId;
    }
  }

  public static final ForeignFormat<ForeignBloomFilter> FORMAT =
      ForeignFormat.of(
              "bip37",
              "Bitcoin filterload message, BIP 37",
              ForeignBloomFilter.class,
              new FileLayout<>(FileLayout.Evidence.LENGTH, Bip37Format::probe, Bip37Format::read))
          .withKeys(KeyCoding.Standard.HEX)
          .madeBy(Bip37Format::create);

  /** The largest number of bytes that nodes accept. */
  public static final int MAX_BYTES = 36_000;

  /** The largest number of hash functions that nodes accept. */
  public static final int MAX_FUNCTIONS = 50;

  private static final int TAIL_BYTES = 9;
  private static final int SEED_STEP = 0xFBA4C795;
  private static final double LN2 = Math.log(2);

  private Bip37Format() {}

  /** A filter with the given rate. */
  private static ForeignBloomFilter create(long expectedKeys, double falsePositiveRate) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, 8 * MAX_BYTES);
    double bits = bits(expectedKeys, Arguments.rate("falsePositiveRate", falsePositiveRate));
    if (bits > 8.0 * MAX_BYTES) {
      throw new IllegalArgumentException(
          "%d keys at a rate of %s need more than %d bytes"
              .formatted(expectedKeys, falsePositiveRate, MAX_BYTES));
    }
    return create(expectedKeys, falsePositiveRate, 0, Update.NONE);
  }

  private static double bits(long keys, double rate) {
    return -1 / (LN2 * LN2) * keys * Math.log(rate);
  }

  /**
   * An empty filter of the size that nodes and wallets choose.
   *
   * @param expectedKeys how many keys will be added, 1 or more
   * @param falsePositiveRate above 0, at most 1; if it needs more than {@link #MAX_BYTES} or {@link
   *     #MAX_FUNCTIONS}, those limits are used and the rate is higher
   * @param tweak added to the seeds, so that two wallets with the same keys have different bits
   * @param update what {@link #isRelevantAndUpdate} adds
   * @return the filter
   */
  public static ForeignBloomFilter create(
      long expectedKeys, double falsePositiveRate, int tweak, Update update) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, Integer.MAX_VALUE);
    Arguments.inRange("falsePositiveRate", falsePositiveRate, Double.MIN_VALUE, 1);
    Objects.requireNonNull(update, "update");
    int bytes = (int) Math.min(bits(expectedKeys, falsePositiveRate), 8.0 * MAX_BYTES) / 8;
    long bitsPerKey = 8L * bytes / expectedKeys; // whole, as in the reference implementation
    int functions = (int) Math.min(bitsPerKey * LN2, MAX_FUNCTIONS);
    return filter(new Scheme(functions, tweak, update, bytes), new long[(bytes + 7) >>> 3]);
  }

  /**
   * Whether a transaction matches a filter, as a node decides for a wallet: by its id, by data that
   * a script of its outputs pushes, by an outpoint that it spends, or by data that a script of its
   * inputs pushes. Matching outputs are added as the filter's flags say, so that transactions that
   * spend them match later. Concurrent use of the filter needs a lock.
   *
   * @param filter a filter of this format
   * @param transaction a serialized transaction, with or without witnesses
   * @return {@code false}: certainly does not concern the wallet
   * @throws FilterFormatException if the bytes are not a transaction; nothing was added
   * @throws IllegalArgumentException if the filter is of another format
   */
  public static boolean isRelevantAndUpdate(ForeignBloomFilter filter, byte[] transaction)
      throws FilterFormatException {
    return Bip37Matcher.isRelevantAndUpdate(filter, transaction);
  }

  /**
   * What {@link #isRelevantAndUpdate} adds to a filter.
   *
   * @param filter a filter of this format
   * @return its flags
   */
  public static Update update(ForeignBloomFilter filter) {
    if (filter.scheme() instanceof Scheme scheme) {
      return scheme.update;
    }
    throw new IllegalArgumentException("filter is of format " + filter.format() + ", not bip37");
  }

  private static ForeignBloomFilter filter(Scheme scheme, long[] words) {
    return new ForeignBloomFilter(scheme, 8L * scheme.bytes, words);
  }

  private static void probe(ForeignBytes in) throws IOException {
    int bytes = length(in);
    in.seek(in.position() + bytes);
    tail(in, bytes);
  }

  private static ForeignBloomFilter read(ForeignBytes in) throws IOException {
    int bytes = length(in);
    long[] words = in.bits(bytes, "the bits");
    return filter(tail(in, bytes), words);
  }

  private static int length(ForeignBytes in) throws IOException {
    long length = CompactSize.read(in, "the number of bytes");
    in.within(length, 0, MAX_BYTES, "the number of bytes");
    in.needExactly(length + TAIL_BYTES, "bits, hash functions, tweak and flags");
    return (int) length;
  }

  private static Scheme tail(ForeignBytes in, int bytes) throws IOException {
    long functions = in.u32("hash functions");
    in.within(functions, 0, MAX_FUNCTIONS, "the number of hash functions");
    int tweak = in.i32("the tweak");
    Update update =
        switch (in.u8("the flags")) {
          case 0 -> Update.NONE;
          case 1 -> Update.ALL;
          case 2 -> Update.P2PUBKEY_ONLY;
          default -> throw in.problem(in.position() - 1, "the flags are none of 0, 1 and 2");
        };
    return new Scheme((int) functions, tweak, update, bytes);
  }

  private record Scheme(int functions, int tweak, Update update, int bytes)
      implements ForeignBloomFilter.Scheme {

    @Override
    public ForeignFormat<ForeignBloomFilter> format() {
      return FORMAT;
    }

    @Override
    public int hashesPerKey() {
      return bytes == 0 ? 0 : functions;
    }

    @Override
    public void indexes(byte[] key, int offset, int length, long bits, long[] out) {
      for (int i = 0; i < out.length; i++) {
        int hash = Murmur3.hash32(key, offset, length, i * SEED_STEP + tweak);
        out[i] = Integer.toUnsignedLong(hash) % bits;
      }
    }

    @Override
    public Map<String, Object> fields() {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("tweak", Integer.toUnsignedLong(tweak));
      fields.put("update", update.name());
      return fields;
    }

    @Override
    public long storedBytes(long bits, long[] words) {
      return CompactSize.bytes(bytes) + (long) bytes + TAIL_BYTES;
    }

    @Override
    public void write(long bits, long[] words, OutputStream out) throws IOException {
      CompactSize.write(new ForeignBytes.Output(out, ByteOrder.LITTLE_ENDIAN), bytes)
          .bits(words, bytes)
          .i32(functions)
          .i32(tweak)
          .u8(update.wireId())
          .flush();
    }
  }
}
