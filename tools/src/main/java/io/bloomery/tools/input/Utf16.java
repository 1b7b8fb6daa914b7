package io.bloomery.tools.input;

import io.bloomery.tools.unpack.Marks;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import org.jspecify.annotations.Nullable;

/** Text in UTF-16 as UTF-8, without its byte-order mark. */
final class Utf16 extends FilterInputStream {

  private static final int MOST_BYTES = 3; // of UTF-8 for a unit of UTF-16

  private final boolean littleEndian;
  private final byte[] units = new byte[1 << 14];
  private final byte[] text = new byte[MOST_BYTES * (1 << 13) + 4];
  private int kept; // bytes in front of the units that wait for others
  private int at;
  private int end;
  private boolean ended;

  private Utf16(InputStream in, boolean littleEndian) {
    super(in);
    this.littleEndian = littleEndian;
  }

  /** Takes the mark from the source; null if there is none. */
  static @Nullable InputStream open(PushbackInputStream source) throws IOException {
    boolean littleEndian = Marks.startsWith(source, 0xFF, 0xFE);
    if (!littleEndian && !Marks.startsWith(source, 0xFE, 0xFF)) {
      return null;
    }
    source.skipNBytes(2);
    return new Utf16(source, littleEndian);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    while (at == end && !ended) {
      fill();
    }
    if (at == end) {
      return length == 0 ? 0 : -1;
    }
    int count = Math.min(length, end - at);
    System.arraycopy(text, at, bytes, offset, count);
    at += count;
    return count;
  }

  @Override
  public int available() throws IOException {
    return at < end ? end - at : super.available();
  }

  @Override
  public long skip(long count) throws IOException {
    return Math.max(0, read(new byte[(int) Math.min(count, 1 << 13)]));
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  private void fill() throws IOException {
    int count = in.read(units, kept, units.length - kept);
    ended = count < 0;
    int length = kept + Math.max(0, count);
    at = 0;
    end = 0;
    int from = 0;
    while (length - from >= 2) {
      int unit = unit(from);
      if (Character.isHighSurrogate((char) unit)) {
        if (length - from < 4) {
          break;
        }
        int low = unit(from + 2);
        if (!Character.isLowSurrogate((char) low)) {
          throw malformed();
        }
        put(Character.toCodePoint((char) unit, (char) low));
        from += 4;
      } else if (Character.isLowSurrogate((char) unit)) {
        throw malformed();
      } else {
        put(unit);
        from += 2;
      }
    }
    kept = length - from;
    if (ended && kept > 0) {
      throw new IOException("the UTF-16 text ends within a character");
    }
    System.arraycopy(units, from, units, 0, kept);
  }

  private int unit(int from) {
    int first = units[from] & 0xFF;
    int second = units[from + 1] & 0xFF;
    return littleEndian ? second << Byte.SIZE | first : first << Byte.SIZE | second;
  }

  private void put(int c) {
    if (c < 0x80) {
      text[end++] = (byte) c;
    } else if (c < 0x800) {
      text[end++] = (byte) (0xC0 | c >>> 6);
      putRest(c);
    } else if (c < 0x10000) {
      text[end++] = (byte) (0xE0 | c >>> 12);
      putRest(c >>> 6);
      putRest(c);
    } else {
      text[end++] = (byte) (0xF0 | c >>> 18);
      putRest(c >>> 12);
      putRest(c >>> 6);
      putRest(c);
    }
  }

  private void putRest(int c) {
    text[end++] = (byte) (0x80 | (c & 0x3F));
  }

  private static IOException malformed() {
    return new IOException(
        "the UTF-16 text is malformed: half a character of two; iconv -c -f UTF-16 -t UTF-8 drops"
            + " such halves");
  }
}
