package io.bloomery.similarity;

import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import java.io.IOException;
import java.util.Arrays;

/**
 * A growing list of rows of bits, each starting at a new word, that finds the rows with all bits of
 * a query. Any number of threads may read; adding needs a lock.
 */
final class BitRows {

  private final int bits;
  private final int rowWords;
  private Words words;
  private int rows;

  private BitRows(int bits, Words words, int rows) {
    this.bits = bits;
    this.rowWords = (int) Words.wordsFor(bits);
    this.words = words;
    this.rows = rows;
  }

  static BitRows empty(int bits) {
    return new BitRows(bits, Words.allocate(0, false), 0);
  }

  /** Reads the rows from section 0 of a frame; field {@code name} is their number. */
  static BitRows read(Frame frame, String name, int bits) throws IOException {
    long rowWords = Words.wordsFor(bits);
    int rows = (int) frame.number(name, 0, Words.MAX_WORDS / rowWords);
    BitRows read = new BitRows(bits, frame.section(0, rows * rowWords), rows);
    frame.requireOfWords(read::isClean, "a row has bits beyond its " + bits);
    return read;
  }

  /** The words of all rows, for a file. */
  Words section() {
    long used = (long) rows * rowWords;
    if (words.length() == used) {
      return words;
    }
    return Words.copyOf(
        Arrays.copyOfRange(words.heap(), Words.BASE, Words.BASE + (int) used), false);
  }

  private boolean isClean() {
    long unused = (bits & 63) == 0 ? 0 : -1L << bits;
    for (int row = 0; row < rows; row++) {
      if ((words.get((row + 1L) * rowWords - 1) & unused) != 0) {
        return false;
      }
    }
    return true;
  }

  int size() {
    return rows;
  }

  int rowWords() {
    return rowWords;
  }

  /** Adds a row of {@link #rowWords} words and returns its number. */
  int add(long[] row) {
    words.writable();
    long needed = (rows + 1L) * rowWords;
    Arguments.inRange("words", needed, 1, Words.MAX_WORDS);
    if (needed > words.length()) {
      Words more = Words.allocate(Math.min(Words.MAX_WORDS, 2 * needed), false);
      System.arraycopy(words.heap(), Words.BASE, more.heap(), Words.BASE, rows * rowWords);
      words = more;
    }
    System.arraycopy(row, 0, words.heap(), Words.BASE + rows * rowWords, rowWords);
    return rows++;
  }

  /** The bits of a row. */
  long[] get(int row) {
    long[] copy = new long[rowWords];
    for (int i = 0; i < rowWords; i++) {
      copy[i] = words.get((long) row * rowWords + i);
    }
    return copy;
  }

  /** How many bits of a row are set. */
  long bitCount(int row) {
    long from = (long) row * rowWords;
    return words.bitCount(from, from + rowWords);
  }

  /** How many bits a row and a query share. */
  int common(int row, long[] query) {
    int common = 0;
    long from = (long) row * rowWords;
    for (int i = 0; i < rowWords; i++) {
      common += Long.bitCount(words.get(from + i) & query[i]);
    }
    return common;
  }

  /** Whether a row has all bits of a query. */
  boolean covers(int row, long[] query) {
    long from = (long) row * rowWords;
    for (int i = 0; i < rowWords; i++) {
      if ((query[i] & ~words.get(from + i)) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether some row has all of these bits. */
  boolean anyHas(int[] positions) {
    for (int row = 0; row < rows; row++) {
      long from = (long) row * rowWords * Long.SIZE;
      int have = 0;
      while (have < positions.length && words.getBit(from + positions[have])) {
        have++;
      }
      if (have == positions.length) {
        return true;
      }
    }
    return false;
  }

  /** The rows that have all bits of a query, ascending. */
  int[] covering(long[] query) {
    int[] found = new int[16];
    int count = 0;
    for (int row = 0; row < rows; row++) {
      if (covers(row, query)) {
        if (count == found.length) {
          found = Arrays.copyOf(found, 2 * count);
        }
        found[count++] = row;
      }
    }
    return Arrays.copyOf(found, count);
  }
}
