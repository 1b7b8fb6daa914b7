package io.bloomery.deletable;

import io.bloomery.internal.bits.Words;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;

/**
 * A sorted multiset of fingerprints in a ring of slots. A fingerprint is a quotient, its canonical
 * slot, and a remainder, which is stored. The remainders of one quotient form a run, sorted; runs
 * lie in the order of their quotients, each as near to its canonical slot as the preceding runs
 * allow. So the contents determine every bit, regardless of insertion order.
 *
 * <p>Design. Three flags per slot: occupied (some fingerprint has this quotient), continuation (the
 * remainder here is not the first of its run) and shifted (it is not in its canonical slot). A
 * block of 64 slots is three words of flags and then the remainders, so that a query finds the
 * flags of most runs, and often the remainder, in one cache line, and walks over 64 slots with a
 * few instructions. An empty slot has no flag; one that is neither occupied nor shifted is empty.
 *
 * <p>Loops end after one round of the ring even if a file is corrupt.
 */
final class QuotientTable {

  private static final int OCCUPIED = 0;
  private static final int CONTINUATION = 1;
  private static final int SHIFTED = 2;
  private static final int FLAGS = 3;

  private final long slots;
  private final long blocks;
  private final int remainderBits;
  private final long remainderMask;
  private final int blockWords;
  private final Words words;

  QuotientTable(QuotientShape shape, Words words) {
    this.slots = shape.slots();
    this.blocks = slots / Long.SIZE;
    this.remainderBits = shape.remainderBits();
    this.remainderMask = (1L << remainderBits) - 1;
    this.blockWords = FLAGS + remainderBits;
    this.words = words;
  }

  /** An empty table. */
  static QuotientTable of(QuotientShape shape) {
    return new QuotientTable(shape, Words.allocate(shape.sizeInBits() / Long.SIZE, false));
  }

  Words words() {
    return words;
  }

  /** Whether a fingerprint is in the table. */
  boolean contains(long fingerprint) {
    long quotient = fingerprint >>> remainderBits;
    long flags = (quotient >>> 6) * blockWords;
    if (((words.get(flags) >>> quotient) & 1) == 0) {
      return false;
    }
    boolean shifted = ((words.get(flags + SHIFTED) >>> quotient) & 1) != 0;
    long wanted = fingerprint & remainderMask;
    long slot = lowerBound(shifted ? runStart(quotient) : quotient, wanted);
    return slot >= 0 && remainder(slot) == wanted;
  }

  /** Reads the first word that {@link #contains} needs, to bring it into the cache. */
  long touch(long fingerprint) {
    return words.get(((fingerprint >>> remainderBits) >>> 6) * blockWords);
  }

  /** The first slot of a run whose remainder is not below {@code wanted}, or -1. */
  private long lowerBound(long runStart, long wanted) {
    long slot = runStart;
    for (long left = slots; left > 0; left--) {
      if (remainder(slot) >= wanted) {
        return slot;
      }
      slot = next(slot);
      if (!flag(CONTINUATION, slot)) {
        return -1;
      }
    }
    return -1;
  }

  /**
   * Where the run of an occupied quotient begins, or would begin if it has no slot yet: goes left
   * to a slot that is not shifted, counts the occupied quotients up to this one, and goes right
   * over as many slots that are not continuations.
   */
  private long runStart(long quotient) {
    long block = quotient >>> 6;
    long upTo = -1L >>> ~quotient;
    long occupied = flags(OCCUPIED, block) & upTo;
    long inPlace = ~flags(SHIFTED, block) & upTo;
    long runs = 0;
    for (long left = blocks; inPlace == 0 && left > 0; left--) {
      runs += Long.bitCount(occupied);
      block = block == 0 ? blocks - 1 : block - 1;
      occupied = flags(OCCUPIED, block);
      inPlace = ~flags(SHIFTED, block);
    }
    long from = -1L << ~Long.numberOfLeadingZeros(inPlace);
    runs += Long.bitCount(occupied & from);
    long starts = ~flags(CONTINUATION, block) & from;
    for (long left = blocks; Long.bitCount(starts) < runs && left > 0; left--) {
      runs -= Long.bitCount(starts);
      block = block + 1 == blocks ? 0 : block + 1;
      starts = ~flags(CONTINUATION, block);
    }
    for (; runs > 1; runs--) {
      starts &= starts - 1;
    }
    return (block << 6) + (Long.numberOfTrailingZeros(starts) & 63);
  }

  /** How many copies of a fingerprint there are, counted up to a limit. */
  int copies(long fingerprint, int most) {
    long quotient = fingerprint >>> remainderBits;
    long wanted = fingerprint & remainderMask;
    if (!flag(OCCUPIED, quotient)) {
      return 0;
    }
    int found = 0;
    long slot = lowerBound(flag(SHIFTED, quotient) ? runStart(quotient) : quotient, wanted);
    while (slot >= 0 && found < most && remainder(slot) == wanted) {
      found++;
      slot = next(slot);
      slot = flag(CONTINUATION, slot) ? slot : -1;
    }
    return found;
  }

  /** Adds a copy of a fingerprint; at least one slot must be empty. */
  void insert(long fingerprint) {
    long quotient = fingerprint >>> remainderBits;
    long remainder = fingerprint & remainderMask;
    if (isEmpty(quotient)) {
      setFlag(OCCUPIED, quotient, true);
      setRemainder(quotient, remainder);
      return;
    }
    boolean hadRun = flag(OCCUPIED, quotient);
    setFlag(OCCUPIED, quotient, true);
    long start = runStart(quotient);
    long slot = start;
    if (hadRun) {
      do {
        if (remainder(slot) >= remainder) {
          break;
        }
        slot = next(slot);
      } while (flag(CONTINUATION, slot));
      // The current first remainder is about to move behind the new one.
      setFlag(CONTINUATION, start, slot == start);
    }
    openSlot(slot);
    setRemainder(slot, remainder);
    setFlag(CONTINUATION, slot, slot != start);
    setFlag(SHIFTED, slot, slot != quotient);
  }

  /** Shifts everything from a slot up to the next empty slot by one. */
  private void openSlot(long slot) {
    long to = firstEmpty(slot);
    while (to != slot) {
      long from = to == 0 ? slots - 1 : to - 1;
      setRemainder(to, remainder(from));
      setFlag(CONTINUATION, to, flag(CONTINUATION, from));
      setFlag(SHIFTED, to, true);
      to = from;
    }
  }

  private long firstEmpty(long slot) {
    long block = slot >>> 6;
    long empty = ~(flags(OCCUPIED, block) | flags(SHIFTED, block)) & (-1L << slot);
    while (empty == 0) {
      block = block + 1 == blocks ? 0 : block + 1;
      empty = ~(flags(OCCUPIED, block) | flags(SHIFTED, block));
    }
    return (block << 6) + Long.numberOfTrailingZeros(empty);
  }

  /** Removes one copy of a fingerprint; false if there is none. */
  boolean remove(long fingerprint) {
    long quotient = fingerprint >>> remainderBits;
    long wanted = fingerprint & remainderMask;
    if (!flag(OCCUPIED, quotient)) {
      return false;
    }
    long start = runStart(quotient);
    long slot = lowerBound(start, wanted);
    if (slot < 0 || remainder(slot) != wanted) {
      return false;
    }
    boolean hasMore = flag(CONTINUATION, next(slot));
    if (slot == start) {
      if (hasMore) {
        setFlag(CONTINUATION, next(slot), false);
      } else {
        setFlag(OCCUPIED, quotient, false);
      }
    }
    closeSlot(slot, quotient, slot == start && hasMore);
    return true;
  }

  /**
   * Moves the slots after a slot back by one, up to the first remainder in its canonical slot or
   * the first empty slot.
   *
   * @param quotient that of the run that the slot belonged to
   * @param begins whether the next slot now begins that run, instead of the next one
   */
  private void closeSlot(long slot, long quotient, boolean begins) {
    long run = quotient;
    boolean same = begins;
    long to = slot;
    long from = next(slot);
    while (flag(SHIFTED, from)) {
      boolean continues = flag(CONTINUATION, from);
      if (!continues && !same) {
        run = nextOccupied(run);
      }
      same = false;
      setRemainder(to, remainder(from));
      setFlag(CONTINUATION, to, continues);
      setFlag(SHIFTED, to, continues || run != to);
      to = from;
      from = next(from);
    }
    setRemainder(to, 0);
    setFlag(CONTINUATION, to, false);
    setFlag(SHIFTED, to, false);
  }

  /** The next quotient after this one, around the ring, that has a run. */
  private long nextOccupied(long quotient) {
    long block = quotient >>> 6;
    long occupied = flags(OCCUPIED, block) & (-2L << quotient);
    while (occupied == 0) {
      block = block + 1 == blocks ? 0 : block + 1;
      occupied = flags(OCCUPIED, block);
    }
    return (block << 6) + Long.numberOfTrailingZeros(occupied);
  }

  /** How many slots are taken. */
  long count() {
    long taken = 0;
    for (long block = 0; block < blocks; block++) {
      taken += Long.bitCount(flags(OCCUPIED, block) | flags(SHIFTED, block));
    }
    return taken;
  }

  /** All fingerprints in ascending order, copies one after another. */
  PrimitiveIterator.OfLong iterator() {
    return new FingerprintIterator();
  }

  private final class FingerprintIterator implements PrimitiveIterator.OfLong {
    private long block = -1;
    private long occupied;
    private long quotient;
    private long slot = -1;
    private long left = slots;

    @Override
    public boolean hasNext() {
      if (left == 0) {
        return false;
      }
      while (slot < 0) {
        while (occupied == 0) {
          if (block + 1 >= blocks) {
            return false;
          }
          occupied = flags(OCCUPIED, ++block);
        }
        quotient = (block << 6) + Long.numberOfTrailingZeros(occupied);
        occupied &= occupied - 1;
        slot = runStart(quotient);
      }
      return true;
    }

    @Override
    public long nextLong() {
      if (!hasNext()) {
        throw new NoSuchElementException("no more fingerprints");
      }
      long fingerprint = (quotient << remainderBits) | remainder(slot);
      long next = QuotientTable.this.next(slot);
      slot = flag(CONTINUATION, next) ? next : -1;
      left--;
      return fingerprint;
    }
  }

  /**
   * Whether a loaded table is one that insertions can produce, with at least one empty slot. Takes
   * one round.
   */
  boolean isSound() {
    long first = 0;
    while (first < slots && !isEmpty(first)) {
      first++;
    }
    if (first == slots) {
      return false;
    }
    long pending = 0; // occupied quotients before the current slot whose runs have not begun
    long run = first; // the quotient of the current run
    long slot = first;
    for (long i = 0; i < slots; i++, slot = next(slot)) {
      pending += flag(OCCUPIED, slot) ? 1 : 0;
      if (flag(CONTINUATION, slot)) {
        long before = slot == 0 ? slots - 1 : slot - 1;
        if (!flag(SHIFTED, slot) || isEmpty(before) || remainder(before) > remainder(slot)) {
          return false;
        }
      } else if (isEmpty(slot)) {
        if (pending != 0 || remainder(slot) != 0) {
          return false;
        }
      } else {
        if (pending-- == 0) {
          return false;
        }
        run = nextOccupied(run);
        if (flag(SHIFTED, slot) != (run != slot)) {
          return false;
        }
      }
    }
    return pending == 0;
  }

  private boolean isEmpty(long slot) {
    long flags = (slot >>> 6) * blockWords;
    return (((words.get(flags) | words.get(flags + SHIFTED)) >>> slot) & 1) == 0;
  }

  private long next(long slot) {
    return slot + 1 == slots ? 0 : slot + 1;
  }

  private long flags(int flag, long block) {
    return words.get(block * blockWords + flag);
  }

  private boolean flag(int flag, long slot) {
    return ((flags(flag, slot >>> 6) >>> slot) & 1) != 0;
  }

  private void setFlag(int flag, long slot, boolean value) {
    int at = Words.BASE + (int) ((slot >>> 6) * blockWords) + flag;
    long[] heap = words.writable();
    heap[at] = (heap[at] & ~(1L << slot)) | ((value ? 1L : 0L) << slot);
  }

  private long remainder(long slot) {
    int bit = (int) (slot & 63) * remainderBits;
    long at = (slot >>> 6) * blockWords + FLAGS + (bit >>> 6);
    long value = words.get(at) >>> bit;
    if ((bit & 63) + remainderBits > Long.SIZE) {
      value |= words.get(at + 1) << -bit;
    }
    return value & remainderMask;
  }

  private void setRemainder(long slot, long value) {
    int bit = (int) (slot & 63) * remainderBits;
    int at = Words.BASE + (int) ((slot >>> 6) * blockWords) + FLAGS + (bit >>> 6);
    long[] heap = words.writable();
    heap[at] = (heap[at] & ~(remainderMask << bit)) | (value << bit);
    if ((bit & 63) + remainderBits > Long.SIZE) {
      heap[at + 1] = (heap[at + 1] & ~(remainderMask >>> -bit)) | (value >>> -bit);
    }
  }
}
