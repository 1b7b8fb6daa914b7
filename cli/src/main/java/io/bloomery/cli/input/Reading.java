package io.bloomery.cli.input;

import io.bloomery.hash.Hasher;

/**
 * How input is read: its records, their hashes, and the threads and memory that go into it.
 *
 * @param splitter finds records and keys
 * @param hasher hashes the keys, or null if nobody needs the hashes
 * @param keepEmpty whether the empty key is a key
 * @param threads how many threads read, split, hash and prepare
 * @param blockBytes the size of a block, of which each thread has one
 */
public record Reading(
    Splitter splitter, Hasher hasher, boolean keepEmpty, int threads, int blockBytes) {

  private static final int MOST_THREADS = 8;
  private static final int BLOCK_BYTES = 1 << 18;

  /** With a thread for each core. */
  public Reading(Splitter splitter, Hasher hasher, boolean keepEmpty) {
    this(splitter, hasher, keepEmpty, cores(), BLOCK_BYTES);
  }

  private static int cores() {
    return Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors());
  }

  /** Reads to the end, or until the sink wants no more or fails. */
  void run(KeyStreams streams, BlockSink sink) {
    new Pipeline(this, new BlockSource(streams, splitter), sink).run();
  }

  /** An empty block. */
  Block newBlock() {
    return new Block(blockBytes, keepEmpty);
  }

  /** Finds and hashes the keys of a block. */
  void split(Block block) {
    splitter.split(block);
    if (hasher != null) {
      byte[] bytes = block.bytes();
      int[] starts = block.keyStarts();
      int[] ends = block.keyEnds();
      long[] hashes = block.hashes();
      for (int i = 0; i < block.count(); i++) {
        hashes[i] = hasher.hash(bytes, starts[i], ends[i] - starts[i]);
      }
    }
  }
}
