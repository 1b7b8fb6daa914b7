package io.bloomery.cli.dedup;

import io.bloomery.growing.ScalableBloomFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.tools.input.Block;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import io.bloomery.tools.spill.KeySpill;
import java.nio.file.Path;

/**
 * Remembers keys exactly. A filter recognizes most new keys with certainty; a key that it reports
 * as seen is looked up, byte by byte, among the keys in a temporary file. Memory: the filter, and
 * about 11 bytes per key for positions in the file.
 */
final class ExactSeen implements Seen {

  // An open-addressing table with linear probing. A slot is 0 if free, otherwise 24 bits of the
  // hash above 40 bits of the key's position, counted in units of 8 bytes from 1. The file also
  // stores the hashes, which are needed when the table grows.

  private static final int PLACE_BITS = 40;
  private static final long PLACES = (1L << PLACE_BITS) - 1;
  private static final double FULL = 0.75;
  private static final int MOST_SLOTS = Integer.MAX_VALUE - 8;
  private static final int LEAST_SLOTS = 1 << 12;

  private final ScalableBloomFilter filter;
  private final KeySpill spill;
  private long[] slots;
  private long keys;
  private long suspected;
  private long rescued;

  /**
   * Remembers about {@code expectedKeys} keys without growing.
   *
   * @param rate the filter's false-positive rate; it affects the time, not the result
   * @param directory the directory of the temporary file
   */
  ExactSeen(long expectedKeys, double rate, Hasher hasher, Path directory) {
    this(expectedKeys, rate, hasher, new KeySpill(directory));
  }

  /** Remembers keys in the given spill file. */
  ExactSeen(long expectedKeys, double rate, Hasher hasher, KeySpill spill) {
    this.filter = FilterSeen.growing(expectedKeys, rate, hasher);
    this.spill = spill;
    double wanted = Math.max(LEAST_SLOTS, expectedKeys / FULL + 1);
    this.slots = new long[(int) Math.min(wanted, MOST_SLOTS)];
  }

  /** The number of keys looked up in the file. */
  long suspected() {
    return suspected;
  }

  /** The number of these that were new: the filter alone would have lost them. */
  long rescued() {
    return rescued;
  }

  @Override
  public void prepare(Block block) {
    filter.mightContainHashes(block.hashes(), 0, block.count(), block.marks());
  }

  @Override
  public boolean add(Block block, int key) {
    long hash = block.hashes()[key];
    byte[] bytes = block.bytes();
    int start = block.keyStarts()[key];
    int length = block.keyEnds()[key] - start;
    if (block.isMarked(key) || !filter.addHash(hash)) {
      suspected++;
      if (isPresent(hash, bytes, start, length)) {
        return false;
      }
      rescued++;
    }
    if (keys >= slots.length * FULL) {
      grow();
    }
    put(hash, spill.append(hash, bytes, start, length));
    keys++;
    return true;
  }

  private boolean isPresent(long hash, byte[] bytes, int start, int length) {
    long tag = tag(hash);
    for (int i = home(hash); slots[i] != 0; i = next(i)) {
      if ((slots[i] & ~PLACES) == tag) {
        long place = ((slots[i] & PLACES) - 1) * Long.BYTES;
        if (spill.isAt(place, bytes, start, length)) {
          return true;
        }
      }
    }
    return false;
  }

  private void put(long hash, long place) {
    long unit = place / Long.BYTES + 1;
    if (unit > PLACES) {
      throw new Problem("--exact: the temporary file would be larger than 8 TiB");
    }
    int i = home(hash);
    while (slots[i] != 0) {
      i = next(i);
    }
    slots[i] = tag(hash) | unit;
  }

  /** The home slot, from the upper bits of the hash; {@link #tag} uses the lowest. */
  private int home(long hash) {
    return (int) (((hash >>> Integer.SIZE) * slots.length) >>> Integer.SIZE);
  }

  private static long tag(long hash) {
    return hash << PLACE_BITS;
  }

  private int next(int slot) {
    return slot + 1 == slots.length ? 0 : slot + 1;
  }

  private void grow() {
    if (slots.length == MOST_SLOTS) {
      throw new Problem("--exact: more than " + Text.count(keys) + " distinct lines");
    }
    slots = new long[0]; // frees the old table first; the new one is filled from the file
    slots = new long[(int) Math.min(2 * keys / FULL, MOST_SLOTS)];
    spill.forEach(this::put);
  }

  @Override
  public void rows(Report report, double promised) {
    report
        .row("rechecked", Text.count(suspected) + " probable repetitions")
        .row("rescued", Text.count(rescued) + " of these, which are new")
        .row("expected loss", "none: every repetition was found in the temporary file")
        .row("temporary file", Text.bytes(spill.bytes()));
  }

  @Override
  public void values(Report report) {
    report
        .value("exact", true)
        .value("expectedLoss", 0.0)
        .value("recheckedLines", suspected)
        .value("rescuedLines", rescued)
        .value("temporaryBytes", spill.bytes());
  }

  @Override
  public long memoryBytes() {
    return filter.sizeInBits() / Byte.SIZE + (long) slots.length * Long.BYTES;
  }

  @Override
  public void close() {
    spill.close();
  }
}
