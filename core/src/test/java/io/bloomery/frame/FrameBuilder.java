package io.bloomery.frame;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.bloomery.hash.Hasher;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * A second writer of frames, made from docs/format.md alone. It writes what it is told, sound or
 * not, with right checksums, so that tests reach the checks behind them.
 */
public final class FrameBuilder {

  private record Field(int type, String name, long bits) {}

  private final List<Field> fields = new ArrayList<>();
  private final List<long[]> sections = new ArrayList<>();
  private int kind = 1;
  private int hash = Hasher.XXH3_64;
  private long seed;
  private byte[] description = {};
  private Consumer<ByteBuffer> headerEdit = bytes -> {};

  /** A sound frame of a Bloom filter: 128 bits, 3 probes, scheme 1, all bits zero. */
  static FrameBuilder bloom() {
    return new FrameBuilder().number("bits", 128).number("probes", 3).number("scheme", 1);
  }

  FrameBuilder kind(int id) {
    kind = id;
    return this;
  }

  FrameBuilder hasher(int id, long seedOrKeyCheck) {
    hash = id;
    seed = seedOrKeyCheck;
    return this;
  }

  FrameBuilder number(String name, long value) {
    return field(1, name, value);
  }

  FrameBuilder real(String name, double value) {
    return field(2, name, Double.doubleToRawLongBits(value));
  }

  FrameBuilder field(int type, String name, long bits) {
    fields.add(new Field(type, name, bits));
    return this;
  }

  FrameBuilder section(long... words) {
    sections.add(words);
    return this;
  }

  /** Version 2 with these bytes as the description. */
  FrameBuilder described(byte[] bytes) {
    description = bytes;
    return this;
  }

  /** Changes the header's bytes before the checksum is taken. */
  FrameBuilder edit(Consumer<ByteBuffer> edit) {
    headerEdit = edit;
    return this;
  }

  byte[] build() {
    long[] words = sections.stream().flatMapToLong(Arrays::stream).toArray();
    byte[] header = header(sections.stream().map(section -> (long) section.length).toList());
    int payload = words.length * 8;
    int pages = (payload + 65_535) / 65_536;
    byte[] frame = Arrays.copyOf(header, header.length + payload + 4 * pages);
    ByteBuffer out = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).position(header.length);
    out.asLongBuffer().put(words);
    out.position(header.length + payload);
    for (int page = 0; page < pages; page++) {
      int from = header.length + page * 65_536;
      out.putInt(crc(frame, from, Math.min(65_536, header.length + payload - from)));
    }
    return frame;
  }

  /** The header with its padding, for sections of this many words. */
  byte[] header(List<Long> sectionWords) {
    int length = 64 + 8 * sectionWords.size() + description.length + 4;
    for (Field field : fields) {
      length += 10 + field.name.length();
    }
    int offset = (length + 4095) / 4096 * 4096;
    long payload = 8 * sectionWords.stream().mapToLong(Long::longValue).sum();
    long pages = (payload + 65_535) / 65_536;
    byte[] bytes = new byte[offset];
    ByteBuffer out = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    out.put(new byte[] {(byte) 0x89, 'B', 'L', 'M', '\r', '\n', 0x1A, '\n'});
    out.putShort((short) (description.length == 0 ? 1 : 2)).putShort((short) kind).putInt(length);
    out.put((byte) hash).put(new byte[3]);
    out.putShort((short) fields.size()).putShort((short) sectionWords.size()).putLong(seed);
    out.putLong(offset).putLong(payload).putInt(65_536).putInt(description.length);
    out.putLong(offset + payload + 4 * pages);
    sectionWords.forEach(out::putLong);
    for (Field field : fields) {
      out.put((byte) field.type).put((byte) field.name.length());
      out.put(field.name.getBytes(ISO_8859_1)).putLong(field.bits);
    }
    out.put(description);
    headerEdit.accept(out.duplicate().order(ByteOrder.LITTLE_ENDIAN));
    out.putInt(crc(bytes, 0, out.position()));
    return bytes;
  }

  /** Where the values of the fields stand in a sound frame, 8 bytes each. */
  static int[] valueOffsets(byte[] frame) {
    ByteBuffer bytes = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
    int[] offsets = new int[bytes.getShort(20)];
    int at = 64 + 8 * bytes.getShort(22);
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = at + 2 + bytes.get(at + 1);
      at = offsets[i] + 8;
    }
    return offsets;
  }

  /** Makes every checksum of a frame right again, as far as its lengths allow. */
  public static byte[] reseal(byte[] frame) {
    byte[] sealed = frame.clone();
    ByteBuffer bytes = ByteBuffer.wrap(sealed).order(ByteOrder.LITTLE_ENDIAN);
    if (sealed.length < 68) {
      return sealed;
    }
    int length = bytes.getInt(12);
    if (length >= 68 && length <= sealed.length) {
      bytes.putInt(length - 4, crc(sealed, 0, length - 4));
    }
    long offset = bytes.getLong(32);
    long payload = bytes.getLong(40);
    if (offset < 0 || payload < 0 || offset + payload < 0 || offset + payload > sealed.length) {
      return sealed;
    }
    int end = (int) (offset + payload);
    for (int from = (int) offset, at = end; from < end && at + 4 <= sealed.length; at += 4) {
      int count = Math.min(65_536, end - from);
      bytes.putInt(at, crc(sealed, from, count));
      from += count;
    }
    return sealed;
  }

  private static int crc(byte[] bytes, int from, int count) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, count);
    return (int) crc.getValue();
  }
}
