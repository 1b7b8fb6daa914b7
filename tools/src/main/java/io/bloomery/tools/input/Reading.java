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
 * @param emptyKeys the treatment of records whose key is empty
 * @param threads how many threads read, split, hash and prepare
 * @param blockBytes the size of a block, of which each thread has one
 * @param keys the type of the keys, which decides what is hashed
 * @param maxRecord the longest record, its end included
 * @param isLimitChosen whether the user can allow longer ones by {@code --max-record}
 * @param badRows the treatment of rows that cannot be read
 * @param form the form in which keys are compared
 */
public record Reading(
    Splitter splitter,
    @Nullable Hasher hasher,
    EmptyKeys emptyKeys,
    int threads,
    int blockBytes,
    TypedKeys keys,
    int maxRecord,
    boolean isLimitChosen,
    BadRows badRows,
    KeyForm form) {

  /** The longest record unless another limit is given. */
  public static final int MAX_RECORD = 1 << 24;

  /** Keys that are hashed as they are. */
  public static final TypedKeys PLAIN = KeyCoding.Standard.BYTES.as(TypedKeys.Type.TEXT);

  private static final int MOST_THREADS = 8;
  private static final int BLOCK_BYTES = 1 << 18;
  private static final long HEAP_PER_THREAD = 15L << 20;

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
    this(
        splitter,
        hasher,
        keepEmpty ? EmptyKeys.KEEP : EmptyKeys.SKIP,
        threads,
        blockBytes,
        PLAIN,
        MAX_RECORD,
        false,
        BadRows.fail(),
        KeyForm.AS_IT_IS);
  }

  /** The same with keys of another type. */
  public Reading of(TypedKeys typed) {
    return with(splitter, hasher, emptyKeys, typed, badRows);
  }

  /** The same with another limit for records, which no option changes. */
  public Reading limited(int longest) {
    return limited(longest, false);
  }

  /** The same with the limit of {@code --max-record}, which messages then name. */
  public Reading limitedByOption(int longest) {
    return limited(longest, true);
  }

  private Reading limited(int longest, boolean isChosen) {
    return new Reading(
        splitter, hasher, emptyKeys, threads, blockBytes, keys, longest, isChosen, badRows, form);
  }

  /** The same with other records and hashes, or none. */
  public Reading of(Splitter other, @Nullable Hasher otherHasher) {
    return with(other, otherHasher, emptyKeys, keys, badRows);
  }

  /**
   * A copy whose blocks also contain the records of empty keys, unless the empty key counts as a
   * key.
   */
  public Reading listingEmpty() {
    EmptyKeys listed = emptyKeys == EmptyKeys.SKIP ? EmptyKeys.LIST : emptyKeys;
    return with(splitter, hasher, listed, keys, badRows);
  }

  /** The same for an input with this treatment of bad rows. */
  public Reading withBadRows(BadRows rows) {
    return with(splitter, hasher, emptyKeys, keys, rows);
  }

  /** The same for a pass whose bad rows another pass counts. */
  public Reading unnoticed() {
    return badRows.fails() ? this : withBadRows(BadRows.known());
  }

  /** The same with keys in another form. */
  public Reading in(KeyForm other) {
    return new Reading(
        splitter,
        hasher,
        emptyKeys,
        threads,
        blockBytes,
        keys,
        maxRecord,
        isLimitChosen,
        badRows,
        other);
  }

  private Reading with(
      Splitter other,
      @Nullable Hasher otherHasher,
      EmptyKeys empty,
      TypedKeys typed,
      BadRows rows) {
    return new Reading(
        other,
        otherHasher,
        empty,
        threads,
        blockBytes,
        typed,
        maxRecord,
        isLimitChosen,
        rows,
        form);
  }

  /** A thread for each processor, up to 8. */
  public static int defaultThreads() {
    Runtime here = Runtime.getRuntime();
    long fit = Math.max(1, here.maxMemory() / HEAP_PER_THREAD);
    return (int) Math.min(fit, Math.min(MOST_THREADS, here.availableProcessors()));
  }

  /** An empty block. */
  Block newBlock() {
    return new Block(blockBytes, emptyKeys, maxRecord, isLimitChosen, !badRows.fails(), form);
  }

  /** Finds and hashes the keys of a block. */
  void split(Block block) {
    splitter.split(block);
    boolean rows = splitter.areRows(block);
    if (!form.isAsItIs() && !rows) {
      form.apply(block);
    }
    if (!keys.isText()) {
      if (rows) {
        throw new Problem(
            "keys of several values are rows of text; a type other than text is for keys of one");
      }
      hashTyped(block);
    } else if (hasher != null) {
      byte[] bytes = block.bytes();
      int[] starts = block.keyStarts();
      int[] ends = block.keyEnds();
      long[] hashes = block.hashes();
      for (int i = 0; i < block.count(); i++) {
        hashes[i] = hasher.hash(bytes, starts[i], ends[i] - starts[i]);
      }
    }
    splitter.arrange(block);
  }

  /**
   * Detects keys that are not values of their type even where nothing is hashed, unless the first
   * one ends the command anyway.
   */
  private void hashTyped(Block block) {
    if (hasher == null && badRows.fails()) {
      return;
    }
    block.retain(
        i -> {
          int start = block.keyStarts()[i];
          int length = block.keyEnds()[i] - start;
          if (length == 0 && emptyKeys == EmptyKeys.LIST) {
            return true;
          }
          try {
            if (hasher == null) {
              keys.bytes(block.bytes(), start, length);
            } else {
              block.hashes()[i] = keys.hash(hasher, block.bytes(), start, length);
            }
            return true;
          } catch (IllegalArgumentException e) {
            block.addBad(
                block.starts()[i],
                block.ends()[i],
                () -> String.valueOf(problem(block, i, e).getMessage()));
            return false;
          }
        });
  }

  /** Names the input and the line of a key that is not a value of its type. */
  public static Problem problem(Block block, int key, IllegalArgumentException e) {
    return new Problem(block.place(block.starts()[key]) + ": " + e.getMessage());
  }
}
