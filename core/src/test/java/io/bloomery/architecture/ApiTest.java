package io.bloomery.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.PublicApi;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The public API is what {@code docs/api} lists, and it stays small. */
final class ApiTest {

  @Test
  void theListIsTrue() throws IOException {
    PublicApi.check("core");
  }

  /**
   * A public type has a reason to be called from outside; types that are only encountered are
   * nested.
   */
  @Test
  void publicTypesAreFew() {
    assertThat(PublicApi.topLevelTypes())
        .contains("io.bloomery.Filters", "io.bloomery.membership.BloomFilter")
        .hasSizeLessThanOrEqualTo(280);
  }
}
