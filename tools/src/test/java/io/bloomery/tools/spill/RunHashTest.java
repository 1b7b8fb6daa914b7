package io.bloomery.tools.spill;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RunHashTest {

  @Test
  void everyRunHasAnotherSecret() {
    String fixed = System.clearProperty(RunHash.KEY_PROPERTY);
    try {
      assertThat(Stream.generate(RunHash::hasher).limit(3)).doesNotHaveDuplicates();
      assertThat(RunHash.hasher().isKeyed()).isTrue();
    } finally {
      if (fixed != null) {
        System.setProperty(RunHash.KEY_PROPERTY, fixed);
      }
    }
  }
}
