package io.bloomery;

import io.bloomery.hash.Hasher;
import java.util.Map;
import java.util.function.Function;

/** A small filter of every kind of the multilayer, d-left and deletable filters. */
final class DeletionSamples {

  private DeletionSamples() {}

  static Map<String, Function<Hasher, Filter>> all() {
    return Map.of();
  }
}
