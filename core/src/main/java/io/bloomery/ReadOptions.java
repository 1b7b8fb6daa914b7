package io.bloomery;

import io.bloomery.hash.Hasher;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Memory;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How {@link Filters#open}, {@link Filters#map} and {@link Filters#read} read a filter: as which
 * type, with which key, and within which limit. An immutable value; each method returns a changed
 * copy.
 *
 * <pre>{@code
 * BloomFilter seen = Filters.open(file, ReadOptions.as(BloomFilter.class).withLimit(1 << 30));
 * }</pre>
 *
 * @param <F> the filter's type
 */
public final class ReadOptions<F extends Filter> {

  private final Class<F> type;
  private final @Nullable HasherSource hashers;
  private final long limitBytes;
  private final boolean verified;

  private ReadOptions(
      Class<F> type, @Nullable HasherSource hashers, long limitBytes, boolean verified) {
    this.type = type;
    this.hashers = hashers;
    this.limitBytes = limitBytes;
    this.verified = verified;
  }

  /**
   * A filter of any type, without a key, that takes up to three quarters of the heap.
   *
   * @return what {@link Filters#open(java.nio.file.Path)} and {@link
   *     Filters#map(java.nio.file.Path)} use
   */
  public static ReadOptions<Filter> defaults() {
    return as(Filter.class);
  }

  /**
   * A filter of a known type, otherwise as {@link #defaults} has it. A filter of another type is an
   * error.
   *
   * @param type the filter's class or a capability, such as {@link AddableFilter}
   * @param <F> the filter's type
   * @return the options
   */
  public static <F extends Filter> ReadOptions<F> as(Class<F> type) {
    return new ReadOptions<>(Objects.requireNonNull(type, "type"), null, Memory.budget(), false);
  }

  /**
   * Expects a filter that was created with this hasher; another hasher or key is an error. Needed
   * for secret keys, which files never contain. Files of other systems cannot be read with a
   * hasher.
   *
   * @param hasher the filter's hasher, with its secret key if it is keyed
   * @return the changed options
   */
  public ReadOptions<F> withHasher(Hasher hasher) {
    Objects.requireNonNull(hasher, "hasher");
    return withHashers(header -> hasher);
  }

  /**
   * Like {@link #withHasher}, for a filter whose hasher is found by its header.
   *
   * @param hashers finds the hasher, such as {@link io.bloomery.secure.KeyedFilters}
   * @return the changed options
   */
  public ReadOptions<F> withHashers(HasherSource hashers) {
    return new ReadOptions<>(
        type, Objects.requireNonNull(hashers, "hashers"), limitBytes, verified);
  }

  /**
   * Limits how much memory is taken; a file or frame that needs more is an error. For a mapped
   * file, only the part that must be decoded counts, such as that of a compressed filter. Reading a
   * stream never takes more, except briefly one eighth more.
   *
   * @param limitBytes the longest file or frame, and the largest filter that is decoded from it
   * @return the changed options
   */
  public ReadOptions<F> withLimit(long limitBytes) {
    return new ReadOptions<>(
        type, hashers, Arguments.inRange("limitBytes", limitBytes, 0, Long.MAX_VALUE), verified);
  }

  /**
   * Checks every byte of a mapped file, and every rule of its kind, as {@link Filters#verify} does,
   * before the filter is used; this reads the whole file once. Files that are not mapped are always
   * checked.
   *
   * @return the changed options
   */
  public ReadOptions<F> verified() {
    return new ReadOptions<>(type, hashers, limitBytes, true);
  }

  Class<F> type() {
    return type;
  }

  /** The source of the hasher; null if the filter needs none. */
  @Nullable HasherSource hashers() {
    return hashers;
  }

  long limitBytes() {
    return limitBytes;
  }

  boolean isVerified() {
    return verified;
  }

  @Override
  public String toString() {
    return "as %s%s, up to %d bytes%s"
        .formatted(
            type.getSimpleName(),
            hashers == null ? "" : ", with a hasher",
            limitBytes,
            verified ? ", verified" : "");
  }

  /**
   * Finds the hasher of a stored filter by its header, for filters whose key is derived from a
   * secret and a nonce in their file. {@link io.bloomery.secure.KeyedFilters} implements it.
   */
  @FunctionalInterface
  public interface HasherSource {

    /**
     * The hasher a filter was created with.
     *
     * @param header the checked header of its frame
     * @return the hasher; null if there is none, in which case only filters without a secret key
     *     open
     */
    @Nullable Hasher hasher(FrameHeader header);
  }
}
