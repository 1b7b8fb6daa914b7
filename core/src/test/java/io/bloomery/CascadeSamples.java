package io.bloomery;

import io.bloomery.hash.Hasher;
import java.util.Map;
import java.util.function.Function;

/** A small filter of every kind of the cascades and the filter without errors in a zone. */
final class CascadeSamples {

  private CascadeSamples() {}

  static Map<String, Function<Hasher, Filter>> all() {
    return Map.of();
  }
}
