package io.bloomery;

import io.bloomery.frozen.RibbonFilter;
import io.bloomery.hash.Hasher;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.LongStream;

/** A small filter of every kind of the ribbon filter. */
final class RibbonSamples {

  private RibbonSamples() {}

  static Map<String, Function<Hasher, Filter>> all() {
    return Map.of("ribbon", RibbonSamples::ribbon);
  }

  /** Two layers, and columns of both widths. */
  private static Filter ribbon(Hasher hasher) {
    LongStream keys = Arrays.stream(SampleFilters.hashes(hasher));
    LongStream more = LongStream.range(0, 1600).map(hasher::hash);
    return RibbonFilter.build(LongStream.concat(keys, more).toArray(), 0.1, hasher);
  }
}
