package io.bloomery.contract;

import io.bloomery.LookupFilter;
import io.bloomery.hash.Hasher;
import java.util.HashMap;
import java.util.Map;

/** An exact map, which shows that the contract of lookup filters can be met. */
class ModelMap implements LookupFilter {

  private final Hasher hasher;
  private final Map<Long, Long> map = new HashMap<>();

  ModelMap(Hasher hasher, long[] hashes, long[] values) {
    this.hasher = hasher;
    for (int i = 0; i < hashes.length; i++) {
      map.put(hashes[i], values[i]);
    }
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  @Override
  public long getHash(long hash) {
    return map.getOrDefault(hash, ABSENT);
  }

  @Override
  public double falsePositiveRate() {
    return 0;
  }

  @Override
  public long sizeInBits() {
    return 2L * Long.SIZE * (1 + map.size());
  }
}
