package io.bloomery.bench;

/** What lanes for all types of keys have in common. */
abstract class TimedLane implements Lane {

  private int keys;
  private double rate;
  private long hits;
  private double garbage;

  /** Replaces the filter by a new one. */
  abstract void create(Pass pass, int expectedKeys, double falsePositiveRate);

  /** Queries a few keys, which brings a small filter into the cache. */
  abstract void touch(Pass pass, Object array);

  /** Goes over all keys and returns how many were found. */
  abstract int run(Pass pass, Object array);

  abstract int length(Object array);

  @Override
  public final void prepare(int expectedKeys, double falsePositiveRate) {
    keys = expectedKeys;
    rate = falsePositiveRate;
    if (!isFilter()) {
      create(Pass.ADD, keys, rate);
    }
  }

  @Override
  public final double time(Pass pass, Object array) {
    if (pass.fills()) {
      create(pass, keys, rate);
    } else {
      touch(pass, array);
    }
    long allocated = ThreadClock.allocatedBytes();
    long start = ThreadClock.cpuNanos();
    hits = run(pass, array);
    double nanos = ThreadClock.cpuNanos() - start;
    garbage = (double) (ThreadClock.allocatedBytes() - allocated) / length(array);
    return nanos / length(array);
  }

  @Override
  public final long hits() {
    return hits;
  }

  @Override
  public final double garbage() {
    return garbage;
  }
}
