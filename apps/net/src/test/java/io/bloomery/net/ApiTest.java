package io.bloomery.net;

import io.bloomery.testkit.PublicApi;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What others can call is what {@code docs/api} lists. */
final class ApiTest {

  @Test
  void theListIsTrue() throws IOException {
    PublicApi.check("net");
  }
}
