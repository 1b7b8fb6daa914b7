package io.bloomery.net.index;

import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import io.bloomery.ReadOptions;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BloomFilter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/** The stored form of a page, in docs/apps/net.md. */
final class PageFile {

  static final int KEY = 16;

  private static final byte[] MAGIC = {(byte) 0x89, 'B', 'N', 'I', 'X', '\r', '\n', 0x1A};
  private static final int VERSION = 1;
  private static final long MOST_BYTES = 1 << 30;
  private static final int MOST_INFLATION = 64;
  private static final int SLACK = 1 << 16;

  private PageFile() {}

  /** Writes a page with its key. */
  static byte[] toBytes(Page page, byte[] key) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(MAGIC);
    bytes.write(VERSION);
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    try (DataOutputStream out = new DataOutputStream(new DeflaterOutputStream(bytes, deflater))) {
      out.write(key);
      Page.Facts facts = page.facts();
      for (long number :
          new long[] {
            page.blockBytes(),
            page.levels(),
            facts.start(),
            facts.end() - facts.start(),
            facts.traffic(),
            facts.packets(),
            facts.payload(),
            facts.tooShort(),
            facts.unlisted(),
            facts.joined() ? 1 : 0
          }) {
        Numbers.write(out, number);
      }
      page.flows().write(out, facts.start());
      page.packets().writeTo((OutputStream) out);
      BloomFilter payloads = page.payloads();
      out.writeBoolean(payloads != null);
      if (payloads != null) {
        payloads.writeTo((OutputStream) out);
      }
    } finally {
      deflater.end();
    }
    CRC32C sum = new CRC32C();
    sum.update(bytes.toByteArray());
    bytes.write(ByteBuffer.allocate(Integer.BYTES).putInt((int) sum.getValue()).array());
    return bytes.toByteArray();
  }

  /** Reads a page. */
  static Page read(Path file) throws IOException {
    long size = Files.size(file);
    String name = String.valueOf(file.getFileName());
    if (size > Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / 4)) {
      throw new FilterFormatException(name, 0, "has " + size + " bytes, too many for a page");
    }
    byte[] bytes = Files.readAllBytes(file);
    int head = MAGIC.length + 1;
    if (bytes.length < head + Integer.BYTES
        || !Arrays.equals(Arrays.copyOf(bytes, MAGIC.length), MAGIC)) {
      throw new FilterFormatException(name, 0, "is no page of an index of traffic");
    }
    if (bytes[MAGIC.length] != VERSION) {
      throw new FilterFormatException(
          name, MAGIC.length, "has version " + bytes[MAGIC.length] + ", not " + VERSION);
    }
    int end = bytes.length - Integer.BYTES;
    CRC32C sum = new CRC32C();
    sum.update(bytes, 0, end);
    if ((int) sum.getValue() != ByteBuffer.wrap(bytes, end, Integer.BYTES).getInt()) {
      throw new FilterFormatException(name, end, "has another checksum: it is damaged");
    }
    try {
      return read(bytes, head, end - head);
    } catch (IOException | IllegalArgumentException e) {
      FilterFormatException damaged =
          new FilterFormatException(name, head, "is damaged: " + e.getMessage());
      damaged.initCause(e);
      throw damaged;
    }
  }

  private static Page read(byte[] bytes, int from, int length) throws IOException {
    long most = (long) MOST_INFLATION * length + SLACK;
    Inflater inflater = new Inflater(true);
    try (DataInputStream in =
        new DataInputStream(
            new Limited(
                new InflaterInputStream(new ByteArrayInputStream(bytes, from, length), inflater),
                most))) {
      Hasher hasher = Hasher.keyed(in.readNBytes(KEY));
      int blockBytes = small("bytes of a block", Numbers.read(in), IndexOptions.MOST_BLOCK);
      int levels = small("levels", Numbers.read(in), IndexOptions.MOST_LEVELS);
      long start = Numbers.read(in);
      long duration = Numbers.read(in);
      Page.Facts facts =
          new Page.Facts(
              start,
              start + Math.min(duration, Long.MAX_VALUE - start),
              Numbers.read(in),
              Numbers.read(in),
              Numbers.read(in),
              Numbers.read(in),
              Numbers.read(in),
              Numbers.read(in) != 0);
      FlowList flows = FlowList.read(in, start);
      ReadOptions<BloomFilter> options =
          ReadOptions.as(BloomFilter.class).withHasher(hasher).withLimit(most);
      BloomFilter packets = Filters.read(in, options);
      BloomFilter payloads = in.readBoolean() ? Filters.read(in, options) : null;
      return new Page(facts, hasher, blockBytes, levels, flows, payloads, packets);
    } finally {
      inflater.end();
    }
  }

  private static int small(String what, long value, int most) throws IOException {
    if (value < 1 || value > most) {
      throw new IOException(value + " " + what);
    }
    return (int) value;
  }

  /** Ends with an error after so many bytes. */
  private static final class Limited extends FilterInputStream {
    private long left;

    Limited(InputStream in, long most) {
      super(in);
      this.left = most;
    }

    private int took(int count) throws IOException {
      left -= Math.max(0, count);
      if (left < 0) {
        throw new IOException("more bytes than a page of its size can have");
      }
      return count;
    }

    @Override
    public int read() throws IOException {
      int next = in.read();
      took(next < 0 ? 0 : 1);
      return next;
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
      return took(in.read(target, from, length));
    }
  }
}
