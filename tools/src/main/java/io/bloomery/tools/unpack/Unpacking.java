package io.bloomery.tools.unpack;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Unpacks gzip, zstd, xz, bzip2, lz4 and zip files, known by their first bytes. All of them are
 * read as a stream, so that memory does not depend on the unpacked size; what is cut off, damaged
 * or followed by something else is an error.
 */
public final class Unpacking {

  /** How many bytes a source must be able to take back. */
  public static final int BUFFER = Gunzip.BUFFER;

  private static final int[] ZSTD = {0x28, 0xB5, 0x2F, 0xFD};
  private static final int[] XZ = {0xFD, '7', 'z', 'X', 'Z', 0};
  private static final int[] BZIP2 = {'B', 'Z', 'h', Marks.ANY, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59};
  private static final int[] EMPTY_BZIP2 = {
    'B', 'Z', 'h', Marks.ANY, 0x17, 0x72, 0x45, 0x38, 0x50, 0x90
  };
  private static final int[] LZ4 = {0x04, 0x22, 0x4D, 0x18};
  private static final int[] ZIP = {'P', 'K', 3, 4};
  private static final int[] EMPTY_ZIP = {'P', 'K', 5, 6};

  /** If at least this many bytes match a mark, even printable ones count as truncated data. */
  private static final int CERTAIN = 5;

  private Unpacking() {}

  /**
   * The content of a packed source; null if it is not packed, and then the source is unchanged.
   * Blocks only while a mark may still follow.
   *
   * @param source with a buffer of {@link #BUFFER} bytes
   */
  public static @Nullable InputStream open(PushbackInputStream source) throws IOException {
    boolean skipped = skipFrames(source);
    String format = next(source);
    if (skipped && !"zstd".equals(format) && !"lz4".equals(format)) {
      return nothingIn(source);
    }
    if (format == null) {
      return null;
    }
    return switch (format) {
      case "gzip" -> new Gunzip(source);
      case "zstd" -> new Unzstd(source);
      case "lz4" -> new Unlz4(source);
      case "xz" -> new Unxz(source);
      case "bzip2" -> new Bunzip2(source);
      default -> new Unzip(source);
    };
  }

  /**
   * The format of the packed data that follow, null if they are not packed; leaves the source
   * unchanged.
   */
  public static @Nullable String next(PushbackInputStream source) throws IOException {
    if (isNext(source, "gzip", Gunzip.MAGIC)) {
      return "gzip";
    }
    if (isNext(source, "zstd", ZSTD)) {
      return "zstd";
    }
    if (isNext(source, "lz4", LZ4)) {
      return "lz4";
    }
    if (isNext(source, "xz", XZ)) {
      return "xz";
    }
    if (isNext(source, "bzip2", BZIP2) || isNext(source, "bzip2", EMPTY_BZIP2)) {
      return "bzip2";
    }
    return isNext(source, "zip", ZIP) || isNext(source, "zip", EMPTY_ZIP) ? "zip" : null;
  }

  private static boolean isNext(PushbackInputStream source, String name, int[] mark)
      throws IOException {
    int count = Marks.match(source, mark);
    if (count > 1 && count < mark.length && (count >= CERTAIN || !isPrintable(mark, count))) {
      throw cutOff(name);
    }
    return count == mark.length;
  }

  private static boolean isPrintable(int[] mark, int count) {
    for (int i = 0; i < count; i++) {
      if (mark[i] != Marks.ANY && (mark[i] < ' ' || mark[i] > '~')) {
        return false;
      }
    }
    return true;
  }

  /** Skips frames that lz4 and zstd leave to their users; pzstd begins its files with one. */
  private static boolean skipFrames(PushbackInputStream source) throws IOException {
    boolean any = false;
    while (isSkippable(source)) {
      any = true;
      source.skipNBytes(Integer.BYTES);
      Unlz4.skip(source);
    }
    return any;
  }

  private static boolean isSkippable(PushbackInputStream source) throws IOException {
    for (int kind = 0; kind < 16; kind++) {
      if (Marks.startsWith(source, Unlz4.SKIPPABLE + kind, 0x2A, 0x4D, 0x18)) {
        return true;
      }
    }
    return false;
  }

  private static InputStream nothingIn(PushbackInputStream source) throws IOException {
    if (source.read() >= 0) {
      throw new IOException("what follows a skippable frame is neither zstd nor lz4 data");
    }
    return InputStream.nullInputStream();
  }

  /** The exception for data that end too early. */
  static EOFException cutOff(String format) {
    return new EOFException("the " + format + " data are cut off");
  }

  /** The exception for data that contradict themselves. */
  static IOException damaged(String format, String how) {
    return new IOException("the " + format + " data are damaged: " + how);
  }
}
