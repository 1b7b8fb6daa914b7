package io.bloomery.tools.input;

import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;

/** Reads Zstandard data of any number of frames (RFC 8878), checked to the last byte. */
final class Unzstd extends FilterInputStream {

  private static final int[] MAGIC = {0x28, 0xB5, 0x2F, 0xFD};

  /** Reads from {@code source}. */
  Unzstd(InputStream source) throws IOException {
    super(open(source));
  }

  private static InputStream open(InputStream source) throws IOException {
    try {
      return new ZstdInputStreamNoFinalizer(source);
    } catch (LinkageError e) {
      throw new IOException(
          "zstd data cannot be unpacked on this system (%s); unpack them with zstd -dc"
              .formatted(e.getMessage()),
          e);
    }
  }

  /**
   * Whether zstd data follow; leaves the source as it was, and blocks only while they may still
   * follow.
   */
  static boolean isNext(PushbackInputStream source) throws IOException {
    return Gunzip.startsWith(source, MAGIC);
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    try {
      return super.read(bytes, offset, length);
    } catch (ZstdIOException e) {
      String why = String.valueOf(e.getMessage());
      String what = why.contains("Truncated") ? "cut off" : "damaged";
      throw new IOException("the zstd data are " + what + ": " + why, e);
    }
  }
}
