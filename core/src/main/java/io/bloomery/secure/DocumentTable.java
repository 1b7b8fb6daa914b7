package io.bloomery.secure;

import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Labels;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The documents of a {@link SecureIndex}: each has a name, a nonce of two words and a filter of
 * several. The last document takes the row of a removed one. Changes need a lock.
 */
final class DocumentTable {

  /** The length of a nonce. */
  static final int NONCE_WORDS = 2;

  private final int filterWords;
  private Words filters; // row i belongs to document i; there may be room for more
  private Words nonces;
  private final List<String> names;
  private final Map<String, Integer> rows = new HashMap<>();

  private DocumentTable(int filterWords, Words filters, Words nonces, List<String> names) {
    this.filterWords = filterWords;
    this.filters = filters;
    this.nonces = nonces;
    this.names = names;
    for (int row = 0; row < names.size(); row++) {
      rows.put(names.get(row), row);
    }
  }

  /** A table for filters of this many words. */
  static DocumentTable empty(int filterWords) {
    Words none = Words.allocate(0, false);
    return new DocumentTable(filterWords, none, none, new ArrayList<>());
  }

  /** Reads the table from the first three sections of a frame; names take this many bytes. */
  static DocumentTable decode(Frame frame, int filterWords, int documents, long nameBytes)
      throws IOException {
    Words filters = frame.section(0, (long) documents * filterWords);
    Words nonces = frame.section(1, (long) documents * NONCE_WORDS);
    List<String> names = Labels.decode(frame, 2, documents, nameBytes);
    return new DocumentTable(filterWords, filters, nonces, new ArrayList<>(names));
  }

  /** Adds the sections. */
  Frame encode(Frame frame) {
    return frame
        .section(exactly(filters, filterWords))
        .section(exactly(nonces, NONCE_WORDS))
        .section(Labels.encode(names));
  }

  /** A copy without spare room, which later changes do not affect. */
  private Words exactly(Words words, int width) {
    return words.isReadOnly() ? words : resized(words, width, names.size());
  }

  /** A copy with room for this many documents. */
  private Words resized(Words words, int width, int room) {
    Words copy = Words.allocate((long) room * width, false);
    int used = names.size() * width;
    System.arraycopy(words.heap(), Words.BASE, copy.writable(), Words.BASE, used);
    return copy;
  }

  /** How many documents there may be at most. */
  static long most(long filterWords) {
    return Words.MAX_WORDS / Math.max(filterWords, NONCE_WORDS);
  }

  int size() {
    return names.size();
  }

  List<String> names() {
    return names;
  }

  boolean contains(String name) {
    return rows.containsKey(name);
  }

  /** Replaces the document with the same name, or appends a new one. */
  void put(String name, long[] nonce, long[] filter) {
    filters.writable();
    Integer row = rows.get(name);
    if (row == null) {
      row = names.size();
      reserve(row + 1);
      names.add(name);
      rows.put(name, row);
    }
    System.arraycopy(filter, 0, filters.writable(), at(row, filterWords), filterWords);
    System.arraycopy(nonce, 0, nonces.writable(), at(row, NONCE_WORDS), NONCE_WORDS);
  }

  private static int at(int row, int width) {
    return Words.BASE + row * width;
  }

  private void reserve(int documents) {
    int room = (int) (nonces.length() / NONCE_WORDS);
    if (documents > room) {
      long most = most(filterWords);
      if (documents > most) {
        throw new IllegalStateException(
            "an index of this shape has room for " + most + " documents");
      }
      int more = (int) Math.min(most, Math.max(documents, room + (long) (room >> 1)));
      filters = resized(filters, filterWords, more);
      nonces = resized(nonces, NONCE_WORDS, more);
    }
  }

  /** Removes the document of this name; returns whether there was one. */
  boolean remove(String name) {
    long[] filterHeap = filters.writable();
    long[] nonceHeap = nonces.writable();
    Integer row = rows.remove(name);
    if (row == null) {
      return false;
    }
    int last = names.size() - 1;
    String moved = names.remove(last);
    if (row < last) {
      move(filterHeap, last, row, filterWords);
      move(nonceHeap, last, row, NONCE_WORDS);
      names.set(row, moved);
      rows.put(moved, row);
    }
    return true;
  }

  private static void move(long[] heap, int from, int to, int width) {
    System.arraycopy(heap, at(from, width), heap, at(to, width), width);
  }

  /** Word 0 or 1 of a document's nonce. */
  long nonce(int row, int word) {
    return nonces.get((long) row * NONCE_WORDS + word);
  }

  /** Bit {@code bit} of a document's filter. */
  boolean bit(int row, long bit) {
    return filters.getBit((long) row * filterWords * Long.SIZE + bit);
  }

  /** How many bits of a document's filter are set. */
  long ones(int row) {
    return filters.bitCount((long) row * filterWords, (row + 1L) * filterWords);
  }

  /** A copy of a document's filter. */
  long[] filter(String name) {
    long from = (long) Objects.requireNonNull(rows.get(name), name) * filterWords;
    long[] filter = new long[filterWords];
    Arrays.setAll(filter, i -> filters.get(from + i));
    return filter;
  }

  /** Whether all filters end with bit {@code bits - 1}. */
  boolean isClean(long bits) {
    int used = (int) (bits & (Long.SIZE - 1));
    for (int row = 0; used != 0 && row < names.size(); row++) {
      if (filters.get((row + 1L) * filterWords - 1) >>> used != 0) {
        return false;
      }
    }
    return true;
  }

  /** A copy in heap memory. */
  DocumentTable copy() {
    return new DocumentTable(filterWords, filters.copy(), nonces.copy(), new ArrayList<>(names));
  }
}
