package io.bloomery.internal.bits;

import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * Counters without a limit, one for each bit of a store, in unary code: a counter of value c takes
 * c + 1 bits, so all of them together take as many bits as there are counters plus their sum.
 *
 * <p>Layer 0 is the store itself, whose bit p says whether counter p is 1 or more. Layer i + 1 has
 * one bit for each bit that is set in layer i, in their order, and says whether its counter is i +
 * 2 or more. To raise a counter is to climb to its first clear bit, set it, and insert a clear bit
 * into the layer above; to lower it is to clear its last set bit and delete the clear one above.
 *
 * <p>Design. Layers are cut at every 1024 bits of layer 0: of such a chunk, the pieces of layers 1,
 * 2, … follow each other in one string of bits, whose parts are found by counting set bits. So
 * ranks are counted, and bits moved, within one string, a dozen words at the load of a Bloom
 * filter. On the heap the strings of 16 chunks share an array that begins with their lengths, each
 * string from a word on; it grows and shrinks by a few words at a time. In a mapped file they lie
 * one after another, with a directory. Climbing takes a step for each unit of the counter, so on
 * the heap the layers end at 256, and the excess of a counter above that is a number in a map,
 * which is converted to layers when the strings are stored.
 *
 * <p>Not thread-safe, except that other threads may read layer 0.
 */
public final class UnaryLayers {

  /** Bits of layer 0 in a chunk. */
  public static final int CHUNK_BITS = 1024;

  /** The longest string, which is the sum of the counters of a chunk. */
  public static final int MAX_STRING_BITS = Integer.MAX_VALUE;

  /** The highest value that is kept in layers on the heap. */
  private static final int LIMIT = 256;

  private static final int CHUNK_WORDS = CHUNK_BITS / Long.SIZE;
  private static final int PAGE_CHUNKS = 16;
  private static final int HEADER_WORDS = PAGE_CHUNKS / 2;
  private static final int SPARE_WORDS = 8;

  /** Object header and reference of an array, in bits. */
  private static final int ARRAY_BITS = 160;

  private final Words base;
  private final int chunks;
  private static final long[][] NO_PAGES = {};

  private final long[][] pages; // NO_PAGES if mapped
  private final Words directory; // empty on the heap, as strings
  private final Words strings;
  private final HighCounters high;
  private long total;
  private int longest;

  /** Counters at 0 for every bit of a store that has none set. */
  public UnaryLayers(Words base) {
    this.base = base;
    this.chunks = chunksOf(base);
    this.pages = new long[(chunks + PAGE_CHUNKS - 1) / PAGE_CHUNKS][];
    this.directory = Words.allocate(0, false);
    this.strings = directory;
    this.high = new HighCounters(CHUNK_BITS);
    Arrays.setAll(pages, i -> new long[HEADER_WORDS]);
  }

  private UnaryLayers(Words base, Words directory, Words strings, long total) {
    this.base = base;
    this.chunks = chunksOf(base);
    this.pages = NO_PAGES;
    this.directory = directory;
    this.strings = strings;
    this.high = new HighCounters(CHUNK_BITS);
    this.total = total;
  }

  private UnaryLayers(Words base, long[][] pages, UnaryLayers source) {
    this.base = base;
    this.chunks = source.chunks;
    this.pages = pages;
    this.directory = Words.allocate(0, false);
    this.strings = directory;
    this.high = source.high.copy();
    this.total = source.total;
    this.longest = source.longest;
  }

  /** How many chunks a store has. */
  public static int chunksOf(Words base) {
    return (int) ((base.length() + CHUNK_WORDS - 1) / CHUNK_WORDS);
  }

  /** Layers over stored words, mapped and unchecked; nothing is read yet. */
  public static UnaryLayers mapped(Words base, Words directory, Words strings, long total) {
    return new UnaryLayers(base, directory, strings, total);
  }

  /**
   * Layers on the heap from stored words, all of them checked.
   *
   * @throws IllegalArgumentException with the inconsistency
   */
  public static UnaryLayers checked(Words base, Words directory, Words strings, long total) {
    UnaryLayers stored = mapped(base, directory, strings, total);
    stored.check();
    UnaryLayers layers = new UnaryLayers(base);
    for (int chunk = 0; chunk < layers.chunks; chunk++) {
      layers.putString(chunk, stored.string(chunk), stored.lengthOf(chunk));
    }
    return layers;
  }

  /**
   * Checks stored words, all of them.
   *
   * @throws IllegalArgumentException with the inconsistency
   */
  public void check() {
    long start = 0;
    long sum = 0;
    for (int chunk = 0; chunk < chunks; chunk++) {
      long entry = directory.get(chunk);
      long length = entry >>> 32;
      long words = Words.wordsFor(length);
      if ((int) entry != start || length > MAX_STRING_BITS || start + words > strings.length()) {
        throw new IllegalArgumentException("the string of chunk " + chunk + " lies elsewhere");
      }
      checkString(chunk, string(chunk), (int) length);
      start += words;
      sum += length;
    }
    if (start != strings.length() || sum != total) {
      throw new IllegalArgumentException(
          "counters have the sum %d in %d words, not %d in %d"
              .formatted(sum, start, total, strings.length()));
    }
  }

  private void checkString(int chunk, long[] string, int length) {
    int from = 0;
    int size = sizeOfFirstLayer(chunk);
    while (size > 0 && size <= length - from) {
      int next = ones(string, 0, from, from + size);
      from += size;
      size = next;
    }
    boolean padded = (length & 63) == 0 || string[string.length - 1] >>> length == 0;
    if (size != 0 || from != length || !padded) {
      throw new IllegalArgumentException("the layers of chunk " + chunk + " do not fit together");
    }
  }

  /** Takes over a string with all its layers; those above the limit become numbers. */
  private void putString(int chunk, long[] all, int length) {
    long[] string = all;
    int kept = length;
    int from = startOfLastLayer(chunk, all, length);
    if (from >= 0) {
      long[] positions = highest(chunk, all);
      countAbove(positions, all, from);
      kept = from + positions.length;
      string = Arrays.copyOf(all, (kept + 63) >>> 6);
      clearFrom(string, from);
    }
    int page = chunk / PAGE_CHUNKS;
    int used = pages[page].length;
    if (string.length > 0) {
      pages[page] = Arrays.copyOf(pages[page], used + string.length);
      System.arraycopy(string, 0, pages[page], used, string.length);
      setLength(pages[page], chunk % PAGE_CHUNKS, kept);
    }
    total += length;
    longest = Math.max(longest, length);
  }

  /**
   * The offset, in a whole string, of the layer that marks the counters above the limit; -1 if
   * there is none, or if the string of a damaged file is inconsistent.
   */
  private int startOfLastLayer(int chunk, long[] string, int length) {
    int from = 0;
    int size = sizeOfFirstLayer(chunk);
    for (int layer = 1; layer < LIMIT; layer++) {
      if (size > length - from) {
        return -1;
      }
      int next = ones(string, 0, from, from + size);
      from += size;
      size = next;
    }
    return size <= length - from && ones(string, 0, from, from + size) > 0 ? from : -1;
  }

  /** The positions of the counters of a chunk that reach the limit, by the layers below it. */
  private long[] highest(int chunk, long[] string) {
    long first = (long) chunk * CHUNK_BITS;
    long last = Math.min(base.length() * Long.SIZE, first + CHUNK_BITS);
    long[] positions = LongStream.range(first, last).filter(base::getBit).toArray();
    int from = 0;
    for (int layer = 1; layer < LIMIT; layer++) {
      int kept = 0;
      for (int i = 0; i < positions.length; i++) {
        if (bit(string, 0, from + i)) {
          positions[kept++] = positions[i];
        }
      }
      from += positions.length;
      positions = Arrays.copyOf(positions, kept);
    }
    return positions;
  }

  /** Counts the bits that counters have in the layers above the limit. */
  private void countAbove(long[] positions, long[] string, int start) {
    int from = start;
    long[] left = positions.clone();
    int size = left.length;
    while (size > 0 && from + size <= string.length * Long.SIZE) {
      int next = 0;
      for (int i = 0; i < size; i++) {
        if (bit(string, 0, from + i)) {
          high.add(left[i], 1);
          left[next++] = left[i];
        }
      }
      from += size;
      size = next;
    }
  }

  private static void clearFrom(long[] string, int bit) {
    int word = bit >>> 6;
    if (word < string.length) {
      string[word] &= (1L << bit) - 1;
      Arrays.fill(string, word + 1, string.length, 0);
    }
  }

  /** A copy over a heap copy of the store. */
  public UnaryLayers copy(Words baseCopy) {
    if (pages == NO_PAGES) {
      UnaryLayers copy = new UnaryLayers(baseCopy);
      for (int chunk = 0; chunk < chunks; chunk++) {
        copy.putString(chunk, string(chunk), lengthOf(chunk));
      }
      return copy;
    }
    long[][] copies = new long[pages.length][];
    Arrays.setAll(copies, i -> pages[i].clone());
    return new UnaryLayers(baseCopy, copies, this);
  }

  /** The sum of all counters. */
  public long total() {
    return total;
  }

  /**
   * The length of the longest string; at {@link #MAX_STRING_BITS} no counter of its chunk can be
   * raised.
   */
  public int longest() {
    return longest;
  }

  /** Memory in use: layer 0 and the arrays of the others, with their free space. */
  public long heldBits() {
    long words = base.length();
    if (pages == NO_PAGES) {
      return (words + directory.length() + strings.length()) * Long.SIZE;
    }
    for (long[] page : pages) {
      words += page.length;
    }
    return words * Long.SIZE + (long) pages.length * ARRAY_BITS + high.heldBits();
  }

  /** Counter {@code position}. */
  public long get(long position) {
    if (!base.getBit(position)) {
      return 0;
    }
    int chunk = (int) (position / CHUNK_BITS);
    int slot = chunk % PAGE_CHUNKS;
    long[] array = pages == NO_PAGES ? string(chunk) : pages[chunk / PAGE_CHUNKS];
    int at = pages == NO_PAGES ? 0 : start(array, slot);
    int length = pages == NO_PAGES ? lengthOf(chunk) : length(array, slot);
    int from = 0;
    int size = sizeOfFirstLayer(chunk);
    int rank = rankInFirstLayer(chunk, position);
    long count = 1;
    // The bounds matter only for a mapped file that is damaged.
    while (from + rank < length && count <= length && bit(array, at, from + rank)) {
      int next = ones(array, at, from, from + rank);
      int nextSize = next + ones(array, at, from + rank, Math.min(length, from + size));
      from += size;
      size = nextSize;
      rank = next;
      count++;
    }
    return count + high.get(position);
  }

  /** Raises a counter by one; true if it was 0. */
  public boolean increment(long position) {
    int chunk = (int) (position / CHUNK_BITS);
    int rank = rankInFirstLayer(chunk, position);
    if (base.setBit(position)) {
      insert(chunk, rank);
      return true;
    }
    if (high.get(position) > 0) {
      raiseAbove(chunk, position);
      return false;
    }
    long[] page = pages[chunk / PAGE_CHUNKS];
    int at = start(page, chunk % PAGE_CHUNKS);
    int from = 0;
    int size = sizeOfFirstLayer(chunk);
    int count = 1;
    while (bit(page, at, from + rank)) {
      int next = ones(page, at, from, from + rank);
      int nextSize = next + ones(page, at, from + rank, from + size);
      from += size;
      size = nextSize;
      rank = next;
      count++;
    }
    if (count == LIMIT) {
      raiseAbove(chunk, position);
      return false;
    }
    int above = from + size + ones(page, at, from, from + rank);
    page[at + ((from + rank) >>> 6)] |= 1L << (from + rank);
    insert(chunk, above);
    return false;
  }

  private void raiseAbove(int chunk, long position) {
    high.add(position, 1);
    total++;
    longest = Math.max(longest, (int) wholeLength(chunk));
  }

  /** Lowers a counter by one; returns false and changes nothing if it is 0. */
  public boolean decrement(long position) {
    if (!base.getBit(position)) {
      return false;
    }
    if (high.decrement(position)) {
      total--;
      return true;
    }
    int chunk = (int) (position / CHUNK_BITS);
    long[] page = pages[chunk / PAGE_CHUNKS];
    int at = start(page, chunk % PAGE_CHUNKS);
    int rank = rankInFirstLayer(chunk, position);
    int from = 0;
    int size = sizeOfFirstLayer(chunk);
    if (!bit(page, at, rank)) {
      base.clearBit(position);
      delete(chunk, rank);
      return true;
    }
    while (true) {
      int next = ones(page, at, from, from + rank);
      int nextSize = next + ones(page, at, from + rank, from + size);
      int above = from + size + next;
      if (!bit(page, at, above)) {
        page[at + ((from + rank) >>> 6)] &= ~(1L << (from + rank));
        delete(chunk, above);
        return true;
      }
      from += size;
      size = nextSize;
      rank = next;
    }
  }

  private int rankInFirstLayer(int chunk, long position) {
    return (int) base.bitCountOfBits((long) chunk * CHUNK_BITS, position);
  }

  private int sizeOfFirstLayer(int chunk) {
    long first = (long) chunk * CHUNK_WORDS;
    return (int) base.bitCount(first, Math.min(base.length(), first + CHUNK_WORDS));
  }

  /** Inserts a clear bit before bit {@code position} of a string. */
  private void insert(int chunk, int position) {
    int slot = chunk % PAGE_CHUNKS;
    int length = length(pages[chunk / PAGE_CHUNKS], slot);
    if ((length & 63) == 0) {
      addWord(chunk, length >>> 6);
    }
    long[] page = pages[chunk / PAGE_CHUNKS];
    int at = start(page, slot);
    int word = at + (position >>> 6);
    for (int i = at + (length >>> 6); i > word; i--) {
      page[i] = page[i] << 1 | page[i - 1] >>> 63;
    }
    long below = (1L << position) - 1;
    page[word] = (page[word] & below) | (page[word] & ~below) << 1;
    setLength(page, slot, length + 1);
    longest = Math.max(longest, (int) wholeLength(chunk));
    total++;
  }

  /** Deletes bit {@code position} of a string. */
  private void delete(int chunk, int position) {
    int slot = chunk % PAGE_CHUNKS;
    long[] page = pages[chunk / PAGE_CHUNKS];
    int at = start(page, slot);
    int length = length(page, slot) - 1;
    int word = at + (position >>> 6);
    long below = (1L << position) - 1;
    page[word] = (page[word] & below) | (page[word] >>> 1 & ~below);
    for (int i = word; i < at + (length >>> 6); i++) {
      page[i] |= page[i + 1] << 63;
      page[i + 1] >>>= 1;
    }
    if ((length & 63) == 0) {
      removeWord(chunk, length >>> 6);
    }
    setLength(pages[chunk / PAGE_CHUNKS], slot, length);
    total--;
  }

  /**
   * Makes room for word {@code index}, one past the last, of a string whose length is not yet set.
   */
  private void addWord(int chunk, int index) {
    long[] page = pages[chunk / PAGE_CHUNKS];
    int used = start(page, PAGE_CHUNKS);
    if (used == page.length) {
      page = Arrays.copyOf(page, used + SPARE_WORDS);
      pages[chunk / PAGE_CHUNKS] = page;
    }
    int at = start(page, chunk % PAGE_CHUNKS) + index;
    System.arraycopy(page, at, page, at + 1, used - at);
    page[at] = 0;
  }

  /** Removes word {@code index}, the last, of a string whose length is not yet set. */
  private void removeWord(int chunk, int index) {
    long[] page = pages[chunk / PAGE_CHUNKS];
    int used = start(page, PAGE_CHUNKS);
    int at = start(page, chunk % PAGE_CHUNKS) + index;
    System.arraycopy(page, at + 1, page, at, used - at - 1);
    page[used - 1] = 0;
    if (page.length - used > 2 * SPARE_WORDS) {
      pages[chunk / PAGE_CHUNKS] = Arrays.copyOf(page, used - 1 + SPARE_WORDS);
    }
  }

  private static int length(long[] page, int slot) {
    return (int) (page[slot >>> 1] >>> ((slot & 1) << 5));
  }

  private static void setLength(long[] page, int slot, int length) {
    int shift = (slot & 1) << 5;
    page[slot >>> 1] = (page[slot >>> 1] & 0xFFFFFFFF00000000L >>> shift) | (long) length << shift;
  }

  /** Where the string of a slot begins; for the slot after the last, where the strings end. */
  private static int start(long[] page, int slot) {
    int at = HEADER_WORDS;
    for (int i = 0; i < slot; i++) {
      at += (length(page, i) + 63) >>> 6;
    }
    return at;
  }

  private static boolean bit(long[] array, int at, int i) {
    return (array[at + (i >>> 6)] >>> i & 1) != 0;
  }

  /** How many of the bits {@code from…to-1} of a string are set. */
  private static int ones(long[] array, int at, int from, int to) {
    if (from >= to) {
      return 0;
    }
    int first = at + (from >>> 6);
    int last = at + ((to - 1) >>> 6);
    long head = -1L << from;
    long tail = -1L >>> -to;
    if (first == last) {
      return Long.bitCount(array[first] & head & tail);
    }
    int count = Long.bitCount(array[first] & head) + Long.bitCount(array[last] & tail);
    for (int i = first + 1; i < last; i++) {
      count += Long.bitCount(array[i]);
    }
    return count;
  }

  private int lengthOf(int chunk) {
    if (pages != NO_PAGES) {
      return length(pages[chunk / PAGE_CHUNKS], chunk % PAGE_CHUNKS);
    }
    long entry = directory.get(chunk);
    long room = Math.max(0, strings.length() - (entry & 0xFFFFFFFFL)) * Long.SIZE;
    return (int) Math.min(entry >>> 32 & MAX_STRING_BITS, room);
  }

  /** How long a string is with all its layers. */
  private long wholeLength(int chunk) {
    return lengthOf(chunk) + high.sum(chunk);
  }

  /** The words of a string with all its layers. */
  private long[] wholeString(int chunk) {
    long[] string = string(chunk);
    if (high.sum(chunk) == 0) {
      return string;
    }
    long[] positions = highest(chunk, string);
    int at = lengthOf(chunk) - positions.length;
    long[] whole = Arrays.copyOf(string, (int) Words.wordsFor(wholeLength(chunk)));
    long[] left = Arrays.stream(positions).map(high::get).toArray();
    for (int size = left.length; size > 0; ) {
      int next = 0;
      for (int i = 0; i < size; i++, at++) {
        if (left[i] > 0) {
          whole[at >>> 6] |= 1L << at;
          left[next++] = left[i] - 1;
        }
      }
      size = next;
    }
    return whole;
  }

  /** A copy of the words of a string. */
  private long[] string(int chunk) {
    int words = (lengthOf(chunk) + 63) >>> 6;
    if (pages != NO_PAGES) {
      long[] page = pages[chunk / PAGE_CHUNKS];
      int at = start(page, chunk % PAGE_CHUNKS);
      return Arrays.copyOfRange(page, at, at + words);
    }
    long[] string = new long[words];
    long start = directory.get(chunk) & 0xFFFFFFFFL;
    for (int i = 0; i < words; i++) {
      string[i] = strings.get(start + i);
    }
    return string;
  }

  /** For each chunk a word: where its string begins, and from bit 32 on its length in bits. */
  public Words directory() {
    if (pages == NO_PAGES) {
      return directory;
    }
    long[] entries = new long[chunks];
    long start = 0;
    for (int chunk = 0; chunk < chunks; chunk++) {
      long length = wholeLength(chunk);
      entries[chunk] = length << 32 | start;
      start += Words.wordsFor(length);
    }
    return Words.copyOf(entries, false);
  }

  /** The strings of all chunks, each from a word on. */
  public Words strings() {
    if (pages == NO_PAGES) {
      return strings;
    }
    long words = 0;
    for (int chunk = 0; chunk < chunks; chunk++) {
      words += Words.wordsFor(wholeLength(chunk));
    }
    Words all = Words.allocate(words, false);
    int at = Words.BASE;
    for (int chunk = 0; chunk < chunks; chunk++) {
      long[] string = wholeString(chunk);
      System.arraycopy(string, 0, all.writable(), at, string.length);
      at += string.length;
    }
    return all;
  }
}
