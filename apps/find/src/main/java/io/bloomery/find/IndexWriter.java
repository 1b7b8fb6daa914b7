package io.bloomery.find;

import io.bloomery.frozen.RibbonFilter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes an index: filters as they are built, then the table. Not thread-safe. */
final class IndexWriter {

  private final OutputStream out;
  private final List<IndexedBlock> blocks = new ArrayList<>();
  private final List<IndexedFile> files = new ArrayList<>();
  private long position;

  /** Starts an index. */
  IndexWriter(OutputStream out) throws IOException {
    this.out = out;
    write(IndexFile.MAGIC);
  }

  private void write(byte[] bytes) throws IOException {
    out.write(bytes);
    position += bytes.length;
  }

  /** The number of blocks written, which is the number of the next block. */
  int blocks() {
    return blocks.size();
  }

  /** Adds a block with its filter, null if it has none. */
  void add(long from, long length, long lines, long head, RibbonFilter.@Nullable Embedded filter)
      throws IOException {
    if (filter == null) {
      blocks.add(new IndexedBlock(from, length, lines, head, position, 0, 0, 0, 0, 0));
      return;
    }
    byte[] bytes = filter.bytes();
    blocks.add(
        new IndexedBlock(
            from,
            length,
            lines,
            head,
            position,
            IndexFile.crc(bytes, bytes.length),
            filter.keyCount(),
            filter.columns(),
            filter.narrowShare(),
            filter.trial()));
    write(bytes);
  }

  /** Copies a block from an older index. */
  void copy(IndexFile from, IndexedBlock block) throws IOException {
    blocks.add(block.at(position));
    if (block.isFiltered()) {
      write(from.filterBytes(block));
    }
  }

  /** Adds a file; its blocks may be added before or after it. */
  void add(IndexedFile file) {
    files.add(file);
  }

  /** Writes the table, last; paths are relative to {@code home}. */
  IndexTable finish(IndexOptions options, List<Path> roots, Path home) throws IOException {
    files.sort(Comparator.comparing(IndexedFile::path));
    IndexTable table = new IndexTable(options, roots, blocks, files);
    byte[] bytes = TableOutput.bytes(table, home);
    long tableAt = position;
    write(bytes);
    ByteBuffer footer = ByteBuffer.allocate(IndexFile.FOOTER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    footer.putLong(tableAt).putLong(bytes.length).putInt(IndexFile.crc(bytes, bytes.length));
    footer.putInt(IndexFile.crc(footer.array(), footer.position()));
    write(footer.array());
    return table;
  }

  /** The number of bytes written. */
  long position() {
    return position;
  }
}
