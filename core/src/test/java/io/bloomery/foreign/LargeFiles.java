package io.bloomery.foreign;

import io.bloomery.foreign.hadoop.HadoopDynamicFilter;
import io.bloomery.foreign.hadoop.HadoopFormat;
import io.bloomery.foreign.redis.RedisBloomFilter;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.Map;

/**
 * Files of a format that take about a given number of bytes: those of an empty filter, or a header
 * before zeros.
 */
public final class LargeFiles {

  /** Of the largest header. */
  private static final int HEADER = 64;

  private static final double RATE = 0.01;
  private static final double BITS_PER_KEY = 9.6;

  @FunctionalInterface
  private interface Header {
    void put(ByteBuffer out, long bytes);
  }

  /** Zeros may follow these. */
  private static final Map<String, Header> HEADERS =
      Map.of(
          "xor8", (out, bytes) -> out.putLong(1).putLong(bytes / 3),
          "fuse8", (out, bytes) -> fuse(out, bytes),
          "fuse16", (out, bytes) -> fuse(out, bytes / 2),
          "mozilla-cascade",
              (out, bytes) ->
                  out.putShort((short) 1)
                      .put((byte) 1)
                      .putInt((int) (Byte.SIZE * bytes))
                      .putInt(3)
                      .put((byte) 1),
          "bip158",
              (out, bytes) ->
                  out.put(new byte[33])
                      .put((byte) 0xFE)
                      .putInt(5 + (int) codes(bytes))
                      .put((byte) 0xFE)
                      .putInt((int) items(bytes)));

  private LargeFiles() {}

  /** Of BIP 158, each with a code of 20 bits. */
  private static long items(long bytes) {
    return Byte.SIZE * bytes / 20;
  }

  private static long codes(long bytes) {
    return (items(bytes) * 20 + 7) / Byte.SIZE;
  }

  private static void fuse(ByteBuffer out, long cells) {
    int segment = 1 << 12;
    int segments = (int) (cells / segment);
    out.putLong(1).putInt(1000).putInt(segment).putInt(segments - 2);
    out.putInt((segments - 2) * segment).putInt(segments * segment);
  }

  /**
   * Writes one.
   *
   * @return false if the format has no file of that size
   */
  public static boolean write(ForeignFormat<?> format, long bytes, Path file) throws IOException {
    Header header = HEADERS.get(format.name());
    if (header != null) {
      return zeros(header, format, bytes, file);
    }
    if (format == HadoopFormat.HUDI) {
      return base64(HadoopFormat.FORMAT, bytes, file);
    }
    if (format == HadoopDynamicFilter.HUDI) {
      return base64(HadoopDynamicFilter.FORMAT, bytes, file);
    }
    if (format == RedisBloomFilter.DUMP) {
      Files.write(file, dump(RedisBloomFilter.create(bytes * Byte.SIZE / 14, RATE, 2)));
      return true;
    }
    ForeignFilter filter = empty(format, bytes);
    if (filter == null) {
      return false;
    }
    filter.writeTo(file);
    return Files.size(file) >= bytes / 4;
  }

  /** Null if the format has none of that size. */
  private static ForeignFilter empty(ForeignFormat<?> format, long bytes) {
    if (format.maker().isEmpty()) {
      return null;
    }
    try {
      AddableForeignFilter filter =
          format.maker().get().create((long) (bytes * Byte.SIZE / BITS_PER_KEY), RATE);
      byte[] key = new byte[16]; // an MD5, as some formats need
      Seeds.random(71).nextBytes(key);
      filter.add(key);
      return filter;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static boolean zeros(Header header, ForeignFormat<?> format, long bytes, Path file)
      throws IOException {
    ByteBuffer out = ByteBuffer.allocate(HEADER).order(ByteOrder.LITTLE_ENDIAN);
    header.put(out, bytes);
    long length = length(format, out.position(), bytes);
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.SPARSE,
            StandardOpenOption.WRITE)) {
      channel.write(out.flip());
      channel.write(ByteBuffer.allocate(1), length - 1);
    }
    return true;
  }

  private static long length(ForeignFormat<?> format, int header, long bytes) {
    return header
        + switch (format.name()) {
          case "xor8" -> bytes / 3 * 3;
          case "fuse8", "fuse16" -> bytes >>> 13 << 13;
          case "bip158" -> codes(bytes);
          default -> bytes;
        };
  }

  private static boolean base64(ForeignFormat<?> inner, long bytes, Path file) throws IOException {
    ForeignFilter filter = empty(inner, bytes * 3 / 4);
    if (filter == null) {
      return false;
    }
    try (OutputStream out = Base64.getEncoder().wrap(Files.newOutputStream(file))) {
      filter.writeTo(out);
    }
    return true;
  }

  /** The values of the reply to DUMP: numbers, fractions and texts with a code before each. */
  private static byte[] dump(RedisBloomFilter filter) throws IOException {
    byte[] sample = Envelopes.all().get(RedisBloomFilter.DUMP).get(0).bytes();
    byte[] plain = ForeignSubject.written(filter);
    ByteBuffer in = ByteBuffer.wrap(plain).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer out = ByteBuffer.allocate(plain.length + 4 * HEADER).put(sample, 0, 10);
    number(out, in.getLong());
    for (int i = 0; i < 3; i++) {
      number(out, in.getInt());
    }
    long bytes = in.getLong();
    long bits = in.getLong();
    long keys = in.getLong();
    double rate = in.getDouble();
    double bitsPerKey = in.getDouble();
    int hashes = in.getInt();
    number(out, in.getLong());
    fraction(out, rate);
    number(out, hashes);
    fraction(out, bitsPerKey);
    number(out, bits);
    number(out, in.get());
    length(out.put((byte) 5), bytes).put(plain, in.position(), (int) bytes);
    number(out, keys);
    out.put((byte) 0).put(sample, sample.length - 10, 10);
    byte[] dump = new byte[out.position()];
    out.flip().get(dump);
    return Envelopes.sealed(dump);
  }

  private static void number(ByteBuffer out, long number) {
    length(out.put((byte) 2), number);
  }

  private static void fraction(ByteBuffer out, double value) {
    out.put((byte) 4).order(ByteOrder.LITTLE_ENDIAN).putDouble(value).order(ByteOrder.BIG_ENDIAN);
  }

  private static ByteBuffer length(ByteBuffer out, long length) {
    return out.put((byte) 0x81).putLong(length);
  }
}
