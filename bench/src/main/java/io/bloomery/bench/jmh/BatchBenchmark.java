package io.bloomery.bench.jmh;

import io.bloomery.HashedFilter;
import io.bloomery.hash.Hasher;

/** Queries in batches: keys are hashed, then queried in one call. */
public class BatchBenchmark extends ChunkBenchmark {

  private final long[] hashes = new long[KindState.CHUNK];
  private final long[] hits = new long[KindState.CHUNK / Long.SIZE];

  @Override
  int count(HashedFilter filter, long[] keys, int from) {
    Hasher hasher = filter.hasher();
    for (int i = 0; i < KindState.CHUNK; i++) {
      hashes[i] = hasher.hash(keys[from + i]);
    }
    return filter.mightContainHashes(hashes, 0, KindState.CHUNK, hits);
  }
}
