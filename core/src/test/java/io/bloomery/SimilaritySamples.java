package io.bloomery;

import io.bloomery.hash.Hasher;
import java.util.Map;
import java.util.function.Function;

/** A small filter of every kind of {@code io.bloomery.similarity}. */
final class SimilaritySamples {

  private SimilaritySamples() {}

  static Map<String, Function<Hasher, Filter>> all() {
    return Map.ofEntries();
  }
}
