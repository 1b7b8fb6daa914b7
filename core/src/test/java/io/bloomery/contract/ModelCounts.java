package io.bloomery.contract;

import io.bloomery.FrequencyFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.check.Arguments;
import java.util.HashMap;
import java.util.Map;

/** Exact counts, which show that the contract of frequency filters can be met. */
class ModelCounts implements FrequencyFilter {

  private final Hasher hasher;
  private final Map<Long, Long> counts = new HashMap<>();

  ModelCounts(Hasher hasher) {
    this.hasher = hasher;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  @Override
  public long countHash(long hash) {
    return counts.getOrDefault(hash, 0L);
  }

  @Override
  public boolean addHash(long hash, long times) {
    Arguments.inRange("times", times, 0, Long.MAX_VALUE);
    return times > 0 && counts.merge(hash, times, Long::sum) == times;
  }

  @Override
  public double falsePositiveRate() {
    return 0;
  }

  @Override
  public long sizeInBits() {
    return 2L * Long.SIZE * (1 + counts.size());
  }
}
