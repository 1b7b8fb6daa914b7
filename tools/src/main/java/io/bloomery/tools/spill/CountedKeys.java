package io.bloomery.tools.spill;

import io.bloomery.hash.Hasher;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Exact counts per key in bounded memory. Keys that do not fit go to a temporary file in sorted
 * runs, which are merged when they are read.
 */
public final class CountedKeys implements AutoCloseable {

  /** The order in which keys are returned. */
  public enum Order {
    /** By their bytes, as unsigned numbers. */
    KEY,

    /** Highest counts first, keys with equal counts by their bytes. */
    COUNT,

    /** By first occurrence. */
    FIRST;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Receives keys with their counts. */
  @FunctionalInterface
  public interface Visitor {
    /** A key; the array is reused afterwards. */
    void visit(byte[] bytes, int offset, int length, long count);
  }

  private static final int RUN_SHIFT = 32;

  private final Path directory;
  private final long memory;
  private final Hasher hasher;
  private final SortedRuns runs;
  private KeyTable table = new KeyTable();
  private long firsts; // the run number of the table, in the high half of its keys' firsts
  private long spilled;

  /**
   * Uses about {@code memory} bytes; the rest goes to the directory for temporary files.
   *
   * @param hasher hashes the keys; it should be unknown to anyone who chooses the keys
   */
  public CountedKeys(long memory, Hasher hasher) {
    this(memory, hasher, SpillFile.directory());
  }

  /** Uses another directory for temporary files. */
  CountedKeys(long memory, Hasher hasher, Path directory) {
    this.memory = memory;
    this.hasher = hasher;
    this.directory = directory;
    this.runs = new SortedRuns(directory, memory / 4);
  }

  /** Adds {@code times} to the count of a key; {@code hash} is by the hasher. */
  public void add(byte[] bytes, int offset, int length, long hash, long times) {
    int index = table.find(bytes, offset, length, hash);
    if (index < 0) {
      if (table.size() > 0 && takes(length) > memory) {
        spill();
      }
      index = table.addNew(bytes, offset, length, hash);
    }
    table.value(index, table.value(index) + times);
  }

  private long takes(int length) {
    return table.bytesToAdd() + length + (long) KeySort.ENTRY_BYTES * (table.size() + 1);
  }

  private void spill() {
    runs.begin();
    for (int index : KeySort.byKey(table)) {
      long count = table.value(index);
      long first = firsts << RUN_SHIFT | index;
      table.key(index, (bytes, offset, length) -> runs.add(bytes, offset, length, count, first));
    }
    runs.finish();
    table = new KeyTable();
    firsts++;
  }

  /** The number of bytes written to temporary files. */
  public long spilledBytes() {
    return spilled + runs.writtenBytes();
  }

  /** Passes each key once to the visitor; no keys can be added afterwards. */
  public void forEach(Order order, Visitor visitor) {
    if (runs.count() == 0) {
      inMemory(order, visitor);
      return;
    }
    spill();
    if (order == Order.KEY) {
      runs.forEach(
          (bytes, offset, length, count, first) -> visitor.visit(bytes, offset, length, count));
      return;
    }
    sortAgain(order, visitor);
  }

  private void inMemory(Order order, Visitor visitor) {
    for (int index : table.ordered(order)) {
      long count = table.value(index);
      table.key(index, (bytes, offset, length) -> visitor.visit(bytes, offset, length, count));
    }
  }

  /** Sorts in another order, by prefixing each key with a number. */
  private void sortAgain(Order order, Visitor visitor) {
    try (CountedKeys again = new CountedKeys(memory / 2, hasher, directory)) {
      byte[][] room = {new byte[256]};
      runs.forEach(
          (bytes, offset, length, count, first) -> {
            int needed = Long.BYTES + length;
            if (room[0].length < needed) {
              room[0] = new byte[Math.max(needed, 2 * room[0].length)];
            }
            long number = order == Order.FIRST ? first : Long.MAX_VALUE - count;
            ByteBuffer.wrap(room[0]).putLong(number).put(bytes, offset, length);
            again.add(room[0], 0, needed, hasher.hash(room[0], 0, needed), count);
          });
      again.forEach(
          Order.KEY,
          (bytes, offset, length, count) ->
              visitor.visit(bytes, offset + Long.BYTES, length - Long.BYTES, count));
      spilled += again.spilledBytes();
    }
  }

  @Override
  public void close() {
    runs.close();
  }
}
