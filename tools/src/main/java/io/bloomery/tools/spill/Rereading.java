package io.bloomery.tools.spill;

import io.bloomery.hash.Hasher;
import io.bloomery.tools.input.Block;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.KeyTaker;
import io.bloomery.tools.input.Reading;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Keys that are read more than once. Keys from a pipe are kept in a temporary file; files are read
 * again and must not change in between.
 */
public final class Rereading implements AutoCloseable {

  private final KeyInput input;
  private final Reading reading;
  private final LongConsumer progress;
  private final boolean isFile;
  private final long room;
  private final Object turn = new Object(); // held while a block of the first pass is taken
  private boolean started;
  private boolean complete;
  private @Nullable Spill kept;
  private long keys;
  private long skipped;

  /** Reads nothing yet. Only the first pass over the input reports {@code progress}. */
  public Rereading(KeyInput input, Reading reading, LongConsumer progress) {
    this(input, reading, progress, 0);
  }

  /** Keeps up to {@code room} bytes of a pipe in memory before a file is needed. */
  public Rereading(KeyInput input, Reading reading, LongConsumer progress, long room) {
    this.room = room;
    this.input = input;
    this.reading = reading;
    this.progress = progress;
    this.isFile = input.bytes() >= 0;
  }

  /** The size of the input in bytes, before decompression; -1 if unknown. */
  public long bytes() {
    return input.bytes();
  }

  /** The number of keys found in the first pass. */
  public long keys() {
    return keys;
  }

  /** The number of empty keys skipped in the first pass. */
  public long skipped() {
    return skipped;
  }

  /** Whether this is a file, which can be read again even if it was not read to its end. */
  public boolean isFile() {
    return isFile;
  }

  /** Reads all keys, for the first time or, if the first pass is complete, again. */
  public void read(KeyTaker taker) {
    if (complete) {
      again(taker);
    } else {
      first(taker, true);
    }
  }

  /** Reads all keys for the first time; {@code again} if they will be read another time. */
  public void first(KeyTaker taker, boolean again) {
    Spill copy = again && !isFile ? new Spill(room) : null;
    kept = copy;
    keys = 0;
    skipped = 0;
    reading.badRows().restart();
    KeyTaker each = copy == null ? taker : keeping(taker, copy);
    boolean isFirst = !started;
    started = true;
    input.read(
        reading,
        block -> {
          synchronized (turn) {
            keys += block.count();
            skipped += block.skipped();
            return give(block, each);
          }
        },
        isFirst ? progress : bytes -> {});
    complete = !taker.isDone();
  }

  private static KeyTaker keeping(KeyTaker taker, Spill copy) {
    return (bytes, offset, length, hash) -> {
      copy.add(0, bytes, offset, length);
      taker.key(bytes, offset, length, hash);
    };
  }

  /** Does something between two blocks of the first pass, in whatever thread. */
  public void hold(Runnable work) {
    synchronized (turn) {
      work.run();
    }
  }

  /** Reads all keys again. */
  public void again(KeyTaker taker) {
    if (kept == null) {
      reading.badRows().restart();
      input.read(reading, block -> give(block, taker), bytes -> {});
    } else {
      Hasher hasher = Objects.requireNonNull(reading.hasher(), "hasher");
      kept.read(
          0,
          (bytes, offset, length) ->
              taker.key(bytes, offset, length, reading.keys().hash(hasher, bytes, offset, length)));
    }
  }

  private static boolean give(Block block, KeyTaker taker) {
    byte[] bytes = block.bytes();
    int[] starts = block.keyStarts();
    int[] ends = block.keyEnds();
    long[] hashes = block.hashes();
    for (int i = 0; i < block.count(); i++) {
      taker.key(bytes, starts[i], ends[i] - starts[i], hashes[i]);
    }
    if (block.isPaused()) {
      taker.pause();
    }
    return !taker.isDone();
  }

  @Override
  public void close() {
    if (kept != null) {
      kept.close();
    }
  }
}
