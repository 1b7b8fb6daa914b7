package io.bloomery.growing;

import io.bloomery.FilterFullException;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import java.io.IOException;
import java.nio.LongBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The pages of an elastic filter, by the last bits of the hashes they hold.
 *
 * <p>With N pages, {@code 2^g ≤ N < 2^(g+1)}, the hashes that end in the number i below {@code N -
 * 2^g} are split by one bit more than the others: pages {@code i} and {@code 2^g + i}, of level
 * {@code g + 1}, hold them. The directory has a place for each of the numbers of {@code g + 1}
 * bits, so that a query finds its page without knowing N; a page that is not split has two of them.
 */
final class ElasticPages {

  private static final String READ_ONLY = "a mapped filter is read-only; copy() makes a heap copy";

  /** The array header of a page and the reference to it. */
  static final int OBJECT_BITS = 192;

  /** The directory of a mapped file, whose pages are read from its words. */
  private static final long[][] MAPPED = {};

  /** The words of pages on the heap. */
  private static final Words ON_HEAP = Words.allocate(0, false);

  private int count;
  private int fingerprintBits;
  private long[][] directory = MAPPED;

  // Only of a mapped file.
  private final Words starts;
  private final Words stored;

  private ElasticPages(int count, int fingerprintBits, Words starts, Words stored) {
    this.count = count;
    this.fingerprintBits = fingerprintBits;
    this.starts = starts;
    this.stored = stored;
  }

  static ElasticPages empty(int count, int fingerprintBits) {
    ElasticPages pages = new ElasticPages(count, fingerprintBits, ON_HEAP, ON_HEAP);
    pages.clear(count, fingerprintBits);
    return pages;
  }

  /** Replaces all pages by this many empty ones. */
  void clear(int pages, int bits) {
    requireWritable();
    count = pages;
    fingerprintBits = bits;
    directory = new long[places(pages)][];
    for (int i = 0; i < pages; i++) {
      int level = levelOf(i);
      put(i, ElasticPage.empty(level, lengthAt(level) + 1));
    }
  }

  private void requireWritable() {
    if (stored != ON_HEAP) {
      throw new IllegalStateException(READ_ONLY);
    }
  }

  int count() {
    return count;
  }

  /** The smallest power of two that is not below a number of pages. */
  private static int places(int pages) {
    return pages == 1 ? 1 : Integer.highestOneBit(pages - 1) << 1;
  }

  private int levelOf(int page) {
    int level = 31 - Integer.numberOfLeadingZeros(count);
    int half = 1 << level;
    return page >= half || page < count - half ? level + 1 : level;
  }

  /** The length of new entries in a page. */
  private int lengthAt(int level) {
    return fingerprintBits - ElasticPage.BUCKET_BITS - level;
  }

  /** Stores a page wherever the directory refers to it. */
  private void put(int page, long[] words) {
    int stride = 1 << ElasticPage.level(words);
    for (int i = page & (stride - 1); i < directory.length; i += stride) {
      directory[i] = words;
    }
  }

  private int place(long hash) {
    return (int) hash & (directory.length - 1);
  }

  boolean contains(long hash) {
    long[][] pages = directory;
    return pages == MAPPED
        ? mappedContains(hash)
        : ElasticPage.contains(pages[(int) hash & (pages.length - 1)], hash);
  }

  /** The batch form of {@link #contains(long)}, as in {@code HashedFilter}. */
  int contains(long[] hashes, int from, int to, long[] hits) {
    long[][] pages = directory;
    long[] touched = new long[1];
    int total = 0;
    for (int start = from, at = 0; start < to; start += Long.SIZE, at++) {
      int end = Math.min(start + Long.SIZE, to);
      // First brings the unary numbers of all buckets into the cache, so that misses overlap.
      for (int i = start; pages != MAPPED && i < end; i++) {
        touched[0] |= ElasticPage.touch(pages[(int) hashes[i] & (pages.length - 1)], hashes[i]);
      }
      long answers = 0;
      for (int i = start; i < end; i++) {
        answers |= (contains(hashes[i]) ? 1L : 0L) << (i - start);
      }
      hits[at] = answers;
      total += Long.bitCount(answers);
    }
    return total;
  }

  /** Fails if the page of a hash has no room. */
  void requireRoom(long hash) {
    requireWritable();
    if (ElasticPage.entries(directory[place(hash)]) == ElasticPage.MAX_ENTRIES) {
      throw new FilterFullException(
          "the page of the key has %d entries, the most there can be: hashes that end in the same bits"
              .formatted(ElasticPage.MAX_ENTRIES));
    }
  }

  /** Adds an entry for a hash whose page has room. */
  void insert(long hash) {
    int place = place(hash);
    long[] page = directory[place];
    long entry = ElasticPage.entry(page, hash, lengthAt(ElasticPage.level(page)));
    long[] larger = ElasticPage.insert(page, (int) (hash >>> ElasticPage.LOW_BITS), entry);
    if (larger != page) {
      put(place, larger);
    }
  }

  /** Whether another copy of a hash would not be stored. */
  boolean isStuck(long hash) {
    requireWritable();
    long[] page = directory[place(hash)];
    long entry = ElasticPage.entry(page, hash, lengthAt(ElasticPage.level(page)));
    return ElasticPage.isStuck(page, (int) (hash >>> ElasticPage.LOW_BITS), entry);
  }

  /** Removes an entry that matches a hash: how many are gone, or -1 if none matches. */
  int remove(long hash) {
    requireWritable();
    int place = place(hash);
    int before = ElasticPage.entries(directory[place]);
    long[] smaller = ElasticPage.remove(directory[place], hash);
    if (smaller == null) {
      return -1;
    }
    put(place, smaller);
    return before - ElasticPage.entries(smaller);
  }

  /** Splits the next page; from now on new fingerprints have this many bits. */
  void split(int bits) {
    if (count == directory.length) {
      long[][] doubled = new long[2 * count][];
      System.arraycopy(directory, 0, doubled, 0, count);
      System.arraycopy(directory, 0, doubled, count, count);
      directory = doubled;
    }
    fingerprintBits = bits;
    int page = count - Integer.highestOneBit(count);
    long[] whole = directory[page];
    long[][] halves = ElasticPage.split(whole, lengthAt(ElasticPage.level(whole) + 1) + 1);
    directory[page] = halves[0];
    directory[count++] = halves[1];
  }

  /** The share of all hashes that match an entry. */
  double covered() {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      long[] page = page(i);
      // In a forged mapped file, inconsistent pages count as 0.
      if (stored == ON_HEAP || (page.length > 0 && ElasticPage.isSound(page))) {
        sum += Math.scalb(ElasticPage.covered(page), -levelOf(i));
      }
    }
    return sum;
  }

  long sizeInBits() {
    long words = 0;
    for (int i = 0; i < count; i++) {
      words += stored == ON_HEAP ? directory[i].length : ElasticPage.length(storedWords(i));
    }
    return words * Long.SIZE + (long) count * OBJECT_BITS;
  }

  /** The words from the start of a page to the start of the next, unless the file is forged. */
  private int storedWords(int i) {
    long end = i + 1 < count ? starts.get(i + 1) : stored.length();
    return (int) Math.max(0, Math.min(end - starts.get(i), Words.MAX_WORDS / 2));
  }

  ElasticPages copy() {
    ElasticPages copy = new ElasticPages(count, fingerprintBits, ON_HEAP, ON_HEAP);
    copy.directory = new long[places(count)][];
    for (int i = 0; i < count; i++) {
      long[] page = page(i);
      if (page.length == 0 || ElasticPage.level(page) != levelOf(i)) {
        throw new IllegalStateException("page " + i + " of the mapped file is damaged");
      }
      copy.put(i, stored == ON_HEAP ? page.clone() : page);
    }
    return copy;
  }

  /** Page i, read from the file if that is mapped. */
  private long[] page(int i) {
    return stored == ON_HEAP ? directory[i] : mappedPage(i);
  }

  /** Adds the sections of these pages to a frame: where each begins, and their words. */
  Frame write(Frame frame) {
    if (stored != ON_HEAP) {
      return frame.put("words", stored.length()).section(starts).section(stored);
    }
    long[] begins = new long[count];
    long length = 0;
    for (int i = 0; i < count; i++) {
      begins[i] = length;
      length += used(directory[i]);
    }
    Words all = Words.allocate(length, false);
    for (int i = 0; i < count; i++) {
      int at = Words.BASE + (int) begins[i];
      System.arraycopy(directory[i], 0, all.heap(), at, used(directory[i]));
    }
    return frame.put("words", length).section(Words.copyOf(begins, false)).section(all);
  }

  private static int used(long[] page) {
    return ElasticPage.usedWords(ElasticPage.entries(page), ElasticPage.width(page));
  }

  /** Pages of a frame; null if it is only verified. */
  static @Nullable ElasticPages read(Frame frame, int count, int fingerprintBits, long keys)
      throws IOException {
    long words = frame.number("words", 1, Words.MAX_WORDS);
    frame.requireMemory(2 * Long.BYTES * words);
    frame.requireHeap(2 * Long.BYTES * words);
    Words starts = frame.section(0, count);
    Words stored = frame.section(1, words);
    if (stored.isReadOnly() && !frame.isOnlyVerified()) {
      return new ElasticPages(count, fingerprintBits, starts, stored);
    }
    ElasticPages pages = new ElasticPages(count, fingerprintBits, ON_HEAP, ON_HEAP);
    pages.directory = frame.isOnlyVerified() ? MAPPED : new long[places(count)][];
    ElasticPages source = new ElasticPages(count, fingerprintBits, starts, stored);
    long at = 0;
    long entries = 0;
    for (int i = 0; i < count; i++) {
      frame.require(starts.get(i) == at, "page " + i + " does not follow the one before");
      long[] page = source.mappedPage(i);
      frame.require(
          page.length > 0 && ElasticPage.level(page) == source.levelOf(i),
          "page " + i + " is of another level or length");
      at += used(page);
      entries += ElasticPage.entries(page);
      int most = source.lengthAt(ElasticPage.level(page)) + 1;
      frame.require(ElasticPage.width(page) <= most, "page " + i + " has wider slots");
      frame.requireOfWords(() -> ElasticPage.isSound(page), "page " + i + " contradicts itself");
      if (pages.directory != MAPPED) {
        pages.put(i, page);
      }
    }
    frame.require(at == stored.length(), "there are words after the last page");
    frame.require(entries >= keys, "there are fewer entries than keys");
    return pages.directory == MAPPED ? null : pages;
  }

  /** A page of a file if its length is valid, otherwise no words. The contents are not checked. */
  private long[] mappedPage(int i) {
    long start = starts.get(i);
    long room = start < 0 ? 0 : stored.length() - start;
    if (room < ElasticPage.HEAD_WORDS) {
      return new long[0];
    }
    long[] head = {stored.get(start)};
    int used = used(head);
    if (used > room) {
      return new long[0];
    }
    long[] page = new long[ElasticPage.length(used)];
    stored.copyTo(start, LongBuffer.wrap(page, 0, used));
    return page;
  }

  private boolean mappedContains(long hash) {
    int place = (int) hash & (places(count) - 1);
    long[] page = mappedPage(place < count ? place : place - places(count) / 2);
    return page.length > 0
        && ElasticPage.isInBounds(page, hash)
        && ElasticPage.contains(page, hash);
  }
}
