package io.bloomery.internal.frame;

import io.bloomery.FilterFormatException;
import io.bloomery.FrameHeader;
import io.bloomery.internal.bits.Words;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Reads the payload of a frame: to the heap, for its checksums alone, or as mapped memory. */
final class Payload {

  /** Words allocated up front; beyond that, memory grows as bytes arrive. */
  private static final int FIRST_WORDS = 1 << 17;

  /** Growth per step, which bounds the allocation that a forged header can cause. */
  private static final int GROWTH = 8;

  private Payload() {}

  /**
   * All sections on the heap, their checksums verified.
   *
   * @param whole whether the bytes are known to be there, so that each section is allocated at once
   */
  static List<Words> load(FrameInput in, FrameHeader header, boolean whole) throws IOException {
    for (long words : header.sectionWords()) {
      if (words > Words.MAX_WORDS) {
        throw new FilterFormatException(
            in.origin(),
            HeaderCodec.SECTIONS_AT,
            "a section of %d words; the heap holds up to %d: map the file instead"
                .formatted(words, Words.MAX_WORDS));
      }
    }
    Collector collector = new Collector(header.sectionWords(), whole);
    readPages(in, header, collector);
    return collector.sections();
  }

  /** Reads everything and keeps nothing. */
  static void verify(FrameInput in, FrameHeader header) throws IOException {
    readPages(in, header, null);
  }

  /**
   * Every section as mapped memory; nothing is read and no checksum is verified.
   *
   * @param closeable whether the caller closes the words; otherwise the garbage collector does
   */
  static List<Words> map(FileChannel channel, String file, FrameHeader header, boolean closeable)
      throws IOException {
    long offset = header.payloadOffset();
    long checksums = header.frameBytes() - offset - header.payloadBytes();
    return Words.map(channel, file, offset, header.sectionWords(), checksums, closeable);
  }

  private static void readPages(FrameInput in, FrameHeader header, @Nullable Collector collector)
      throws IOException {
    byte[] page = new byte[(int) Math.min(FrameHeader.PAGE_BYTES, header.payloadBytes())];
    int[] found = new int[1];
    int pages = 0;
    CRC32C crc = new CRC32C();
    for (long left = header.payloadBytes(); left > 0; left -= page.length) {
      int count = (int) Math.min(page.length, left);
      in.fill(page, 0, count, "the payload");
      crc.reset();
      crc.update(page, 0, count);
      if (pages == found.length) {
        found = Arrays.copyOf(found, 2 * pages);
      }
      found[pages++] = (int) crc.getValue();
      if (collector != null) {
        collector.accept(ByteBuffer.wrap(page, 0, count).order(ByteOrder.LITTLE_ENDIAN));
      }
    }
    checkPages(in, header, found, pages);
  }

  private static void checkPages(FrameInput in, FrameHeader header, int[] found, int pages)
      throws IOException {
    byte[] stored = in.take(pages * Integer.BYTES, "the pages' checksums");
    ByteBuffer expected = ByteBuffer.wrap(stored).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < pages; i++) {
      int crc = expected.getInt();
      if (crc != found[i]) {
        throw new FilterFormatException(
            in.origin(),
            header.payloadOffset() + (long) i * FrameHeader.PAGE_BYTES,
            "page %d: the stored CRC32C is %08x; its bytes give %08x".formatted(i, crc, found[i]));
      }
    }
  }

  /** Distributes the words of the pages over the sections. */
  private static final class Collector {

    private final List<Long> lengths;
    private final boolean whole;
    private final List<Words> done = new ArrayList<>();
    private Words words = Words.allocate(0, true); // of the section that is read
    private int filled;

    Collector(List<Long> lengths, boolean whole) {
      this.lengths = lengths;
      this.whole = whole;
      begin();
    }

    void accept(ByteBuffer page) {
      LongBuffer source = page.asLongBuffer();
      while (source.hasRemaining()) {
        if (filled == words.length()) {
          grow();
        }
        int count = (int) Math.min(source.remaining(), words.length() - filled);
        source.get(words.writable(), Words.BASE + filled, count);
        filled += count;
        finish();
      }
    }

    List<Words> sections() {
      return done;
    }

    private long length() {
      return lengths.get(done.size());
    }

    /** Allocates the next nonempty section. */
    private void begin() {
      while (done.size() < lengths.size() && length() == 0) {
        done.add(Words.allocate(0, true));
      }
      if (done.size() < lengths.size()) {
        words = Words.allocate(whole ? length() : Math.min(FIRST_WORDS, length()), true);
        filled = 0;
      }
    }

    private void grow() {
      Words larger = Words.allocate(Math.min((long) GROWTH * filled, length()), true);
      System.arraycopy(words.writable(), Words.BASE, larger.writable(), Words.BASE, filled);
      words = larger;
    }

    private void finish() {
      if (filled == length()) {
        done.add(words);
        begin();
      }
    }
  }
}
