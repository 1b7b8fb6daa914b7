package io.bloomery.tools.unpack;

import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Reads Zstandard data of any number of frames (RFC 8878), checked to the last byte. */
final class Unzstd extends FilterInputStream {

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

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
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
