package io.bloomery.net.match;

import io.bloomery.hash.Hasher;
import java.security.SecureRandom;
import java.util.Objects;

/**
 * How a {@link PrefixTable} is laid out.
 *
 * @param bitsPerEntry how many bits of filter an entry has, 1 to 64, on average over all lengths
 * @param arrayBits prefixes up to this length, 8 to 24, are in an array of four bytes for each
 *     beginning of an address; a table of few prefixes takes a shorter array
 * @param expansion how many entries there may be per prefix, 1 to 256: prefixes are expanded to as
 *     few lengths as that allows; 1 keeps a filter for each length
 * @param hasher hashes prefixes; keyed if strangers choose them, since who knows the hash can
 *     choose prefixes that make lookups slow. It is not stored
 * @param maxBytes the most memory that the prefixes of one version of IP may take, and the values
 *     of both
 */
public record PrefixOptions(
    double bitsPerEntry, int arrayBits, double expansion, Hasher hasher, long maxBytes) {

  private static final int LEAST_ARRAY = 8;
  private static final int MOST_ARRAY = 24;
  private static final int MOST_BITS = 64;
  private static final int MOST_EXPANSION = 256;
  private static final long DEFAULT_MAX_BYTES = 1L << 30;

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if a number is out of its range
   */
  public PrefixOptions {
    Objects.requireNonNull(hasher, "hasher");
    require(bitsPerEntry >= 1 && bitsPerEntry <= MOST_BITS, "bitsPerEntry", bitsPerEntry);
    require(arrayBits >= LEAST_ARRAY && arrayBits <= MOST_ARRAY, "arrayBits", arrayBits);
    require(expansion >= 1 && expansion <= MOST_EXPANSION, "expansion", expansion);
    require(maxBytes >= 1, "maxBytes", maxBytes);
  }

  private static void require(boolean isWithin, String name, Number value) {
    if (!isWithin) {
      throw new IllegalArgumentException(name + " = " + value + " is out of its range");
    }
  }

  /**
   * For tables of any source: 12 bits per entry, an array of up to 20 bits, up to 1.5 entries per
   * prefix, a random key, and up to 1 GiB.
   *
   * @return options
   */
  public static PrefixOptions standard() {
    byte[] key = new byte[16];
    new SecureRandom().nextBytes(key);
    return new PrefixOptions(12, 20, 1.5, Hasher.keyed(key), DEFAULT_MAX_BYTES);
  }

  /**
   * The same with larger or smaller filters.
   *
   * @param bits how many bits of filter an entry has
   * @return changed options
   */
  public PrefixOptions withBitsPerEntry(double bits) {
    return new PrefixOptions(bits, arrayBits, expansion, hasher, maxBytes);
  }

  /**
   * The same with another array.
   *
   * @param bits the longest prefixes in it
   * @return changed options
   */
  public PrefixOptions withArrayBits(int bits) {
    return new PrefixOptions(bitsPerEntry, bits, expansion, hasher, maxBytes);
  }

  /**
   * The same with more or fewer lengths.
   *
   * @param entries how many entries there may be per prefix
   * @return changed options
   */
  public PrefixOptions withExpansion(double entries) {
    return new PrefixOptions(bitsPerEntry, arrayBits, entries, hasher, maxBytes);
  }

  /**
   * The same with another hash.
   *
   * @param hash hashes prefixes
   * @return changed options
   */
  public PrefixOptions withHasher(Hasher hash) {
    return new PrefixOptions(bitsPerEntry, arrayBits, expansion, hash, maxBytes);
  }

  /**
   * The same with another limit.
   *
   * @param bytes the most memory that the prefixes of one version of IP may take, and the values
   * @return changed options
   */
  public PrefixOptions withMaxBytes(long bytes) {
    return new PrefixOptions(bitsPerEntry, arrayBits, expansion, hasher, bytes);
  }
}
