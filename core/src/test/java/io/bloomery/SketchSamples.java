package io.bloomery;

import io.bloomery.hash.Hasher;
import java.util.Map;
import java.util.function.Function;

/** A small filter of every kind of the space-code, adaptive, layered filters and counter braids. */
final class SketchSamples {

  private SketchSamples() {}

  static Map<String, Function<Hasher, Filter>> all() {
    return Map.of();
  }
}
