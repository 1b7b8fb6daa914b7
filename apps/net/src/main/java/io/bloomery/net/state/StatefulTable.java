package io.bloomery.net.state;

/**
 * A filter whose cells have the state of the flows in them, {@link #UNKNOWN} where these disagree,
 * and their number.
 */
final class StatefulTable extends StateTable {

  private static final int STATE_BITS = 4;
  private static final int COUNT_BITS = 3;
  private static final int MOST = (1 << COUNT_BITS) - 1; // stays
  private static final int AGE = 1 << (STATE_BITS + COUNT_BITS);
  private static final int WIDTH = STATE_BITS + COUNT_BITS + 1;

  private final Cells cells;
  private final int hashes;

  StatefulTable(long flows, long bits) {
    cells = new Cells(Math.max(16, bits / WIDTH), WIDTH);
    hashes = Math.max(1, (int) Math.round(Math.log(2) * cells.count() / flows));
  }

  private long place(long hash, int index) {
    long x = hash * (2L * index + 1) + index * 0x9E3779B97F4A7C15L;
    x = (x ^ (x >>> 32)) * 0xD6E8FEB86659FD93L;
    x ^= x >>> 32;
    return Math.floorMod((x * 0xA0761D6478BD642FL) ^ (x >>> 29), cells.count());
  }

  @Override
  int get(long hash) {
    int answer = UNKNOWN;
    for (int i = 0; i < hashes; i++) {
      int state = cells.get(place(hash, i)) & ((1 << STATE_BITS) - 1);
      if (state == ABSENT || (state != UNKNOWN && answer != UNKNOWN && state != answer)) {
        return ABSENT;
      }
      answer = state == UNKNOWN ? answer : state;
    }
    return answer;
  }

  @Override
  void put(long hash, int before, int state) {
    for (int i = 0; i < hashes; i++) {
      long at = place(hash, i);
      int cell = cells.get(at);
      int count = (cell >>> STATE_BITS) & MOST;
      int old = cell & ((1 << STATE_BITS) - 1);
      boolean isOwn = before != ABSENT;
      int next = isOwn ? Math.max(1, count) : Math.min(MOST, count + 1);
      int merged = old == state || next == 1 ? state : UNKNOWN;
      cells.set(at, AGE | next << STATE_BITS | merged);
    }
  }

  @Override
  void remove(long hash, int before) {
    for (int i = 0; i < hashes; i++) {
      long at = place(hash, i);
      int cell = cells.get(at);
      int count = (cell >>> STATE_BITS) & MOST;
      if (count == 1) {
        cells.set(at, 0);
      } else if (count > 1 && count < MOST) {
        cells.set(at, cell - (1 << STATE_BITS));
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

  /** The share of cells with a value: empty, a state or {@link #UNKNOWN}. */
  double share(int value) {
    long with = 0;
    for (long i = 0; i < cells.count(); i++) {
      with += (cells.get(i) & ((1 << STATE_BITS) - 1)) == value ? 1 : 0;
    }
    return (double) with / cells.count();
  }
}
