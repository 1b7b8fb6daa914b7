package io.bloomery.security.adapter;

import io.bloomery.security.revocation.RevocationList;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.Certificate;
import java.security.cert.PKIXCertPathChecker;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Refuses certificates that a {@link RevocationList} has as revoked when the JDK validates a path.
 *
 * <pre>{@code
 * PKIXParameters parameters = new PKIXParameters(anchors);
 * parameters.setRevocationEnabled(false); // no OCSP, no CRLs
 * parameters.addCertPathChecker(
 *     RevocationChecker.of(() -> list, anchors, Unknown.REFUSE, Duration.ofHours(2)));
 * }</pre>
 *
 * <p>All certificates of the path are checked but the trust anchor. A certificate is in the
 * universe if it is older than the list, by the first time of its validity, and the universe of the
 * list's options, if there is one, has its key. Keys are made by {@link #key}, as in Larisch et al.
 * 2017, "CRLite: A Scalable System for Pushing All TLS Revocations to All Browsers".
 *
 * <p>One instance may be used for many validations, by several threads: the JDK clones it for each.
 */
public final class RevocationChecker extends PKIXCertPathChecker {

  /** What becomes of a certificate whose state is not known. */
  public enum Unknown {
    /** Its path is refused. */
    REFUSE,
    /** It is accepted as if it were not revoked. */
    ACCEPT
  }

  private final Supplier<RevocationList> list;
  private final List<TrustAnchor> anchors;
  private final Unknown unknown;
  private final Duration backdating;

  /** The key that signed the next certificate; null for the first one. */
  private @Nullable PublicKey issuer;

  private RevocationChecker(
      Supplier<RevocationList> list,
      List<TrustAnchor> anchors,
      Unknown unknown,
      Duration backdating) {
    this.list = list;
    this.anchors = anchors;
    this.unknown = unknown;
    this.backdating = backdating;
  }

  /**
   * A checker.
   *
   * @param list the newest list; called for each certificate
   * @param anchors those of the validation
   * @param unknown what becomes of a certificate outside the universe, and of all once the list is
   *     no longer valid
   * @param backdating by how much an authority may date the validity of a certificate before it
   *     issues it
   * @return a checker for {@link java.security.cert.PKIXParameters#addCertPathChecker}
   * @throws IllegalArgumentException if {@code backdating} is negative
   */
  public static RevocationChecker of(
      Supplier<RevocationList> list,
      Collection<TrustAnchor> anchors,
      Unknown unknown,
      Duration backdating) {
    if (backdating.isNegative()) {
      throw new IllegalArgumentException("backdating = " + backdating + " is negative");
    }
    return new RevocationChecker(
        Objects.requireNonNull(list, "list"),
        List.copyOf(anchors),
        Objects.requireNonNull(unknown, "unknown"),
        backdating);
  }

  /**
   * The key of a certificate in a list.
   *
   * @param issuer the key that the certificate is signed with
   * @param serialNumber its serial number
   * @return SHA-256 of the issuer's public key in its DER form, then the serial number as DER has
   *     it
   */
  public static byte[] key(PublicKey issuer, BigInteger serialNumber) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(issuer.getEncoded());
      byte[] serial = serialNumber.toByteArray();
      return ByteBuffer.allocate(hash.length + serial.length).put(hash).put(serial).array();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no SHA-256", e);
    }
  }

  @Override
  public void init(boolean forward) throws CertPathValidatorException {
    if (forward) {
      throw new CertPathValidatorException("certificates are checked from the anchor on");
    }
    issuer = null;
  }

  @Override
  public boolean isForwardCheckingSupported() {
    return false;
  }

  @Override
  public @Nullable Set<String> getSupportedExtensions() {
    return null;
  }

  @Override
  public void check(Certificate certificate, Collection<String> unresolvedCritExts)
      throws CertPathValidatorException {
    if (!(certificate instanceof X509Certificate x509)) {
      throw new CertPathValidatorException("not an X.509 certificate");
    }
    PublicKey signer = issuer == null ? anchorOf(x509) : issuer;
    issuer = x509.getPublicKey();
    RevocationList.Status status =
        list.get()
            .status(
                key(signer, x509.getSerialNumber()),
                x509.getNotBefore().toInstant().plus(backdating));
    if (status == RevocationList.Status.REVOKED) {
      throw refused(x509, "is revoked", BasicReason.REVOKED);
    }
    if (status == RevocationList.Status.UNKNOWN && unknown == Unknown.REFUSE) {
      throw refused(x509, "is not known to the list", BasicReason.UNDETERMINED_REVOCATION_STATUS);
    }
  }

  private static CertPathValidatorException refused(
      X509Certificate certificate, String what, BasicReason reason) {
    return new CertPathValidatorException(
        "the certificate with serial number %x %s".formatted(certificate.getSerialNumber(), what),
        null,
        null,
        -1,
        reason);
  }

  private PublicKey anchorOf(X509Certificate certificate) throws CertPathValidatorException {
    for (TrustAnchor anchor : anchors) {
      X509Certificate trusted = anchor.getTrustedCert();
      PublicKey key = trusted == null ? anchor.getCAPublicKey() : trusted.getPublicKey();
      try {
        certificate.verify(key);
        return key;
      } catch (GeneralSecurityException e) {
        // It is signed by another.
      }
    }
    throw new CertPathValidatorException("the path begins at none of the checker's trust anchors");
  }
}
