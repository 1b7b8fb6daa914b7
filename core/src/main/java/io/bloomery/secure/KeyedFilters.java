package io.bloomery.secure;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomery.Filter;
import io.bloomery.FilterBuilder;
import io.bloomery.FrameHeader;
import io.bloomery.ReadOptions;
import io.bloomery.hash.Hasher;
import io.bloomery.plan.Plan;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Objects;

/**
 * Creates filters of any kind under one secret, and finds the hashers of stored ones. Each filter
 * gets a random nonce, and from it its own key for SipHash-2-4:
 *
 * <pre>{@code
 * try (Secret secret = Secret.random()) {
 *   KeyedFilters keyed = KeyedFilters.of(secret);
 *   var seen = BlockedBloomFilter.create(BlockShape.forKeys(1_000_000, 0.01), keyed.newHasher());
 *   seen.writeTo(file);                        // with the nonce and a check value, no key
 *   // Another secret is an error.
 *   Filter again = Filters.open(file, ReadOptions.defaults().withHashers(keyed));
 * }
 * }</pre>
 *
 * <p>Without the secret, guesses cannot be tested against a file, and an attacker who has seen any
 * number of answers is no better than chance at choosing keys that pollute a filter or are false
 * positives. Two filters of the same keys have nothing in common, because their nonces differ. The
 * size and the fill remain visible, and with them the approximate number of keys; docs/threats.md
 * has the rest.
 *
 * <p>Filters that will be merged, intersected or compared need equal hashers: give all of them the
 * {@link io.bloomery.HashedFilter#hasher() hasher} of the first. Their bits then show which of them
 * have keys in common.
 *
 * <p>The key of a filter stays in memory with its hasher. The secret is needed to create and open
 * filters, not to use them; close it when that is done.
 *
 * <p>Thread-safe.
 *
 * <p>Tarkoma, Rothenberg and Lagerspetz 2012, "Theory and Practice of Bloom Filters for Distributed
 * Systems", sec. III-W. Decision 023 explains where the nonce is stored.
 */
public final class KeyedFilters implements ReadOptions.HasherSource {

  private static final byte[] LABEL = "bloomery keyed filter".getBytes(US_ASCII);
  private static final int KEY_BYTES = 16;

  private final Secret secret;
  private final SecureRandom random = new SecureRandom();

  private KeyedFilters(Secret secret) {
    this.secret = secret;
  }

  /**
   * Filters under a secret.
   *
   * @param secret the secret; the caller closes it
   * @return an object that creates and opens filters
   */
  public static KeyedFilters of(Secret secret) {
    return new KeyedFilters(Objects.requireNonNull(secret, "secret"));
  }

  /**
   * A hasher for one new filter, with a fresh nonce.
   *
   * @return a keyed hasher, for {@code create(shape, hasher)} and the builders of every kind
   * @throws IllegalStateException if the secret is closed
   */
  public Hasher newHasher() {
    byte[] nonce = new byte[KEY_BYTES];
    random.nextBytes(nonce);
    return hasher(nonce);
  }

  /**
   * The hasher of the filter with a nonce.
   *
   * @param nonce 16 bytes, see {@link Hasher#nonce()} and {@link FrameHeader#nonce()}
   * @return a keyed hasher
   * @throws IllegalStateException if the secret is closed
   */
  public Hasher hasher(byte[] nonce) {
    Objects.requireNonNull(nonce, "nonce");
    byte[] derived = secret.derive(LABEL, nonce);
    byte[] key = Arrays.copyOf(derived, KEY_BYTES);
    try {
      return Hasher.keyed(key, nonce);
    } finally {
      Arrays.fill(derived, (byte) 0);
      Arrays.fill(key, (byte) 0);
    }
  }

  /**
   * The hasher of a stored filter, by the nonce in its header. A file without a nonce was made by
   * {@link Hasher#keyed(byte[])} with the secret itself, if that has 16 bytes; otherwise it is not
   * one of these filters, and the hasher does not match: a file without a secret key is refused.
   *
   * @param header the checked header of its frame
   * @return a keyed hasher
   * @throws IllegalStateException if the secret is closed
   */
  @Override
  public Hasher hasher(FrameHeader header) {
    if (header.isKeyed() && header.nonce().isEmpty() && secret.length() == KEY_BYTES) {
      byte[] key = secret.toBytes();
      try {
        return Hasher.keyed(key);
      } finally {
        Arrays.fill(key, (byte) 0);
      }
    }
    return hasher(header.nonce().orElseGet(() -> new byte[KEY_BYTES]));
  }

  /**
   * The filter of a plan, empty, with a fresh nonce.
   *
   * @param plan for example the best for {@link io.bloomery.plan.Need#PRIVATE}
   * @return a filter of the plan's kind
   * @throws IllegalStateException if the kind holds a static set, which {@link #builder} makes, or
   *     the secret is closed
   */
  public Filter create(Plan plan) {
    return plan.create(newHasher());
  }

  /**
   * Starts building the filter of a plan, which may be of a static kind, with a fresh nonce.
   *
   * @param plan the kind and its shape
   * @param hasher the result of {@link #newHasher()}, which hashes the keys
   * @param threads how many threads may build it, 1 or more
   * @return takes the keys' hashes
   * @throws IllegalArgumentException if the hasher has no nonce
   * @throws IllegalStateException if keys alone do not fill it
   */
  public FilterBuilder builder(Plan plan, Hasher hasher, int threads) {
    if (hasher.nonce().isEmpty()) {
      throw new IllegalArgumentException("hasher has no nonce; take one of newHasher()");
    }
    return plan.builder(hasher, threads);
  }

  /** Reveals nothing about the secret. */
  @Override
  public String toString() {
    return "KeyedFilters[" + secret + "]";
  }
}
