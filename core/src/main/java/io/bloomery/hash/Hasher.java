package io.bloomery.hash;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.bloomery.internal.hash.SipHash;
import io.bloomery.internal.hash.Xxh3Short;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Turns keys into the 64-bit hashes that every filter stores. Every key is a byte string: text is
 * its UTF-8 bytes (an unpaired surrogate becomes {@code ?}), a {@code char} the text of that one
 * character, a {@code long} its 8 bytes little-endian, a UUID its 16 bytes, most significant first,
 * so that any language with the same hash function can query the same filter. An {@code int}, a
 * {@code short} and a {@code byte} are the {@code long} of the same value.
 *
 * <p>{@link #xxh3()} is fast and public: anyone who knows the seed can construct colliding keys.
 * Use {@link #keyed(byte[])} where an adversary chooses the keys.
 *
 * <p>Immutable; any number of threads may use one.
 */
public final class Hasher {

  /** The number that identifies XXH3-64 in files. */
  public static final int XXH3_64 = 1;

  /**
   * Frozen: SipHash-2-4 in files whose check value is the hash of a text that is a possible key, so
   * that it reveals whether the filter contains that text. Such files are read, not written.
   */
  public static final int SIPHASH_2_4_OLD = 2;

  /** Frozen: as {@link #SIPHASH_2_4_OLD}, under a key derived from a secret and a nonce. */
  public static final int SIPHASH_2_4_NONCE_OLD = 3;

  /** The number that identifies SipHash-2-4 in files. */
  public static final int SIPHASH_2_4 = 4;

  /** The number that identifies SipHash-2-4 under a key derived from a secret and a nonce. */
  public static final int SIPHASH_2_4_NONCE = 5;

  /** The length of a key and of a nonce. */
  private static final int KEY_BYTES = 16;

  private static final byte[] OLD_CHECK_TEXT = "bloomery key check".getBytes(UTF_8);
  private static final byte[] CHECK_LABEL = "bloomery separate key check".getBytes(UTF_8);
  private static final Hasher DEFAULT = xxh3(0);

  private final @Nullable Hasher64 xxh3;
  private final @Nullable SipHash sip;
  private final long seed;
  private final byte @Nullable [] nonce; // null if there is none
  private final Xxh3Short shortKeys;
  private final long flip; // fields here, not a separate object: saves a read

  private Hasher(
      @Nullable Hasher64 xxh3, @Nullable SipHash sip, long seed, byte @Nullable [] nonce) {
    this.xxh3 = xxh3;
    this.sip = sip;
    this.seed = seed;
    this.nonce = nonce;
    this.shortKeys = new Xxh3Short(seed);
    this.flip = Xxh3Short.flip(seed);
  }

  /**
   * XXH3-64 with seed 0, the library's default.
   *
   * @return the hasher
   */
  public static Hasher xxh3() {
    return DEFAULT;
  }

  /**
   * XXH3-64 with a seed.
   *
   * @param seed any number
   * @return the hasher
   */
  public static Hasher xxh3(long seed) {
    return new Hasher(Hashing.xxh3_64(seed), null, seed, null);
  }

  /**
   * SipHash-2-4 under a secret key. Files keep only a check value of the key, never the key.
   *
   * @param key 16 secret bytes, little-endian as in the paper; copied
   * @return the hasher
   */
  public static Hasher keyed(byte[] key) {
    requireLength("key", key);
    return new Hasher(null, new SipHash(key), check(key), null);
  }

  /**
   * SipHash-2-4 under a key of one filter, which was derived from a secret and a public nonce as
   * docs/hashing.md says. Files keep the nonce and a check value of the key, so that a holder of
   * the secret can find the key. Mostly called by {@link io.bloomery.secure.KeyedFilters}.
   *
   * @param key the 16 secret bytes derived; copied
   * @param nonce the 16 public bytes that they were derived with; copied
   * @return the hasher
   */
  public static Hasher keyed(byte[] key, byte[] nonce) {
    requireLength("key", key);
    requireLength("nonce", nonce);
    return new Hasher(null, new SipHash(key), check(key), nonce.clone());
  }

  /** The check value of a key, by another function than the hash of a filter's keys. */
  private static long check(byte[] key) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(CHECK_LABEL);
      return ByteBuffer.wrap(digest.digest(key)).order(ByteOrder.LITTLE_ENDIAN).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private static void requireLength(String name, byte[] bytes) {
    Objects.requireNonNull(bytes, name);
    if (bytes.length != KEY_BYTES) {
      throw new IllegalArgumentException(
          name + " has " + bytes.length + " bytes; it must have " + KEY_BYTES);
    }
  }

  /**
   * The hash of a text's UTF-8 bytes.
   *
   * @param key the text
   * @return 64 bits
   */
  public long hash(CharSequence key) {
    return hash(Objects.requireNonNull(key, "key").toString().getBytes(UTF_8));
  }

  /**
   * The hash of a byte string.
   *
   * @param key the bytes
   * @return 64 bits
   */
  public long hash(byte[] key) {
    Objects.requireNonNull(key, "key");
    return hashChecked(key, 0, key.length);
  }

  /**
   * The hash of a byte string given as a range of an array.
   *
   * @param bytes the array
   * @param offset the index of the key's first byte
   * @param length the key's length in bytes
   * @return 64 bits
   */
  public long hash(byte[] bytes, int offset, int length) {
    Objects.requireNonNull(bytes, "bytes");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    return hashChecked(bytes, offset, length);
  }

  @SuppressWarnings("NullAway") // a hasher without SipHash is XXH3
  private long hashChecked(byte[] bytes, int offset, int length) {
    if (sip != null) {
      return sip.hash(bytes, offset, length);
    }
    return length >= Xxh3Short.MIN_BYTES && length <= Xxh3Short.MAX_BYTES
        ? shortKeys.hash(bytes, offset, length)
        : xxh3.hashBytesToLong(bytes, offset, length);
  }

  /**
   * The hash of a number's 8 bytes little-endian.
   *
   * @param key the number
   * @return 64 bits
   */
  public long hash(long key) {
    return sip == null ? Xxh3Short.hash(key, flip) : sip.hash(key);
  }

  /**
   * The hash of the text of one character.
   *
   * @param key the key, which counts as text
   * @return 64 bits
   */
  public long hash(char key) {
    return hash(String.valueOf(key));
  }

  /**
   * The hash of a UUID's 16 bytes, most significant first.
   *
   * @param key the key
   * @return 64 bits
   */
  public long hash(UUID key) {
    byte[] bytes = Funnel.Fields.bytesOf(Objects.requireNonNull(key, "key"));
    return hashChecked(bytes, 0, bytes.length);
  }

  /**
   * The hash of the bytes remaining in a buffer.
   *
   * @param key the key; its position and limit stay as they are
   * @return 64 bits
   */
  public long hash(ByteBuffer key) {
    int length = Objects.requireNonNull(key, "key").remaining();
    if (key.hasArray()) {
      return hashChecked(key.array(), key.arrayOffset() + key.position(), length);
    }
    byte[] bytes = new byte[length];
    key.get(key.position(), bytes);
    return hashChecked(bytes, 0, length);
  }

  /**
   * The hashes of many numbers.
   *
   * @param keys the numbers; not modified
   * @return their hashes, in the same order
   */
  public long[] hashAll(long[] keys) {
    long[] hashes = new long[Objects.requireNonNull(keys, "keys").length];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = hash(keys[i]);
    }
    return hashes;
  }

  /**
   * The hash of an object's fields, each with its length.
   *
   * @param key the object
   * @param funnel writes its fields
   * @param <T> the object's type
   * @return 64 bits
   */
  public <T> long hash(T key, Funnel<? super T> funnel) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(funnel, "funnel");
    Funnel.Fields fields = new Funnel.Fields();
    funnel.funnel(key, fields);
    return hash(fields.bytes(), 0, fields.length());
  }

  /**
   * The number that identifies the hash function in files.
   *
   * @return {@link #XXH3_64}, {@link #SIPHASH_2_4} or {@link #SIPHASH_2_4_NONCE}
   */
  public int wireId() {
    if (sip == null) {
      return XXH3_64;
    }
    return nonce == null ? SIPHASH_2_4 : SIPHASH_2_4_NONCE;
  }

  /**
   * The nonce that the key was derived with.
   *
   * @return a copy of its 16 bytes; empty unless made by {@link #keyed(byte[], byte[])}
   */
  public Optional<byte[]> nonce() {
    return Optional.ofNullable(nonce).map(byte[]::clone);
  }

  /**
   * The public value that distinguishes hashers with the same function.
   *
   * @return the seed of XXH3, or for a keyed hasher a check value of its key, from which the key
   *     cannot be computed
   */
  public long seedOrKeyCheck() {
    return seed;
  }

  /**
   * Whether this is the hasher that a file names, of any version.
   *
   * @param wireId the number of the hash function in the file
   * @param seedOrKeyCheck the seed or check value in the file
   * @param nonce the nonce in the file
   * @return true if the hashes are those of the file; for a keyed hasher except with probability
   *     2^-64
   */
  public boolean matches(int wireId, long seedOrKeyCheck, Optional<byte[]> nonce) {
    boolean old =
        sip != null && wireId == (this.nonce == null ? SIPHASH_2_4_OLD : SIPHASH_2_4_NONCE_OLD);
    // Comparing two longs takes constant time.
    return (old || wireId == wireId())
        && seedOrKeyCheck == (old ? hash(OLD_CHECK_TEXT) : seed)
        && Arrays.equals(this.nonce, nonce.orElse(null));
  }

  /**
   * Whether the hashes depend on a secret.
   *
   * @return true for {@link #keyed(byte[])} and {@link #keyed(byte[], byte[])}
   */
  public boolean isKeyed() {
    return sip != null;
  }

  /** Two hashers are equal if they give equal hashes (keyed ones except with probability 2^-64). */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Hasher that
        && wireId() == that.wireId()
        && seed == that.seed
        && Arrays.equals(nonce, that.nonce);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(seed) * 31 + wireId();
  }

  @Override
  public String toString() {
    if (sip == null) {
      return "XXH3-64, seed " + seed;
    }
    return "SipHash-2-4, key check "
        + Long.toHexString(seed)
        + (nonce == null ? "" : ", nonce " + HexFormat.of().formatHex(nonce));
  }
}
