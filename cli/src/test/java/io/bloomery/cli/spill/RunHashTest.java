package io.bloomery.cli.spill;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class RunHashTest {

  @Test
  void everyRunHasAnotherSecret() {
    String fixed = System.clearProperty(RunHash.KEY_PROPERTY);
    try {
      assertThat(Set.of(RunHash.hasher(), RunHash.hasher(), RunHash.hasher())).hasSize(3);
      assertThat(RunHash.hasher().isKeyed()).isTrue();
    } finally {
      if (fixed != null) {
        System.setProperty(RunHash.KEY_PROPERTY, fixed);
      }
    }
  }
}
