package io.bloomery.sync;

import io.bloomery.FilterFormatException;
import io.bloomery.internal.bits.Words;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * The cells of an invertible table as a stream of bytes: for each cell its count as a {@linkplain
 * #writeCount number of variable length}, its checksum, key and value, little-endian, without
 * unused bytes.
 */
final class CellStream {

  private static final String SOURCE = "cells";
  private static final int MAX_COUNT_BYTES = 10;

  private CellStream() {}

  static void write(OutputStream out, InvertibleShape shape, Words words) throws IOException {
    int keyWords = KeyCodec.words(shape.keys());
    long at = 0;
    for (int cell = 0; cell < shape.cells(); cell++) {
      writeCount(out, words.get(at++));
      writeBytes(out, words.get(at++), shape.checksumBytes());
      writeWords(out, words, at, KeyCodec.bytes(shape.keys()));
      at += keyWords;
      writeWords(out, words, at, shape.valueBytes());
      at += KeyCodec.wordsFor(shape.valueBytes());
    }
  }

  private static void writeWords(OutputStream out, Words words, long at, int bytes)
      throws IOException {
    for (int i = 0; i < bytes; i += Long.BYTES) {
      writeBytes(out, words.get(at + i / Long.BYTES), Math.min(Long.BYTES, bytes - i));
    }
  }

  /** Reads cells into an empty table. */
  static void read(InputStream in, InvertibleShape shape, Words words) throws IOException {
    combine(in, shape, words, 1);
  }

  /** Subtracts cells from those of a table. What they violate, the difference violates too. */
  static void subtract(InputStream in, InvertibleShape shape, Words words) throws IOException {
    combine(in, shape, words, -1);
  }

  private static void combine(InputStream in, InvertibleShape shape, Words words, int sign)
      throws IOException {
    long[] heap = words.writable();
    long[] cell = new long[shape.cellWords()];
    int valueAt = 2 + KeyCodec.words(shape.keys());
    for (int i = 0; i < shape.cells(); i++) {
      cell[0] = readCount(in, SOURCE);
      cell[1] = readBytes(in, shape.checksumBytes());
      readWords(in, cell, 2, KeyCodec.bytes(shape.keys()));
      readWords(in, cell, valueAt, shape.valueBytes());
      CellHash.add(heap, Words.BASE + i * cell.length, sign * cell[0], cell, 0, cell.length);
    }
    CellRules rules = new CellRules(shape);
    if (!rules.areUnusedBitsZero(words)) {
      throw new FilterFormatException(SOURCE, 0, "a checksum has more bits than the shape");
    }
    if (!rules.areSubTablesEqual(words)) {
      throw new FilterFormatException(SOURCE, 0, "the sub-tables do not hold the same keys");
    }
  }

  /** Reads this many bytes into words. */
  static void readWords(InputStream in, long[] words, int at, int bytes) throws IOException {
    for (int i = 0; i < bytes; i += Long.BYTES) {
      words[at + i / Long.BYTES] = readBytes(in, Math.min(Long.BYTES, bytes - i));
    }
  }

  /** Writes the low bytes of a word, the lowest first. */
  static void writeBytes(OutputStream out, long word, int bytes) throws IOException {
    for (int i = 0; i < bytes; i++) {
      out.write((int) (word >>> (i * Byte.SIZE)));
    }
  }

  /** Reads the low bytes of a word. */
  static long readBytes(InputStream in, int bytes) throws IOException {
    long word = 0;
    for (int i = 0; i < bytes; i++) {
      word |= (long) readByte(in) << (i * Byte.SIZE);
    }
    return word;
  }

  /** Writes 7 bits per byte, the lowest first, of 2·count, or of −2·count − 1 if it is negative. */
  static void writeCount(OutputStream out, long count) throws IOException {
    long rest = (count << 1) ^ (count >> 63);
    while ((rest & ~0x7FL) != 0) {
      out.write((int) (rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  /** Reads the output of {@link #writeCount}; anything else is rejected. */
  static long readCount(InputStream in, String source) throws IOException {
    long rest = 0;
    for (int i = 0; i < MAX_COUNT_BYTES; i++) {
      int next = readByte(in);
      long bits = next & 0x7F;
      if ((i == MAX_COUNT_BYTES - 1 && next > 1) || (i > 0 && next == 0)) {
        break;
      }
      rest |= bits << (7 * i);
      if (next < 0x80) {
        return (rest >>> 1) ^ -(rest & 1);
      }
    }
    throw new FilterFormatException(source, 0, "a count is not the shortest of its value");
  }

  private static int readByte(InputStream in) throws IOException {
    int next = in.read();
    if (next < 0) {
      throw new EOFException("the stream ended within a table");
    }
    return next;
  }
}
