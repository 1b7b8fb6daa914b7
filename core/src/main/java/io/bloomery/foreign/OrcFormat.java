package io.bloomery.foreign;

import io.bloomery.FilterFormatException;
import io.bloomery.foreign.bytes.FileLayout;
import io.bloomery.foreign.bytes.ForeignBytes;
import io.bloomery.foreign.hash.HiveMurmur3;
import io.bloomery.internal.check.Arguments;
import io.bloomery.plan.Shape;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * ORC's Bloom filters: the protobuf message {@code BloomFilter} of an ORC file's row indexes, with
 * the number of hashes per key and either {@code utf8bitset} (since ORC 1.4) or {@code bitset}
 * (words one by one). ORC also stores the bit set without the message; {@link #bitset} reads that,
 * given the hashes per key.
 *
 * <p>Texts and bytes are hashed by Hive's 64-bit MurmurHash3. A {@code long} is mixed as such and
 * <em>not</em> like its 8 bytes (Wang's 64-bit mixer with signed shifts); {@code addDouble} adds
 * the {@code long} of the same bits.
 */
public final class OrcFormat {

  /** The message. */
  public static final ForeignFormat<ForeignBloomFilter> FORMAT =
      ForeignFormat.of(
              "orc",
              "ORC BloomFilter message",
              ForeignBloomFilter.class,
              new FileLayout<>(FileLayout.Evidence.LAYOUT, OrcFormat::header, OrcFormat::read))
          .withKeys(KeyCoding.Standard.NUMBER)
          .madeBy(OrcFormat::create);

  private static final int TAG_PROBES = 0x08; // field 1, a number
  private static final int TAG_WORD = 0x11; // field 2, 8 bytes
  private static final int TAG_BYTES = 0x1a; // field 3, a length and bytes
  private static final int WORD_BYTES = 1 + Long.BYTES;
  private static final int MAX_HASHES_PER_KEY = 127;
  private static final int MAX_LENGTH_BYTES = 5;
  private static final double LN2 = Math.log(2);
  private static final double DEVIATIONS = 8;
  private static final long EACH_BYTE = 0x0101010101010101L;

  private static final List<ForeignFormat<ForeignBloomFilter>> BITSETS =
      IntStream.rangeClosed(1, MAX_HASHES_PER_KEY).mapToObj(OrcFormat::bitsetFormat).toList();

  private enum Form {
    BYTES,
    WORDS,
    BARE
  }

  private OrcFormat() {}

  /**
   * An empty filter as {@code new BloomFilterUtf8(expectedKeys, falsePositiveRate)} makes it.
   *
   * @param expectedKeys how many distinct keys will be added, 1 or more
   * @param falsePositiveRate above 0 and below 1
   * @return the filter
   */
  public static ForeignBloomFilter create(long expectedKeys, double falsePositiveRate) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, Shape.MAX_KEYS);
    Arguments.rate("falsePositiveRate", falsePositiveRate);
    long wanted = (long) (-expectedKeys * Math.log(falsePositiveRate) / (LN2 * LN2));
    long bits = wanted + Long.SIZE - wanted % Long.SIZE;
    int hashesPerKey = (int) Math.max(1, Math.round((double) bits / expectedKeys * LN2));
    Arguments.inRange("bits", bits, 1, Integer.MAX_VALUE);
    Arguments.inRange("falsePositiveRate: hashes per key", hashesPerKey, 1, MAX_HASHES_PER_KEY);
    return new ForeignBloomFilter(
        new Scheme(Form.BYTES, hashesPerKey), bits, new long[(int) (bits / Long.SIZE)]);
  }

  /**
   * The bit set alone, as {@code utf8bitset} has it: words, lowest byte first. It has no header, so
   * the hashes per key must be known; {@code orc:4} names the format for 4 of them. It cannot be
   * derived from the bits: if it is too large, keys that were added are not found; if too small,
   * there are more false positives.
   *
   * @param hashesPerKey hashes per key, 1…127
   * @return a format that reads and writes such bit sets
   */
  public static ForeignFormat<ForeignBloomFilter> bitset(int hashesPerKey) {
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, MAX_HASHES_PER_KEY);
    return BITSETS.get(hashesPerKey - 1);
  }

  private static ForeignFormat<ForeignBloomFilter> bitsetFormat(int hashesPerKey) {
    return ForeignFormat.of(
            "orc:" + hashesPerKey,
            "ORC Bloom filter bit set",
            ForeignBloomFilter.class,
            new FileLayout<>(
                FileLayout.Evidence.LENGTH,
                OrcFormat::bareLength,
                in -> {
                  long[] words = in.bits(bareLength(in), "the bit set");
                  requireSpread(in, words, hashesPerKey);
                  return new ForeignBloomFilter(
                      new Scheme(Form.BARE, hashesPerKey), (long) words.length * Long.SIZE, words);
                }))
        .withKeys(KeyCoding.Standard.NUMBER);
  }

  private static long bareLength(ForeignBytes in) throws IOException {
    if (in.length() == 0 || in.length() % Long.BYTES != 0) {
      throw in.problem(0, "%d bytes are not words of 8 bytes", in.length());
    }
    return in.length();
  }

  /**
   * Throws for bytes that are not a Bloom filter. Each of the 8 bits of a byte is equally likely to
   * be set; a key's bits may coincide, so the variance is at most that of independent bits times
   * the hashes per key.
   */
  private static void requireSpread(ForeignBytes in, long[] words, int hashesPerKey)
      throws FilterFormatException {
    double bytes = (double) words.length * Long.BYTES;
    double share = ForeignBloomFilter.bitsSet(words) / (bytes * Byte.SIZE);
    double allowed = DEVIATIONS * Math.sqrt(bytes * share * (1 - share) * hashesPerKey);
    for (int bit = 0; bit < Byte.SIZE; bit++) {
      long set = 0;
      for (long word : words) {
        set += Long.bitCount(word & (EACH_BYTE << bit));
      }
      if (Math.abs(set - bytes * share) > allowed) {
        throw in.problem(
            0,
            "no bit set of a Bloom filter: bit %d is set in %d of %d bytes, where %.0f are"
                + " expected",
            bit,
            set,
            (long) bytes,
            bytes * share);
      }
    }
  }

  private static Scheme header(ForeignBytes in) throws IOException {
    in.order(ByteOrder.LITTLE_ENDIAN);
    in.within(in.u8("the hashes per key"), TAG_PROBES, TAG_PROBES, "the first field's tag");
    int hashesPerKey =
        (int) in.within(in.u8("the hashes per key"), 1, MAX_HASHES_PER_KEY, "the hashes per key");
    int tag = in.u8("the bit set");
    if (tag == TAG_BYTES) {
      long start = in.position();
      long length = length(in);
      in.within(length, Long.BYTES, Integer.MAX_VALUE, "the length of the bit set");
      if (length % Long.BYTES != 0 || in.position() - start != lengthBytes(length)) {
        throw in.problem(start, "the bit set has %d bytes, not words of 8 bytes", length);
      }
      in.needExactly(length, "the bit set");
      return new Scheme(Form.BYTES, hashesPerKey);
    }
    in.within(tag, TAG_WORD, TAG_WORD, "the second field's tag");
    in.seek(in.position() - 1);
    if (in.remaining() % WORD_BYTES != 0) {
      throw in.problem(in.position(), "%d bytes are not words with tags", in.remaining());
    }
    return new Scheme(Form.WORDS, hashesPerKey);
  }

  private static ForeignBloomFilter read(ForeignBytes in) throws IOException {
    Scheme scheme = header(in);
    long[] words;
    if (scheme.form == Form.BYTES) {
      words = in.bits(in.remaining(), "the bit set");
    } else {
      words = new long[(int) Math.min(in.remaining() / WORD_BYTES, Integer.MAX_VALUE - 8)];
      for (int i = 0; i < words.length; i++) {
        in.within(in.u8("a word's tag"), TAG_WORD, TAG_WORD, "a word's tag");
        words[i] = in.i64("a word");
      }
    }
    return new ForeignBloomFilter(scheme, (long) words.length * Long.SIZE, words);
  }

  private static long length(ForeignBytes in) throws IOException {
    long length = 0;
    for (int i = 0; i < MAX_LENGTH_BYTES; i++) {
      int next = in.u8("the length of the bit set");
      length |= (next & 127L) << (7 * i);
      if (next < 128) {
        return length;
      }
    }
    throw in.problem(in.position(), "the length of the bit set takes more than 5 bytes");
  }

  private static int lengthBytes(long length) {
    return (Long.SIZE - Long.numberOfLeadingZeros(length) + 6) / 7;
  }

  private record Scheme(Form form, int hashesPerKey) implements ForeignBloomFilter.Scheme {

    @Override
    public ForeignFormat<ForeignBloomFilter> format() {
      return form == Form.BARE ? bitset(hashesPerKey) : FORMAT;
    }

    @Override
    public Optional<ForeignBloomFilter.Scheme> in(ForeignFormat<?> other) {
      if (other == FORMAT) {
        return Optional.of(new Scheme(Form.BYTES, hashesPerKey));
      }
      return other == bitset(hashesPerKey)
          ? Optional.of(new Scheme(Form.BARE, hashesPerKey))
          : Optional.empty();
    }

    @Override
    public void indexes(byte[] bytes, int offset, int length, long bits, long[] out) {
      spread(HiveMurmur3.hash64(bytes, offset, length), bits, out);
    }

    @Override
    public void indexes(long key, long bits, long[] out) {
      long hash = ~key + (key << 21);
      hash ^= hash >> 24;
      hash += (hash << 3) + (hash << 8);
      hash ^= hash >> 14;
      hash += (hash << 2) + (hash << 4);
      hash ^= hash >> 28;
      spread(hash + (hash << 31), bits, out);
    }

    private static void spread(long hash, long bits, long[] out) {
      int sum = (int) hash;
      int step = (int) (hash >>> 32);
      for (int i = 0; i < out.length; i++) {
        sum += step;
        out[i] = HiveFormat.flipped(sum) % bits;
      }
    }

    @Override
    public Map<String, Object> fields() {
      return Map.of(
          "form",
          switch (form) {
            case BYTES -> "utf8bitset";
            case WORDS -> "bitset";
            case BARE -> "without message";
          });
    }

    @Override
    public long storedBytes(long bits, long[] words) {
      long bytes = bits / Byte.SIZE;
      return switch (form) {
        case BYTES -> 3 + lengthBytes(bytes) + bytes;
        case WORDS -> 2 + bytes / Long.BYTES * WORD_BYTES;
        case BARE -> bytes;
      };
    }

    @Override
    public void write(long bits, long[] words, OutputStream out) throws IOException {
      ForeignBytes.Output to = new ForeignBytes.Output(out, ByteOrder.LITTLE_ENDIAN);
      if (form != Form.BARE) {
        to.u8(TAG_PROBES).u8(hashesPerKey);
      }
      if (form == Form.WORDS) {
        for (long word : words) {
          to.u8(TAG_WORD).i64(word);
        }
      } else {
        if (form == Form.BYTES) {
          writeLength(to.u8(TAG_BYTES), (long) words.length * Long.BYTES);
        }
        to.words(words);
      }
      to.flush();
    }

    private static void writeLength(ForeignBytes.Output to, long length) throws IOException {
      long rest = length;
      for (; rest > 127; rest >>>= 7) {
        to.u8((int) (rest & 127) | 128);
      }
      to.u8((int) rest);
    }
  }
}
