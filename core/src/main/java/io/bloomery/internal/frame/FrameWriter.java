package io.bloomery.internal.frame;

import io.bloomery.FilterKind;
import io.bloomery.FrameHeader;
import io.bloomery.Storable;
import io.bloomery.file.AtomicFile;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Writes frames in one pass through one page of memory. Each page is copied first, then checksummed
 * and written, so that checksums are right even while other threads add keys.
 */
public final class FrameWriter {

  private static final long MAX_ARRAY = Integer.MAX_VALUE - 8;

  private FrameWriter() {}

  /** Saves to a file, as {@link AtomicFile} does. */
  public static void write(Storable filter, Path file) throws IOException {
    AtomicFile.write(file, filter::writeTo);
  }

  /** Writes one frame; the stream is neither flushed nor closed. */
  public static void write(Storable filter, OutputStream out) throws IOException {
    Frame frame = Frame.encode(filter);
    FrameHeader header = frame.header(filter.kind());
    out.write(HeaderCodec.encode(header));
    new Pages(header, out).write(frame.sections());
  }

  /** Writes one frame with a description. */
  public static void write(Storable filter, FrameHeader.Description description, OutputStream out)
      throws IOException {
    filter.writeTo(new DescribedOutput(out, description, filter.kind()));
  }

  /** The length of the frame. */
  public static long storedBytes(Storable filter) {
    return Frame.encode(filter).header(filter.kind()).frameBytes();
  }

  /** One frame in memory. */
  public static byte[] toBytes(Storable filter) {
    return toBytes(filter, FrameHeader.Description.NONE);
  }

  /** One frame with a description, in memory. */
  public static byte[] toBytes(Storable filter, FrameHeader.Description description) {
    // The facts may take a few more units of alignment; the stream grows by them.
    long bytes = filter.storedBytes();
    if (bytes > MAX_ARRAY) {
      throw new IllegalStateException(
          "the frame has %d bytes; an array holds up to %d: write to a stream or a file"
              .formatted(bytes, MAX_ARRAY));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream((int) bytes);
    try {
      if (description.isEmpty()) {
        filter.writeTo(out);
      } else {
        write(filter, description, out);
      }
    } catch (IOException e) {
      throw new IllegalStateException("an array cannot fail", e);
    }
    return out.toByteArray();
  }

  /** Whether a filter can only be opened with a secret key. */
  public static boolean isKeyed(Storable filter) {
    Hasher hasher = Frame.encode(filter).hasherOrNull();
    return hasher != null && hasher.isKeyed();
  }

  /**
   * Whether two filters have equal frames. A view does not have its kind's class, so only its bytes
   * are compared.
   */
  public static boolean same(Storable filter, Storable other) {
    FilterKind<?> kind = filter.kind();
    if (kind != other.kind()) {
      return false;
    }
    if (!kind.type().isInstance(filter) || !kind.type().isInstance(other)) {
      return Arrays.equals(filter.toBytes(), other.toBytes());
    }
    Frame one = Frame.encode(filter);
    Frame two = Frame.encode(other);
    if (!one.header(kind).equals(two.header(kind))) {
      return false;
    }
    for (int i = 0; i < one.sections().size(); i++) {
      if (!one.sections().get(i).sameBits(two.sections().get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Writes the payload page by page, and then the checksums. */
  private static final class Pages {

    private final OutputStream out;
    private final byte[] page;
    private final LongBuffer words;
    private final ByteBuffer checksums;
    private final CRC32C crc = new CRC32C();

    Pages(FrameHeader header, OutputStream out) {
      this.out = out;
      page = new byte[(int) Math.min(FrameHeader.PAGE_BYTES, header.payloadBytes())];
      words = ByteBuffer.wrap(page).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
      checksums =
          ByteBuffer.allocate(Math.toIntExact(header.pages() * Integer.BYTES))
              .order(ByteOrder.LITTLE_ENDIAN);
    }

    void write(List<Words> sections) throws IOException {
      for (Words section : sections) {
        for (long at = 0; at < section.length(); ) {
          int count = (int) Math.min(words.remaining(), section.length() - at);
          words.limit(words.position() + count);
          section.copyTo(at, words);
          words.limit(words.capacity());
          at += count;
          if (!words.hasRemaining()) {
            writePage();
          }
        }
      }
      if (words.position() > 0) {
        writePage();
      }
      out.write(checksums.array());
    }

    private void writePage() throws IOException {
      int bytes = words.position() * Long.BYTES;
      crc.reset();
      crc.update(page, 0, bytes);
      checksums.putInt((int) crc.getValue());
      out.write(page, 0, bytes);
      words.clear();
    }
  }
}
