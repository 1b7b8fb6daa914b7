package io.bloomery.cli.join;

import io.bloomery.Writers;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.tools.input.KeyTaker;
import io.bloomery.tools.spill.KeyTable;
import io.bloomery.tools.spill.Rereading;
import io.bloomery.tools.spill.Spill;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The work of {@code bloom diff}: which distinct keys are only on the left, only on the right, or
 * on both sides.
 *
 * <p>If the distinct keys fit in memory, each side is read once. Otherwise both are read twice. The
 * first pass inserts each side's keys into one filter, and keys that were probably seen before into
 * a second one. In the second pass, a key that is not in the other side's filter and not a
 * repetition is settled at once: it is on this side only, and occurs once. All other keys go to a
 * temporary file, partitioned by hash, where equal keys of both sides end up in the same partition
 * and are compared byte by byte. The result is therefore exact; the filters only decide how much is
 * compared.
 */
final class DiffRun {

  /** Where a key is. */
  enum Side {
    /** On the left only. */
    LEFT(0),
    /** On the right only. */
    RIGHT(1),
    /** On both sides. */
    BOTH(2);

    private final int place;

    Side(int place) {
      this.place = place;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Receives the keys of the wanted sides. */
  @FunctionalInterface
  interface Output {
    /** A key and where it is. */
    void key(Side side, byte[] bytes, int offset, int length);
  }

  private static final int PARTITIONS = 64;
  private static final int PARTITION_BITS = 6;
  private static final int MOST_DEPTH = 8;
  private static final int BITS_PER_KEY = 12;
  private static final int BLOCK_BITS = 512;
  private static final long LEAST_BITS = 1 << 16;

  /** Files larger than the memory by this factor are not loaded into it. */
  private static final int HOPELESS = 8;

  private final Hasher hasher;
  private final long memory;
  private final Set<Side> wanted;
  private final Output output;
  private final boolean firstOnly;
  private final long[] counts = new long[Side.values().length];
  private boolean different;
  private long settled;
  private long verified;
  private long spilled;
  private boolean inMemory;

  /**
   * Finds the keys of the wanted sides.
   *
   * @param firstOnly whether it is enough to know that the sides differ
   */
  DiffRun(Hasher hasher, long memory, Set<Side> wanted, Output output, boolean firstOnly) {
    this.hasher = hasher;
    this.memory = memory;
    this.wanted = wanted;
    this.output = output;
    this.firstOnly = firstOnly;
  }

  /** Compares the two sides. */
  void run(Rereading left, Rereading right) {
    if (isTooLong(left, right) || !compareInMemory(left, right)) {
      compareByFilters(left, right);
    }
  }

  /** Whether the inputs are too long to try loading them into memory. */
  private boolean isTooLong(Rereading left, Rereading right) {
    return left.isFile() && right.isFile() && left.bytes() + right.bytes() > HOPELESS * memory;
  }

  private boolean compareInMemory(Rereading left, Rereading right) {
    InMemory table = new InMemory();
    if (!table.load(Side.LEFT, left) || !table.load(Side.RIGHT, right)) {
      return false;
    }
    inMemory = true;
    verified = left.keys() + right.keys();
    tell(table.keys);
    return true;
  }

  private void compareByFilters(Rereading left, Rereading right) {
    Half[] halves = {new Half(Side.LEFT, left), new Half(Side.RIGHT, right)};
    halves[0].readFirst();
    halves[1].readFirst();
    try (Spill spill = new Spill(2 * PARTITIONS)) {
      halves[0].readAgain(halves[1], spill);
      if (!isDone()) {
        halves[1].readAgain(halves[0], spill);
      }
      halves = null; // frees memory for the comparison
      for (int i = 0; i < PARTITIONS && !isDone(); i++) {
        verify(spill, i, 0);
      }
      spilled += spill.fileBytes();
    }
  }

  /** Whether all distinct keys fitted in memory. */
  boolean isInMemory() {
    return inMemory;
  }

  /** The number of distinct keys of a side; 0 for a single side that is not wanted. */
  long count(Side side) {
    return counts[side.place];
  }

  /**
   * Whether a wanted side has keys that the other lacks; if only common keys are wanted, whether
   * either side has.
   */
  boolean isDifferent() {
    return different;
  }

  /** The number of keys settled by the filters. */
  long settled() {
    return settled;
  }

  /** The number of keys compared. */
  long verified() {
    return verified;
  }

  /** The number of bytes written to temporary files. */
  long spilled() {
    return spilled;
  }

  private boolean isDone() {
    return firstOnly && different;
  }

  private void found(Side side, byte[] bytes, int offset, int length) {
    boolean isWanted = wanted.contains(side);
    different |= side != Side.BOTH && (isWanted || wanted.contains(Side.BOTH));
    counts[side.place] += isWanted || side == Side.BOTH ? 1 : 0;
    if (isWanted) {
      output.key(side, bytes, offset, length);
    }
  }

  private static int partition(long hash, int depth) {
    return (int) (hash >>> (Long.SIZE - PARTITION_BITS * (depth + 1))) & (PARTITIONS - 1);
  }

  /** The distinct keys of both sides, as long as they fit in memory. */
  private final class InMemory {
    private final KeyTable keys = new KeyTable();
    private boolean fits = true;

    /** Adds a side, the left one first; false if memory does not suffice. */
    boolean load(Side side, Rereading input) {
      long bit = 1L << side.place;
      boolean adds = side == Side.LEFT || wanted.contains(side);
      input.read(
          new KeyTaker() {
            @Override
            public void key(byte[] bytes, int offset, int length, long hash) {
              int index = fits ? keys.find(bytes, offset, length, hash) : -1;
              if (index >= 0) {
                keys.value(index, keys.value(index) | bit);
              } else if (fits && adds) {
                fits = keys.bytesToAdd() + length <= memory / 2;
                keys.value(keys.add(bytes, offset, length, hash), bit);
                different |= side == Side.RIGHT;
              } else if (fits && wanted.contains(Side.BOTH)) {
                different = true;
              }
            }

            @Override
            public boolean isDone() {
              return input.isFile() && (!fits || (firstOnly && different));
            }
          });
      return fits;
    }
  }

  /** One side of the comparison. */
  private final class Half {
    private final Side side;
    private final Rereading input;
    private final BlockedBloomFilter keys;
    private final BlockedBloomFilter repetitions;

    Half(Side side, Rereading input) {
      this.side = side;
      this.input = input;
      long most = memory / 4 * Byte.SIZE;
      // Lines of 4 bytes, or compressed lines of 20, get 16 bits each; longer ones get more.
      long bits =
          input.bytes() < 0 ? most : Math.max(LEAST_BITS, Math.min(4 * input.bytes(), most));
      this.keys = filter(bits);
      this.repetitions = filter(Math.max(LEAST_BITS, bits / 4));
    }

    private BlockedBloomFilter filter(long bits) {
      return BlockedBloomFilter.create(
          BlockShape.forBudget(bits / BITS_PER_KEY, bits, BLOCK_BITS), hasher, Writers.ONE);
    }

    void readFirst() {
      input.read(
          (bytes, offset, length, hash) -> {
            if (!keys.addHash(hash)) {
              repetitions.addHash(hash);
            }
          });
    }

    void readAgain(Half other, Spill spill) {
      input.again(
          new KeyTaker() {
            @Override
            public void key(byte[] bytes, int offset, int length, long hash) {
              if (other.keys.mightContainHash(hash)
                  || (wanted.contains(side) && repetitions.mightContainHash(hash))) {
                int partition = side.place * PARTITIONS + partition(hash, 0);
                spill.add(partition, bytes, offset, length);
                verified++;
              } else {
                settled++;
                found(side, bytes, offset, length);
              }
            }

            @Override
            public boolean isDone() {
              return DiffRun.this.isDone();
            }
          });
    }
  }

  private void verify(Spill spill, int partition, int depth) {
    KeyTable table = new KeyTable();
    if (load(spill, partition, table, depth) && load(spill, PARTITIONS + partition, table, depth)) {
      tell(table);
      return;
    }
    try (Spill finer = new Spill(2 * PARTITIONS)) {
      for (Side side : List.of(Side.LEFT, Side.RIGHT)) {
        int base = side.place * PARTITIONS;
        spill.read(
            base + partition,
            (bytes, offset, length) -> {
              long hash = hasher.hash(bytes, offset, length);
              finer.add(base + partition(hash, depth + 1), bytes, offset, length);
            });
      }
      for (int i = 0; i < PARTITIONS && !isDone(); i++) {
        verify(finer, i, depth + 1);
      }
      spilled += finer.fileBytes();
    }
  }

  /** Records the sides of all keys of a partition; false if they take too much memory. */
  private boolean load(Spill spill, int partition, KeyTable table, int depth) {
    long side = 1L << (partition / PARTITIONS);
    boolean[] fits = {true};
    spill.read(
        partition,
        (bytes, offset, length) -> {
          if (fits[0]) {
            int index = table.add(bytes, offset, length, hasher.hash(bytes, offset, length));
            table.value(index, table.value(index) | side);
            fits[0] = depth == MOST_DEPTH || table.bytes() <= memory / 2;
          }
        });
    return fits[0];
  }

  private void tell(KeyTable table) {
    for (int i = 0; i < table.size() && !isDone(); i++) {
      Side side =
          switch ((int) table.value(i)) {
            case 1 -> Side.LEFT;
            case 2 -> Side.RIGHT;
            default -> Side.BOTH;
          };
      table.key(i, (bytes, offset, length) -> found(side, bytes, offset, length));
    }
  }
}
