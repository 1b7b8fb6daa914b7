package io.bloomery.cli.check;

import io.bloomery.Filter;
import io.bloomery.Writers;
import io.bloomery.foreign.TypedKeys;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.tools.input.Block;
import io.bloomery.tools.input.Bytes;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.spill.KeyTable;
import io.bloomery.tools.spill.RunHash;
import io.bloomery.tools.spill.Spill;

/**
 * Compares the keys that a filter found with the file of keys that the filter was built from. Both
 * are written to temporary files, partitioned by hash, except for keys of the file that a second
 * filter, of the keys found, rules out. Equal keys end up in the same partition and are compared
 * byte by byte, so the result is exact; memory is bounded whatever the inputs are.
 */
final class Confirmation implements AutoCloseable {

  private static final int PARTITIONS = 64;
  private static final int PARTITION_SHIFT = Long.SIZE - 6;
  private static final int BITS_PER_KEY = 12;
  private static final int BLOCK_BITS = 512;
  private static final long LEAST_BITS = 1 << 16;

  private final Filter filter;
  private final TypedKeys keys;
  private final long memory;
  private final Hasher hasher = RunHash.hasher();
  private final BlockedBloomFilter found;
  private final Spill candidates = new Spill(PARTITIONS); // number, then key
  private final Spill original = new Spill(PARTITIONS);
  private final Bytes record = new Bytes();
  private long numbered;

  /**
   * Confirms the answers of a filter.
   *
   * @param memory the memory for comparisons, in bytes
   * @param bytes the total length of the keys to look up, -1 if unknown
   */
  Confirmation(Filter filter, TypedKeys keys, long memory, long bytes) {
    this.filter = filter;
    this.keys = keys;
    this.memory = memory;
    long most = memory / 4 * Byte.SIZE;
    long bits = bytes < 0 ? most : Math.max(LEAST_BITS, Math.min(4 * bytes, most));
    this.found =
        BlockedBloomFilter.create(
            BlockShape.forBudget(bits / BITS_PER_KEY, bits, BLOCK_BITS), hasher, Writers.ONE);
  }

  /** The value of a key as the filter sees it: equal values are one key. */
  private byte[] value(byte[] bytes, int offset, int length) {
    return keys.bytes(bytes, offset, length);
  }

  /** Looks up a key, and remembers it if it is found. */
  void ask(byte[] key) {
    if (keys.mightContain(filter, key, 0, key.length)) {
      remember(key, 0, key.length);
    }
  }

  private void remember(byte[] bytes, int offset, int length) {
    byte[] value = value(bytes, offset, length);
    long hash = hasher.hash(value);
    found.addHash(hash);
    record.clear();
    record.addInt((int) numbered);
    record.addInt((int) (numbered >>> Integer.SIZE));
    record.key(value, 0, value.length);
    candidates.add((int) (hash >>> PARTITION_SHIFT), record.array(), 0, record.length());
    numbered++;
  }

  /** Looks up all keys of the input, and remembers those that are found. */
  void ask(KeyInput input, Reading reading) {
    input.read(
        reading,
        new Lookup(filter, reading) {
          @Override
          public boolean take(Block block) {
            super.take(block);
            for (int i = 0; i < block.count(); i++) {
              if (block.isMarked(i)) {
                int start = block.keyStarts()[i];
                remember(block.bytes(), start, block.keyEnds()[i] - start);
              }
            }
            return true;
          }
        },
        bytes -> {});
  }

  /**
   * Reads the file that the filter was built from and finds the remembered keys that it lacks.
   *
   * @throws io.bloomery.tools.problem.Problem if the filter lacks a key of the file
   */
  FalsePositives compare(KeyInput file, Reading reading, String filterName) {
    file.read(
        reading,
        new Lookup(filter, reading) {
          @Override
          public boolean take(Block block) {
            super.take(block);
            for (int i = 0; i < block.count(); i++) {
              int start = block.keyStarts()[i];
              int length = block.keyEnds()[i] - start;
              if (!block.isMarked(i)) {
                throw Reading.problem(block, i, missing(block.bytes(), start, length, filterName));
              }
              byte[] value = value(block.bytes(), start, length);
              long hash = hasher.hash(value);
              if (found.mightContainHash(hash)) {
                original.add((int) (hash >>> PARTITION_SHIFT), value, 0, value.length);
              }
            }
            return true;
          }
        },
        bytes -> {});
    FalsePositives wrong =
        new FalsePositives((int) Math.max(1 << 10, Math.min(1 << 20, memory / 32)));
    for (int i = 0; i < PARTITIONS; i++) {
      compare(i, wrong);
    }
    wrong.sort();
    return wrong;
  }

  private static IllegalArgumentException missing(
      byte[] bytes, int start, int length, String filterName) {
    return new IllegalArgumentException(
        "\"%s\" is certainly absent from %s, which was built from other keys"
            .formatted(Octets.text(bytes, start, length), filterName));
  }

  /** Compares a partition, with as many distinct keys at a time as fit in memory. */
  private void compare(int partition, FalsePositives wrong) {
    long[] done = {0};
    long[] read = {0};
    do {
      KeyTable table = new KeyTable();
      long from = done[0];
      read[0] = 0;
      candidates.read(
          partition,
          (bytes, offset, length) -> {
            if (read[0]++ == done[0]
                && (table.size() == 0 || table.bytesToAdd() + length <= memory / 2)) {
              int start = offset + Long.BYTES;
              int size = length - Long.BYTES;
              table.add(bytes, start, size, hasher.hash(bytes, start, size));
              done[0]++;
            }
          });
      original.read(
          partition,
          (bytes, offset, length) -> {
            int index = table.find(bytes, offset, length, hasher.hash(bytes, offset, length));
            if (index >= 0) {
              table.value(index, 1);
            }
          });
      read[0] = 0;
      candidates.read(
          partition,
          (bytes, offset, length) -> {
            long at = read[0]++;
            if (at >= from && at < done[0]) {
              int start = offset + Long.BYTES;
              int size = length - Long.BYTES;
              int index = table.find(bytes, start, size, hasher.hash(bytes, start, size));
              if (table.value(index) == 0) {
                wrong.add(number(bytes, offset));
              }
            }
          });
    } while (done[0] < read[0]);
  }

  private static long number(byte[] bytes, int offset) {
    long low = Integer.toUnsignedLong(Bytes.readInt(bytes, offset));
    long high = Bytes.readInt(bytes, offset + Integer.BYTES);
    return low | (high << Integer.SIZE);
  }

  @Override
  public void close() {
    candidates.close();
    original.close();
  }
}
