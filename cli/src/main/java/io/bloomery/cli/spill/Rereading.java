package io.bloomery.cli.spill;

import io.bloomery.cli.input.Block;
import io.bloomery.cli.input.KeyInput;
import io.bloomery.cli.input.KeyTaker;
import io.bloomery.cli.input.Reading;
import io.bloomery.hash.Hasher;
import java.util.function.LongConsumer;

/**
 * Keys that are read more than once. Those of a pipe are kept in a temporary file meanwhile; files
 * are read again, and must not change.
 */
public final class Rereading implements AutoCloseable {

  private final KeyInput input;
  private final Reading reading;
  private final LongConsumer progress;
  private final boolean isFile;
  private final long room;
  private boolean started;
  private boolean complete;
  private Spill kept;
  private long keys;
  private long skipped;

  /** Nothing is read yet. Only the first reading of the input makes {@code progress}. */
  public Rereading(KeyInput input, Reading reading, LongConsumer progress) {
    this(input, reading, progress, 0);
  }

  /** The same with {@code room} bytes of memory in which a pipe is kept before a file is needed. */
  public Rereading(KeyInput input, Reading reading, LongConsumer progress, long room) {
    this.room = room;
    this.input = input;
    this.reading = reading;
    this.progress = progress;
    this.isFile = input.bytes() >= 0;
  }

  /** How many bytes there are, before they are unpacked; -1 if that is not known. */
  public long bytes() {
    return input.bytes();
  }

  /** How many keys the first reading found. */
  public long keys() {
    return keys;
  }

  /** How many empty keys it left out. */
  public long skipped() {
    return skipped;
  }

  /** Whether this is a file, which can be read again even if it was not read to its end. */
  public boolean isFile() {
    return isFile;
  }

  /** Reads all keys, for the first time or, if that has come to its end, again. */
  public void read(KeyTaker taker) {
    if (complete) {
      again(taker);
    } else {
      first(taker, true);
    }
  }

  /** Reads all keys for the first time; {@code again} if they will be read another time. */
  public void first(KeyTaker taker, boolean again) {
    kept = again && !isFile ? new Spill(room) : null;
    keys = 0;
    skipped = 0;
    KeyTaker each = kept == null ? taker : keeping(taker);
    boolean isFirst = !started;
    started = true;
    input.read(
        reading,
        block -> {
          keys += block.count();
          skipped += block.skipped();
          return give(block, each);
        },
        isFirst ? progress : bytes -> {});
    complete = !taker.isDone();
  }

  private KeyTaker keeping(KeyTaker taker) {
    return (bytes, offset, length, hash) -> {
      kept.add(0, bytes, offset, length);
      taker.key(bytes, offset, length, hash);
    };
  }

  /** Reads all keys once more. */
  public void again(KeyTaker taker) {
    if (kept == null) {
      input.read(reading, block -> give(block, taker), bytes -> {});
    } else {
      Hasher hasher = reading.hasher();
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
