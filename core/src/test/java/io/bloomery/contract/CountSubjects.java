package io.bloomery.contract;

import io.bloomery.frequency.CountMinFilter;
import io.bloomery.frequency.SpectralFilter;
import io.bloomery.frequency.SpectralShape.Method;
import io.bloomery.hash.Hasher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The spectral and count-min filters that the contracts run over. */
final class CountSubjects {

  private static final int WIDTH = 13_700;

  private CountSubjects() {}

  static List<Subject> all() {
    List<Subject> all = new ArrayList<>();
    for (Method method : Method.values()) {
      all.add(
          Subjects.addable(
              "spectral " + method,
              SpectralFilter.KIND,
              hasher -> spectral(hasher, method, WIDTH),
              Map.of(
                  "13701", hasher -> spectral(hasher, method, 13_701),
                  "method=", hasher -> spectral(hasher, other(method), WIDTH)),
              false));
    }
    all.add(
        Subjects.addable(
            "spectral shared",
            SpectralFilter.KIND,
            hasher ->
                SpectralFilter.builder()
                    .method(Method.MINIMUM_SELECTION)
                    .rows(7)
                    .width(WIDTH)
                    .counterBits(16)
                    .shared(true)
                    .hasher(hasher)
                    .build(),
            Map.of("counterBits=16", hasher -> spectral(hasher, Method.MINIMUM_SELECTION, WIDTH)),
            true));
    for (Method method : List.of(Method.MINIMUM_SELECTION, Method.RECURRING_MINIMUM)) {
      all.add(
          Subjects.addable(
              "removable spectral " + method,
              null,
              hasher -> spectral(hasher, method, WIDTH).removable().orElseThrow(),
              Map.of(),
              false));
    }
    all.add(
        Subjects.addable(
            "count-min",
            CountMinFilter.KIND,
            hasher -> countMin(hasher, WIDTH, false, false),
            Map.of(
                "13701", hasher -> countMin(hasher, 13_701, false, false),
                "conservative", hasher -> countMin(hasher, WIDTH, true, false)),
            false));
    all.add(
        Subjects.addable(
            "count-min shared",
            CountMinFilter.KIND,
            hasher -> countMin(hasher, WIDTH, false, true),
            Map.of("width", hasher -> countMin(hasher, 13_701, false, true)),
            true));
    all.add(
        Subjects.addable(
            "count-min conservative",
            CountMinFilter.KIND,
            hasher -> countMin(hasher, WIDTH, true, false),
            Map.of("conservative", hasher -> countMin(hasher, WIDTH, false, false)),
            false));
    return all;
  }

  private static Method other(Method method) {
    return method == Method.MINIMUM_SELECTION ? Method.MINIMAL_INCREASE : Method.MINIMUM_SELECTION;
  }

  private static SpectralFilter spectral(Hasher hasher, Method method, long width) {
    return SpectralFilter.builder().method(method).rows(7).width(width).hasher(hasher).build();
  }

  private static CountMinFilter countMin(
      Hasher hasher, long width, boolean conservative, boolean shared) {
    return CountMinFilter.builder()
        .rows(7)
        .width(width)
        .conservative(conservative)
        .shared(shared)
        .hasher(hasher)
        .build();
  }
}
