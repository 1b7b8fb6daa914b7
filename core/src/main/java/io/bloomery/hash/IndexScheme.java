package io.bloomery.hash;

/**
 * How one 64-bit hash chooses {@code k} of {@code m} positions. Scheme and reduction are one unit:
 * most of these work in the integers modulo {@code m} (modulo {@code m/k} for {@link
 * #PARTITIONED}), because enhanced double hashing reduced by multiplication would silently be plain
 * double hashing; {@link #POWERS}, the default of new filters, multiplies. With {@code s_i} the
 * outputs of the SplitMix64 stream that starts at the hash (docs/hashing.md), the rules below give
 * index {@code i = 0…k-1}.
 */
public enum IndexScheme {

  /** {@code s_i mod m}: as good as k independent hash functions, one mixing step per index. */
  INDEPENDENT(1),

  /**
   * {@code (h + i·s_1) mod m} (Kirsch and Mitzenmacher 2006), the step made odd if {@code m} is
   * even and 1 if it would be 0. More false positives than the others in small filters: 2.5 times
   * the classic rate at m = 1024, n = 64, k = 11.
   */
  DOUBLE(2),

  /**
   * {@code (h + i·s_1 + (i³-i)/6) mod m} (Dillinger and Manolios 2004): the cost of {@link #DOUBLE}
   * without its defect, for filters of a few thousand bits or more.
   */
  ENHANCED_DOUBLE(3),

  /** {@code (h + i·s_1 + i(i-1)/2·s_2) mod m} (Dillinger and Manolios 2004). */
  TRIPLE(4),

  /**
   * {@code i·(m/k) + s_i mod (m/k)}: one slice of {@code m/k} bits per index, so that the rate
   * formula is exact and slices can be read in parallel.
   */
  PARTITIONED(5),

  /**
   * {@code (h + i·s_1 + i²) mod m}: double hashing with a quadratic term, for study. Keys whose
   * steps differ by an even number may still share a piece of their walk: twice the classic rate at
   * m = 1024, n = 64, k = 11. The survey of Tarkoma, Rothenberg and Lagerspetz 2012 (eq. 10)
   * multiplies i² into the step instead, which is seven times the classic rate there.
   */
  QUADRATIC(6),

  /**
   * Slices of one long hash: {@code s_0, s_1, …} are cut from the top into fields of {@code b =
   * log2(m)} bits, rounded up, {@code 64/b} from each output; the indexes are the first k fields
   * below m, the others are skipped. As good as {@link #INDEPENDENT} for less mixing, with the
   * fewest hash bits (Qiao, Li and Chen 2014); for study, because fields can only be found one
   * after the other.
   */
  SLICES(7),

  /**
   * {@code t_i·m / 2^42} rounded down, where {@code t_i} is the upper 42 bits of {@code h·C^(i+1)},
   * {@code C = D1342543DE82EF95} (hexadecimal): as good as {@link #INDEPENDENT} for two
   * multiplications per index, at every size. The default of Bloom filters, whichever way they are
   * sized.
   */
  POWERS(8),

  /**
   * {@code SipHash-2-4(h, i) mod m}, the hash being the first half of the key and zero the second:
   * a pseudorandom function per index. The positions of a key, mixed with random ones, do not
   * reveal its hash; of the other schemes, whose positions depend on the hash almost linearly, a
   * lattice finds it. For filters whose owner must not recognise a query ({@link
   * io.bloomery.secure.EncryptedFilter}); a query takes several times as long.
   */
  PRF(9);

  private final int wireId;

  IndexScheme(int wireId) {
    this.wireId = wireId;
  }

  /**
   * The number that identifies this scheme in files.
   *
   * @return a number that never changes
   */
  public int wireId() {
    return wireId;
  }

  /**
   * The scheme with a number.
   *
   * @param wireId a number from a file
   * @return the scheme
   * @throws IllegalArgumentException if no scheme has that number
   */
  public static IndexScheme ofWireId(int wireId) {
    for (IndexScheme scheme : values()) {
      if (scheme.wireId == wireId) {
        return scheme;
      }
    }
    throw new IllegalArgumentException("no scheme has number " + wireId);
  }
}
