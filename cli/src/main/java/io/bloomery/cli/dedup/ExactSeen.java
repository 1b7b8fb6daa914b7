package io.bloomery.cli.dedup;

import io.bloomery.cli.console.Problem;
import io.bloomery.cli.input.Block;
import io.bloomery.cli.report.Text;
import io.bloomery.cli.spill.KeySpill;
import io.bloomery.growing.ScalableBloomFilter;
import io.bloomery.hash.Hasher;
import java.nio.file.Path;

/**
 * Remembers keys exactly: a filter knows most new keys for certain; what it takes for repeated is
 * looked for, byte by byte, among the keys in a temporary file. Memory is the filter's and about 11
 * bytes per key for the places in the file.
 */
final class ExactSeen implements Seen {

  // An open-addressing table with linear probing. A slot is 0 if free, otherwise 24 bits of the
  // hash above 40 bits of the key's place, counted in units of 8 bytes from 1. The file holds the
  // hashes for the day when the table must grow.

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
   * @param rate how many new keys the filter suspects; it decides the time, not the result
   * @param directory where the temporary file lies
   */
  ExactSeen(long expectedKeys, double rate, Hasher hasher, Path directory) {
    this(expectedKeys, rate, hasher, new KeySpill(directory));
  }

  /** Remembers keys in a given spill. */
  ExactSeen(long expectedKeys, double rate, Hasher hasher, KeySpill spill) {
    this.filter = FilterSeen.growing(expectedKeys, rate, hasher);
    this.spill = spill;
    double wanted = Math.max(LEAST_SLOTS, expectedKeys / FULL + 1);
    this.slots = new long[(int) Math.min(wanted, MOST_SLOTS)];
  }

  /** How many keys were looked for in the file. */
  long suspected() {
    return suspected;
  }

  /** How many of these were new after all: the filter alone would have lost them. */
  long rescued() {
    return rescued;
  }

  /** How many bytes the temporary file takes. */
  long spillBytes() {
    return spill.bytes();
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

  /** From the upper bits of the hash; {@link #tag} has the lowest. */
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
      throw new Problem("--exact: more than " + Text.count(keys) + " different lines");
    }
    slots = null; // the old ones are not needed to make the new
    slots = new long[(int) Math.min(2 * keys / FULL, MOST_SLOTS)];
    spill.forEach(this::put);
  }

  @Override
  public double expectedLoss() {
    return 0;
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
