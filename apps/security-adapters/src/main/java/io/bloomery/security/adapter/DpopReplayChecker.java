package io.bloomery.security.adapter;

import com.nimbusds.oauth2.sdk.dpop.verifiers.DPoPProofUse;
import com.nimbusds.oauth2.sdk.util.singleuse.AlreadyUsedException;
import com.nimbusds.oauth2.sdk.util.singleuse.SingleUseChecker;
import io.bloomery.security.replay.ReplayGuard;
import io.bloomery.security.replay.ReplayGuard.Decision;
import java.util.Objects;

/**
 * Refuses DPoP proofs that were used before (RFC 9449, sec. 11.1), for the verifiers of Nimbus
 * OAuth 2.0: in constant memory instead of one entry per proof, and across nodes that exchange
 * their guards' filters.
 *
 * <p>The guard's window must be as long as the proofs are valid, in the verifier's terms their
 * greatest age and twice the clock skew. A sound proof is refused with the guard's rate of false
 * rejects; clients then make another.
 */
public final class DpopReplayChecker implements SingleUseChecker<DPoPProofUse> {

  private final ReplayGuard guard;

  /**
   * A checker.
   *
   * @param guard remembers the proofs; no other ids may go through it
   */
  public DpopReplayChecker(ReplayGuard guard) {
    this.guard = Objects.requireNonNull(guard, "guard");
  }

  /**
   * Marks a proof as used.
   *
   * @throws AlreadyUsedException if it was used before
   * @throws IllegalStateException if proofs are valid for longer than the guard remembers them
   */
  @Override
  public void markAsUsed(DPoPProofUse use) throws AlreadyUsedException {
    long seconds = guard.window().toSeconds();
    if (use.getMaxAge() > seconds) {
      throw new IllegalStateException(
          "proofs are valid for %d s, and the guard's window is %d s"
              .formatted(use.getMaxAge(), seconds));
    }
    String issuer = use.getIssuer().getValue();
    String id = issuer.length() + ":" + issuer + use.getJWTID().getValue();
    if (guard.accept(id) != Decision.ACCEPTED) {
      throw new AlreadyUsedException("DPoP proof with the jti " + use.getJWTID() + " was used");
    }
  }
}
