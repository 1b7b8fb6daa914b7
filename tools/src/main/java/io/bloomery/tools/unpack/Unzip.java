package io.bloomery.tools.unpack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.bloomery.tools.problem.UnreadFormatException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;

/**
 * Reads the only file of a zip archive; directories beside it do not count. The archive is read
 * from its beginning, as it comes, so that a second file is seen after the first.
 */
final class Unzip extends InputStream {

  private static final int LARGER = 0xFFFF; // a number that does not fit is elsewhere

  private final Entries entries;
  private int count; // of entries, directories too
  private boolean ended;

  /** Reads from {@code source}. */
  Unzip(InputStream source) throws IOException {
    entries = new Entries(source);
    if (!hasNextFile()) {
      throw new UnreadFormatException("is a zip archive without a file in it");
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (ended) {
      return -1;
    }
    int read;
    try {
      read = entries.read(bytes, offset, length);
    } catch (EOFException | ZipException e) {
      throw explained(e);
    }
    if (read < 0) {
      if (hasNextFile()) {
        throw new UnreadFormatException(
            "is a zip archive of several files; unzip -p ARCHIVE FILE | bloom … reads one of them");
      }
      ended = true;
      int listed = entries.listed();
      if (listed != count && listed != LARGER) {
        throw Unpacking.damaged("zip", "%d entries, %d listed".formatted(count, listed));
      }
    }
    return read;
  }

  @Override
  public int available() {
    return ended ? 0 : 1;
  }

  @Override
  public void close() throws IOException {
    entries.close();
  }

  private boolean hasNextFile() throws IOException {
    try {
      ZipEntry entry;
      do {
        entry = entries.getNextEntry();
        count += entry == null ? 0 : 1;
      } while (entry != null && entry.isDirectory());
      return entry != null;
    } catch (EOFException | ZipException e) {
      throw explained(e);
    } catch (IllegalArgumentException e) {
      throw Unpacking.damaged("zip", "the name of a file is not text");
    }
  }

  private static IOException explained(IOException e) {
    if (e instanceof EOFException) {
      return Unpacking.cutOff("zip");
    }
    String why = String.valueOf(e.getMessage());
    if (why.contains("encrypted")) {
      return new UnreadFormatException(
          "is an encrypted zip archive; unzip -p ARCHIVE | bloom … asks for the password");
    }
    if (why.contains("compression method") || why.contains("EXT descriptor")) {
      return new UnreadFormatException(
          "is a zip archive packed in a way that is not read here (%s); unzip -p ARCHIVE | bloom …"
              .formatted(why));
    }
    return Unpacking.damaged("zip", why);
  }

  private static final class Entries extends ZipInputStream {

    private static final int[] END = {'P', 'K', 5, 6};

    Entries(InputStream source) {
      super(source, ISO_8859_1); // names do not matter
    }

    /** How many entries there should have been, by the end of the list that follows them. */
    int listed() throws IOException {
      int matched = 0;
      while (matched < END.length) {
        int next = next();
        matched = next == END[matched] ? matched + 1 : next == END[0] ? 1 : 0;
      }
      for (int i = 0; i < 6; i++) { // numbers of parts, entries in this one
        next();
      }
      return next() | next() << Byte.SIZE;
    }

    private int next() throws IOException {
      int next = in.read();
      if (next < 0) {
        throw Unpacking.cutOff("zip");
      }
      return next;
    }
  }
}
