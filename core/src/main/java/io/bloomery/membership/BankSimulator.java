package io.bloomery.membership;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.probe.Modulus;
import java.util.Arrays;

/**
 * Counts the cycles that queries take on a memory of B banks, each of which serves one access per
 * cycle.
 *
 * <p>Three layouts: the plain Bloom filter, whose k bits fall on banks at random, so that a query
 * takes as many cycles as its fullest bank has bits; {@link StripedBloomFilter}, which takes one;
 * and the one-word filter (Bloom-1 of Qiao, Li and Chen, sec. 2.2), where a query is one access and
 * up to B queries share a cycle.
 *
 * <p>Source: Tarkoma, Rothenberg and Lagerspetz 2012, sec. IV-F. All methods are pure functions;
 * any number of threads may call them.
 */
final class BankSimulator {

  private static final int MAX_HASHES_PER_KEY = 64;

  private BankSimulator() {}

  /**
   * The cost of a number of queries.
   *
   * @param queries number of queries
   * @param accesses memory accesses of all queries
   * @param conflicts accesses that had to wait because another access of their query, or for the
   *     one-word filter another query, used their bank in that cycle
   * @param cycles cycles until all were answered
   */
  public record Cost(long queries, long accesses, long conflicts, long cycles) {

    /**
     * The mean time of a query.
     *
     * @return cycles divided by queries; NaN without queries
     */
    public double cyclesPerQuery() {
      return (double) cycles / queries;
    }
  }

  /**
   * The exact mean number of cycles for the k accesses of a plain Bloom filter: the expected
   * maximum load of k balls in B bins.
   *
   * @param hashesPerKey k, 1…64
   * @param banks B, 1…65536
   * @return 1…k
   */
  public static double expectedCycles(int hashesPerKey, int banks) {
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, MAX_HASHES_PER_KEY);
    Arguments.inRange("banks", banks, 1, StripedShape.MAX_BANKS);
    double expected = 0;
    for (int load = 0; load < hashesPerKey; load++) {
      expected += 1 - probabilityOfAtMost(load, hashesPerKey, banks);
    }
    return expected;
  }

  /**
   * P(no bin of {@code bins} gets more than {@code load} of {@code balls} balls): balls! times the
   * coefficient of x^balls in (Σ (x/bins)^j/j!, j = 0…load)^bins.
   */
  private static double probabilityOfAtMost(int load, int balls, int bins) {
    double[] square = new double[balls + 1];
    square[0] = 1;
    for (int j = 1; j <= load; j++) {
      square[j] = square[j - 1] / j / bins;
    }
    double[] power = new double[balls + 1];
    power[0] = 1;
    for (int rest = bins; rest > 0; rest >>= 1) {
      power = (rest & 1) == 0 ? power : product(power, square);
      square = product(square, square);
    }
    double probability = power[balls];
    for (int j = 2; j <= balls; j++) {
      probability *= j;
    }
    return probability;
  }

  private static double[] product(double[] a, double[] b) {
    double[] c = new double[a.length];
    for (int i = 0; i < a.length; i++) {
      for (int j = 0; i + j < a.length; j++) {
        c[i + j] += a[i] * b[j];
      }
    }
    return c;
  }

  /**
   * Queries of a plain Bloom filter with independent positions; bit x lies in bank x mod B. All k
   * bits are read, as for a key that is present.
   *
   * @param bits m, a multiple of {@code banks}
   * @param hashesPerKey k, 1…64
   * @param banks B, 1…65536
   * @param hashes the keys' hashes
   * @return the cost
   */
  public static Cost plain(long bits, int hashesPerKey, int banks, long[] hashes) {
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, MAX_HASHES_PER_KEY);
    Arguments.inRange("banks", banks, 1, StripedShape.MAX_BANKS);
    Arguments.inRange("bits", bits, Math.max(2, banks), StripedShape.MAX_BITS);
    Arguments.multipleOf("bits", bits, "banks", banks);
    Modulus modulus = new Modulus(bits);
    return oneByOne(
        hashesPerKey, banks, hashes, (hash, i) -> (int) (modulus.of(Mix.stream(hash, i)) % banks));
  }

  /**
   * Queries of a striped filter, by the banks that it actually uses. All k bits are read.
   *
   * @param filter the filter
   * @param hashes the keys' hashes
   * @return the cost, always without conflicts
   */
  public static Cost striped(StripedBloomFilter filter, long[] hashes) {
    StripedShape shape = filter.shape();
    return oneByOne(
        shape.hashesPerKey(), shape.banks(), hashes, (hash, i) -> (int) filter.bankOf(hash, i));
  }

  /** The bank of access {@code i} of a query. */
  private interface BankOf {
    int bank(long hash, int i);
  }

  /** Queries one at a time: each takes as many cycles as its fullest bank has accesses. */
  private static Cost oneByOne(int hashesPerKey, int banks, long[] hashes, BankOf layout) {
    int[] load = new int[banks];
    long cycles = 0;
    long conflicts = 0;
    for (long hash : hashes) {
      Arrays.fill(load, 0);
      int fullest = 0;
      for (int i = 0; i < hashesPerKey; i++) {
        int bank = layout.bank(hash, i);
        conflicts += load[bank] > 0 ? 1 : 0;
        fullest = Math.max(fullest, ++load[bank]);
      }
      cycles += fullest;
    }
    return new Cost(hashes.length, (long) hashes.length * hashesPerKey, conflicts, cycles);
  }

  /**
   * Queries of a one-word filter; word w lies in bank w mod B. In each cycle the scheduler looks at
   * the oldest unanswered queries and serves, in their order, each whose bank is still free.
   *
   * @param words number of words, a multiple of {@code banks}
   * @param banks B, 1…65536
   * @param window how many queries the scheduler sees at once, at least 1
   * @param hashes the keys' hashes
   * @return the cost; a query that is passed over in several cycles is a conflict in each
   */
  public static Cost oneWord(long words, int banks, int window, long[] hashes) {
    Arguments.inRange("banks", banks, 1, StripedShape.MAX_BANKS);
    Arguments.inRange("words", words, banks, StripedShape.MAX_BITS);
    Arguments.inRange("window", window, 1, Integer.MAX_VALUE);
    Arguments.multipleOf("words", words, "banks", banks);
    int[] waiting = new int[Math.min(window, hashes.length)];
    long[] busyUntil = new long[banks];
    int pending = 0;
    int next = 0;
    long cycles = 0;
    long conflicts = 0;
    while (pending > 0 || next < hashes.length) {
      while (pending < waiting.length && next < hashes.length) {
        waiting[pending++] = (int) (Mix.reduce(hashes[next++], words) % banks);
      }
      cycles++;
      int kept = 0;
      for (int i = 0; i < pending; i++) {
        int bank = waiting[i];
        if (busyUntil[bank] == cycles) {
          waiting[kept++] = bank;
        }
        busyUntil[bank] = cycles;
      }
      conflicts += kept;
      pending = kept;
    }
    return new Cost(hashes.length, hashes.length, conflicts, cycles);
  }
}
