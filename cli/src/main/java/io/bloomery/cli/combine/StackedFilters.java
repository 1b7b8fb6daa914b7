package io.bloomery.cli.combine;

import io.bloomery.CardinalityFilter;
import io.bloomery.Filter;
import io.bloomery.FrameHeader.Description;
import io.bloomery.HashedFilter;
import io.bloomery.growing.ScalableBloomFilter;
import io.bloomery.plan.Shape;
import java.util.LinkedHashMap;
import java.util.Map;

/** Filters of any size as layers of one filter that grows: their rates add up at most. */
final class StackedFilters {

  private final Operand first;
  private final ScalableBloomFilter all;

  /** Begins with a filter that {@link #canHold} accepts. */
  StackedFilters(Operand first) {
    this.first = first;
    this.all = ScalableBloomFilter.of((HashedFilter) first.filter(), room(first));
  }

  /** Whether a filter can be a layer. */
  static boolean canHold(Operand operand) {
    return ScalableBloomFilter.canHold(operand.filter());
  }

  /** Adds a filter that {@link #canHold} accepts. */
  void add(Operand other) {
    all.append((HashedFilter) other.filter(), room(other));
  }

  /** How many keys it was made for, or else about how many it has. */
  private static long room(Operand operand) {
    double keys =
        operand
            .description()
            .number(Description.EXPECTED_KEYS)
            .map(Number::doubleValue)
            .orElseGet(() -> estimate(operand.filter()));
    return (long) Math.min(Shape.MAX_KEYS, Math.max(1, keys));
  }

  private static double estimate(Filter filter) {
    return filter instanceof CardinalityFilter known ? known.cardinality() : 1;
  }

  Filter all() {
    return all;
  }

  int layers() {
    return all.layerCount();
  }

  /** What the result is, for reports. */
  Operand like() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("hash", first.fields().get("hash"));
    fields.put("layers", (long) layers());
    return new Operand(first.path(), all, all.kind().name(), fields, Description.NONE);
  }
}
