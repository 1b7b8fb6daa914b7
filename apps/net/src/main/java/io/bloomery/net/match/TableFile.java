package io.bloomery.net.match;

import io.bloomery.FilterFormatException;
import io.bloomery.FilterFullException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The stored form of a table, in docs/apps/net.md: values and prefixes in their order, in pages
 * with a checksum each. The hash tables are made again when it is read, under another secret.
 */
final class TableFile {

  private static final byte[] MAGIC = {(byte) 0x89, 'B', 'P', 'F', 'X', '\r', '\n', 0x1A};
  private static final int VERSION = 1;
  private static final int PAGE = 1 << 16;
  private static final int LONGEST_VALUE = 1 << 20;
  private static final int LEAST_PREFIX_BYTES = 2;

  private TableFile() {}

  static boolean isStored(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return Arrays.equals(in.readNBytes(MAGIC.length), MAGIC);
    } catch (IOException e) {
      return false;
    }
  }

  /** A prefix as it is sorted. */
  private record Entry(long high, long low, int length, int id) implements Comparable<Entry> {
    @Override
    public int compareTo(Entry other) {
      int order = Long.compareUnsigned(high, other.high);
      order = order != 0 ? order : Long.compareUnsigned(low, other.low);
      return order != 0 ? order : Integer.compare(length, other.length);
    }
  }

  static void write(OutputStream out, Family four, Family six, Values values) throws IOException {
    Entry[] first = sorted(four);
    Entry[] second = sorted(six);
    int[] numbers = new int[values.highest() + 1];
    String[] names = new String[values.count()];
    int known = 0;
    for (Entry[] entries : new Entry[][] {first, second}) {
      for (Entry entry : entries) {
        if (numbers[entry.id] == 0) {
          names[known] = String.valueOf(values.name(entry.id));
          numbers[entry.id] = ++known;
        }
      }
    }
    Pages pages = new Pages(out);
    pages.write(MAGIC);
    DataOutputStream data = new DataOutputStream(pages);
    data.writeInt(VERSION);
    data.writeInt(known);
    data.writeInt(first.length);
    data.writeInt(second.length);
    for (int i = 0; i < known; i++) {
      byte[] name = names[i].getBytes(StandardCharsets.UTF_8);
      number(data, name.length);
      data.write(name);
    }
    for (Entry[] entries : new Entry[][] {first, second}) {
      for (Entry entry : entries) {
        data.writeByte(entry.length);
        for (int bit = 0; bit < entry.length; bit += Byte.SIZE) {
          long half = bit < Long.SIZE ? entry.high : entry.low;
          data.writeByte((int) (half >>> (Long.SIZE - Byte.SIZE - bit % Long.SIZE)));
        }
        number(data, numbers[entry.id]);
      }
    }
    data.flush();
    pages.end();
  }

  private static Entry[] sorted(Family family) {
    Entry[] entries = new Entry[(int) family.prefixes()];
    int count = 0;
    for (Slots table : family.tables()) {
      for (int slot = 0; slot < table.slots(); slot++) {
        int entry = table.entry(slot);
        if (entry != 0) {
          entries[count++] =
              new Entry(table.high(slot), table.low(slot), Slots.length(entry), Slots.id(entry));
        }
      }
    }
    Arrays.sort(entries);
    return entries;
  }

  /** Seven bits per byte, the lowest first; all bytes but the last have the upper bit. */
  private static void number(DataOutputStream out, int number) throws IOException {
    int rest = number;
    for (; rest >= 128; rest >>>= 7) {
      out.writeByte(rest | 128);
    }
    out.writeByte(rest);
  }

  static void read(Path file, long maxBytes, Tables tables) throws IOException {
    long size = Files.size(file);
    if (size > maxBytes) {
      throw new FilterFullException(
          "%s has %d bytes; maxBytes allows %d".formatted(file, size, maxBytes));
    }
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), PAGE)) {
      new Reader(file.toString(), in, size, tables).read();
    }
  }

  /** Reads pages, each of which is checked before anything of it is used. */
  private static final class Reader {
    private final String source;
    private final InputStream in;
    private final long size;
    private final Tables tables;
    private byte[] page = {};
    private int at;
    private long pageStart;
    private long next; // where the next page begins

    Reader(String source, InputStream in, long size, Tables tables) {
      this.source = source;
      this.in = in;
      this.size = size;
      this.tables = tables;
    }

    void read() throws IOException {
      byte[] magic = new byte[MAGIC.length];
      for (int i = 0; i < magic.length; i++) {
        magic[i] = (byte) next();
      }
      if (!Arrays.equals(magic, MAGIC)) {
        throw problem("is not a table of prefixes");
      }
      int version = word();
      if (version != VERSION) {
        throw problem("has version " + version + " of the format; " + VERSION + " is known");
      }
      int names = count("values", 1, Slots.MAX_ID);
      int four = count("prefixes of IPv4", LEAST_PREFIX_BYTES, Integer.MAX_VALUE);
      int six = count("prefixes of IPv6", LEAST_PREFIX_BYTES, Integer.MAX_VALUE);
      String[] values = new String[names];
      for (int i = 0; i < names; i++) {
        values[i] = value();
      }
      prefixes(four, false, values);
      prefixes(six, true, values);
      if (at < page.length || in.read() >= 0) {
        throw problem("goes on after its end");
      }
    }

    /** A number of things of which each takes some bytes of the file. */
    private int count(String what, int leastBytes, int most) throws IOException {
      int count = word();
      if (count < 0 || count > most || (long) count * leastBytes > size) {
        throw problem("has " + Integer.toUnsignedString(count) + " " + what + ", too many for it");
      }
      return count;
    }

    private String value() throws IOException {
      int length = number();
      if (length > LONGEST_VALUE || length > size) {
        throw problem("has a value of " + length + " bytes");
      }
      byte[] bytes = new byte[length];
      for (int i = 0; i < length; i++) {
        bytes[i] = (byte) next();
      }
      try {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      } catch (CharacterCodingException e) {
        throw problem("has a value that is not UTF-8");
      }
    }

    private void prefixes(int count, boolean isSix, String... values) throws IOException {
      Entry before = null;
      int width = isSix ? 128 : 32;
      for (int i = 0; i < count; i++) {
        int length = next();
        if (length > width) {
          throw problem("has a prefix of " + length + " bits");
        }
        long high = 0;
        long low = 0;
        for (int bit = 0; bit < length; bit += Byte.SIZE) {
          long part = (long) next() << (Long.SIZE - Byte.SIZE - bit % Long.SIZE);
          high |= bit < Long.SIZE ? part : 0;
          low |= bit < Long.SIZE ? 0 : part;
        }
        int id = number();
        Entry entry = new Entry(high, low, length, id);
        boolean isCut =
            (high & ~Level.highMask(length)) == 0 && (low & ~Level.lowMask(length)) == 0;
        if (!isCut || (before != null && before.compareTo(entry) >= 0)) {
          throw problem("has a prefix with bits after its length, or out of order");
        }
        if (id < 1 || id > values.length) {
          throw problem("has a prefix of value " + id + " of " + values.length);
        }
        tables.note(new Address(isSix, high, low, length), values[id - 1], false);
        before = entry;
      }
    }

    private int word() throws IOException {
      return next() << 24 | next() << 16 | next() << 8 | next();
    }

    private int number() throws IOException {
      int number = 0;
      for (int shift = 0; shift < 28; shift += 7) {
        int part = next();
        number |= (part & 127) << shift;
        if (part < 128) {
          return number;
        }
      }
      throw problem("has a number of more than 28 bits");
    }

    private int next() throws IOException {
      if (at == page.length) {
        turn();
      }
      return page[at++] & 0xFF;
    }

    private void turn() throws IOException {
      pageStart = next;
      at = 0;
      page = in.readNBytes((int) Math.min(PAGE, Math.max(0, size - next - Integer.BYTES)));
      byte[] sum = in.readNBytes(Integer.BYTES);
      next += page.length + sum.length;
      if (page.length == 0 || sum.length < Integer.BYTES) {
        page = new byte[0];
        throw problem("ends too early");
      }
      CRC32C crc = new CRC32C();
      crc.update(page);
      if (ByteBuffer.wrap(sum).getInt() != (int) crc.getValue()) {
        boolean isOther =
            pageStart == 0 && !Arrays.equals(Arrays.copyOf(page, MAGIC.length), MAGIC);
        throw problem(isOther ? "is not a table of prefixes" : "is damaged: a checksum is wrong");
      }
    }

    private FilterFormatException problem(String what) {
      return new FilterFormatException(source, pageStart + at, what);
    }
  }

  /** Pages of 64 KiB, the last one shorter, with the CRC32C of each after it. */
  private static final class Pages extends OutputStream {
    private final OutputStream out;
    private final ByteArrayOutputStream page = new ByteArrayOutputStream(PAGE);

    Pages(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
      page.write(b);
      if (page.size() == PAGE) {
        end();
      }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      for (int i = offset; i < offset + length; i++) {
        write(bytes[i]);
      }
    }

    void end() throws IOException {
      if (page.size() > 0) {
        CRC32C crc = new CRC32C();
        crc.update(page.toByteArray());
        page.writeTo(out);
        out.write(ByteBuffer.allocate(Integer.BYTES).putInt((int) crc.getValue()).array());
        page.reset();
      }
    }
  }
}
