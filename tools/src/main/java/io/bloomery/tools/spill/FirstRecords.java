package io.bloomery.tools.spill;

import io.bloomery.tools.input.Bytes;
import io.bloomery.tools.input.KeySink;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Tells the first record with a key from repeated ones, exactly and in bounded memory. The answer
 * is immediate until the distinct keys fill the memory. From then on records wait for the end of
 * the input: those with unknown keys in a temporary file, partitioned by hash. The wanted ones are
 * then returned in the order of the input.
 */
public final class FirstRecords implements AutoCloseable {

  /** Which of the waiting records are returned. */
  public enum Wanted {
    /** The first one with each key. */
    FIRST,

    /** All but the first one with each key. */
    REPEATED,

    /** None; they are only counted. */
    NONE
  }

  // A waiting record is the hash of its key, where the key begins in it, the key's length, its own
  // number, its bytes, and the key unless it is a part of them. What is returned is sorted by the
  // number, in runs.

  private static final int PARTITIONS = 64;
  private static final int PARTITION_BITS = 6;
  private static final int HEADER = Long.BYTES + 2 * Integer.BYTES;
  private static final int ELSEWHERE = -1;

  private final Path directory;
  private final long memory;
  private final Wanted wanted;
  private final SortedRuns results;
  private final Bytes record = new Bytes();
  private final byte[] header = new byte[HEADER + Long.BYTES];
  private Level known = new Level(0);
  private boolean isRunOpen;
  private long waiting;
  private long firsts;
  private long mostBytes;
  private long spilled;

  /** Uses about {@code memory} bytes; the rest goes to the directory for temporary files. */
  public FirstRecords(long memory, Wanted wanted) {
    this(memory, wanted, SpillFile.directory());
  }

  /** Uses another directory for temporary files. */
  FirstRecords(long memory, Wanted wanted, Path directory) {
    this.directory = directory;
    this.memory = memory;
    this.wanted = wanted;
    this.results = new SortedRuns(directory, memory / 4);
  }

  /** Whether there is room for a new key of this length; once there is none, records wait. */
  public boolean hasRoom(int keyLength) {
    return known.hasRoom(keyLength);
  }

  /**
   * Adds a key while there is room, and says whether it is new.
   *
   * @param hash is by a function unknown to whoever chooses the keys
   */
  public boolean add(byte[] key, int offset, int length, long hash) {
    return known.add(key, offset, length, hash);
  }

  /**
   * Adds a record that waits, in {@code start…end-1}.
   *
   * @param keyStart where its key begins in the same array, in the record or elsewhere
   */
  public void addWaiting(byte[] bytes, int start, int end, int keyStart, int keyEnd, long hash) {
    boolean isWithin = keyStart >= start && keyEnd <= end;
    ByteBuffer.wrap(header)
        .putLong(hash)
        .putInt(isWithin ? keyStart - start : ELSEWHERE)
        .putInt(keyEnd - keyStart)
        .putLong(waiting++);
    record.clear();
    record.key(header, 0, header.length);
    record.key(bytes, start, end - start);
    if (!isWithin) {
      record.key(bytes, keyStart, keyEnd - keyStart);
    }
    known.take(record.array(), 0, record.length());
  }

  /** Adds a record that is returned whatever its key, in its turn. */
  public void addWanted(byte[] bytes, int start, int end) {
    ByteBuffer.wrap(header).putLong(waiting++);
    record.clear();
    record.key(header, 0, Long.BYTES);
    record.key(bytes, start, end - start);
    result(record.array(), 0, record.length());
  }

  /** Passes the wanted ones of the waiting records to the sink; nothing can be added afterwards. */
  public void finish(KeySink sink) {
    if (waiting == 0) {
      return;
    }
    Spill rest = known.end();
    known = new Level(0); // frees the keys
    decide(rest, 1);
    results.forEach(
        (bytes, offset, length, count, first) ->
            sink.key(bytes, offset + Long.BYTES, length - Long.BYTES));
  }

  /** The number of waiting records that were the first with their keys. */
  public long firsts() {
    return firsts;
  }

  /** The most memory that keys took, in bytes. */
  public long memoryBytes() {
    return Math.max(mostBytes, known.keys.bytes());
  }

  /** The number of bytes written to temporary files. */
  public long spilledBytes() {
    return spilled + results.writtenBytes();
  }

  /** Decides about all records of a spill, and closes it. */
  private void decide(@Nullable Spill records, int depth) {
    if (records == null) {
      return;
    }
    try (records) {
      spilled += records.fileBytes();
      for (int partition = 0; partition < PARTITIONS; partition++) {
        decide(load(records, partition, depth), depth + 1);
      }
    }
  }

  /** Decides about the records of a partition whose keys fit in memory, and returns the others. */
  private @Nullable Spill load(Spill records, int partition, int depth) {
    Level level = new Level(depth);
    records.read(partition, level::take);
    return level.end();
  }

  private void result(byte[] bytes, int offset, int length) {
    if (!isRunOpen) {
      results.begin();
      isRunOpen = true;
    }
    results.add(bytes, offset, length, 1, 0);
  }

  /** The keys that fit in memory, and the records whose keys do not. */
  private final class Level {
    private final int shift;
    private final KeyTable keys = new KeyTable();
    private boolean isFull;
    private @Nullable Spill rest;

    Level(int depth) {
      this.shift = Math.max(0, Long.SIZE - PARTITION_BITS * (depth + 1));
    }

    boolean hasRoom(int keyLength) {
      isFull = isFull || (keys.size() > 0 && keys.bytesToAdd() + keyLength > memory - memory / 4);
      return !isFull;
    }

    boolean add(byte[] key, int offset, int length, long hash) {
      if (keys.find(key, offset, length, hash) >= 0) {
        return false;
      }
      keys.addNew(key, offset, length, hash);
      return true;
    }

    /** Takes a waiting record. */
    void take(byte[] bytes, int offset, int length) {
      ByteBuffer fields = ByteBuffer.wrap(bytes, offset, length);
      long hash = fields.getLong();
      int keyAt = fields.getInt();
      int keyLength = fields.getInt();
      int start = offset + HEADER;
      int end = keyAt == ELSEWHERE ? offset + length - keyLength : offset + length;
      int keyStart = keyAt == ELSEWHERE ? end : start + Long.BYTES + keyAt;
      boolean isKnown = keys.find(bytes, keyStart, keyLength, hash) >= 0;
      if (!isKnown && !hasRoom(keyLength)) {
        rest().add((int) (hash >>> shift) & PARTITIONS - 1, bytes, offset, length);
        return;
      }
      if (!isKnown) {
        keys.addNew(bytes, keyStart, keyLength, hash);
        firsts++;
      }
      if (wanted == (isKnown ? Wanted.REPEATED : Wanted.FIRST)) {
        result(bytes, start, end - start);
      }
    }

    private Spill rest() {
      if (rest == null) {
        rest = new Spill(PARTITIONS, directory);
      }
      return rest;
    }

    /** Ends the run of results, and returns the records that are not decided; null if all are. */
    @Nullable Spill end() {
      mostBytes = Math.max(mostBytes, keys.bytes());
      if (isRunOpen) {
        results.finish();
        isRunOpen = false;
      }
      return rest;
    }

    void close() {
      if (rest != null) {
        rest.close();
      }
    }
  }

  @Override
  public void close() {
    try (results) {
      known.close();
    }
  }
}
