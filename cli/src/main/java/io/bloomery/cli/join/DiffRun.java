package io.bloomery.cli.join;

import io.bloomery.Writers;
import io.bloomery.cli.input.KeyTaker;
import io.bloomery.cli.spill.KeyTable;
import io.bloomery.cli.spill.Rereading;
import io.bloomery.cli.spill.Spill;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BlockedBloomFilter;
import java.util.Locale;
import java.util.Set;

/**
 * The work of {@code bloom diff}: which different keys are only on the left, only on the right.
 *
 * <p>If the different keys fit in memory, each side is read once. Otherwise both are read twice.
 * The first time each fills a filter with its keys and another with those that were probably seen
 * before. The second time a key that the other side's filter lacks, and that is no repetition, is
 * settled at once: it is on this side only, and here for the only time. All others go to a
 * temporary file in partitions by their hashes, where equal keys of both sides meet and are
 * compared byte by byte. So the answer is exact; filters decide only how much is compared.
 */
final class DiffRun {

  /** Where a key is. */
  enum Side {
    LEFT(0),
    RIGHT(1);

    private final int place;

    Side(int place) {
      this.place = place;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Takes what is on one side only. */
  @FunctionalInterface
  interface Output {
    /** A key that is on this side only. */
    void key(Side side, byte[] bytes, int offset, int length);
  }

  private static final int PARTITIONS = 64;
  private static final int PARTITION_BITS = 6;
  private static final int MOST_DEPTH = 8;
  private static final int BITS_PER_KEY = 12;
  private static final int BLOCK_BITS = 512;
  private static final long LEAST_BITS = 1 << 16;

  /** Files that are so many times longer than the memory are not tried to be held in it. */
  private static final int HOPELESS = 8;

  private final Hasher hasher;
  private final long memory;
  private final Set<Side> wanted;
  private final Output output;
  private final boolean firstOnly;
  private final long[] only = new long[2];
  private long both;
  private long settled;
  private long verified;
  private long spilled;
  private boolean inMemory;

  /** Finds keys of the wanted sides, only the first one if {@code firstOnly}. */
  DiffRun(Hasher hasher, long memory, Set<Side> wanted, Output output, boolean firstOnly) {
    this.hasher = hasher;
    this.memory = memory;
    this.wanted = wanted;
    this.output = output;
    this.firstOnly = firstOnly;
  }

  /** Compares. */
  void run(Rereading left, Rereading right) {
    if (isTooLong(left, right) || !compareInMemory(left, right)) {
      compareByFilters(left, right);
    }
  }

  /** Whether reading them into memory is not worth a try. */
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
      halves = null; // makes room for what is to be compared
      for (int i = 0; i < PARTITIONS && !isDone(); i++) {
        verify(spill, i, 0);
      }
      spilled += spill.fileBytes();
    }
  }

  /** Whether all different keys fitted in memory. */
  boolean isInMemory() {
    return inMemory;
  }

  /** How many different keys are on one side only. */
  long only(Side side) {
    return only[side.place];
  }

  /** How many different keys are on both sides. */
  long both() {
    return both;
  }

  /** How many keys the filters decided about. */
  long settled() {
    return settled;
  }

  /** How many keys were compared. */
  long verified() {
    return verified;
  }

  /** How many bytes went to temporary files. */
  long spilled() {
    return spilled;
  }

  private boolean isDone() {
    return firstOnly && only[0] + only[1] > 0;
  }

  private void found(Side side, byte[] bytes, int offset, int length) {
    if (wanted.contains(side)) {
      only[side.place]++;
      output.key(side, bytes, offset, length);
    }
  }

  private static int partition(long hash, int depth) {
    return (int) (hash >>> (Long.SIZE - PARTITION_BITS * (depth + 1))) & (PARTITIONS - 1);
  }

  /** The different keys of both sides, as long as they fit. */
  private final class InMemory {
    private final KeyTable keys = new KeyTable();
    private boolean fits = true;
    private boolean different;

    /** Adds a side, the left one first; false if there is too little memory. */
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

  /** One side. */
  private final class Half {
    private final Side side;
    private final Rereading input;
    private final BlockedBloomFilter keys;
    private final BlockedBloomFilter repetitions;

    Half(Side side, Rereading input) {
      this.side = side;
      this.input = input;
      long most = memory / 4 * Byte.SIZE;
      // Lines of 4 bytes, or of 20 that were packed, have 16 bits each; longer ones more.
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
      for (Side side : Side.values()) {
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

  /** Notes the side of all keys of a partition; false if they take too much memory. */
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
      long sides = table.value(i);
      if (sides == 3) {
        both++;
      } else {
        Side side = sides == 1 ? Side.LEFT : Side.RIGHT;
        table.key(i, (bytes, offset, length) -> found(side, bytes, offset, length));
      }
    }
  }
}
