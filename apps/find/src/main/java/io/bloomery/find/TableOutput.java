package io.bloomery.find;

import io.bloomery.tools.name.Octets;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;

/** Writes the table of an index; see docs/format/index-file.md for the layout. */
final class TableOutput {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private final Path home;

  private TableOutput(Path home) {
    this.home = home;
  }

  /** Serializes a table; paths below {@code home} are relative to it, others absolute. */
  static byte[] bytes(IndexTable table, Path home) {
    TableOutput output = new TableOutput(home);
    output.options(table.options());
    output.number(table.roots().size());
    table.roots().forEach(root -> output.text(output.stored(root)));
    output.number(table.blocks().size());
    table.blocks().forEach(output::block);
    output.number(table.files().size());
    String before = "";
    for (IndexedFile file : table.files()) {
      String path = output.stored(Octets.path(file.path()));
      output.file(file, path, before);
      before = path;
    }
    return output.out.toByteArray();
  }

  private String stored(Path path) {
    return Octets.name(path.startsWith(home) ? home.relativize(path) : path);
  }

  private void options(IndexOptions options) {
    rule(options.rule());
    word(Double.doubleToLongBits(options.rate()));
    word(Double.doubleToLongBits(options.share()));
    number(options.blockBytes());
    number(options.fixedBlocks() ? 1 : 0);
    number(options.text() ? 1 : 0);
  }

  private void rule(KeyRule rule) {
    number(rule.kind().code());
    text(rule.joints());
    KeyRule.Columns columns = rule.columns();
    if (columns != null) {
      number(columns.names().size());
      columns.names().forEach(this::text);
      number(columns.separator() == null ? 0 : 1 + (columns.separator() & 0xFF));
      number(columns.header() ? 1 : 0);
    }
    if (rule.kind() == KeyRule.Kind.JSON) {
      number(rule.places().size());
      rule.places().forEach(this::text);
    }
    number(rule.folded() ? 1 : 0);
    number(rule.skipping() ? 1 : 0);
  }

  private void block(IndexedBlock block) {
    number(block.from());
    number(block.length());
    number(block.lines());
    word(block.head());
    number(block.offset());
    number(Integer.toUnsignedLong(block.checksum()));
    number(block.keys());
    number(block.columns());
    number(block.narrowShare());
    number(block.trial());
  }

  private void file(IndexedFile file, String path, String before) {
    int common = 0;
    int most = Math.min(before.length(), path.length());
    while (common < most && before.charAt(common) == path.charAt(common)) {
      common++;
    }
    if (common > 0 && Character.isHighSurrogate(path.charAt(common - 1))) {
      common--; // a character is not divided
    }
    number(common);
    text(path.substring(common));
    number(file.size());
    word(file.modified());
    word(file.changed());
    word(file.identity());
    number(file.how().code());
    number(file.firstBlock());
    number(file.blocks());
  }

  private void text(String text) {
    byte[] bytes = Octets.bytes(text);
    number(bytes.length);
    out.writeBytes(bytes);
  }

  /** Writes a non-negative number, 7 bits per byte, lowest first; the last byte is below 128. */
  private void number(long value) {
    long left = value;
    while (left > 0x7F) {
      out.write(((int) left & 0x7F) | 0x80);
      left >>>= 7;
    }
    out.write((int) left);
  }

  private void word(long value) {
    for (int i = 0; i < Long.BYTES; i++) {
      out.write((int) (value >>> (Byte.SIZE * i)));
    }
  }
}
