package io.bloomery.security.revocation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.foreign.mozilla.MozillaCascadeFilter;
import io.bloomery.security.revocation.RevocationList.Published;
import io.bloomery.security.revocation.RevocationOptions.Terms;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** The same sets as in a cascade that Mozilla's program wrote: 5,000 domains and 60,000 words. */
final class MozillaCascadeTest {

  private static final Path DATA = Path.of("../../core/src/test/resources/cascade");

  private static List<byte[]> lines(String file) throws IOException {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(DATA.resolve(file))), UTF_8))) {
      return in.lines().map(line -> line.getBytes(UTF_8)).toList();
    }
  }

  @Test
  void domainsAndWords() throws IOException, GeneralSecurityException {
    List<byte[]> domains = lines("domains-in.txt.gz");
    List<byte[]> words = lines("words-out.txt.gz");
    Path file = DATA.resolve("domains-v2-murmur.mlbf");
    MozillaCascadeFilter theirs = MozillaCascadeFilter.FORMAT.open(file);
    KeyPair keys = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    Terms terms = new Terms(1, Instant.EPOCH, Instant.EPOCH, Instant.EPOCH.plusSeconds(1));
    Published published =
        RevocationList.build(terms, domains::stream, words::stream, keys.getPrivate());
    RevocationList ours =
        RevocationList.read(
            published.list(),
            RevocationOptions.of(keys.getPublic()).withClock(() -> Instant.EPOCH));
    assertThat(domains).hasSize(5_000).allMatch(ours::isRevoked).allMatch(theirs::mightContain);
    assertThat(words).hasSize(60_000).noneMatch(ours::isRevoked).noneMatch(theirs::mightContain);
    assertThat(published.list().length).isLessThan((int) (1.1 * Files.size(file)));
  }
}
