package io.bloomery.growing;

import io.bloomery.plan.Shape;

/** The size of a filter after it has opened more layers; its rate is that of its original shape. */
record GrownShape(Shape start, long sizeInBits) implements Shape {

  @Override
  public double falsePositiveRate(long keys) {
    return start.falsePositiveRate(keys);
  }
}
