package io.bloomery.tools.unpack;

import io.bloomery.tools.problem.UnreadFormatException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.tukaani.xz.MemoryLimitException;
import org.tukaani.xz.UnsupportedOptionsException;
import org.tukaani.xz.XZFormatException;
import org.tukaani.xz.XZIOException;
import org.tukaani.xz.XZInputStream;

/** Reads xz data of any number of streams, checked to the last byte. */
final class Unxz extends InputStream {

  /** A dictionary is one array, and the heap has to hold filters, too. */
  private static final int HEAP_PART = 2;

  private final XZInputStream in;
  private boolean ended;

  /** Reads from {@code source}. */
  Unxz(InputStream source) throws IOException {
    long kibibytes = Runtime.getRuntime().maxMemory() / HEAP_PART / 1024;
    try {
      in = new XZInputStream(source, (int) Math.min(Integer.MAX_VALUE, kibibytes));
    } catch (IOException e) {
      throw explained(e);
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
      int count = in.read(bytes, offset, length);
      ended = count < 0;
      return count;
    } catch (IOException e) {
      throw explained(e);
    }
  }

  @Override
  public int available() {
    return ended ? 0 : 1;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private static IOException explained(IOException e) {
    if (e instanceof EOFException) {
      return Unpacking.cutOff("xz");
    }
    if (e instanceof MemoryLimitException limit) {
      return new IOException(
          ("the xz data need %,d MiB to be unpacked, half of the heap is less;"
                  + " BLOOM_JAVA_OPTS=-Xmx%dm allows it, or unpack them with xz -dc")
              .formatted(limit.getMemoryNeeded() >> 10, (limit.getMemoryNeeded() >> 9) + 1),
          e);
    }
    if (e instanceof UnsupportedOptionsException) {
      return new UnreadFormatException(
          "the xz data use something that is not read here (%s); unpack them with xz -dc"
              .formatted(e.getMessage()));
    }
    if (e instanceof XZFormatException) {
      return followed(e);
    }
    String why = String.valueOf(e.getMessage());
    if (why.startsWith("Garbage")) {
      return followed(e);
    }
    return e instanceof XZIOException ? Unpacking.damaged("xz", why) : e;
  }

  private static IOException followed(IOException e) {
    return new IOException("what follows the xz data is not xz data", e);
  }
}
