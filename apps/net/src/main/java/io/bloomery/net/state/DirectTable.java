package io.bloomery.net.state;

/** A counting Bloom filter of pairs of flow and state; more than one state is "don't know". */
final class DirectTable extends StateTable {

  private static final int COUNT_BITS = 4;
  private static final int MOST = (1 << COUNT_BITS) - 1; // stays
  private static final int AGE = 1 << COUNT_BITS;
  private static final int WIDTH = COUNT_BITS + 1;

  private final Cells cells;
  private final int hashes;

  DirectTable(long flows, long bits) {
    cells = new Cells(Math.max(16, bits / WIDTH), WIDTH);
    hashes = Math.max(1, (int) Math.round(Math.log(2) * cells.count() / flows));
  }

  private long place(long hash, int state, int index) {
    long x = ((hash + state * 0x9E3779B97F4A7C15L) ^ (hash >>> 31)) * 0xD6E8FEB86659FD93L;
    x = (x ^ (x >>> 32)) * 0xA0761D6478BD642FL + index * 0xC2B2AE3D27D4EB4FL;
    x = (x ^ (x >>> 32)) * 0xD6E8FEB86659FD93L;
    return Math.floorMod(x ^ (x >>> 32), cells.count());
  }

  private boolean has(long hash, int state) {
    for (int i = 0; i < hashes; i++) {
      if ((cells.get(place(hash, state, i)) & MOST) == 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  int get(long hash) {
    int answer = ABSENT;
    for (int state = 1; state <= STATES; state++) {
      if (has(hash, state)) {
        answer = answer == ABSENT ? state : UNKNOWN;
      }
    }
    return answer;
  }

  @Override
  void put(long hash, int before, int state) {
    if (before == state) {
      touch(hash, state);
      return;
    }
    remove(hash, before);
    for (int i = 0; i < hashes; i++) {
      long at = place(hash, state, i);
      int count = cells.get(at) & MOST;
      cells.set(at, AGE | Math.min(MOST, count + 1));
    }
  }

  private void touch(long hash, int state) {
    for (int i = 0; i < hashes; i++) {
      long at = place(hash, state, i);
      cells.set(at, cells.get(at) | AGE);
    }
  }

  @Override
  void remove(long hash, int before) {
    if (before == ABSENT || before == UNKNOWN) {
      return;
    }
    for (int i = 0; i < hashes; i++) {
      long at = place(hash, before, i);
      int cell = cells.get(at);
      int count = cell & MOST;
      if (count > 0 && count < MOST) {
        cells.set(at, cell - 1);
      }
    }
  }

  @Override
  void age() {
    cells.age(AGE);
  }

  @Override
  long bits() {
    return cells.bits();
  }

  int hashes() {
    return hashes;
  }

  /** The share of cells that are not empty. */
  double fill() {
    long full = 0;
    for (long i = 0; i < cells.count(); i++) {
      full += (cells.get(i) & MOST) > 0 ? 1 : 0;
    }
    return (double) full / cells.count();
  }
}
