package io.bloomery.find;

import io.bloomery.FilterFormatException;
import io.bloomery.frozen.RibbonFilter;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads and validates the table of an index. */
final class TableInput {

  private static final int MAX_COLUMNS = 32;
  private static final int MAX_SHARE = (1 << 16) - 1;
  private static final long MOST_NAME_BYTES = Runtime.getRuntime().maxMemory() / 4;

  private final String name;
  private final int version;
  private final long at;
  private final byte[]
      bytes; // not a buffer, whose many small methods are slow before they are compiled
  private final Path home;
  private int position;
  private long nameBytes;
  private long contentBytes;
  private long ownBlocks; // of files that share none

  private TableInput(String name, int version, Path home, long at, byte[] bytes) {
    this.name = name;
    this.version = version;
    this.home = home;
    this.at = at;
    this.bytes = bytes;
  }

  /**
   * Reads the table.
   *
   * @param name the name of the file
   * @param version the version of its format, 1 to 3
   * @param home the directory that paths are relative to
   * @param at the offset of the table in the file, which is the end of the filters
   */
  static IndexTable read(String name, int version, Path home, long at, byte[] bytes)
      throws FilterFormatException {
    TableInput input = new TableInput(name, version, home, at, bytes);
    try {
      return input.table();
    } catch (IndexOutOfBoundsException e) {
      throw input.problem("the table of files ends too early");
    } catch (InvalidPathException | Problem e) {
      throw input.problem(String.valueOf(e.getMessage()));
    }
  }

  private FilterFormatException problem(String what) {
    return new FilterFormatException(name, at + position, what);
  }

  private IndexTable table() throws FilterFormatException {
    IndexOptions options = options();
    boolean filters = IndexFile.hasCurrentKeys(version, options.rule());
    List<Path> roots = new ArrayList<>();
    for (int i = count(); i > 0; i--) {
      roots.add(path(text("")));
    }
    List<IndexedBlock> blocks = new ArrayList<>();
    for (int i = count(); i > 0; i--) {
      IndexedBlock block = block();
      blocks.add(filters ? block : block.withoutFilter());
    }
    List<IndexedFile> files = new ArrayList<>();
    String before = "";
    for (int i = count(); i > 0; i--) {
      before = text(before.substring(0, (int) number(before.length())));
      files.add(file(Octets.name(path(before)), blocks.size()));
    }
    if (position < bytes.length) {
      throw problem("the table of files is longer than it should be");
    }
    return new IndexTable(options, roots, blocks, files);
  }

  /** A path as it was stored: no other way leads to the same file. */
  private Path path(String stored) throws FilterFormatException {
    Path path = Octets.path(stored);
    if (!path.equals(path.normalize())) {
      throw problem("the path %s is not as an index stores it".formatted(stored));
    }
    Path whole = home.resolve(path);
    nameBytes += 2L * whole.toString().length();
    if (nameBytes > MOST_NAME_BYTES) {
      throw problem(
          "the names of its files take more than %s, a quarter of the heap"
              .formatted(Text.size(MOST_NAME_BYTES)));
    }
    return whole;
  }

  private IndexOptions options() throws FilterFormatException {
    KeyRule rule = rule();
    double rate = Double.longBitsToDouble(fixed());
    double share = Double.longBitsToDouble(fixed());
    if (!(rate >= 0x1p-32 && rate < 1 && share > 0 && share <= 1)) {
      throw problem("a rate of %s and a share of %s are not possible".formatted(rate, share));
    }
    int block = (int) number(1 << 30);
    return new IndexOptions(rule, rate, share, block, number(1) == 1, number(1) == 1);
  }

  private KeyRule rule() throws FilterFormatException {
    KeyRule.Kind kind = KeyRule.Kind.of((int) number(Integer.MAX_VALUE));
    if (kind == null) {
      throw problem("its keys are of a kind that this version does not know");
    }
    String joints = text("");
    KeyRule.Columns columns = kind == KeyRule.Kind.COLUMNS ? columns() : null;
    List<String> places = kind == KeyRule.Kind.JSON ? texts() : List.of();
    boolean folded = version >= 3 && number(1) == 1;
    boolean skipping = version >= 3 && number(1) == 1;
    return new KeyRule(kind, joints, columns, places, folded, skipping);
  }

  private List<String> texts() throws FilterFormatException {
    List<String> texts = new ArrayList<>();
    for (int i = count(); i > 0; i--) {
      texts.add(text(""));
    }
    return texts;
  }

  private KeyRule.Columns columns() throws FilterFormatException {
    List<String> names = texts();
    int separator = (int) number(256);
    return new KeyRule.Columns(
        names, separator == 0 ? null : (byte) (separator - 1), number(1) == 1);
  }

  private IndexedBlock block() throws FilterFormatException {
    long from = number(Long.MAX_VALUE);
    long length = number(Long.MAX_VALUE - from);
    contentBytes += length;
    if (contentBytes < 0) {
      throw problem("the blocks are longer than files can be");
    }
    long lines = number(Long.MAX_VALUE);
    long head = fixed();
    long offset = number(at);
    int checksum = (int) number(0xFFFF_FFFFL);
    return new IndexedBlock(
        from,
        length,
        lines,
        head,
        offset,
        checksum,
        (int) number(Integer.MAX_VALUE >>> 1),
        (int) number(MAX_COLUMNS),
        (int) number(MAX_SHARE),
        (int) number(RibbonFilter.Embedded.MAX_TRIAL));
  }

  private IndexedFile file(String path, int blocks) throws FilterFormatException {
    long size = number(Long.MAX_VALUE);
    long modified = fixed();
    long changed = version == 1 ? 0 : fixed();
    long identity = fixed();
    IndexedFile.How how = IndexedFile.How.of((int) number(Integer.MAX_VALUE));
    int first = (int) number(blocks);
    int count = (int) number(blocks - first);
    if (how == null || (how == IndexedFile.How.GROUPED && count != 1)) {
      throw problem("a file is stored in a way that this version does not know");
    }
    ownBlocks += how == IndexedFile.How.GROUPED ? 0 : count;
    if (ownBlocks > blocks) {
      throw problem("two files have the same block");
    }
    return new IndexedFile(path, size, modified, changed, identity, how, first, count);
  }

  /** Reads a number of entries, each of which takes at least one byte. */
  private int count() throws FilterFormatException {
    return (int) number(bytes.length - position);
  }

  private String text(String before) throws FilterFormatException {
    int length = (int) number(bytes.length - position);
    position += length;
    return before + Octets.text(bytes, position - length, length);
  }

  private long fixed() {
    long value = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      value |= (bytes[position + i] & 0xFFL) << (8 * i);
    }
    position += Long.BYTES;
    return value;
  }

  private long number(long max) throws FilterFormatException {
    long value = 0;
    int shift = 0;
    byte next;
    do {
      next = bytes[position++];
      value |= (next & 0x7FL) << shift;
      shift += 7;
    } while (next < 0 && shift < Long.SIZE);
    if (next < 0 || value < 0 || value > max) {
      throw problem("a number is beyond what is possible here: " + value + ", at most " + max);
    }
    return value;
  }
}
