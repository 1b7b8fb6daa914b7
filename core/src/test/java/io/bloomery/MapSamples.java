package io.bloomery;

import io.bloomery.hash.Hasher;
import java.util.Map;
import java.util.function.Function;

/** A small filter of every kind of the maps. */
final class MapSamples {

  private MapSamples() {}

  static Map<String, Function<Hasher, Filter>> all() {
    return Map.of();
  }
}
