package io.bloomery.net.state;

/** States of flows, numbers from 1 to {@link #STATES}. */
abstract class StateTable {

  /** How many states there are. */
  static final int STATES = 8;

  /** The answer for a flow that is not there. */
  static final int ABSENT = 0;

  /** The answer where flows disagree. */
  static final int UNKNOWN = STATES + 1;

  private long lost;

  /** The state of a flow, {@link #ABSENT} or {@link #UNKNOWN}. */
  abstract int get(long hash);

  /** Changes the state of a flow from one, {@link #ABSENT} or {@link #UNKNOWN}, to another. */
  abstract void put(long hash, int before, int state);

  /** Removes a flow that has a state. */
  abstract void remove(long hash, int before);

  /** Removes what was not put since the last call; those that were stay until the next. */
  abstract void age();

  /** The memory in bits. */
  abstract long bits();

  /** A flow had no room. */
  void lose() {
    lost++;
  }

  /** How many flows had no room. */
  long lost() {
    return lost;
  }
}
