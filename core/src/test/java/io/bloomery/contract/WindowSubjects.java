package io.bloomery.contract;

import io.bloomery.plan.StableShape;
import io.bloomery.window.StableBloomFilter;
import java.util.List;
import java.util.Map;

/**
 * The filters of a window that the contracts run over, with windows so long, or cells so deep, that
 * no key leaves them during a test.
 */
final class WindowSubjects {

  private WindowSubjects() {}

  static List<Subject> all() {
    return List.of(
        Subjects.addable(
            "stable",
            StableBloomFilter.KIND,
            hasher ->
                StableBloomFilter.builder()
                    .shape(new StableShape(95_900, 8, 7, 10))
                    .hasher(hasher)
                    .build(),
            Map.of(),
            true));
  }
}
