package io.bloomery.bench;

import java.util.EnumSet;
import java.util.Set;

/**
 * A lane for keys that are objects.
 *
 * @param <K> the type of the keys
 */
final class ObjectLane<K> extends TimedLane {

  private final ObjectSubject<K> subject;

  ObjectLane(ObjectSubject<K> subject) {
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

  /** Nothing: the keys themselves, read once in a pass, take more of the cache than the filter. */
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
