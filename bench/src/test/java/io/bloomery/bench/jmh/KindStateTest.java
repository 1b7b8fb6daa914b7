package io.bloomery.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class KindStateTest {

  @ParameterizedTest
  @ValueSource(strings = {"bloom", "blocked-64", "cuckoo", "fuse"})
  void benchmarksFindWhatWasAdded(String kind) throws IOException {
    KindState state = new KindState();
    state.kind = kind;
    state.keys = 5_000;
    state.rate = 0.01;
    state.setUp();
    QueryBenchmark query = new QueryBenchmark();
    assertThat(query.hit(state)).isEqualTo(KindState.CHUNK);
    assertThat(query.miss(state)).isLessThan(KindState.CHUNK / 4);
    BatchBenchmark batch = new BatchBenchmark();
    assertThat(batch.hit(state)).isEqualTo(KindState.CHUNK);
    assertThat(batch.miss(state)).isLessThan(KindState.CHUNK / 4);
    assertThat(new BuildBenchmark().build(state).sizeInBits())
        .isEqualTo(state.filter().sizeInBits());
  }
}
