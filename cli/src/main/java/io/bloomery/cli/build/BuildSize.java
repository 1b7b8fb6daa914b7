package io.bloomery.cli.build;

import io.bloomery.cli.option.FilterChoice;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Shape;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The target of a filter: its rate, unless a size is given.
 *
 * @param rate the rate to promise
 * @param bitsPerKey bits per key instead
 * @param memory total bytes instead
 */
record BuildSize(double rate, OptionalDouble bitsPerKey, OptionalLong memory) {

  /** Whether the rate is the target. */
  boolean isByRate() {
    return bitsPerKey.isEmpty() && memory.isEmpty();
  }

  /** The target for a number of distinct keys. */
  Needs forKeys(long count) {
    long expected = Math.max(1, count);
    if (bitsPerKey.isPresent()) {
      long bits = Math.max(Long.SIZE, (long) (expected * bitsPerKey.getAsDouble()));
      return Needs.forBudget(expected, bits);
    }
    if (memory.isPresent()) {
      long bits = Math.multiplyExact(memory.getAsLong(), (long) Byte.SIZE);
      return Needs.forBudget(expected, Math.min(Shape.MAX_BITS, bits));
    }
    return byRate(expected);
  }

  /** The target for a number of keys by the rate alone. */
  Needs byRate(long keys) {
    return FilterChoice.target(keys, rate);
  }
}
