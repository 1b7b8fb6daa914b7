package io.bloomery.net.state;

import java.util.HashMap;
import java.util.Map;

/** A hash table; hashes of 64 bits under a secret stand for flows. */
final class ExactTable extends StateTable {

  private static final long BITS_PER_FLOW = 100 * Byte.SIZE;
  private static final int AGE = 16;

  private final Map<Long, Integer> states = new HashMap<>();

  @Override
  int get(long hash) {
    return states.getOrDefault(hash, ABSENT) & (AGE - 1);
  }

  @Override
  void put(long hash, int before, int state) {
    states.put(hash, state | AGE);
  }

  @Override
  void remove(long hash, int before) {
    states.remove(hash);
  }

  @Override
  void age() {
    states.values().removeIf(value -> value < AGE);
    states.replaceAll((hash, value) -> value & ~AGE);
  }

  @Override
  long bits() {
    return states.size() * BITS_PER_FLOW;
  }
}
