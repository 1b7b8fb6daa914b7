package io.bloomery;

import io.bloomery.frequency.CountMinFilter;
import io.bloomery.frequency.SpectralFilter;
import io.bloomery.frequency.SpectralShape.Method;
import io.bloomery.hash.Hasher;
import java.util.Map;
import java.util.function.Function;

/** A small filter of every kind of the spectral and count-min filters. */
final class CountSamples {

  private CountSamples() {}

  static Map<String, Function<Hasher, Filter>> all() {
    return Map.of(
        "spectral",
        hasher ->
            SampleFilters.filled(
                SpectralFilter.builder()
                    .method(Method.RECURRING_MINIMUM)
                    .rows(4)
                    .width(25)
                    .counterBits(16)
                    .hasher(hasher)
                    .build()),
        "count-min",
        hasher ->
            SampleFilters.filled(
                CountMinFilter.builder()
                    .rows(3)
                    .width(31)
                    .counterBits(32)
                    .conservative(true)
                    .hasher(hasher)
                    .build()));
  }
}
