package io.bloomery;

import io.bloomery.hash.Hasher;
import java.util.Map;
import java.util.function.Function;

/** A small filter of every kind of the coded and compressed filters. */
final class CodedSamples {

  private CodedSamples() {}

  static Map<String, Function<Hasher, Filter>> all() {
    return Map.of();
  }
}
