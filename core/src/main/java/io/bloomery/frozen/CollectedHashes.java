package io.bloomery.frozen;

import io.bloomery.file.TemporaryFile;
import io.bloomery.internal.bits.KeyHashes;
import io.bloomery.internal.solve.Peeling;
import io.bloomery.internal.spill.HashSpill;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The hashes of a builder's keys: on the heap up to a limit, and beyond it all in a temporary file,
 * from which they are read in shards. Not thread-safe.
 */
final class CollectedHashes {

  private long heapKeys = Peeling.MAX_KEYS;
  private Path temporaryDirectory = TemporaryFile.directory();
  private KeyHashes onHeap = KeyHashes.empty();
  private @Nullable HashSpill spill; // null while all are on the heap

  /** The maximum number of hashes on the heap, and in a shard. */
  long heapKeys() {
    return heapKeys;
  }

  void heapKeys(long heapKeys) {
    this.heapKeys = heapKeys;
  }

  void temporaryDirectory(Path directory) {
    this.temporaryDirectory = directory;
  }

  /** The number of hashes, including duplicates. */
  long size() {
    return spill == null ? onHeap.size() : spill.size();
  }

  boolean isSpilled() {
    return spill != null;
  }

  void add(long hash) {
    if (spill == null && onHeap.size() < heapKeys) {
      onHeap.add(hash);
    } else {
      spill(hash);
    }
  }

  private void spill(long hash) {
    try {
      HashSpill file = spill;
      if (file == null) {
        file = new HashSpill(temporaryDirectory);
        spill = file;
        for (int i = 0; i < onHeap.pieces(); i++) {
          file.add(onHeap.piece(i), 0, onHeap.length(i));
        }
        onHeap.clear();
      }
      file.add(hash);
    } catch (IOException e) {
      discard();
      throw new UncheckedIOException("the keys are lost: no temporary file of hashes", e);
    }
  }

  /** Returns all hashes, which must be on the heap, and empties this collection. */
  KeyHashes take() {
    KeyHashes taken = onHeap;
    onHeap = KeyHashes.empty();
    return taken;
  }

  /**
   * How many shards are needed, as a binary logarithm.
   *
   * @throws IllegalStateException if there are too many hashes for the most shards
   */
  int shardLog() {
    long total = size();
    int shardLog = 0;
    // Shard sizes vary by a few times the square root of their keys.
    while (Math.scalb((double) total, -shardLog) > heapKeys - 4 * Math.sqrt((double) heapKeys)
        && Math.scalb((double) total, -shardLog) > 1) {
      shardLog++;
    }
    if (shardLog > HashSpill.MAX_SHARD_LOG) {
      throw new IllegalStateException(
          total + " keys in shards of heapKeys = " + heapKeys + " are more than 4096 shards");
    }
    return shardLog;
  }

  /** A copy of the hashes of a shard. */
  KeyHashes shard(int shard, int shardLog) throws IOException {
    KeyHashes part = KeyHashes.empty();
    if (spill != null) {
      spill.read(shard, shardLog, part::add);
      return part;
    }
    for (int i = 0; i < onHeap.pieces(); i++) {
      long[] piece = onHeap.piece(i);
      for (int j = 0; j < onHeap.length(i); j++) {
        if (HashSpill.shardOf(piece[j], shardLog) == shard) {
          part.add(piece[j]);
        }
      }
    }
    return part;
  }

  /** Discards all hashes and deletes the temporary file if there is one. */
  void discard() {
    HashSpill file = spill;
    spill = null;
    onHeap = KeyHashes.empty();
    if (file != null) {
      try {
        file.close();
      } catch (IOException e) {
        throw new UncheckedIOException("the temporary file of hashes cannot be removed", e);
      }
    }
  }
}
