package io.bloomery;

import io.bloomery.deletable.CuckooFilter;
import io.bloomery.deletable.CuckooShape;
import io.bloomery.deletable.QuotientFilter;
import io.bloomery.deletable.QuotientShape;
import io.bloomery.hash.Hasher;
import java.util.Map;
import java.util.function.Function;

/** A small filter of every kind of the cuckoo and quotient filters. */
final class TableSamples {

  private TableSamples() {}

  static Map<String, Function<Hasher, Filter>> all() {
    return Map.of(
        "cuckoo",
        hasher ->
            SampleFilters.filled(
                CuckooFilter.builder().shape(new CuckooShape(10, 7)).hasher(hasher).build()),
        "quotient",
        hasher ->
            SampleFilters.filled(
                QuotientFilter.builder().shape(new QuotientShape(64, 5)).hasher(hasher).build()));
  }
}
