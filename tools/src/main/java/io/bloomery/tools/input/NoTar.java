package io.bloomery.tools.input;

import io.bloomery.tools.problem.UnreadFormatException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Passes on what is not a tar archive. Its mark comes after 257 bytes; these are passed on if they
 * arrive before it, so that a pipe of few keys does not wait for more.
 */
final class NoTar extends FilterInputStream {

  private static final int FROM = 257;
  private static final byte[] MARK = {'u', 's', 't', 'a', 'r'};

  private int seen; // bytes, up to the end of the mark
  private int matched;

  /** Reads from {@code in}. */
  NoTar(InputStream in) {
    super(in);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int count = super.read(bytes, offset, length);
    if (seen < FROM + MARK.length && count > 0) {
      look(bytes, offset, count);
    }
    return count;
  }

  private void look(byte[] bytes, int offset, int count) throws IOException {
    int from = seen;
    int to = Math.min(FROM + MARK.length, seen + count);
    for (int at = Math.max(FROM, from); at < to; at++) {
      matched += bytes[offset + at - from] == MARK[at - FROM] ? 1 : 0;
    }
    seen = to;
    if (matched == MARK.length) {
      throw new UnreadFormatException(
          FileMark.NOT_KEYS + "a tar archive; tar -xOf ARCHIVE | bloom … reads the files in it");
    }
  }

  @Override
  public long skip(long count) throws IOException {
    return seen < FROM + MARK.length
        ? Math.max(0, read(new byte[(int) Math.min(count, FROM + MARK.length)]))
        : super.skip(count);
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
