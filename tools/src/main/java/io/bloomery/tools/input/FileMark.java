package io.bloomery.tools.input;

import io.bloomery.tools.unpack.Marks;
import java.io.IOException;
import java.io.PushbackInputStream;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Files that are not keys, recognised by their first bytes, and the command to use for each. */
enum FileMark {
  FILTER(
      "\u0089BLM\r\n\u001A\n",
      "a filter; bloom which asks several, bloom merge joins them and bloom info describes one"),
  /** Sketches of different keys: the lengths of their three preambles, a version and a family. */
  SKETCH_LIST("\u0002\u0001\u0007", FileMark.SKETCH),
  SKETCH_SET("\u0003\u0001\u0007", FileMark.SKETCH),
  SKETCH_REGISTERS("\n\u0001\u0007", FileMark.SKETCH),
  INDEX("BLMIDX\0", "an index; bloom find searches it"),
  /** The magic number could begin a text; the first header of Thrift after it, field 1, cannot. */
  PARQUET(
      "PAR1\u0015",
      "a Parquet file; bloom check --column asks the filters in it, and for keys export a column"
          + " as text"),
  SEVEN_ZIP("7z\u00BC\u00AF'\u001C", "a 7z archive; 7z x -so FILE | bloom … reads it"),
  RAR("Rar!\u001A\u0007", "a rar archive; unrar p -inul FILE | bloom … reads it"),
  COMPRESS("\u001F\u009D", "packed by compress; gzip -dc FILE | bloom … reads it"),
  LZIP("LZIP\u0001", "packed by lzip; lzip -dc FILE | bloom … reads it"),
  LZOP("\u0089LZO\0\r\n", "packed by lzop; lzop -dc FILE | bloom … reads it"),
  /** A byte of properties, as every writer sets them, and the low half of a size. */
  LZMA("]\0\0", "packed by lzma; xz -dc FILE | bloom … reads it"),
  OLD_LZ4("\u0002!L\u0018", "packed by lz4 -l; lz4 -dc FILE | bloom … reads it"),
  SNAPPY("\u00FF\u0006\0\0sNaPpY", "packed by Snappy; snzip -dc FILE | bloom … reads it"),
  AVRO("Obj\u0001", "an Avro file; for keys export a column as text"),
  ARROW("ARROW1\0\0", "an Arrow file; for keys export a column as text"),
  SQLITE("SQLite format 3\0", "a database; sqlite3 FILE 'SELECT …' | bloom … reads it"),
  PDF("%PDF-", "a PDF document; pdftotext FILE - | bloom … reads it"),
  UTF_32_LITTLE(
      "\u00FF\u00FE\0\0", "text in UTF-32; iconv -t UTF-8 -f UTF-32 FILE | bloom … reads it"),
  UTF_32_BIG(
      "\0\0\u00FE\u00FF", "text in UTF-32; iconv -t UTF-8 -f UTF-32 FILE | bloom … reads it");

  /** How many bytes a source must be able to take back. */
  static final int LONGEST = 16;

  /** What a refusal begins with. */
  static final String NOT_KEYS = "is not a file of keys but ";

  private static final String SKETCH =
      "a sketch of different keys; bloom distinct FILE reads and merges sketches";

  private static final Set<FileMark> OF_TEXT =
      EnumSet.of(LZMA, UTF_32_LITTLE, UTF_32_BIG, SKETCH_LIST, SKETCH_SET, SKETCH_REGISTERS);

  private final String bytes; // a character each
  private final String use;

  FileMark(String bytes, String use) {
    this.bytes = bytes;
    this.use = use;
  }

  /**
   * The mark that follows, null if none does; leaves the source as it was, and blocks only while
   * one may still follow.
   *
   * @param text whether keys are text, and not numbers that look like a short mark
   */
  static @Nullable FileMark next(PushbackInputStream source, boolean text) throws IOException {
    for (FileMark mark : values()) {
      if ((text || !OF_TEXT.contains(mark))
          && Marks.startsWith(source, mark.bytes.chars().toArray())) {
        return mark;
      }
    }
    return null;
  }

  /** Why a file with this mark is refused; {@code name} stands in the command that reads it. */
  String refusal(String name) {
    return NOT_KEYS + use.replace("FILE", name);
  }
}
