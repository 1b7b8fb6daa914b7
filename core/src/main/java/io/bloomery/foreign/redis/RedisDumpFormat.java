package io.bloomery.foreign.redis;

import io.bloomery.FilterFormatException;
import io.bloomery.foreign.ForeignFilter;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.KeyCoding;
import io.bloomery.foreign.bytes.FileLayout;
import io.bloomery.foreign.bytes.ForeignBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteOrder;

/**
 * The reply of Redis to {@code DUMP} of a RedisBloom filter, which {@code RESTORE} takes: a value
 * of a module as in an RDB file, the version of RDB and a checksum. It is only read; a filter that
 * was read is written as the chunks of {@code SCANDUMP}.
 */
final class RedisDumpFormat {

  private static final int MODULE_VALUE = 7;
  private static final int LONG_LENGTH = 0x81;
  private static final long FIRST_LETTERS = 0x3016E5A289L; // MBbloo and a part of the seventh
  private static final int BLOOM = 0xBEF804; // the rest of m, two hyphens, version 4
  private static final int CUCKOO = 0x821404; // the rest of m, CF, version 4
  private static final int MAGIC_BYTES = 10;
  private static final int FOOTER_BYTES = 10;
  private static final int MOST_LAYERS = 1 << 16;

  private RedisDumpFormat() {}

  /** The format around {@code inner}, {@link RedisBloomFilter#FORMAT} or that of cuckoo filters. */
  static <F extends ForeignFilter> ForeignFormat<F> around(ForeignFormat<F> inner) {
    boolean bloom = inner.type() == RedisBloomFilter.class;
    int letters = bloom ? BLOOM : CUCKOO;
    return ForeignFormat.of(
            inner.name() + "-dump",
            bloom ? "Redis DUMP of a Bloom filter" : "Redis DUMP of a cuckoo filter",
            inner.type(),
            new FileLayout<>(
                    FileLayout.Evidence.MAGIC,
                    in -> chunks(in, letters, bloom),
                    in -> read(in, letters, bloom, inner))
                .knownBy(MAGIC_BYTES))
        .withKeys(KeyCoding.Standard.DIGITS);
  }

  private static <F extends ForeignFilter> F read(
      ForeignBytes in, int letters, boolean bloom, ForeignFormat<F> inner) throws IOException {
    byte[] chunks = chunks(in, letters, bloom);
    try {
      return inner.read(chunks, in.budget());
    } catch (FilterFormatException e) {
      throw in.problem(0, "the filter in the dump is damaged: as chunks, %s", e.getMessage());
    }
  }

  /** The same filter as the chunks of SCANDUMP; checks everything up to the last byte. */
  private static byte[] chunks(ForeignBytes in, int letters, boolean bloom) throws IOException {
    in.order(ByteOrder.BIG_ENDIAN);
    in.within(in.u8("the type"), MODULE_VALUE, MODULE_VALUE, "the type");
    in.within(in.u8("the type"), LONG_LENGTH, LONG_LENGTH, "the module");
    long module = in.i64("the module");
    long expected = FIRST_LETTERS << 24 | letters;
    in.within(module, expected, expected, "the module and the version of its encoding");
    in.need(FOOTER_BYTES, "the checksum");
    ModuleValues values = new ModuleValues(in);
    ByteArrayOutputStream chunks = new ByteArrayOutputStream();
    ForeignBytes.Output out = new ForeignBytes.Output(chunks, ByteOrder.LITTLE_ENDIAN);
    ByteArrayOutputStream bits = new ByteArrayOutputStream();
    if (bloom) {
      bloom(values, out, bits);
    } else {
      cuckoo(values, out, bits);
    }
    values.end();
    out.flush();
    bits.writeTo(chunks);
    in.needExactly(FOOTER_BYTES, "the version and the checksum");
    checkSum(in);
    return chunks.toByteArray();
  }

  private static void bloom(
      ModuleValues values, ForeignBytes.Output out, ByteArrayOutputStream bits) throws IOException {
    out.i64(values.number("the keys"));
    int layers = (int) values.number(1, MOST_LAYERS, "the layers");
    out.i32(layers);
    out.i32((int) values.number(0, Integer.MAX_VALUE, "the options"));
    out.i32((int) values.number(0, Integer.MAX_VALUE, "the expansion"));
    for (int i = 0; i < layers; i++) {
      long capacity = values.number("the capacity of a layer");
      double rate = values.fraction("the rate of a layer");
      int hashes = (int) values.number(0, Integer.MAX_VALUE, "the hashes per key of a layer");
      double bitsPerKey = values.fraction("the bits per key of a layer");
      long size = values.number("the bits of a layer");
      int power = (int) values.number(0, Byte.MAX_VALUE, "a power of two");
      byte[] content = values.text("the bits");
      bits.writeBytes(content);
      out.i64(content.length).i64(size).i64(values.number("the keys of a layer"));
      out.f64(rate).f64(bitsPerKey).i32(hashes).i64(capacity).u8(power);
    }
  }

  private static void cuckoo(
      ModuleValues values, ForeignBytes.Output out, ByteArrayOutputStream bits) throws IOException {
    long layers = values.number(0, MOST_LAYERS, "the layers");
    long buckets = values.number("the buckets");
    out.i64(values.number("the keys")).i64(buckets).i64(values.number("the removed keys"));
    out.i64(layers);
    long slots = values.number(0, 0xFFFF, "the size of a bucket");
    out.u16((int) slots);
    out.u16((int) values.number(0, 0xFFFF, "the iterations"));
    long expansion = values.number(0, 0xFFFF, "the expansion");
    out.u16((int) expansion);
    long expected = buckets;
    for (long i = 0; i < layers; i++) {
      values.number(expected, expected, "the buckets of a layer");
      bits.writeBytes(values.text("the buckets"));
      expected *= expansion;
    }
  }

  /** CRC-64 of Jones, over everything before it. */
  private static void checkSum(ForeignBytes in) throws IOException {
    in.order(ByteOrder.LITTLE_ENDIAN);
    long end = in.length() - Long.BYTES;
    in.seek(0);
    long crc = 0;
    for (long at = 0; at < end; at++) {
      crc = crc >>> Byte.SIZE ^ Crc.TABLE[(int) (crc ^ in.u8("the dump")) & 0xFF];
    }
    long stored = in.i64("the checksum");
    if (stored != crc) {
      throw in.problem(end, "the checksum is %016x, the bytes give %016x", stored, crc);
    }
  }

  /** Made when the first dump is read. */
  private static final class Crc {
    private static final long POLYNOMIAL = 0x95AC9329AC4BC9B5L; // ad93d23594c935a9, mirrored
    private static final long[] TABLE = new long[256];

    static {
      for (int i = 0; i < TABLE.length; i++) {
        long value = i;
        for (int bit = 0; bit < Byte.SIZE; bit++) {
          value = value >>> 1 ^ ((value & 1) == 0 ? 0 : POLYNOMIAL);
        }
        TABLE[i] = value;
      }
    }
  }
}
