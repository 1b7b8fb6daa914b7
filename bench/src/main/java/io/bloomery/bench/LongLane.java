package io.bloomery.bench;

import java.util.EnumSet;
import java.util.Set;

/** A lane for {@code long} keys. */
final class LongLane extends TimedLane {

  private static final int TOUCHED = 1 << 14;

  private final LongSubject subject;

  LongLane(LongSubject subject) {
    this.subject = subject;
  }

  @Override
  public Set<Pass> passes() {
    Set<Pass> passes = EnumSet.of(Pass.HIT, Pass.MISS);
    if (subject.hasBatch()) {
      passes.addAll(EnumSet.of(Pass.BATCH_HIT, Pass.BATCH_MISS));
    }
    if (subject.isStatic()) {
      passes.add(Pass.BUILD);
    } else if (subject.isFilter()) {
      passes.add(Pass.ADD);
      if (subject.hasBulk()) {
        passes.addAll(EnumSet.of(Pass.ADD_BULK, Pass.ADD_LARGE));
      }
      if (subject.hasOneWriter()) {
        passes.addAll(EnumSet.of(Pass.ADD_ONE, Pass.ADD_BULK_ONE, Pass.ADD_LARGE_ONE));
      }
    }
    return passes;
  }

  @Override
  void create(Pass pass, int keys, double rate) {
    switch (pass) {
      case ADD_ONE, ADD_BULK_ONE, ADD_LARGE_ONE -> subject.createForOne(keys, rate);
      default -> subject.create(keys, rate);
    }
  }

  @Override
  void touch(Pass pass, Object array) {
    query(pass, (long[]) array, Math.min(TOUCHED, length(array)));
  }

  @Override
  int run(Pass pass, Object array) {
    long[] keys = (long[]) array;
    switch (pass) {
      case ADD, ADD_ONE -> subject.addAll(keys, 0, keys.length);
      case ADD_BULK, ADD_BULK_ONE -> subject.addByCalls(keys, LongSubject.CHUNK);
      case ADD_LARGE, ADD_LARGE_ONE -> subject.addByCalls(keys, Pass.LARGE_CALL);
      case BUILD -> {
        subject.addAll(keys, 0, keys.length);
        subject.finish();
      }
      default -> {
        return query(pass, keys, keys.length);
      }
    }
    return 0;
  }

  private int query(Pass pass, long[] keys, int to) {
    boolean batch = pass == Pass.BATCH_HIT || pass == Pass.BATCH_MISS;
    return batch ? subject.countByBatches(keys, 0, to) : subject.count(keys, 0, to);
  }

  @Override
  int length(Object array) {
    return ((long[]) array).length;
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
