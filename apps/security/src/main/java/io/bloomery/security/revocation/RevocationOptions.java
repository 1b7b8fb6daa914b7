package io.bloomery.security.revocation;

import java.nio.file.Path;
import java.security.PublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.spec.NamedParameterSpec;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link RevocationList} is read.
 *
 * @param publicKey the publisher's Ed25519 key
 * @param clock the time, by which a list is valid or not; null reads lists at any time
 * @param memory a file that remembers the newest list, so that an older one is refused; null
 *     refuses none. Each publisher needs a file of its own
 * @param universe whether a key was known to the publisher when the list was made; null if the
 *     caller cannot tell
 * @param maxBytes the longest list that is read, packed and unpacked
 */
public record RevocationOptions(
    PublicKey publicKey,
    @Nullable InstantSource clock,
    @Nullable Path memory,
    @Nullable Predicate<byte[]> universe,
    int maxBytes) {

  /**
   * Number and times of a list. Times are cut to milliseconds.
   *
   * @param serial 1 or more; each list has a higher one than the one before
   * @param issued when the list was made: keys of the universe are older
   * @param validFrom when it may be used first
   * @param validTo when it may no longer be used, after {@code validFrom}
   */
  public record Terms(long serial, Instant issued, Instant validFrom, Instant validTo) {

    /**
     * Checks the terms.
     *
     * @throws IllegalArgumentException if the number is below 1 or the list is never valid
     */
    public Terms {
      issued = Instant.ofEpochMilli(issued.toEpochMilli());
      validFrom = Instant.ofEpochMilli(validFrom.toEpochMilli());
      validTo = Instant.ofEpochMilli(validTo.toEpochMilli());
      if (serial < 1) {
        throw new IllegalArgumentException("serial = " + serial + " is less than 1");
      }
      if (!validFrom.isBefore(validTo)) {
        throw new IllegalArgumentException(
            "validTo = " + validTo + " is not after validFrom = " + validFrom);
      }
    }

    /** Whether a list may be used at a time. */
    boolean includes(Instant time) {
      return !time.isBefore(validFrom) && time.isBefore(validTo);
    }
  }

  private static final int DEFAULT_MAX_BYTES = 1 << 28;

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if the key is not one of Ed25519 or the limit not positive
   */
  public RevocationOptions {
    requireEd25519(publicKey);
    if (maxBytes < 1) {
      throw new IllegalArgumentException("maxBytes = " + maxBytes + " is less than 1");
    }
  }

  /**
   * By the system's clock, up to 256 MB; no list is remembered, and the caller cannot tell which
   * keys are in the universe.
   *
   * @param publicKey the publisher's Ed25519 key
   * @return options
   */
  public static RevocationOptions of(PublicKey publicKey) {
    return new RevocationOptions(publicKey, Clock.systemUTC(), null, null, DEFAULT_MAX_BYTES);
  }

  /** Whether a list may be used now. */
  boolean isInTime(Terms terms) {
    return clock == null || terms.includes(clock.instant());
  }

  private static void requireEd25519(PublicKey key) {
    Objects.requireNonNull(key, "publicKey");
    if (!(key instanceof EdECPublicKey edwards)
        || !edwards.getParams().getName().equals(NamedParameterSpec.ED25519.getName())) {
      throw new IllegalArgumentException(
          "publicKey is one of " + key.getAlgorithm() + ", not of Ed25519");
    }
  }

  /**
   * The same, refusing lists older than the newest that was opened before.
   *
   * @param file where the newest is remembered; made if it is absent. Whoever may write to it may
   *     have older lists accepted
   * @return changed options
   */
  public RevocationOptions rememberingIn(Path file) {
    return new RevocationOptions(publicKey, clock, file, universe, maxBytes);
  }

  /**
   * The same with the keys for which {@link RevocationList#status} knows an answer.
   *
   * @param covers true for the keys that the publisher knew when the list was made
   * @return changed options
   */
  public RevocationOptions withUniverse(Predicate<byte[]> covers) {
    return new RevocationOptions(publicKey, clock, memory, covers, maxBytes);
  }

  /**
   * The same with another clock.
   *
   * @param source the time
   * @return changed options
   */
  public RevocationOptions withClock(InstantSource source) {
    Objects.requireNonNull(source, "source");
    return new RevocationOptions(publicKey, source, memory, universe, maxBytes);
  }

  /**
   * The same for a list that need not be valid now: to make the list that follows it, or to update
   * it. Its answers are those of its time.
   *
   * @return changed options
   */
  public RevocationOptions atAnyTime() {
    return new RevocationOptions(publicKey, null, memory, universe, maxBytes);
  }

  /**
   * The same with another limit.
   *
   * @param bytes the longest list that is read, packed and unpacked
   * @return changed options
   */
  public RevocationOptions withMaxBytes(int bytes) {
    return new RevocationOptions(publicKey, clock, memory, universe, bytes);
  }
}
