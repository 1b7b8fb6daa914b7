package io.bloomery.growing;

import io.bloomery.plan.Shape;

/**
 * What a filter has become that opened more layers: larger, with the rate of the shape that it
 * began with.
 */
record GrownShape(Shape start, long sizeInBits) implements Shape {

  @Override
  public double falsePositiveRate(long keys) {
    return start.falsePositiveRate(keys);
  }
}
