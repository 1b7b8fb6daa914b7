package io.bloomery.find;

import io.bloomery.find.text.DistinctHashes;
import io.bloomery.find.text.FoldedText;
import io.bloomery.find.text.Tokens;
import io.bloomery.tools.input.Block;
import io.bloomery.tools.input.ColumnSplitter;
import io.bloomery.tools.input.JsonSplitter;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.input.RowLayout;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * The records of one file and their keys. A record is a line, or a row if keys are columns; a row
 * of columns may contain line ends in quotes. Thread-safe once it has begun.
 */
final class Records {

  private static final int HEAD = 1 << 16;

  private final KeyRule rule;
  private final String origin;
  private final @Nullable ColumnSplitter splitter; // null unless keys are columns
  private final @Nullable JsonSplitter values; // null unless keys are values of JSON
  private @Nullable RowLayout layout; // of the rows, known once the first row is
  private int headerEnd;

  /** The records of a file, which messages call {@code origin}. */
  Records(KeyRule rule, String origin) {
    this.rule = rule;
    this.origin = origin;
    KeyRule.Columns columns = rule.columns();
    this.splitter = columns == null ? null : columns.splitter();
    this.values = rule.kind() == KeyRule.Kind.JSON ? new JsonSplitter(rule.places()) : null;
  }

  /** Reads the first records of the file; throws if it lacks the columns of the rule. */
  void begin(byte[] bytes, int length) throws IOException {
    if (splitter != null && length > 0) {
      Block block = block(bytes, length);
      try {
        splitter.begin(block);
      } catch (Problem e) {
        String message = String.valueOf(e.getMessage());
        throw new IOException(message.substring(origin.length() + ": ".length()), e);
      }
      layout = block.layout();
      headerEnd = block.headerEnd();
    }
  }

  /** Looks at the first records of a file that is read from elsewhere. */
  void begin(FileChannel file) throws IOException {
    if (splitter != null) {
      byte[] head = Pieces.read(file, 0, HEAD);
      while (head.length < file.size()
          && splitter.lastEnd(head, head.length, rule.skipping()) == 0) {
        head = Pieces.read(file, 0, Math.multiplyExact(2, head.length));
      }
      begin(head, head.length);
    }
  }

  private Block block(byte[] bytes, int length) {
    boolean lenient = rule.skipping();
    int longest = lenient && splitter != null ? Reading.MAX_RECORD : Block.LONGEST;
    Block block = new Block(Math.max(1, length), true, longest, lenient);
    block.origin(origin);
    block.append(bytes, 0, length);
    return block;
  }

  /** Whether the start of a record is known only after reading everything before it. */
  boolean areRows() {
    return splitter != null;
  }

  /**
   * One past the last whole record, or 0 if there is none.
   *
   * @param bytes an array that starts with a record
   * @param looked no line ends before this place
   * @param length the number of bytes
   */
  int lastEnd(byte[] bytes, int looked, int length) {
    if (splitter != null) {
      return splitter.lastEnd(bytes, length, rule.skipping());
    }
    int at = length;
    while (at > looked && bytes[at - 1] != '\n') {
      at--;
    }
    return at > looked ? at : 0;
  }

  /**
   * The rows that an array starts with, and their keys.
   *
   * @param line the number of the first line, from 1, for messages
   * @param first whether they are the beginning of the file, with the header row
   */
  Block rows(byte[] bytes, int length, long line, boolean first) {
    Block block = block(bytes, length);
    block.lines(line, (byte) '\n');
    block.recordEnd(new byte[] {'\n'});
    if (values != null) {
      values.split(block);
    }
    if (splitter != null && layout != null) {
      block.layout(layout, first ? headerEnd : 0);
      splitter.split(block);
    }
    return block;
  }

  /**
   * Adds the hashes of all keys of the records that an array starts with.
   *
   * @param line the number of the first line, from 1, for messages
   * @return the rows; null if records are lines
   */
  @Nullable Block hash(byte[] bytes, int length, long line, boolean first, DistinctHashes hashes) {
    if (rule.isOfRows()) {
      Block rows = rows(bytes, length, line, first);
      hashRows(rows, hashes);
      return rows;
    }
    if (rule.kind() == KeyRule.Kind.LINES) {
      hashLines(bytes, length, hashes);
    } else {
      hashTokens(bytes, length, hashes);
    }
    return null;
  }

  private void hashTokens(byte[] bytes, int length, DistinctHashes hashes) {
    Tokens tokens = rule.tokenizer();
    if (!rule.folded()) {
      tokens.hash(bytes, 0, length, KeyRule.Hash.HASHER, hashes);
      return;
    }
    FoldedText folded = new FoldedText();
    for (int start = 0; start < length; ) {
      int end = KeyRule.lineEnd(bytes, Math.min(length, start + HEAD), length);
      folded.set(bytes, start, end);
      tokens.hash(folded.bytes(), 0, folded.length(), KeyRule.Hash.HASHER, hashes);
      start = end + 1;
    }
  }

  private void hashLines(byte[] bytes, int length, DistinctHashes hashes) {
    FoldedText folded = new FoldedText();
    int start = 0;
    while (start < length) {
      int end = KeyRule.lineEnd(bytes, start, length);
      int last = end > start && bytes[end - 1] == '\r' ? end - 1 : end;
      hashes.add(hash(bytes, start, last, folded));
      start = end + 1;
    }
  }

  private void hashRows(Block rows, DistinctHashes hashes) {
    FoldedText folded = new FoldedText();
    for (int i = 0; i < rows.count(); i++) {
      hashes.add(hash(rows.bytes(), rows.keyStarts()[i], rows.keyEnds()[i], folded));
    }
  }

  /** The hash of a key as filters have it. */
  private long hash(byte[] bytes, int start, int end, FoldedText folded) {
    if (!rule.folded()) {
      return KeyRule.Hash.HASHER.hash(bytes, start, end - start);
    }
    folded.set(bytes, start, end);
    return KeyRule.Hash.HASHER.hash(folded.bytes(), 0, folded.length());
  }
}
