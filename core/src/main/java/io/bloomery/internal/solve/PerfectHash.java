package io.bloomery.internal.solve;

import io.bloomery.internal.bits.Packed;
import io.bloomery.internal.bits.Words;

/**
 * A minimal perfect hash: n keys have the distinct indexes 0…n-1. The algorithm is that of Botelho,
 * Pagh and Ziviani, "Simple and Space-Efficient Minimal Perfect Hash Functions", WADS 2007 (BDZ):
 * each key owns one of its three cells, found by peeling. Cells have labels 0…2, the sum of a key's
 * labels modulo 3 determines which cell it owns, and the number of owned cells before it is its
 * index. A cell that no key owns has label 3, which counts as 0 in sums.
 *
 * <p>Labels take 2 bits, 32 to a word. One count for each 8 words is the number of owned cells
 * before them; the rest is counted in the words.
 */
public final class PerfectHash {

  private static final int LABEL_BITS = 2;
  private static final int LABELS_LOG = 5; // 32 labels to a word
  private static final int BLOCK_LOG = 3; // 8 words to a count
  private static final int FREE = 3;
  private static final long EVEN = 0x5555555555555555L;

  private final CellLayout layout;
  private final Words labels;
  private final Words counts;
  private final long keys;
  private final long seed;

  /**
   * A hash in existing words.
   *
   * @param labels 2 bits for each cell
   * @param counts 32 bits for each 256 cells
   */
  public PerfectHash(CellLayout layout, Words labels, Words counts, long keys, long seed) {
    this.layout = layout;
    this.labels = labels;
    this.counts = counts;
    this.keys = keys;
    this.seed = seed;
  }

  /** Labels the cells of keys that were peeled in a layout of three cells per key. */
  public static PerfectHash of(CellLayout layout, DistinctKeys keys, Peeling peeling) {
    long cells = layout.cells();
    long seed = keys.trialSeed();
    Words labels = Words.allocate(Packed.wordsFor(cells, LABEL_BITS), false);
    for (long i = 0; i < cells; i++) {
      Packed.set(labels, LABEL_BITS, i, FREE);
    }
    for (int rank = 0; rank < keys.count(); rank++) {
      long mixed = CellLayout.remix(keys.hash(peeling.key(rank)), seed);
      // The own cell is still free and counts as 0.
      int others = sum(layout, labels, mixed);
      int choice = peeling.choice(rank);
      Packed.set(labels, LABEL_BITS, layout.at(mixed, choice), (choice + 3 - others) % 3);
    }
    return new PerfectHash(layout, labels, count(labels, cells), keys.count(), seed);
  }

  private static Words count(Words labels, long cells) {
    long blocks = (labels.length() + (1 << BLOCK_LOG) - 1) >>> BLOCK_LOG;
    Words counts = Words.allocate(Packed.wordsFor(blocks, Integer.SIZE), false);
    long owned = 0;
    for (long word = 0; word < labels.length(); word++) {
      if (beginsBlock(word)) {
        Packed.set(counts, Integer.SIZE, word >>> BLOCK_LOG, owned);
      }
      owned += owned(labels, cells, word);
    }
    return counts;
  }

  private static boolean beginsBlock(long word) {
    return (word & ((1 << BLOCK_LOG) - 1)) == 0;
  }

  /** How many cells of a word of labels are owned. */
  private static long owned(Words labels, long cells, long word) {
    long last = Math.min(cells - (word << LABELS_LOG), 1 << LABELS_LOG);
    return last - Long.bitCount(freeOf(labels.get(word)));
  }

  /** Whether as many cells are owned as there are keys, and the counts agree. */
  public boolean isSound() {
    long owned = 0;
    for (long word = 0; word < labels.length(); word++) {
      if (beginsBlock(word) && Packed.get(counts, Integer.SIZE, word >>> BLOCK_LOG) != owned) {
        return false;
      }
      owned += owned(labels, layout.cells(), word);
    }
    return owned == keys;
  }

  /** One bit for each label 3. */
  private static long freeOf(long word) {
    return word & (word >>> 1) & EVEN;
  }

  /** The labels of a key's cells, modulo 3; of three labels 0…3 at most 9. */
  private static int sum(CellLayout layout, Words labels, long mixed) {
    return (int)
            (Packed.get(labels, LABEL_BITS, layout.at(mixed, 0))
                + Packed.get(labels, LABEL_BITS, layout.at(mixed, 1))
                + Packed.get(labels, LABEL_BITS, layout.at(mixed, 2)))
        % 3;
  }

  /** The index of a key, 0…n-1; an arbitrary one for another key. There must be keys. */
  public long index(long hash) {
    long mixed = CellLayout.remix(hash, seed);
    long cell = layout.at(mixed, sum(layout, labels, mixed));
    long word = cell >>> LABELS_LOG;
    long first = word >>> BLOCK_LOG << BLOCK_LOG;
    long before = Packed.get(counts, Integer.SIZE, word >>> BLOCK_LOG);
    int free = 0;
    for (long i = first; i < word; i++) {
      free += Long.bitCount(freeOf(labels.get(i)));
    }
    free += Long.bitCount(freeOf(labels.get(word)) & ~(-1L << (cell << 1)));
    // Another key may hit a cell after the last owned one, and a file may hold anything.
    return Math.min(keys - 1, before + (cell - (first << LABELS_LOG)) - free);
  }

  /** 2 bits for each cell. */
  public Words labels() {
    return labels;
  }

  /** 32 bits for each 256 cells. */
  public Words counts() {
    return counts;
  }

  public long seed() {
    return seed;
  }
}
