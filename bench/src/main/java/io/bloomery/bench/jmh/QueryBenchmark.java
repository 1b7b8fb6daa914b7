package io.bloomery.bench.jmh;

import io.bloomery.HashedFilter;

/** Single queries. */
public class QueryBenchmark extends ChunkBenchmark {

  @Override
  int count(HashedFilter filter, long[] keys, int from) {
    int hits = 0;
    for (int i = from; i < from + KindState.CHUNK; i++) {
      hits += filter.mightContain(keys[i]) ? 1 : 0;
    }
    return hits;
  }
}
