package io.bloomery.bench;

import java.util.EnumSet;
import java.util.Set;

/** The common part of lanes for all types of keys. */
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

  /**
   * A lane for keys that are objects.
   *
   * @param <K> the type of the keys
   */
  static final class OfObjects<K> extends TimedLane {

    private final ObjectSubject<K> subject;

    OfObjects(ObjectSubject<K> subject) {
      this.subject = subject;
    }

    @Override
    public Set<Pass> passes() {
      Set<Pass> passes = EnumSet.of(Pass.HIT, Pass.MISS);
      if (isFilter()) {
        passes.add(Pass.ADD);
      }
      return passes;
    }

    @Override
    void create(Pass pass, int keys, double rate) {
      subject.create(keys, rate);
    }

    /**
     * Nothing: the keys themselves, read once in a pass, take more of the cache than the filter.
     */
    @Override
    void touch(Pass pass, Object array) {}

    @Override
    int run(Pass pass, Object array) {
      @SuppressWarnings("unchecked") // the workload's keys
      K[] keys = (K[]) array;
      if (pass == Pass.ADD) {
        subject.addAll(keys);
        return 0;
      }
      return subject.count(keys);
    }

    @Override
    int length(Object array) {
      return ((Object[]) array).length;
    }

    @Override
    public boolean isFilter() {
      return subject.isFilter();
    }

    @Override
    public long sizeInBits() {
      return subject.sizeInBits();
    }
  }
}
