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
    if (subject instanceof LongSubject.Batches) {
      passes.addAll(EnumSet.of(Pass.BATCH_HIT, Pass.BATCH_MISS));
    }
    if (subject instanceof LongSubject.Building) {
      passes.add(Pass.BUILD);
    } else if (isFilter()) {
      passes.add(Pass.ADD);
    }
    if (subject instanceof LongSubject.BulkAdds) {
      passes.addAll(EnumSet.of(Pass.ADD_BULK, Pass.ADD_LARGE));
    }
    if (subject instanceof LongSubject.OneWriter) {
      passes.addAll(EnumSet.of(Pass.ADD_ONE, Pass.ADD_BULK_ONE, Pass.ADD_LARGE_ONE));
    }
    return passes;
  }

  @Override
  void create(Pass pass, int keys, double rate) {
    boolean one =
        switch (pass) {
          case ADD_ONE, ADD_BULK_ONE, ADD_LARGE_ONE -> true;
          default -> false;
        };
    if (one && subject instanceof LongSubject.OneWriter writer) {
      writer.createForOne(keys, rate);
    } else {
      subject.create(keys, rate);
    }
  }

  @Override
  void touch(Pass pass, Object array) {
    query(pass, (long[]) array, Math.min(TOUCHED, length(array)));
  }

  @Override
  int run(Pass pass, Object array) {
    long[] keys = (long[]) array;
    if (!pass.fills()) {
      return query(pass, keys, keys.length);
    }
    switch (pass) {
      case ADD_BULK, ADD_BULK_ONE ->
          ((LongSubject.BulkAdds) subject).addByCalls(keys, LongSubject.CHUNK);
      case ADD_LARGE, ADD_LARGE_ONE ->
          ((LongSubject.BulkAdds) subject).addByCalls(keys, Pass.LARGE_CALL);
      default -> ((LongSubject.Filling) subject).addAll(keys, 0, keys.length);
    }
    if (subject instanceof LongSubject.Building building) {
      building.build();
    }
    return 0;
  }

  private int query(Pass pass, long[] keys, int to) {
    boolean batch = pass == Pass.BATCH_HIT || pass == Pass.BATCH_MISS;
    return batch
        ? ((LongSubject.Batches) subject).countByBatches(keys, 0, to)
        : subject.count(keys, 0, to);
  }

  @Override
  int length(Object array) {
    return ((long[]) array).length;
  }

  @Override
  public boolean isFilter() {
    return subject instanceof LongSubject.Filling;
  }

  @Override
  public long sizeInBits() {
    return subject.sizeInBits();
  }
}
