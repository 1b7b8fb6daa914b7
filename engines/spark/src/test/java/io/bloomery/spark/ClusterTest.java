package io.bloomery.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only several executors show: a plan that is computed twice may have other rows. */
final class ClusterTest {

  @TempDir Path home;

  private static final String KEPT = "kept on the executors";

  @Test
  void theSideThatMakesTheFilterIsTheSideThatIsJoined() throws Exception {
    check(List.of("limit"), KEPT);
  }

  @Test
  @Tag("long")
  void everyKindOfPlanThatMayHaveOtherRows() throws Exception {
    check(List.of("limit", "duplicates", "ties", "random", "changing", "killed"), KEPT);
    check(List.of("checkpoint"), "kept in the checkpoint directory");
  }

  private void check(List<String> sources, String kept) throws Exception {
    List<String> arguments = new ArrayList<>(sources);
    String output = LocalCluster.run(ClusterJoins.class, home, arguments.toArray(String[]::new));
    for (String source : sources) {
      assertThat(output)
          .contains(source + ": " + ClusterJoins.ROWS + " rows, filtered true")
          .containsPattern("(?m)^" + source + ": .*" + kept);
    }
  }
}
