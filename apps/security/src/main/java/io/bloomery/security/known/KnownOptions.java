package io.bloomery.security.known;

import io.bloomery.secure.Secret;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How {@link KnownFiles} are built and opened.
 *
 * @param rate the probability that a file is taken for one of the set; only for building
 * @param digest by which digest files are known; null for building: that of the lists, SHA-256 for
 *     trees; null for opening: that of the set, SHA-1 for a set of DCSO's format
 * @param form the format of the set; only for building
 * @param lowerCase whether a set of DCSO's format holds digests in lower case
 * @param secret the secret of the set; null if it has none. Close it when the set is built or open
 * @param places whether the set also knows names and sizes, to find changes; only for building, of
 *     one tree, with a secret
 * @param strict whether a broken line of a list is an error, instead of being counted and skipped
 * @param threads how many threads read files
 * @param heapKeys how many keys are kept on the heap, at 8 bytes each; beyond that they go to a
 *     temporary file, and the filter is built in shards of at most about that many keys
 * @param temporaryDirectory an existing directory for that file; null for the system's
 */
public record KnownOptions(
    double rate,
    @Nullable Digest digest,
    Form form,
    boolean lowerCase,
    @Nullable Secret secret,
    boolean places,
    boolean strict,
    int threads,
    long heapKeys,
    @Nullable Path temporaryDirectory) {

  /** A digest of a file's content. */
  public enum Digest {
    /** 32 bytes. */
    SHA256("SHA-256", 32),
    /** 20 bytes. Whoever makes a file can make another with the same digest. */
    SHA1("SHA-1", 20),
    /** 16 bytes. Whoever makes a file can make another with the same digest. */
    MD5("MD5", 16);

    private final String label;
    private final int length;

    Digest(String label, int length) {
      this.label = label;
      this.length = length;
    }

    /**
     * Its usual name.
     *
     * @return what the JDK calls it
     */
    public String label() {
      return label;
    }

    /**
     * How long it is.
     *
     * @return bytes
     */
    public int length() {
      return length;
    }

    MessageDigest start() {
      try {
        return MessageDigest.getInstance(label);
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java platform has " + label, e);
      }
    }
  }

  /** The format of a set. */
  public enum Form {
    /** A static filter of Bloomery. */
    NATIVE,
    /** A Bloom filter of digests in hexadecimal, as CIRCL publishes them. */
    DCSO
  }

  /** One other file of a million is taken for known; nothing more. */
  public static final KnownOptions DEFAULT =
      new KnownOptions(
          1e-6,
          null,
          Form.NATIVE,
          false,
          null,
          false,
          false,
          Math.min(8, Runtime.getRuntime().availableProcessors()),
          1 << 23,
          null);

  private static final double LOWEST_RATE = 0x1p-32;
  private static final int MOST_THREADS = 64;
  private static final long FEWEST_HEAP_KEYS = 1 << 16;
  private static final long MOST_HEAP_KEYS = 1 << 27;

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if a number is out of range, or if options contradict each
   *     other: a set of DCSO's format has no secret; a set that knows places has one, and needs
   *     SHA-256
   */
  public KnownOptions {
    Objects.requireNonNull(form, "form");
    if (!(rate >= LOWEST_RATE && rate < 1)) {
      throw new IllegalArgumentException("rate = " + rate + " is not between 2^-32 and 1");
    }
    if (threads < 1 || threads > MOST_THREADS) {
      throw new IllegalArgumentException("threads = " + threads + " is not between 1 and 64");
    }
    if (heapKeys < FEWEST_HEAP_KEYS || heapKeys > MOST_HEAP_KEYS) {
      throw new IllegalArgumentException(
          "heapKeys = " + heapKeys + " is not between 2^16 and 2^27");
    }
    if (form == Form.DCSO && secret != null) {
      throw new IllegalArgumentException("DCSO's format has no secret");
    }
    if (places && secret == null) {
      throw new IllegalArgumentException("a set that knows places needs a secret");
    }
    if (places && digest != null && digest != Digest.SHA256) {
      throw new IllegalArgumentException(
          "a set that knows places needs SHA-256; " + digest.label + " is not safe from changes");
    }
  }

  /**
   * The same with another rate.
   *
   * @param falseRate the probability that a file is taken for one of the set, 2^-32 … 1
   * @return changed options
   */
  public KnownOptions withRate(double falseRate) {
    return new KnownOptions(
        falseRate,
        digest,
        form,
        lowerCase,
        secret,
        places,
        strict,
        threads,
        heapKeys,
        temporaryDirectory);
  }

  /**
   * The same with a given digest.
   *
   * @param by by which files are known
   * @return changed options
   */
  public KnownOptions withDigest(Digest by) {
    return new KnownOptions(
        rate, by, form, lowerCase, secret, places, strict, threads, heapKeys, temporaryDirectory);
  }

  /**
   * The same for a set in DCSO's format.
   *
   * @param lower whether digests are in lower case; CIRCL's SHA-1 digests are in upper case
   * @return changed options
   */
  public KnownOptions inDcsoForm(boolean lower) {
    return new KnownOptions(
        rate,
        digest,
        Form.DCSO,
        lower,
        secret,
        places,
        strict,
        threads,
        heapKeys,
        temporaryDirectory);
  }

  /**
   * The same for a set under a secret.
   *
   * @param key the secret
   * @return changed options
   */
  public KnownOptions withSecret(Secret key) {
    return new KnownOptions(
        rate, digest, form, lowerCase, key, places, strict, threads, heapKeys, temporaryDirectory);
  }

  /**
   * The same for a set that also knows the names and sizes of the files of a tree, under a secret.
   *
   * @param key the secret
   * @return changed options
   */
  public KnownOptions withPlaces(Secret key) {
    return new KnownOptions(
        rate, digest, form, lowerCase, key, true, strict, threads, heapKeys, temporaryDirectory);
  }

  /**
   * The same, refusing lists with broken lines.
   *
   * @return changed options
   */
  public KnownOptions strictly() {
    return new KnownOptions(
        rate, digest, form, lowerCase, secret, places, true, threads, heapKeys, temporaryDirectory);
  }

  /**
   * The same with other limits.
   *
   * @param readers how many threads read files, 1 … 64
   * @param keys how many keys are kept on the heap, 2^16 … 2^27
   * @param directory an existing directory for more keys; null for the system's
   * @return changed options
   */
  public KnownOptions within(int readers, long keys, @Nullable Path directory) {
    return new KnownOptions(
        rate, digest, form, lowerCase, secret, places, strict, readers, keys, directory);
  }
}
