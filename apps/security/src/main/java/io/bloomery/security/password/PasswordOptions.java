package io.bloomery.security.password;

import io.bloomery.frozen.RibbonShape;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link PasswordList} is built.
 *
 * @param rate the probability per lookup that a password is taken for a listed one; a check makes
 *     one lookup, or up to 2L + 2 for a password of L characters if it also finds changed ones
 * @param input what the lines of the files hold
 * @param oneChange whether passwords one change away from a listed one are found as well; only for
 *     files of passwords
 * @param countClasses whether the list also knows which passwords were seen at least 10, 100 and
 *     1,000 times; only for files with counts
 * @param strict whether a broken line is an error, instead of being counted and skipped
 * @param heapKeys how many keys are kept on the heap, at 8 bytes each; beyond that they go to a
 *     temporary file, and the filter is built in shards of at most about that many keys
 * @param temporaryDirectory an existing directory for that file; null for the system's
 */
public record PasswordOptions(
    double rate,
    Input input,
    boolean oneChange,
    boolean countClasses,
    boolean strict,
    long heapKeys,
    @Nullable Path temporaryDirectory) {

  /** What the lines of a file hold. */
  public enum Input {
    /** As at least half of the first lines look, up to 1,000 of them. */
    DETECTED,
    /** A password per line. */
    PLAIN,
    /** The SHA-1 of a password in hexadecimal, and its count after a colon. */
    SHA1,
    /** The NTLM hash of a password in hexadecimal, and its count after a colon. */
    NTLM
  }

  /** Detected input, one of a million other passwords refused, nothing more. */
  public static final PasswordOptions DEFAULT =
      new PasswordOptions(1e-6, Input.DETECTED, false, false, false, 1 << 23, null);

  private static final double LOWEST_RATE = 0x1p-32;
  private static final long FEWEST_HEAP_KEYS = 1 << 16;
  private static final long MOST_HEAP_KEYS = 1 << 27;

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if a number is out of range, or if both changed passwords and
   *     counts are asked for, which no file has
   */
  public PasswordOptions {
    Objects.requireNonNull(input, "input");
    if (!(rate >= LOWEST_RATE && rate < 1)) {
      throw new IllegalArgumentException("rate = " + rate + " is not between 2^-32 and 1");
    }
    if (heapKeys < FEWEST_HEAP_KEYS || heapKeys > MOST_HEAP_KEYS) {
      throw new IllegalArgumentException(
          "heapKeys = " + heapKeys + " is not between 2^16 and 2^27");
    }
    if (oneChange && countClasses) {
      throw new IllegalArgumentException(
          "oneChange needs passwords and countClasses needs hashes with counts");
    }
  }

  /**
   * The same with another rate.
   *
   * @param falseRate the probability per lookup that a password is taken for a listed one, 2^-32 …
   *     1
   * @return changed options
   */
  public PasswordOptions withRate(double falseRate) {
    return new PasswordOptions(
        falseRate, input, oneChange, countClasses, strict, heapKeys, temporaryDirectory);
  }

  /**
   * The same for given lines.
   *
   * @param lines what the lines of the files hold
   * @return changed options
   */
  public PasswordOptions withInput(Input lines) {
    return new PasswordOptions(
        rate, lines, oneChange, countClasses, strict, heapKeys, temporaryDirectory);
  }

  /**
   * The same for a list that also finds passwords with one inserted, deleted or replaced character.
   *
   * @return changed options
   */
  public PasswordOptions withOneChange() {
    return new PasswordOptions(
        rate, input, true, countClasses, strict, heapKeys, temporaryDirectory);
  }

  /**
   * The same for a list that also knows which passwords are frequent.
   *
   * @return changed options
   */
  public PasswordOptions withCountClasses() {
    return new PasswordOptions(rate, input, oneChange, true, strict, heapKeys, temporaryDirectory);
  }

  /**
   * The same, refusing files with broken lines.
   *
   * @return changed options
   */
  public PasswordOptions strictly() {
    return new PasswordOptions(
        rate, input, oneChange, countClasses, true, heapKeys, temporaryDirectory);
  }

  /**
   * The same with other limits for memory.
   *
   * @param keys how many keys are kept on the heap, 2^16 … 2^27
   * @param directory an existing directory for more keys; null for the system's
   * @return changed options
   */
  public PasswordOptions within(long keys, @Nullable Path directory) {
    return new PasswordOptions(rate, input, oneChange, countClasses, strict, keys, directory);
  }

  /**
   * The size of a filter, known before it is built.
   *
   * @param keys the distinct passwords of the list; more where it also knows changed ones or counts
   * @return bytes
   */
  public long plannedBytes(long keys) {
    long shards = 1;
    while ((keys + shards - 1) / shards > heapKeys) {
      shards *= 2;
    }
    long each = Math.max(1, (keys + shards - 1) / shards);
    return shards * (RibbonShape.forKeys(each, rate).sizeInBits() / Byte.SIZE);
  }
}
