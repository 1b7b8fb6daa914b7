package io.bloomery.security.revocation;

import io.bloomery.FilterFormatException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * A native frame without its padding, which fills pages and is most of a small frame: its length in
 * 4 bytes, then the frame as zlib packs it (RFC 1950).
 */
final class PackedFrame {

  private static final int BUFFER = 1 << 13;

  private PackedFrame() {}

  static byte[] of(byte[] frame) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(frame.length).array());
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
    try {
      deflater.setInput(frame);
      deflater.finish();
      byte[] buffer = new byte[BUFFER];
      while (!deflater.finished()) {
        out.write(buffer, 0, deflater.deflate(buffer));
      }
    } finally {
      deflater.end();
    }
    return out.toByteArray();
  }

  /** The frame, for which memory is taken as it unfolds. */
  static byte[] unpack(byte[] packed, int maxBytes) throws FilterFormatException {
    int length = packed.length < Integer.BYTES ? -1 : ByteBuffer.wrap(packed).getInt();
    if (length < 0 || length > maxBytes) {
      throw problem("has a frame of " + length + " bytes; at most " + maxBytes + " are read");
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(packed, Integer.BYTES, packed.length - Integer.BYTES);
      byte[] buffer = new byte[BUFFER];
      for (int read = inflater.inflate(buffer); read > 0; read = inflater.inflate(buffer)) {
        out.write(buffer, 0, read);
        if (out.size() > length) {
          break;
        }
      }
      if (!inflater.finished() || inflater.getRemaining() > 0 || out.size() != length) {
        throw problem("has a frame that is not one of " + length + " bytes");
      }
    } catch (DataFormatException e) {
      throw problem("has a damaged frame");
    } finally {
      inflater.end();
    }
    return out.toByteArray();
  }

  private static FilterFormatException problem(String what) {
    return new FilterFormatException("revocation list", 0, what);
  }
}
