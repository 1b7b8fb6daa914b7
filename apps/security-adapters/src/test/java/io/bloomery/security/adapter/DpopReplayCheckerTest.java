package io.bloomery.security.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.oauth2.sdk.dpop.DPoPProofFactory;
import com.nimbusds.oauth2.sdk.dpop.DefaultDPoPProofFactory;
import com.nimbusds.oauth2.sdk.dpop.verifiers.DPoPIssuer;
import com.nimbusds.oauth2.sdk.dpop.verifiers.DPoPTokenRequestVerifier;
import com.nimbusds.oauth2.sdk.dpop.verifiers.InvalidDPoPProofException;
import io.bloomery.security.replay.ReplayGuard;
import io.bloomery.security.replay.ReplayOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Proofs made and verified by Nimbus. */
@SuppressWarnings("deprecation") // the short forms, without nonces
final class DpopReplayCheckerTest {

  private static final URI ENDPOINT = URI.create("https://c2id.example.org/token");
  private static final DPoPIssuer CLIENT = new DPoPIssuer("client-1");
  private static final byte[] KEY = new byte[16];
  private static final long SKEW = 5;
  private static final long MAX_AGE = 60;

  private DPoPProofFactory proofs;

  @BeforeEach
  void makeAKey() throws Exception {
    proofs =
        new DefaultDPoPProofFactory(
            new ECKeyGenerator(Curve.P_256).keyID("1").generate(), JWSAlgorithm.ES256);
  }

  private static ReplayGuard guard(Duration window) throws IOException {
    return ReplayGuard.open(ReplayOptions.of(window, 10_000).withKey(KEY));
  }

  private static DPoPTokenRequestVerifier verifier(ReplayGuard guard) {
    return new DPoPTokenRequestVerifier(
        Set.of(JWSAlgorithm.ES256), ENDPOINT, SKEW, MAX_AGE, new DpopReplayChecker(guard));
  }

  @Test
  void aProofIsGoodOnce() throws Exception {
    DPoPTokenRequestVerifier verifier = verifier(guard(Duration.ofMinutes(5)));
    SignedJWT first = proofs.createDPoPJWT("POST", ENDPOINT);
    assertThat(verifier.verify(CLIENT, first)).isNotNull();
    assertThatThrownBy(() -> verifier.verify(CLIENT, first))
        .isInstanceOf(InvalidDPoPProofException.class)
        .hasMessageContaining("used");
    assertThat(verifier.verify(CLIENT, proofs.createDPoPJWT("POST", ENDPOINT))).isNotNull();
    assertThat(verifier.verify(new DPoPIssuer("client-2"), first)).isNotNull();
  }

  @Test
  void aProofUsedAtOneNodeIsRefusedAtAnotherAfterTheExchange() throws Exception {
    ReplayGuard one = guard(Duration.ofMinutes(5));
    ReplayGuard two = guard(Duration.ofMinutes(5));
    SignedJWT proof = proofs.createDPoPJWT("POST", ENDPOINT);
    assertThat(verifier(one).verify(CLIENT, proof)).isNotNull();
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    one.export(sent);
    two.merge(new ByteArrayInputStream(sent.toByteArray()));
    assertThatThrownBy(() -> verifier(two).verify(CLIENT, proof))
        .isInstanceOf(InvalidDPoPProofException.class);
  }

  @Test
  void aWindowThatIsTooShortIsAnError() throws Exception {
    DPoPTokenRequestVerifier verifier = verifier(guard(Duration.ofSeconds(1)));
    SignedJWT proof = proofs.createDPoPJWT("POST", ENDPOINT);
    assertThatThrownBy(() -> verifier.verify(CLIENT, proof))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("window is 1 s");
  }
}
