package io.bloomery.find;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomery.FilterFormatException;
import io.bloomery.frozen.RibbonFilter;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Objects;
import java.util.zip.CRC32C;

/**
 * An index file. Its table is read and verified on opening; its filters are mapped, and each is
 * copied and verified before it is queried, so that a damaged one hides no line. Immutable and
 * thread-safe.
 */
final class IndexFile {

  /** The first bytes of the file; the eighth byte is the version. */
  static final byte[] MAGIC = "BLMIDX\0\3".getBytes(US_ASCII);

  /** The footer: position, length and checksum of the table, and a checksum of the footer. */
  static final int FOOTER_BYTES = 24;

  private static final int WINDOW_SHIFT = 29;
  private static final long WINDOW = 1L << WINDOW_SHIFT;

  private final Path path;
  private final int version;
  private final long bytes;
  private final IndexTable table;
  private final MappedByteBuffer[] windows; // each spans two steps, so no filter is split

  private IndexFile(
      Path path, int version, long bytes, IndexTable table, MappedByteBuffer[] windows) {
    this.path = path;
    this.version = version;
    this.bytes = bytes;
    this.table = table;
    this.windows = windows;
  }

  /** Whether a file starts like an index. */
  static boolean isIndex(Path file) {
    try {
      byte[] start = Pieces.read(file, 0, MAGIC.length);
      return start.length == MAGIC.length
          && Arrays.equals(start, 0, MAGIC.length - 1, MAGIC, 0, MAGIC.length - 1);
    } catch (IOException e) {
      throw Problem.with(file, e);
    }
  }

  /** Opens an index. */
  static IndexFile open(Path file) {
    if (Files.isDirectory(file)) {
      throw new Problem(file, "is a directory, not an index");
    }
    if (Files.exists(file) && !isIndex(file)) {
      throw new Problem(file, "is not an index; bloom index makes one");
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return read(file, channel);
    } catch (IOException e) {
      throw Problem.with(file, e);
    }
  }

  private static IndexFile read(Path file, FileChannel channel) throws IOException {
    String name = Octets.name(file);
    long size = channel.size();
    byte version = Pieces.read(channel, MAGIC.length - 1L, 1)[0];
    if (version < 1 || version > MAGIC[MAGIC.length - 1]) {
      throw new FilterFormatException(
          name, MAGIC.length - 1, "version %d of an index is not known here".formatted(version));
    }
    long footerAt = size - FOOTER_BYTES;
    if (footerAt < MAGIC.length) {
      throw new FilterFormatException(name, size, "the index is cut off");
    }
    ByteBuffer footer =
        ByteBuffer.wrap(Pieces.read(channel, footerAt, FOOTER_BYTES))
            .order(ByteOrder.LITTLE_ENDIAN);
    if (crc(footer.array(), FOOTER_BYTES - Integer.BYTES)
        != footer.getInt(FOOTER_BYTES - Integer.BYTES)) {
      throw new FilterFormatException(
          name, footerAt, "the index is cut off or damaged: its last bytes are not an index's");
    }
    long tableAt = footer.getLong(0);
    long length = footer.getLong(Long.BYTES);
    if (tableAt < MAGIC.length
        || length < 0
        || length > Integer.MAX_VALUE
        || tableAt + length != footerAt) {
      throw new FilterFormatException(
          name, footerAt, "the table of files is not where it should be");
    }
    byte[] bytes = Pieces.read(channel, tableAt, (int) length);
    if (crc(bytes, bytes.length) != footer.getInt(2 * Long.BYTES)) {
      throw new FilterFormatException(name, tableAt, "the table of files is damaged");
    }
    IndexTable table = TableInput.read(name, version, home(file), tableAt, bytes);
    return new IndexFile(file, version, size, table, map(channel, tableAt));
  }

  private static MappedByteBuffer[] map(FileChannel channel, long end) throws IOException {
    MappedByteBuffer[] windows = new MappedByteBuffer[(int) ((end + WINDOW - 1) >>> WINDOW_SHIFT)];
    for (int i = 0; i < windows.length; i++) {
      long from = i * WINDOW;
      windows[i] = channel.map(MapMode.READ_ONLY, from, Math.min(2 * WINDOW, end - from));
    }
    return windows;
  }

  /** The directory that the paths in an index are relative to. */
  static Path home(Path file) {
    Path parent = Octets.absolute(file).normalize().getParent();
    return Objects.requireNonNull(parent, "the directory of a file");
  }

  /** CRC32C of the first bytes of an array. */
  static int crc(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }

  /** The path of the index. */
  Path path() {
    return path;
  }

  /** The version of its format. */
  int version() {
    return version;
  }

  /**
   * Whether its filters have the keys of today: before version 3, keys of several columns had the
   * separator of their file.
   */
  boolean hasCurrentKeys() {
    return hasCurrentKeys(version, table.options().rule());
  }

  /** Whether filters of a version have the keys of today. */
  static boolean hasCurrentKeys(int version, KeyRule rule) {
    KeyRule.Columns columns = rule.columns();
    return version >= 3 || columns == null || !columns.areSeveral();
  }

  /** The size of the index in bytes. */
  long bytes() {
    return bytes;
  }

  /** Everything except the filters. */
  IndexTable table() {
    return table;
  }

  /** The filter of a block, verified; the block must have one. */
  RibbonFilter.Embedded filter(IndexedBlock block) {
    return filter(block, ByteBuffer.wrap(filterBytes(block)), 0);
  }

  /** The verified bytes of a block's filter. */
  byte[] filterBytes(IndexedBlock block) {
    int window = (int) (block.offset() >>> WINDOW_SHIFT);
    int start = (int) (block.offset() & (WINDOW - 1));
    if (window >= windows.length || start > windows[window].limit()) {
      throw damaged(block);
    }
    byte[] bytes = filter(block, windows[window], start).bytes();
    if (crc(bytes, bytes.length) != block.checksum()) {
      throw damaged(block);
    }
    return bytes;
  }

  private RibbonFilter.Embedded filter(IndexedBlock block, ByteBuffer words, int start) {
    try {
      return RibbonFilter.Embedded.of(
          block.keys(), block.columns(), block.narrowShare(), block.trial(), words, start);
    } catch (IllegalArgumentException e) {
      throw damaged(block);
    }
  }

  private Problem damaged(IndexedBlock block) {
    return Problem.with(
        path,
        new FilterFormatException(
            Octets.name(path),
            block.offset(),
            "a filter is damaged; bloom index --force rebuilds the index"));
  }

  /** Verifies every byte. */
  void verify() {
    for (IndexedBlock block : table.blocks()) {
      if (block.isFiltered()) {
        filterBytes(block);
      }
    }
  }
}
