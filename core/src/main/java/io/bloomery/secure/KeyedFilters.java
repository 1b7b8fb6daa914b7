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
 * Makes filters of any kind under one secret, and finds the keys of those that were stored. Each
 * filter gets a random nonce, and with it a key of its own, by which its keys are hashed with
 * SipHash-2-4:
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
 * <p>Without the secret a file answers no guesses, and nobody can choose keys that pollute a filter
 * or are false positives, however many answers they have seen: they do as well as chance. Two
 * filters of the same keys have nothing in common, because their nonces differ. What still shows is
 * the size and the fill, and with them about how many keys there are; docs/threats.md has the rest.
 *
 * <p>Filters that are to be merged, intersected or compared need equal hashers: give all of them
 * the {@link io.bloomery.HashedFilter#hasher() hasher} of the first. Their bits then show which of
 * them have keys in common.
 *
 * <p>The key of a filter stays in memory with its hasher. The secret is needed to make and to open
 * filters, not to use them; close it when that is done.
 *
 * <p>Threads: any number may use one.
 *
 * <p>Tarkoma, Rothenberg and Lagerspetz 2012, "Theory and Practice of Bloom Filters for Distributed
 * Systems", sec. III-W. Decision 023 says where the nonce is and why.
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
   * @param secret stays the caller's, who closes it
   * @return makes and opens filters
   */
  public static KeyedFilters of(Secret secret) {
    return new KeyedFilters(Objects.requireNonNull(secret, "secret"));
  }

  /**
   * A hasher for one new filter, with a nonce that no other filter has.
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
   * {@link Hasher#keyed(byte[])} with the secret itself, if that has 16 bytes, or it is none of
   * these filters and the hasher does not fit: a file without a secret key is refused.
   *
   * @param header the checked header of its frame
   * @return a keyed hasher
   * @throws IllegalStateException if the secret is closed
   */
  @Override
  public Hasher hasher(FrameHeader header) {
    if (header.hashId() == Hasher.SIPHASH_2_4 && secret.length() == KEY_BYTES) {
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
   * The filter of a plan, empty, with a nonce of its own.
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
   * Starts to make the filter of a plan, which may be of a static kind, with a nonce of its own.
   *
   * @param plan the kind and its shape
   * @param hasher one of {@link #newHasher()}, by which the keys are hashed
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

  /** Says nothing about the secret. */
  @Override
  public String toString() {
    return "KeyedFilters[" + secret + "]";
  }
}
