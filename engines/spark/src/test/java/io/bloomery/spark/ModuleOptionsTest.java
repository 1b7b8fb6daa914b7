package io.bloomery.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.List;
import org.apache.spark.launcher.JavaModuleOptions;
import org.junit.jupiter.api.Test;

/** The tests run with the options that spark-submit would pass. */
final class ModuleOptionsTest {

  @Test
  void theTestJvmHasSparksOwnOptions() {
    List<String> own = ManagementFactory.getRuntimeMXBean().getInputArguments();
    assertThat(own).containsAll(List.of(JavaModuleOptions.defaultModuleOptionArray()));
  }
}
