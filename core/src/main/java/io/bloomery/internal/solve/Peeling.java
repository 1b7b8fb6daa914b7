package io.bloomery.internal.solve;

import io.bloomery.internal.bits.Packed;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.SegmentSizes;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The peeling solver: assigns one of its cells to every key, and an order to all keys, such that no
 * later key of the order reads the cell of an earlier one. So a table can be filled key by key:
 * whatever a key's other cells hold, its own cell is chosen so that the xor of all of them has the
 * right value.
 *
 * <p>A cell with a single key belongs to that key, which is then removed, which may leave other
 * cells with a single key, and so on until no key remains. If some remain, as always with equal
 * keys, the solver fails and another seed must be tried. Cells are tried in ascending order, so the
 * result depends only on the set of keys, not on their order or the number of threads.
 *
 * <p>Memory while peeling: 4 bytes for each cell and 4 for each key, besides the keys. A cell's
 * word holds the xor of its keys' numbers and, above it, their count. Long layouts of segments are
 * peeled from both ends, by two threads if allowed, and then in the middle.
 *
 * <p>Molloy 2005, "Cores in random hypergraphs and Boolean formulas"; Botelho, Pagh and Ziviani
 * 2007, "Simple and space-efficient minimal perfect hash functions"; Graf and Lemire 2020 and 2022.
 * Deviations: numbers of keys instead of hashes in the cells, which takes half of the memory, and a
 * short queue instead of one of all cells.
 */
public final class Peeling {

  /** The most keys that are solved at once. */
  public static final int MAX_KEYS = SegmentSizes.MAX_KEYS;

  private static final int[] NONE = {};
  private static final int KEY_BITS = 27;
  private static final int KEY_MASK = MAX_KEYS - 1;
  private static final int ONE = 1 << KEY_BITS;

  private final CellLayout layout;
  private final long[] keys;
  private final int count;

  /** Keys with their cells' numbers: the left half from 0, the right one downwards from the end. */
  private final int[] order;

  private int[] cells; // NONE when all is done
  private int leftEnd;
  private int rightEnd;

  private Peeling(CellLayout layout, long[] keys, int count) {
    this.layout = layout;
    this.keys = keys;
    this.count = count;
    this.cells = new int[layout.cells()];
    this.order = new int[count];
  }

  /**
   * Peels keys in any order.
   *
   * @param layout where the cells of keys lie
   * @param keys remixed hashes, all different (rows 0, 1, … for listed cells); kept, not changed
   * @param count how many keys, at most {@link #MAX_KEYS}
   * @return which cell each key owns, or null if these keys cannot be peeled
   */
  public static @Nullable Peeling peel(CellLayout layout, long[] keys, int count) {
    return peel(layout, keys, count, null, 1);
  }

  /**
   * Peels keys that are sorted by {@link CellLayout#group}, which takes a third of the time.
   *
   * @param starts where each group begins, and {@code count}; null if not sorted
   * @param threads 2 if two threads may work
   */
  public static @Nullable Peeling peel(
      CellLayout layout, long[] keys, int count, int @Nullable [] starts, int threads) {
    requireFew(count);
    Peeling peeling = new Peeling(layout, keys, count);
    boolean done = peeling.count(starts, threads) && peeling.remove(threads);
    peeling.cells = NONE;
    return done ? peeling : null;
  }

  /**
   * Peels in rounds, as Chazelle, Kilian, Rubinfeld and Tal 2004 ("The Bloomier filter", sec. 3.2)
   * do: each round removes all keys that are alone in some cell, and each of them owns the lowest
   * of its such cells. The keys of one round are filled in the order of their numbers.
   *
   * @return which cell each key owns, or null if these keys cannot be peeled
   */
  public static @Nullable Peeling peelInRounds(CellLayout layout, long[] keys, int count) {
    requireFew(count);
    Peeling peeling = new Peeling(layout, keys, count);
    boolean done = peeling.count(0, count) && peeling.removeInRounds();
    peeling.cells = NONE;
    return done ? peeling : null;
  }

  private static void requireFew(int count) {
    Arguments.inRange("keys", count, 0, MAX_KEYS);
  }

  private boolean removeInRounds() {
    BitSet removed = new BitSet(count);
    int end = 0;
    for (int cell = 0; cell < cells.length; cell++) {
      end = enlist(cell, removed, end);
    }
    for (int from = 0, to = end; from < to; from = to, to = end) {
      Arrays.sort(order, from, to);
      for (int i = from; i < to; i++) {
        order[i] |= lowestOwn(keys[order[i]]) << KEY_BITS;
      }
      for (int i = from; i < to; i++) {
        forget(order[i] & KEY_MASK);
      }
      for (int i = from; i < to; i++) {
        long hash = keys[order[i] & KEY_MASK];
        for (int j = 0; j < layout.arity(); j++) {
          end = enlist(layout.at(hash, j), removed, end);
        }
      }
      reverse(from, to);
    }
    leftEnd = end;
    rightEnd = count;
    return end == count;
  }

  /** Adds the key that is alone in a cell, if it exists and was not removed, to the order. */
  private int enlist(int cell, BitSet removed, int end) {
    int key = cells[cell] & KEY_MASK;
    if (cells[cell] >>> KEY_BITS != 1 || removed.get(key)) {
      return end;
    }
    removed.set(key);
    order[end] = key;
    return end + 1;
  }

  /** The lowest of its cells in which a key is alone. */
  private int lowestOwn(long hash) {
    int lowest = -1;
    for (int i = 0; i < layout.arity(); i++) {
      int cell = layout.at(hash, i);
      if (cells[cell] >>> KEY_BITS == 1 && (lowest < 0 || cell < layout.at(hash, lowest))) {
        lowest = i;
      }
    }
    return lowest;
  }

  private void forget(int key) {
    long hash = keys[key];
    for (int i = 0; i < layout.arity(); i++) {
      int cell = layout.at(hash, i);
      cells[cell] = (cells[cell] ^ key) - ONE;
    }
  }

  private void reverse(int from, int to) {
    for (int low = from, high = to - 1; low < high; low++, high--) {
      int entry = order[low];
      order[low] = order[high];
      order[high] = entry;
    }
  }

  private boolean count(int @Nullable [] starts, int threads) {
    int middle = layout.middle();
    if (starts == null || middle == layout.cells() || threads == 1) {
      return count(0, count);
    }
    int crossing = starts[layout.groupOfCell(leftLimit(middle))];
    int right = starts[layout.groupOfCell(middle)];
    boolean[] fits = new boolean[2];
    Pair.run(threads, () -> fits[0] = count(0, crossing), () -> fits[1] = count(right, count));
    return fits[0] && fits[1] && count(crossing, right);
  }

  /** Enters keys into their cells; false if one has more than 31, which never happens by chance. */
  private boolean count(int from, int to) {
    return layout.isSegmented() ? countSegments(from, to) : countAny(from, to);
  }

  private boolean countAny(int from, int to) {
    CellLayout where = layout;
    int[] all = cells;
    int arity = where.arity();
    boolean fits = true;
    for (int key = from; key < to; key++) {
      long hash = keys[key];
      for (int i = 0; i < arity; i++) {
        fits &= enter(all, where.at(hash, i), key);
      }
    }
    return fits;
  }

  private boolean countSegments(int from, int to) {
    long[] list = keys;
    int[] all = cells;
    int span = layout.span();
    int length = 1 << layout.segmentLog();
    int arity = layout.arity();
    boolean fits = true;
    for (int key = from; key < to; key++) {
      long hash = list[key];
      int first = CellLayout.group(hash, span);
      fits &= enter(all, first, key);
      fits &= enter(all, CellLayout.inSegment(hash, first, 1, length), key);
      if (arity >= 3) {
        fits &= enter(all, CellLayout.inSegment(hash, first, 2, length), key);
      }
      if (arity == 4) {
        fits &= enter(all, CellLayout.inSegment(hash, first, 3, length), key);
      }
    }
    return fits;
  }

  private static boolean enter(int[] all, int cell, int key) {
    int word = (all[cell] ^ key) + ONE;
    all[cell] = word;
    return word >>> KEY_BITS != 0;
  }

  /** Below this cell 0, all cells of a key lie left of the middle. */
  private int leftLimit(int middle) {
    return middle - layout.reach();
  }

  private boolean remove(int threads) {
    int middle = layout.middle();
    int end = layout.cells();
    if (middle == end) {
      leftEnd = remove(0, end, 0, end, 0, 1);
      rightEnd = count;
      return leftEnd == count;
    }
    int[] ends = new int[2];
    Pair.run(
        threads,
        () -> ends[0] = remove(0, middle, 0, leftLimit(middle), 0, 1),
        () -> ends[1] = remove(middle, end, middle, end, count - 1, -1) + 1);
    leftEnd = ends[0];
    rightEnd = ends[1];
    int reach = layout.reach();
    return remove(middle - reach, Math.min(end, middle + reach), 0, end, leftEnd, 1) == rightEnd;
  }

  /**
   * Removes all removable keys, starting from cells {@code from…to-1}, whose cell 0 is {@code
   * low…high-1}. Writes the order from {@code first} on and returns where it ended.
   */
  private int remove(int from, int to, int low, int high, int first, int step) {
    return new Remover(this, low, high, step).run(from, to, first);
  }

  /** One thread that removes keys. Cells that are left with one key wait in its queue. */
  private static final class Remover {

    private final CellLayout layout;
    private final long[] keys;
    private final int[] cells;
    private final int[] order;
    private final int low;
    private final int high;
    private final int step;
    private int[] waiting = new int[1 << 10];
    private int head;
    private int tail;

    Remover(Peeling peeling, int low, int high, int step) {
      this.layout = peeling.layout;
      this.keys = peeling.keys;
      this.cells = peeling.cells;
      this.order = peeling.order;
      this.low = low;
      this.high = high;
      this.step = step;
    }

    int run(int from, int to, int first) {
      boolean segmented = layout.isSegmented();
      int rank = first;
      for (int start = from; start < to; start++) {
        for (int cell = start; cell >= 0; cell = next()) {
          if (cells[cell] >>> KEY_BITS == 1) {
            rank = segmented ? takeSegments(cell, rank) : takeAny(cell, rank);
          }
        }
      }
      return rank;
    }

    private int next() {
      return head == tail ? -1 : waiting[head++ & (waiting.length - 1)];
    }

    /** Gives a cell to its only key and removes that from its cells. */
    private int takeAny(int cell, int rank) {
      int key = cells[cell] & KEY_MASK;
      long hash = keys[key];
      order[rank] = (layout.which(hash, cell) << KEY_BITS) | key;
      int arity = layout.arity();
      reserve(arity);
      for (int i = 0; i < arity; i++) {
        leave(layout.at(hash, i), key);
      }
      return rank + step;
    }

    private int takeSegments(int cell, int rank) {
      int key = cells[cell] & KEY_MASK;
      long hash = keys[key];
      int first = CellLayout.group(hash, layout.span());
      if (first < low || first >= high) {
        return rank;
      }
      int log = layout.segmentLog();
      int length = 1 << log;
      int arity = layout.arity();
      reserve(arity);
      order[rank] = (((cell >>> log) - (first >>> log)) << KEY_BITS) | key;
      leave(first, key);
      leave(CellLayout.inSegment(hash, first, 1, length), key);
      if (arity >= 3) {
        leave(CellLayout.inSegment(hash, first, 2, length), key);
      }
      if (arity == 4) {
        leave(CellLayout.inSegment(hash, first, 3, length), key);
      }
      return rank + step;
    }

    private void reserve(int more) {
      int waits = tail - head;
      if (waits + more > waiting.length) {
        int[] longer = new int[2 * waiting.length];
        for (int i = 0; i < waits; i++) {
          longer[i] = waiting[(head + i) & (waiting.length - 1)];
        }
        waiting = longer;
        head = 0;
        tail = waits;
      }
    }

    private void leave(int cell, int key) {
      int word = (cells[cell] ^ key) - ONE;
      cells[cell] = word;
      waiting[tail & (waiting.length - 1)] = cell;
      tail += word >>> KEY_BITS == 1 ? 1 : 0;
    }
  }

  /** How many keys there are. */
  public int size() {
    return count;
  }

  /** The index of the key that is number {@code rank} in the order of filling. */
  public int key(int rank) {
    return entry(rank) & KEY_MASK;
  }

  /** Which of its cells the key that is number {@code rank} in the order of filling owns. */
  public int choice(int rank) {
    return entry(rank) >>> KEY_BITS;
  }

  /** The cell that the key that is number {@code rank} in the order of filling owns. */
  public int cell(int rank) {
    int entry = entry(rank);
    return layout.at(keys[entry & KEY_MASK], entry >>> KEY_BITS);
  }

  /** First the middle, then the left half, both against the order of removal; then the right. */
  private int entry(int rank) {
    return order[rank < rightEnd ? rightEnd - 1 - rank : rank];
  }

  /**
   * Fills a table so that the xor of a key's cells is its {@link CellLayout#fingerprint}. Cells
   * that no key owns stay zero.
   *
   * @param table zeros
   * @param threads 2 if two threads may work
   */
  public void fill(FingerprintTable table, int threads) {
    int middle = rightEnd - leftEnd;
    fill(table, 0, middle);
    Pair.run(threads, () -> fill(table, middle, rightEnd), () -> fill(table, rightEnd, count));
  }

  private void fill(FingerprintTable table, int from, int to) {
    boolean segments = layout.isSegmented() && layout.arity() >= 3;
    for (int rank = from; rank < to; rank++) {
      int entry = entry(rank);
      long hash = keys[entry & KEY_MASK];
      if (segments) {
        fillSegments(table, hash, entry >>> KEY_BITS);
      } else {
        fillAny(table, hash, entry >>> KEY_BITS);
      }
    }
  }

  /** The own cell is still zero, so that it may be read with the others. */
  private void fillAny(FingerprintTable table, long hash, int choice) {
    long value = CellLayout.fingerprint(hash);
    for (int i = 0; i < layout.arity(); i++) {
      value ^= table.get(layout.at(hash, i));
    }
    table.put(layout.at(hash, choice), value);
  }

  private void fillSegments(FingerprintTable table, long hash, int choice) {
    int length = 1 << layout.segmentLog();
    int a = CellLayout.group(hash, layout.span());
    int b = CellLayout.inSegment(hash, a, 1, length);
    int c = CellLayout.inSegment(hash, a, 2, length);
    int d = CellLayout.inSegment(hash, a, 3, length);
    long found = layout.arity() == 3 ? table.xor(a, b, c) : table.xor(a, b, c, d);
    int own = choice < 2 ? (choice == 0 ? a : b) : (choice == 2 ? c : d);
    table.put(own, found ^ CellLayout.fingerprint(hash));
  }

  /**
   * Fills a table so that the xor of the cells of key i is number i of {@code values}.
   *
   * @param values {@link Packed} numbers of {@code width} bits, in the order of the keys
   * @param table zeros, as {@link Packed} numbers of {@code width} bits
   */
  public void fill(Words values, Words table, int width) {
    for (int rank = 0; rank < count; rank++) {
      int entry = entry(rank);
      int key = entry & KEY_MASK;
      long hash = keys[key];
      long value = Packed.get(values, width, key);
      for (int i = 0; i < layout.arity(); i++) {
        value ^= Packed.get(table, width, layout.at(hash, i));
      }
      Packed.set(table, width, layout.at(hash, entry >>> KEY_BITS), value);
    }
  }
}
