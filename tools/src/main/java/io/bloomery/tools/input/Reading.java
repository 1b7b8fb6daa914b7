package io.bloomery.tools.input;

import io.bloomery.foreign.KeyCoding;
import io.bloomery.foreign.TypedKeys;
import io.bloomery.hash.Hasher;
import io.bloomery.tools.problem.Problem;
import org.jspecify.annotations.Nullable;

/**
 * How input is read: its records, their hashes, and the threads and memory that go into it.
 *
 * @param splitter finds records and keys
 * @param hasher hashes the keys, or null if hashes are not needed
 * @param keepEmpty whether the empty key is a key
 * @param threads how many threads read, split, hash and prepare
 * @param blockBytes the size of a block, of which each thread has one
 * @param keys the type of the keys, which decides what is hashed
 * @param maxRecord the longest record, its end included
 */
public record Reading(
    Splitter splitter,
    @Nullable Hasher hasher,
    boolean keepEmpty,
    int threads,
    int blockBytes,
    TypedKeys keys,
    int maxRecord) {

  /** The longest record unless another limit is given. */
  public static final int MAX_RECORD = 1 << 24;

  /** Keys that are hashed as they are. */
  public static final TypedKeys PLAIN = KeyCoding.Standard.BYTES.as(TypedKeys.Type.TEXT);

  private static final int MOST_THREADS = 8;
  private static final int BLOCK_BYTES = 1 << 18;

  /** With a thread for each core. */
  public Reading(Splitter splitter, @Nullable Hasher hasher, boolean keepEmpty) {
    this(splitter, hasher, keepEmpty, defaultThreads());
  }

  /** With blocks of the usual size. */
  public Reading(Splitter splitter, @Nullable Hasher hasher, boolean keepEmpty, int threads) {
    this(splitter, hasher, keepEmpty, threads, BLOCK_BYTES);
  }

  /** With keys that are hashed as they are. */
  public Reading(
      Splitter splitter, @Nullable Hasher hasher, boolean keepEmpty, int threads, int blockBytes) {
    this(splitter, hasher, keepEmpty, threads, blockBytes, PLAIN, MAX_RECORD);
  }

  /** The same with keys of another type. */
  public Reading of(TypedKeys typed) {
    return new Reading(splitter, hasher, keepEmpty, threads, blockBytes, typed, maxRecord);
  }

  /** The same with another limit for records. */
  public Reading limited(int longest) {
    return new Reading(splitter, hasher, keepEmpty, threads, blockBytes, keys, longest);
  }

  /** A thread for each processor, up to 8. */
  public static int defaultThreads() {
    return Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors());
  }

  /** An empty block. */
  Block newBlock() {
    return new Block(blockBytes, keepEmpty, maxRecord);
  }

  /** Finds and hashes the keys of a block. */
  void split(Block block) {
    splitter.split(block);
    if (hasher != null) {
      byte[] bytes = block.bytes();
      int[] starts = block.keyStarts();
      int[] ends = block.keyEnds();
      long[] hashes = block.hashes();
      if (!keys.isText()) {
        hashTyped(block, hasher);
        return;
      }
      for (int i = 0; i < block.count(); i++) {
        hashes[i] = hasher.hash(bytes, starts[i], ends[i] - starts[i]);
      }
    }
  }

  private void hashTyped(Block block, Hasher present) {
    for (int i = 0; i < block.count(); i++) {
      int start = block.keyStarts()[i];
      try {
        block.hashes()[i] = keys.hash(present, block.bytes(), start, block.keyEnds()[i] - start);
      } catch (IllegalArgumentException e) {
        throw problem(block, i, e);
      }
    }
  }

  /** Names the input and the line of a key that is not a value of its type. */
  public static Problem problem(Block block, int key, IllegalArgumentException e) {
    return new Problem(block.place(block.starts()[key]) + ": " + e.getMessage());
  }
}
