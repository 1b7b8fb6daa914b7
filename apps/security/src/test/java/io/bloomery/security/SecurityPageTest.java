package io.bloomery.security;

import static io.bloomery.security.deny.DenyList.Verdict.ALLOWED;
import static io.bloomery.security.deny.DenyList.Verdict.DENIED;
import static io.bloomery.security.deny.DenyList.Verdict.NOT_LISTED;
import static io.bloomery.security.replay.ReplayGuard.Decision.ACCEPTED;
import static io.bloomery.security.replay.ReplayGuard.Decision.REPLAYED;
import static io.bloomery.security.revocation.RevocationList.Status.REVOKED;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filter;
import io.bloomery.Filters;
import io.bloomery.growing.ScalableBloomFilter;
import io.bloomery.security.deny.DenyList;
import io.bloomery.security.deny.DenyOptions;
import io.bloomery.security.fair.FairLimiter;
import io.bloomery.security.fair.FairOptions;
import io.bloomery.security.known.KnownFiles;
import io.bloomery.security.known.KnownFiles.Checked;
import io.bloomery.security.known.KnownOptions;
import io.bloomery.security.limit.LimitOptions;
import io.bloomery.security.limit.UniqueRateLimiter;
import io.bloomery.security.password.PasswordList;
import io.bloomery.security.password.PasswordOptions;
import io.bloomery.security.replay.ReplayGuard;
import io.bloomery.security.replay.ReplayOptions;
import io.bloomery.security.revocation.RevocationList;
import io.bloomery.security.revocation.RevocationList.Published;
import io.bloomery.security.revocation.RevocationOptions;
import io.bloomery.security.revocation.RevocationOptions.Terms;
import io.bloomery.security.version.ReleaseFinder;
import io.bloomery.security.version.ReleaseFinder.Match;
import io.bloomery.security.version.ReleaseOptions;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java examples and sizes of docs/apps/security.md. */
final class SecurityPageTest {

  private static final Path SOURCE =
      Path.of("src/test/java/io/bloomery/security/SecurityPageTest.java");

  @TempDir private Path directory;

  @Test
  void thePageShowsWhatIsCompiled() throws IOException {
    List<String> compiled = Files.readAllLines(SOURCE).stream().map(String::strip).toList();
    List<List<String>> examples =
        Pattern.compile("(?ms)^```java\n(.*?)^```$")
            .matcher(Files.readString(Path.of("../../docs/apps/security.md")))
            .results()
            .map(block -> block.group(1).lines().map(String::strip).toList())
            .toList();
    assertThat(examples).isNotEmpty();
    for (List<String> example : examples) {
      assertThat(compiled).containsSubsequence(example);
    }
  }

  @Test
  void aReplay() throws IOException {
    byte[] key = new byte[16];
    String jti = "e1j3V_bKic8-LAEB";
    ReplayOptions options =
        ReplayOptions.of(Duration.ofMinutes(5), 1_000_000) // remembered, ids in that time
            .withKey(key) // 16 secret bytes, the same after a restart and on all nodes
            .recordedIn(directory, Duration.ZERO); // on disk before it is accepted
    try (ReplayGuard guard = ReplayGuard.open(options)) {
      assertThat(guard.accept(jti)).isEqualTo(ACCEPTED);
      assertThat(guard.accept(jti)).isEqualTo(REPLAYED);
    }
  }

  @Test
  void aLimit() {
    String address = "2001:db8::1";
    String account = "alice";
    UniqueRateLimiter limiter =
        UniqueRateLimiter.create(LimitOptions.of(20, Duration.ofHours(1), 1_000_000));
    assertThat(limiter.tryAcquire(address, account).isAllowed()).isTrue();
    assertThat(limiter.sizeInBits() / 8e6).isBetween(3.5, 4.5);

    FairLimiter fair = FairLimiter.create(FairOptions.DEFAULT);
    try (FairLimiter.Permit permit = fair.enter(address)) {
      assertThat(permit.isGranted()).isTrue(); // otherwise: too many requests
    }
    assertThat(FairOptions.DEFAULT.misclassification(50)).isGreaterThan(.7);
  }

  @Test
  void whatAUserWasShown() throws IOException {
    List<String> articles = List.of("a", "b", "a");
    ScalableBloomFilter shown = ScalableBloomFilter.create(100, 0.01); // per user; grows
    List<String> fresh = articles.stream().filter(shown::add).toList();
    assertThat(fresh).containsExactly("a", "b");
    Filter again = (Filter) Filters.read(shown.toBytes());
    assertThat(again.mightContain("b")).isTrue();
  }

  @Test
  void aRevokedCard() throws IOException, GeneralSecurityException {
    KeyPair keys = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    PrivateKey privateKey = keys.getPrivate();
    PublicKey publicKey = keys.getPublic();
    Instant issued = Instant.now();
    Instant cardIssued = issued.minusSeconds(9);
    byte[] card = {1};
    List<byte[]> revoked = List.of(card);
    List<byte[]> others = List.of(new byte[] {2}, new byte[] {3});
    Path file = directory.resolve("list");
    Path memory = directory.resolve("newest");

    Terms terms = new Terms(1, issued, issued, issued.plus(Duration.ofDays(7))); // number, times
    Published first = RevocationList.build(terms, revoked::stream, others::stream, privateKey);
    Files.write(file, first.list());

    RevocationOptions options =
        RevocationOptions.of(publicKey) // Ed25519
            .rememberingIn(memory); // so that an older list is refused
    RevocationList list = RevocationList.open(file, options);
    assertThat(list.isRevoked(card)).isTrue(); // you know that the publisher knew it
    assertThat(list.status(card, cardIssued)).isEqualTo(REVOKED); // GOOD, or UNKNOWN if it is newer
  }

  @Test
  void aPassword() throws IOException {
    Path leaked = Files.writeString(directory.resolve("leaked.txt"), "letmein\n");
    Path target = directory.resolve("leaked.bloom");
    PasswordOptions options = PasswordOptions.DEFAULT.withRate(1e-6).withOneChange();
    PasswordList.build(List.of(leaked), target, options);
    PasswordList list = PasswordList.open(target); // mapped; any number of threads may check
    char[] password = "letmein1".toCharArray(); // from your form, never a String
    Optional<PasswordList.Reason> reason = list.check(password); // LISTED or ONE_CHANGE_AWAY
    Arrays.fill(password, '\0');
    assertThat(reason).contains(PasswordList.Reason.ONE_CHANGE_AWAY);
    assertThat(list.refusalRate(10)).isBetween(2.05e-5, 2.15e-5);
    assertThat(PasswordOptions.DEFAULT.plannedBytes(1_000_000) / 1e6).isBetween(2.45, 2.55);
  }

  /** The server of the example. */
  private interface Server {
    boolean hasOneOf(List<DenyList.Rule> rules);
  }

  @Test
  void aDenyList() throws IOException {
    Path rules = Files.writeString(directory.resolve("rules.txt"), "tracker.example\n");
    Path ours = Files.writeString(directory.resolve("ours.txt"), "status.tracker.example\n");
    Path names = Files.writeString(directory.resolve("names.txt"), "customer.example\n");
    Path target = directory.resolve("list.deny");
    String name = "a.tracker.example";
    Server server = found -> false;
    DenyOptions options = DenyOptions.DEFAULT.withAllow(List.of(ours)).withUniverse(List.of(names));
    DenyList.build(List.of(rules), target, options);
    DenyList list = DenyList.open(target); // read and verified; any number of threads may check
    DenyList.Answer answer = list.check("https://www.tracker.example/pixel?id=1");
    assertThat(answer.verdict()).isEqualTo(DENIED);
    DenyList.Answer confirmed = list.check(name, server::hasOneOf); // asked after a hit
    assertThat(confirmed.verdict()).isEqualTo(NOT_LISTED);
    assertThat(list.check("status.tracker.example").verdict()).isEqualTo(ALLOWED);
  }

  @Test
  void aKnownFile() throws IOException {
    Path tree = Files.createDirectory(directory.resolve("tree"));
    Files.writeString(tree.resolve("a"), "abc");
    byte[] sha256 = // FIPS 180-4
        HexFormat.of().parseHex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    Path list =
        Files.writeString(directory.resolve("list"), HexFormat.of().formatHex(sha256) + "\n");
    Path target = directory.resolve("known.bloom");
    List<String> log = new ArrayList<>();
    KnownFiles.build(List.of(list), target, KnownOptions.DEFAULT, total -> read -> {});
    KnownFiles known = KnownFiles.open(target, KnownOptions.DEFAULT);
    boolean isKnown = known.mightContain(sha256); // false: certainly not
    Checked checked =
        known.check(List.of(tree), found -> log.add(found.status().name()), total -> read -> {});
    assertThat(isKnown).isTrue();
    assertThat(checked.known()).isEqualTo(1);
    assertThat(log).containsExactly("KNOWN");
  }

  @Test
  void aRelease() throws IOException, URISyntaxException {
    Path app = Path.of(Test.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<Path> releases = List.of(app);
    List<String> log = new ArrayList<>();
    ReleaseFinder finder = ReleaseFinder.of(app, ReleaseOptions.DEFAULT);
    for (Match match : finder.rank(releases, each -> {})) {
      log.add(match.release() + ": " + match.found() + " of " + match.classes());
    }
    assertThat(log).singleElement().asString().matches("[0-9].*: (\\d+) of \\1");
  }

  @Test
  void memoryOfAReplayGuard() throws IOException {
    for (double[] row : new double[][] {{1e-4, 6.2}, {1e-6, 10.5}}) {
      ReplayGuard guard =
          ReplayGuard.open(
              ReplayOptions.of(Duration.ofMinutes(5), 1_000_000).withFalseRejectRate(row[0]));
      assertThat(guard.sizeInBits() / 8e6).isBetween(row[1] - .05, row[1] + .05);
    }
  }
}
