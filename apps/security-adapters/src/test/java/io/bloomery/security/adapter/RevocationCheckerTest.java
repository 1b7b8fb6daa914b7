package io.bloomery.security.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.security.adapter.RevocationChecker.Unknown;
import io.bloomery.security.revocation.RevocationList;
import io.bloomery.security.revocation.RevocationOptions;
import io.bloomery.security.revocation.RevocationOptions.Terms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.CertPath;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Chains that keytool made: root, authority, and certificates of both. */
final class RevocationCheckerTest {

  private static final List<String> LEAVES = List.of("good", "bad");

  @TempDir private static Path directory;

  private static KeyStore store;
  private static Set<TrustAnchor> anchors;
  private static KeyPair publisher;

  @BeforeAll
  static void makeChains() throws Exception {
    keytool("root", "-ext", "bc:c");
    keytool("authority", "-signer", "root", "-ext", "bc:c");
    for (String leaf : LEAVES) {
      keytool(leaf, "-signer", "authority");
    }
    store = KeyStore.getInstance(directory.resolve("store").toFile(), "secret".toCharArray());
    anchors = Set.of(new TrustAnchor(certificate("root"), null));
    publisher = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
  }

  private static void keytool(String name, String... more)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-keystore", directory.resolve("store").toString()));
    command.addAll(List.of("-storepass", "secret", "-alias", name, "-dname", "CN=" + name));
    command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1"));
    command.addAll(List.of("-startdate", "-2d"));
    command.addAll(Arrays.asList(more));
    Path output = directory.resolve("keytool.out");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor()).as(Files.readString(output)).isZero();
  }

  private static X509Certificate certificate(String name) throws GeneralSecurityException {
    return (X509Certificate) store.getCertificate(name);
  }

  private static byte[] key(String name) {
    try {
      String signer = name.equals("authority") ? "root" : "authority";
      return RevocationChecker.key(
          certificate(signer).getPublicKey(), certificate(name).getSerialNumber());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** A list of the certificates and some others, issued now or earlier. */
  private static RevocationList list(Instant issued, String revoked) throws IOException {
    Instant start = Instant.EPOCH;
    Terms terms = new Terms(1, issued, start, Instant.now().plus(1, ChronoUnit.DAYS));
    byte[] list =
        RevocationList.build(
                terms,
                () -> Stream.of(key(revoked)),
                () ->
                    Stream.concat(
                        Stream.of("authority", "good", "bad")
                            .filter(name -> !name.equals(revoked))
                            .map(RevocationCheckerTest::key),
                        IntStream.range(0, 10_000)
                            .mapToObj(i -> new byte[] {(byte) i, (byte) (i >> 8)})),
                publisher.getPrivate())
            .list();
    return RevocationList.read(list, RevocationOptions.of(publisher.getPublic()));
  }

  private static void validate(String name, RevocationChecker checker)
      throws GeneralSecurityException {
    CertPath path =
        CertificateFactory.getInstance("X.509")
            .generateCertPath(List.of(certificate(name), certificate("authority")));
    PKIXParameters parameters = new PKIXParameters(anchors);
    parameters.setRevocationEnabled(false);
    parameters.addCertPathChecker(checker);
    CertPathValidator.getInstance("PKIX").validate(path, parameters);
  }

  private static RevocationChecker checker(RevocationList list, Unknown unknown) {
    return RevocationChecker.of(() -> list, anchors, unknown, Duration.ofHours(2));
  }

  private static void assertRefused(
      BasicReason reason, int index, String name, RevocationChecker checker) {
    assertThatThrownBy(() -> validate(name, checker))
        .isInstanceOfSatisfying(
            CertPathValidatorException.class,
            refused -> {
              assertThat(refused.getReason()).isEqualTo(reason);
              assertThat(refused.getIndex()).isEqualTo(index);
            });
  }

  @Test
  void theJdkRefusesWhatIsRevoked() throws Exception {
    for (Unknown unknown : Unknown.values()) {
      RevocationChecker checker = checker(list(Instant.now(), "bad"), unknown);
      for (int i = 0; i < 2; i++) {
        validate("good", checker);
        assertRefused(BasicReason.REVOKED, 0, "bad", checker);
      }
    }
  }

  @Test
  void anAuthorityCanBeRevoked() throws Exception {
    RevocationChecker checker = checker(list(Instant.now(), "authority"), Unknown.ACCEPT);
    assertRefused(BasicReason.REVOKED, 1, "good", checker);
  }

  /** They were issued two days ago, and the list 47 hours ago; authorities may backdate 2 hours. */
  @Test
  void whatTheListDoesNotKnowIsForTheCallerToDecide() throws Exception {
    RevocationList list = list(Instant.now().minus(47, ChronoUnit.HOURS), "bad");
    validate("bad", checker(list, Unknown.ACCEPT));
    assertRefused(
        BasicReason.UNDETERMINED_REVOCATION_STATUS, 1, "good", checker(list, Unknown.REFUSE));
    RevocationChecker exact =
        RevocationChecker.of(() -> list, anchors, Unknown.REFUSE, Duration.ZERO);
    validate("good", exact);
    assertRefused(BasicReason.REVOKED, 0, "bad", exact);
  }

  @Test
  void aPathOfAnotherAnchor() throws Exception {
    Set<TrustAnchor> others = Set.of(new TrustAnchor(certificate("good"), null));
    RevocationList list = list(Instant.now(), "bad");
    assertThatThrownBy(
            () ->
                validate(
                    "good",
                    RevocationChecker.of(() -> list, others, Unknown.ACCEPT, Duration.ZERO)))
        .isInstanceOf(CertPathValidatorException.class)
        .hasMessageContaining("anchors");
  }

  @Test
  void wrongArguments() throws Exception {
    RevocationList list = list(Instant.now(), "bad");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> RevocationChecker.of(() -> list, anchors, Unknown.ACCEPT, Duration.ofMillis(-1)));
    RevocationChecker checker = checker(list, Unknown.ACCEPT);
    assertThat(checker.isForwardCheckingSupported()).isFalse();
    assertThatThrownBy(() -> checker.init(true)).isInstanceOf(CertPathValidatorException.class);
  }
}
