package io.bloomery.growing;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The pages of an {@link ElasticFilter}: an array of words each, which holds the fingerprints of
 * the hashes that end in the same bits, sorted by the first 10 bits of these hashes, the bucket.
 *
 * <p>Layout. Word 0 is the header: level (bits 0–5), slot width w (bits 6–11), number of entries n
 * (bits 12–27). Words 1–8 are 32 counts of 16 bits: the entries before each group of 32 buckets.
 * From word 9 on the buckets in unary: a zero for each bucket, followed by a one for each of its
 * entries, and a zero after the last, {@code 1025 + n} bits. From the next word on n slots of w
 * bits, in the same order. Bits in between are zero. An array has at least one word more than it
 * uses, so that a query may read two words from any position, and at most four.
 *
 * <p>An entry is the number {@code 2^length + remainder}: the bits of the hash from {@code level}
 * on, the lowest first, as many as its length says. The mark above them makes lengths from 0 to
 * {@code w - 1} fit into one slot. Entries of a bucket are in the order of their addition, the
 * newest first.
 */
final class ElasticPage {

  /** The number of bits that select a bucket within a page. */
  static final int BUCKET_BITS = 10;

  /** The most equal entries of a bucket that are stored; from then on they stay. */
  static final int MAX_COPIES = 255;

  /** The most entries of a page. */
  static final int MAX_ENTRIES = 0xFFFF;

  /** Words before the unary numbers. */
  static final int HEAD_WORDS = 9;

  /** The bits of a hash that select the page and then follow in entries. */
  static final int LOW_BITS = Long.SIZE - BUCKET_BITS;

  static final int BUCKETS = 1 << BUCKET_BITS;
  private static final int GROUP_BITS = 5;
  private static final int GROUP_MASK = (1 << GROUP_BITS) - 1;
  private static final long LANES = 0x0001_0001_0001_0001L;
  private static final long BYTES = 0x0101_0101_0101_0101L;
  private static final long HIGHS = 0x8080_8080_8080_8080L;
  private static final int ENTRIES_SHIFT = 12;
  private static final int ALIGNMENT = 4;

  /** The position of the set bit of a rank, by byte and rank. */
  private static final byte[] SELECT = selectTable();

  private ElasticPage() {}

  private static byte[] selectTable() {
    byte[] table = new byte[8 * 256];
    for (int bits = 0; bits < 256; bits++) {
      int rank = 0;
      for (int i = 0; i < 8; i++) {
        if (((bits >>> i) & 1) != 0) {
          table[(rank++ << 8) | bits] = (byte) i;
        }
      }
    }
    return table;
  }

  /** A page without entries. */
  static long[] empty(int level, int width) {
    return blank(level, width, 0);
  }

  /** A page with room for entries, all of whose bits are still to be written. */
  private static long[] blank(int level, int width, int entries) {
    long[] page = new long[length(usedWords(entries, width))];
    page[0] = header(level, width, entries);
    return page;
  }

  private static long header(int level, int width, int entries) {
    return level | ((long) width << 6) | ((long) entries << ENTRIES_SHIFT);
  }

  static int level(long[] page) {
    return (int) page[0] & 63;
  }

  static int width(long[] page) {
    return (int) (page[0] >>> 6) & 63;
  }

  static int entries(long[] page) {
    return (int) (page[0] >>> ENTRIES_SHIFT) & MAX_ENTRIES;
  }

  /** The words of a page in a file. */
  static int usedWords(int entries, int width) {
    return slotsAt(entries) + ((entries * width + 63) >>> 6);
  }

  /** The array length of a page that uses this many words. */
  static int length(int usedWords) {
    return (usedWords + ALIGNMENT) & -ALIGNMENT;
  }

  private static int slotsAt(int entries) {
    return HEAD_WORDS + ((BUCKETS + entries) >>> 6) + 1;
  }

  /** Whether a hash that belongs to this page matches one of its entries. */
  static boolean contains(long[] page, long hash) {
    int bucket = (int) (hash >>> LOW_BITS);
    int group = bucket >>> GROUP_BITS;
    int rank = bucket & GROUP_MASK;
    int before = (int) (page[1 + (group >>> 2)] >>> (group << 4)) & MAX_ENTRIES;
    int bit = (group << GROUP_BITS) + before;
    int at = HEAD_WORDS + (bit >>> 6);
    long window = (page[at] >>> bit) | ((page[at + 1] << 1) << ~bit);
    if (Long.bitCount(~window) < rank + 2) {
      return containsFar(page, hash, bucket);
    }
    int place = select(~window, rank);
    long run = (window >>> place) >>> 1;
    if ((run & 1) == 0) {
      return false;
    }
    int width = width(page);
    int slot = (slotsAt(entries(page)) << 6) + (before + place - rank) * width;
    long wanted = hash >>> level(page);
    do {
      if (matches(slot(page, slot, width), wanted)) {
        return true;
      }
      slot += width;
      run >>>= 1;
    } while ((run & 1) != 0);
    return false;
  }

  /** Reads the first word that a query reads, to bring it into the cache. */
  static long touch(long[] page, long hash) {
    int group = (int) (hash >>> (LOW_BITS + GROUP_BITS));
    int before = (int) (page[1 + (group >>> 2)] >>> (group << 4)) & MAX_ENTRIES;
    return page[HEAD_WORDS + (((group << GROUP_BITS) + before) >>> 6)];
  }

  /** Whether queries stay within a page of the right length, even if its words are corrupt. */
  static boolean isInBounds(long[] page, long hash) {
    int bucket = (int) (hash >>> LOW_BITS);
    int group = bucket >>> GROUP_BITS;
    int before = (int) (page[1 + (group >>> 2)] >>> (group << 4)) & MAX_ENTRIES;
    int entries = entries(page);
    if (before > entries || width(page) == 0) {
      return false;
    }
    int rank = bucket & GROUP_MASK;
    int bit = (group << GROUP_BITS) + before;
    // Skips as many zeros as there are buckets before this one; the ones up to the next zero are
    // its slots.
    int zeros = 0;
    int ones = before;
    for (; bit <= BUCKETS + entries && zeros < rank + 2; bit++) {
      zeros += unary(page, bit) ? 0 : 1;
      ones += unary(page, bit) ? 1 : 0;
    }
    return zeros == rank + 2 && ones <= entries;
  }

  /** For the few queries that need more than 64 bits of the unary numbers. */
  private static boolean containsFar(long[] page, long hash, int bucket) {
    return longestMatch(page, hash, marker(page, bucket), bucket) >= 0;
  }

  private static boolean matches(long entry, long wanted) {
    return (((entry ^ wanted) << Long.numberOfLeadingZeros(entry)) << 1) == 0;
  }

  /**
   * The position of the set bit of a rank; there must be more set bits than that (Vigna 2008, sec.
   * 3).
   */
  private static int select(long bits, int rank) {
    long sums = bits - ((bits >>> 1) & 0x5555_5555_5555_5555L);
    sums = (sums & 0x3333_3333_3333_3333L) + ((sums >>> 2) & 0x3333_3333_3333_3333L);
    sums = ((sums + (sums >>> 4)) & 0x0F0F_0F0F_0F0F_0F0FL) * BYTES;
    int place = Long.bitCount((((rank * BYTES) | HIGHS) - sums) & HIGHS) << 3;
    int inByte = rank - (int) (((sums << 8) >>> place) & 0xFF);
    return place + SELECT[(inByte << 8) | ((int) (bits >>> place) & 0xFF)];
  }

  /** The position of a bucket's zero among the unary numbers. */
  private static int marker(long[] page, int bucket) {
    int group = bucket >>> GROUP_BITS;
    int bit =
        (group << GROUP_BITS) + ((int) (page[1 + (group >>> 2)] >>> (group << 4)) & MAX_ENTRIES);
    int rank = bucket & GROUP_MASK;
    int at = HEAD_WORDS + (bit >>> 6);
    long zeros = ~page[at] & (-1L << bit);
    for (int count = Long.bitCount(zeros); count <= rank; count = Long.bitCount(zeros)) {
      rank -= count;
      zeros = ~page[++at];
    }
    return ((at - HEAD_WORDS) << 6) + select(zeros, rank);
  }

  /** The number of the longest entry of a bucket that matches, the newest of these, or -1. */
  private static int longestMatch(long[] page, long hash, int marker, int bucket) {
    int width = width(page);
    int slots = slotsAt(entries(page)) << 6;
    long wanted = hash >>> level(page);
    int found = -1;
    long longest = 0;
    for (int i = marker + 1; longest >>> (width - 1) == 0 && unary(page, i); i++) {
      int number = i - 1 - bucket;
      long entry = slot(page, slots + number * width, width);
      if (matches(entry, wanted)
          && Long.numberOfLeadingZeros(entry) < Long.numberOfLeadingZeros(longest)) {
        longest = entry;
        found = number;
      }
    }
    return found;
  }

  private static boolean unary(long[] page, int bit) {
    return ((page[HEAD_WORDS + (bit >>> 6)] >>> bit) & 1) != 0;
  }

  private static long slot(long[] page, int bit, int width) {
    int at = bit >>> 6;
    return ((page[at] >>> bit) | ((page[at + 1] << 1) << ~bit)) & ~(-1L << width);
  }

  private static void setSlot(long[] page, int bit, int width, long entry) {
    int at = bit >>> 6;
    long mask = ~(-1L << width);
    page[at] = (page[at] & ~(mask << bit)) | (entry << bit);
    page[at + 1] = (page[at + 1] & ~((mask >>> 1) >>> ~bit)) | ((entry >>> 1) >>> ~bit);
  }

  /** The entry of a hash. */
  static long entry(long[] page, long hash, int length) {
    return ((hash >>> level(page)) & ~(-1L << length)) | (1L << length);
  }

  /**
   * Adds an entry to a bucket of a page that is not full. Returns the page, or the larger page that
   * replaces it.
   */
  static long[] insert(long[] page, int bucket, long entry) {
    int width = Long.SIZE - Long.numberOfLeadingZeros(entry);
    long[] wide = width > width(page) ? widened(page, width) : page;
    return insertFitting(wide, bucket, entry);
  }

  private static long[] insertFitting(long[] old, int bucket, long entry) {
    int width = width(old);
    int entries = entries(old);
    int needed = usedWords(entries + 1, width);
    long[] page = needed < old.length ? old : Arrays.copyOf(old, length(needed));
    int marker = marker(page, bucket);
    int slots = slotsAt(entries);
    if (slotsAt(entries + 1) > slots) {
      System.arraycopy(page, slots, page, slots + 1, usedWords(entries, width) - slots);
      page[slots++] = 0;
    }
    int end = HEAD_WORDS * Long.SIZE + BUCKETS + entries + 1;
    int bit = HEAD_WORDS * Long.SIZE + marker + 1;
    openBits(page, bit, end, 1);
    page[bit >>> 6] |= 1L << bit;
    int base = slotsAt(entries + 1) << 6;
    int slot = base + (marker - bucket) * width;
    openBits(page, slot, base + entries * width, width);
    setSlot(page, slot, width, entry);
    count(page, bucket, 1);
    return page;
  }

  /** Adds to the number of entries, and to those before each later group. */
  private static void count(long[] page, int bucket, int more) {
    page[0] += (long) more << ENTRIES_SHIFT;
    int group = bucket >>> GROUP_BITS;
    page[1 + (group >>> 2)] += more * ((LANES << (group << 4)) << 16);
    for (int word = (group >>> 2) + 1; word < HEAD_WORDS - 1; word++) {
      page[1 + word] += more * LANES;
    }
  }

  /** Moves bits {@code from…to-1} up; the caller overwrites the old bits. */
  private static void openBits(long[] page, int from, int to, int by) {
    int first = from >>> 6;
    for (int i = (to + by - 1) >>> 6; i > first; i--) {
      page[i] = (page[i] << by) | (page[i - 1] >>> -by);
    }
    long kept = ~(-1L << from);
    page[first] = (page[first] & kept) | ((page[first] & ~kept) << by);
  }

  /** Moves bits {@code from+by…to-1} down to {@code from} and clears those behind them. */
  private static void closeBits(long[] page, int from, int to, int by) {
    int first = from >>> 6;
    int last = (to - 1) >>> 6;
    long kept = page[first] & ~(-1L << from);
    for (int i = first; i <= last; i++) {
      page[i] = (page[i] >>> by) | (i < last ? page[i + 1] << -by : 0);
    }
    page[first] = (page[first] & (-1L << from)) | kept;
  }

  /** Whether a bucket has as many copies of an entry as are stored. */
  static boolean isStuck(long[] page, int bucket, long entry) {
    int width = width(page);
    int slots = slotsAt(entries(page)) << 6;
    int marker = marker(page, bucket);
    int copies = 0;
    for (int i = marker + 1; copies < MAX_COPIES && unary(page, i); i++) {
      copies += slot(page, slots + (i - 1 - bucket) * width, width) == entry ? 1 : 0;
    }
    return copies == MAX_COPIES;
  }

  /**
   * Removes the longest entry that matches a hash, unless it is stuck. Returns the page, or the
   * smaller page that replaces it, or null if no entry matches. If the key's own entry was a
   * shorter one, that entry is a prefix of the removed one, so it still represents the key to which
   * the removed entry belonged.
   */
  static long @Nullable [] remove(long[] page, long hash) {
    int bucket = (int) (hash >>> LOW_BITS);
    int marker = marker(page, bucket);
    int number = longestMatch(page, hash, marker, bucket);
    if (number < 0) {
      return null;
    }
    int width = width(page);
    int entries = entries(page);
    int slots = slotsAt(entries);
    if (isStuck(page, bucket, slot(page, (slots << 6) + number * width, width))) {
      return page;
    }
    closeBits(page, (slots << 6) + number * width, (slots << 6) + entries * width, width);
    int base = HEAD_WORDS * Long.SIZE;
    closeBits(page, base + marker + 1, base + BUCKETS + entries, 1);
    count(page, bucket, -1);
    int used = usedWords(entries - 1, width);
    if (slotsAt(entries - 1) < slots) {
      System.arraycopy(page, slots, page, slots - 1, used - slots + 1);
      page[used] = 0;
    }
    int fitting = length(used);
    return fitting < page.length ? Arrays.copyOf(page, fitting) : page;
  }

  /** The same entries in slots of another width, which none exceeds. */
  private static long[] widened(long[] page, int width) {
    int entries = entries(page);
    long[] wide = blank(level(page), width, entries);
    int slots = slotsAt(entries);
    System.arraycopy(page, 1, wide, 1, slots - 1);
    int from = slots << 6;
    int to = from;
    for (int i = 0; i < entries; i++, from += width(page), to += width) {
      setSlot(wide, to, width, slot(page, from, width(page)));
    }
    return wide;
  }

  /**
   * The pages that replace this one: the entries whose next bit is 0 and those where it is 1,
   * without that bit. An entry without remaining bits is in both.
   */
  static long[][] split(long[] page, int least) {
    int entries = entries(page);
    int width = width(page);
    int slots = slotsAt(entries) << 6;
    int[] counts = new int[2];
    long all = 0;
    for (int i = 0; i < entries; i++) {
      long entry = slot(page, slots + i * width, width);
      all |= entry;
      counts[0] += entry == 1 || (entry & 1) == 0 ? 1 : 0;
      counts[1] += (int) entry & 1;
    }
    int narrow = Math.max(least, Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, all >>> 1)));
    Writer zero = new Writer(blank(level(page) + 1, narrow, counts[0]));
    Writer one = new Writer(blank(level(page) + 1, narrow, counts[1]));
    int bucket = 0;
    for (int i = 0; i < BUCKETS + entries; i++) {
      if (!unary(page, i)) {
        zero.bucket(bucket);
        one.bucket(bucket);
        bucket++;
        continue;
      }
      long entry = slot(page, slots + (i - bucket) * width, width);
      if (entry == 1 || (entry & 1) == 0) {
        zero.entry(Math.max(1, entry >>> 1));
      }
      if ((entry & 1) != 0) {
        one.entry(Math.max(1, entry >>> 1));
      }
    }
    return new long[][] {zero.page, one.page};
  }

  /** Writes the entries of a page in their order. */
  private static final class Writer {
    private final long[] page;
    private final int width;
    private int unary = HEAD_WORDS << 6;
    private int slot;
    private int entries;

    Writer(long[] page) {
      this.page = page;
      this.width = width(page);
      this.slot = slotsAt(entries(page)) << 6;
    }

    void bucket(int number) {
      if ((number & GROUP_MASK) == 0) {
        int group = number >>> GROUP_BITS;
        page[1 + (group >>> 2)] |= (long) entries << (group << 4);
      }
      unary++;
    }

    void entry(long entry) {
      page[unary >>> 6] |= 1L << unary;
      setSlot(page, slot, width, entry);
      unary++;
      slot += width;
      entries++;
    }
  }

  /** The share of the hashes of this page that match an entry. */
  static double covered(long[] page) {
    int entries = entries(page);
    int width = width(page);
    int slots = slotsAt(entries) << 6;
    double sum = 0;
    int bucket = -1;
    for (int i = 0; i < BUCKETS + entries; ) {
      if (!unary(page, i)) {
        bucket++;
        i++;
        continue;
      }
      int from = i;
      while (i < BUCKETS + entries && unary(page, i)) {
        i++;
      }
      long[] run = new long[i - from];
      for (int j = 0; j < run.length; j++) {
        run[j] = slot(page, slots + (from + j - bucket - 1) * width, width);
      }
      sum += union(run);
    }
    return sum / BUCKETS;
  }

  /** The share of a bucket's hashes that match one of some entries. */
  private static double union(long[] run) {
    Arrays.sort(run); // short ones first
    double sum = 0;
    int kept = 0;
    for (long entry : run) {
      int i = kept - 1;
      while (i >= 0 && !matches(run[i], entry)) {
        i--;
      }
      if (i < 0) {
        run[kept++] = entry;
        sum += Math.scalb(1.0, Long.numberOfLeadingZeros(entry) - 63);
      }
    }
    return sum;
  }

  /** Whether a page of the right length is in a state that adds and removals can produce. */
  static boolean isSound(long[] page) {
    int entries = entries(page);
    int width = width(page);
    if (page[0] != header(level(page), width, entries) || width == 0 || unary(page, 0)) {
      return false;
    }
    int end = BUCKETS + entries;
    int bucket = 0;
    for (int i = 0; i < end; i++) {
      if (!unary(page, i)) {
        int group = bucket >>> GROUP_BITS;
        long before = (page[1 + (group >>> 2)] >>> (group << 4)) & MAX_ENTRIES;
        if ((bucket & GROUP_MASK) == 0 && before != i - bucket) {
          return false;
        }
        bucket++;
      }
    }
    return bucket == BUCKETS && slotsAreSound(page);
  }

  private static boolean slotsAreSound(long[] page) {
    int entries = entries(page);
    int width = width(page);
    int end = BUCKETS + entries;
    int slots = slotsAt(entries) << 6;
    boolean sound = page[HEAD_WORDS + (end >>> 6)] >>> end == 0;
    for (int i = 0; i < entries; i++) {
      long entry = slot(page, slots + i * width, width);
      sound &= entry != 0 && Long.numberOfLeadingZeros(entry) >= 63 - LOW_BITS + level(page);
    }
    int last = slots + entries * width;
    return sound && ((last & 63) == 0 || page[last >>> 6] >>> last == 0);
  }
}
