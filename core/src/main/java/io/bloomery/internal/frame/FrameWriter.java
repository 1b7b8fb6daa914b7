package io.bloomery.internal.frame;

import io.bloomery.FrameHeader;
import io.bloomery.Storable;
import io.bloomery.internal.bits.Words;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Writes frames in one pass through one page of memory. Each page is copied first, then checksummed
 * and written, so that checksums are right even while other threads add keys.
 */
public final class FrameWriter {

  private FrameWriter() {}

  /** Saves to a file, as {@link AtomicFile} does. */
  public static void write(Storable filter, Path file) throws IOException {
    AtomicFile.write(file, out -> write(filter, out));
  }

  /** Writes one frame; the stream is neither flushed nor closed. */
  public static void write(Storable filter, OutputStream out) throws IOException {
    Frame frame = filter.kind().encode(filter);
    FrameHeader header = frame.header(filter.kind());
    out.write(HeaderCodec.encode(header));
    new Pages(header, out).write(frame.sections());
  }

  /** The length of the frame. */
  public static long storedBytes(Storable filter) {
    return filter.kind().encode(filter).header(filter.kind()).frameBytes();
  }

  /** The payload on its way out, page by page, and the checksums that follow it. */
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
