package io.bloomery.security.replay;

import io.bloomery.FilterFormatException;
import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * The ids of an epoch: a header, then for each id its hash and a checksum of epoch, position and
 * hash. What a crash cut off at the end is dropped; damage before sound ids is an error.
 *
 * <pre>
 *  0  8  magic
 *  8  8  epoch
 * 16  8  window in milliseconds
 * 24  8  tolerance in milliseconds
 * 32  8  check of the key
 * 40  4  CRC-32C of bytes 0 to 39
 * 44  12 for each id: hash, CRC-32C
 * </pre>
 */
final class IdFile implements Closeable {

  private static final long MAGIC = 0x424C4D4944533100L; // BLMIDS1
  private static final int HEADER = 44;
  private static final int ID = 12;
  private static final int BUFFER = ID << 12;

  private final Path path;
  private final long epoch;
  private final RandomAccessFile file;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
  private final ByteBuffer checked = ByteBuffer.allocate(3 * Long.BYTES);
  private final CRC32C crc = new CRC32C();
  private long count;

  private IdFile(Path path, long epoch, RandomAccessFile file) {
    this.path = path;
    this.epoch = epoch;
    this.file = file;
  }

  /**
   * Opens or makes a file. Not as a channel, which would be closed for all threads when one that
   * waits for it is interrupted.
   */
  static IdFile open(Path path, long epoch, ReplayOptions options) throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      Files.createFile(path);
    } else if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(path + " is not a regular file");
    }
    RandomAccessFile opened = new RandomAccessFile(path.toFile(), "rw");
    IdFile file = new IdFile(path, epoch, opened);
    try {
      file.readOrWriteHeader(options);
      return file;
    } catch (IOException e) {
      opened.close();
      throw e;
    }
  }

  private void readOrWriteHeader(ReplayOptions options) throws IOException {
    ByteBuffer expected = ByteBuffer.allocate(HEADER);
    expected.putLong(MAGIC).putLong(epoch);
    expected.putLong(options.window().toMillis()).putLong(options.tolerance().toMillis());
    expected.putLong(options.hasher().seedOrKeyCheck());
    crc.reset();
    crc.update(expected.array(), 0, expected.position());
    expected.putInt((int) crc.getValue()).flip();
    ByteBuffer found = ByteBuffer.allocate(HEADER);
    fill(found, 0);
    if (found.position() < HEADER || isZero(found)) { // cut off before an id was accepted
      file.setLength(0);
      write(expected, 0);
    } else {
      requireEqual(found.flip(), expected);
    }
  }

  private static boolean isZero(ByteBuffer bytes) {
    for (int i = 0; i < bytes.position(); i++) {
      if (bytes.get(i) != 0) {
        return false;
      }
    }
    return true;
  }

  private void requireEqual(ByteBuffer found, ByteBuffer expected) throws IOException {
    crc.reset();
    crc.update(found.duplicate().limit(HEADER - Integer.BYTES));
    if (found.getInt(HEADER - Integer.BYTES) != (int) crc.getValue()) {
      throw damaged(0, "the header is damaged");
    }
    String[] fields = {"not a record of accepted ids", "epoch", "window", "tolerance", "key"};
    for (int i = 0; i < fields.length; i++) {
      int at = i * Long.BYTES;
      if (found.getLong(at) != expected.getLong(at)) {
        throw damaged(at, i == 0 ? fields[i] : "recorded with another " + fields[i]);
      }
    }
  }

  private FilterFormatException damaged(long offset, String problem) {
    return new FilterFormatException(path.toString(), offset, problem);
  }

  /** Fills a buffer from an offset on, as far as the file goes. */
  private void fill(ByteBuffer into, long offset) throws IOException {
    file.seek(offset);
    while (into.hasRemaining()) {
      int read = file.read(into.array(), into.arrayOffset() + into.position(), into.remaining());
      if (read < 0) {
        return;
      }
      into.position(into.position() + read);
    }
  }

  private void write(ByteBuffer from, long offset) throws IOException {
    file.seek(offset);
    file.write(from.array(), from.arrayOffset() + from.position(), from.remaining());
  }

  /** Restores all ids and goes on behind the last. */
  void readInto(Epochs epochs) throws IOException {
    long bad = -1;
    long index = 0;
    for (long at = HEADER; ; at += buffer.limit()) {
      fill(buffer.clear(), at);
      buffer.flip();
      buffer.limit(buffer.limit() / ID * ID);
      if (!buffer.hasRemaining()) {
        break;
      }
      for (; buffer.hasRemaining(); index++) {
        long hash = buffer.getLong();
        boolean isSound = buffer.getInt() == checksum(index, hash);
        if (isSound && bad >= 0) {
          throw damaged(
              HEADER + bad * ID, "the record is damaged, and sound ones follow; " + advice());
        }
        if (isSound) {
          epochs.restore(epoch, hash);
        } else if (bad < 0) {
          bad = index;
        }
      }
    }
    count = bad < 0 ? index : bad;
    file.setLength(HEADER + count * ID);
    buffer.clear();
  }

  private static String advice() {
    return "to go on without its ids, which may then be accepted again, delete the file";
  }

  private int checksum(long index, long hash) {
    checked.putLong(0, epoch).putLong(Long.BYTES, index).putLong(2 * Long.BYTES, hash);
    crc.reset();
    crc.update(checked.array(), 0, checked.capacity());
    return (int) crc.getValue();
  }

  void append(long hash) throws IOException {
    if (!buffer.hasRemaining()) {
      flush();
    }
    buffer.putLong(hash).putInt(checksum(count, hash));
    count++;
  }

  /** Hands everything to the operating system. */
  void flush() throws IOException {
    buffer.flip();
    write(buffer, HEADER + count * ID - buffer.remaining());
    buffer.clear();
  }

  void force() throws IOException {
    file.getFD().sync();
  }

  void delete() throws IOException {
    file.close();
    Files.deleteIfExists(path);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
