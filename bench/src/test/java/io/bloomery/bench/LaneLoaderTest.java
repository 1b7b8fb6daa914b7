package io.bloomery.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.bench.Lane.Pass;
import org.junit.jupiter.api.Test;

final class LaneLoaderTest {

  @Test
  void everyLaneHasClassesOfItsOwn() {
    Lane first = LaneLoader.lane(Rows.find(Workload.LONG, Rows.BLOOM));
    Lane second = LaneLoader.lane(Rows.find(Workload.LONG, Rows.FAST_BLOOM));
    assertThat(first.getClass()).isNotSameAs(second.getClass());
    assertThat(first.getClass().getName()).isEqualTo(LongLane.class.getName());
    assertThat(first.getClass()).isNotSameAs(LongLane.class);
    assertThat(first.getClass().getSuperclass()).isNotSameAs(second.getClass().getSuperclass());
  }

  @Test
  void passesAreWhatAFilterCanDo() {
    assertThat(lane(Workload.LONG, Rows.BLOOM).passes())
        .contains(Pass.ADD, Pass.ADD_ONE, Pass.ADD_LARGE, Pass.HIT, Pass.BATCH_MISS)
        .doesNotContain(Pass.BUILD);
    assertThat(lane(Workload.LONG, Rows.GUAVA).passes())
        .containsExactlyInAnyOrder(Pass.ADD, Pass.HIT, Pass.MISS);
    assertThat(lane(Workload.STATIC, StaticLongs.FUSE_8).passes())
        .containsExactlyInAnyOrder(
            Pass.BUILD, Pass.HIT, Pass.MISS, Pass.BATCH_HIT, Pass.BATCH_MISS);
    assertThat(lane(Workload.LONG, Rows.RAW_READ).passes())
        .containsExactlyInAnyOrder(Pass.HIT, Pass.MISS, Pass.BATCH_HIT, Pass.BATCH_MISS);
    assertThat(lane(Workload.RECENT, "Recent").passes())
        .contains(Pass.ADD)
        .doesNotContain(Pass.ADD_BULK);
    assertThat(lane(Workload.STRING, Rows.GUAVA).passes())
        .containsExactlyInAnyOrder(Pass.ADD, Pass.HIT, Pass.MISS);
  }

  private static Lane lane(Workload workload, String row) {
    return LaneLoader.lane(Rows.find(workload, row));
  }
}
