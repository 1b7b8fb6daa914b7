package io.bloomery.cli.distinct;

import io.bloomery.foreign.TypedKeys;
import io.bloomery.tools.distinct.Coupon;
import io.bloomery.tools.distinct.HllSketch;
import io.bloomery.tools.input.Block;
import io.bloomery.tools.input.Reading;
import java.util.ArrayList;
import java.util.List;

/** Counts by sketches, one for each group. */
final class SketchTally extends Tally {

  private static final long MANY = 1L << 55;

  private final TypedKeys type;
  private final int lgK;
  private final int sigmas;
  private final List<HllSketch> sketches = new ArrayList<>();
  private long bytes;

  /**
   * Begins without a key.
   *
   * @param type what is hashed for a key
   * @param lgK the logarithm of the number of registers
   * @param sigmas standard deviations between estimates and bounds
   */
  SketchTally(Groups groups, TypedKeys type, int lgK, int sigmas) {
    super(groups);
    this.type = type;
    this.lgK = lgK;
    this.sigmas = sigmas;
  }

  @Override
  public void prepare(Block block) {
    byte[] bytesOfBlock = block.bytes();
    long[] coupons = block.hashes();
    for (int i = 0; i < block.count(); i++) {
      int start = block.keyStarts()[i];
      int length = block.keyEnds()[i] - start;
      if (type.isText()) {
        coupons[i] = Coupon.of(bytesOfBlock, start, length);
      } else {
        coupons[i] = typed(block, i, start, length);
      }
    }
  }

  private int typed(Block block, int key, int start, int length) {
    try {
      byte[] value = type.bytes(block.bytes(), start, length);
      return Coupon.of(value, 0, value.length);
    } catch (IllegalArgumentException e) {
      throw Reading.problem(block, key, e);
    }
  }

  @Override
  void add(int group, Block block, int key) {
    HllSketch sketch = sketch(group);
    long before = sketch.bytes();
    sketch.add((int) block.hashes()[key]);
    resized(sketch.bytes() - before);
  }

  /** Adds what was counted before. */
  void merge(int group, HllSketch stored) {
    HllSketch sketch = sketch(group);
    long before = sketch.bytes();
    sketch.merge(stored);
    came(group, MANY); // how many came is not stored
    resized(sketch.bytes() - before);
  }

  /** The sketch of a group. */
  HllSketch sketch(int group) {
    while (sketches.size() <= group) {
      HllSketch created = new HllSketch(lgK);
      sketches.add(created);
      resized(created.bytes());
    }
    return sketches.get(group);
  }

  private void resized(long more) {
    bytes += more;
    if (more > 0) {
      groups().check(bytes);
    }
  }

  @Override
  Result result(int group) {
    HllSketch sketch = sketch(group);
    double most = came(group); // an estimate can be higher
    return new Result(
        Math.min(sketch.estimate(), most),
        Math.min(sketch.lowerBound(sigmas), most),
        Math.min(sketch.upperBound(sigmas), most));
  }
}
