package io.bloomery.growing;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.Keys;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Merging two scalable filters whose first layers together are just full, or just too full. */
final class ScalableMergeTest {

  private static ScalableBloomFilter withKeys(ScalableShape shape, long keys, int set) {
    ScalableBloomFilter filter = ScalableBloomFilter.create(shape);
    long[] hashes = Keys.members((int) (2 * keys), set);
    for (int i = 0; filter.keyCount() < keys; i++) {
      filter.addHash(hashes[i]);
    }
    return filter;
  }

  @ParameterizedTest
  @EnumSource
  void layersJoinUpToTheirCapacity(ScalableShape.LayerKind kind) {
    ScalableShape shape = ScalableShape.forKeys(1_000, 0.01, kind);
    long capacity = shape.layerKeys(0);
    for (int more = -1; more <= 1; more++) {
      ScalableBloomFilter filter = withKeys(shape, 400, 1);
      ScalableBloomFilter other = withKeys(shape, capacity - 400 + more, 2);
      filter.merge(other);
      assertThat(filter.layerCount()).isEqualTo(more <= 0 ? 1 : 2);
      assertThat(filter.keyCount()).isEqualTo(capacity + more);
      assertThat(withKeys(shape, capacity, 3).layerCount()).isEqualTo(1);
    }
  }
}
