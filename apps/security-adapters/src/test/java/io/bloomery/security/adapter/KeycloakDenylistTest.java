package io.bloomery.security.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.GuavaFormat;
import io.bloomery.testkit.Rates;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keycloak.policy.DenylistPasswordPolicyProviderFactory.FileBasedPasswordDenylist;

/** A deny list in Guava's format, opened by Keycloak's own class. */
final class KeycloakDenylistTest {

  private static final Path COMMON =
      Path.of("../security/src/test/resources/passwords/common-10000.txt.gz");
  private static final double RATE = 1e-3;
  private static final int TRIALS = 200_000;

  @TempDir private Path directory;

  private static List<String> passwords() throws IOException {
    try (var in = new GZIPInputStream(Files.newInputStream(COMMON));
        var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return lines.lines().map(line -> line.toLowerCase(Locale.ROOT)).distinct().toList();
    }
  }

  @Test
  void keycloakFindsEachPassword() throws IOException {
    List<String> passwords = passwords();
    ForeignBloomFilter filter = GuavaFormat.create(passwords.size(), RATE);
    passwords.forEach(filter::add);
    filter.writeTo(directory.resolve("common.bloom"));

    FileBasedPasswordDenylist denylist =
        new FileBasedPasswordDenylist(directory, "common.bloom", RATE, Long.MAX_VALUE);
    assertThat(passwords).allMatch(denylist::contains);
    long refused = 0;
    for (int i = 0; i < TRIALS; i++) {
      refused += denylist.contains("strong " + i + " password") ? 1 : 0;
    }
    Rates.assertRate(refused, TRIALS, filter.falsePositiveRate(), 5);
  }
}
