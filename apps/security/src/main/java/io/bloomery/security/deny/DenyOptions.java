package io.bloomery.security.deny;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * How a {@link DenyList} is built.
 *
 * @param rate the probability per lookup that an item is found by chance; an item makes as many
 *     lookups as there are rules that could cover it
 * @param allow lists of what is allowed though a rule denies it
 * @param universe files of items, one per line, that are not found by chance; regular files
 * @param strict whether a broken line is an error, instead of being counted and skipped
 * @param seed the seed of the hash; drawn for each list if it is empty, so that nobody can choose
 *     rules or items with equal hashes
 */
public record DenyOptions(
    double rate, List<Path> allow, List<Path> universe, boolean strict, OptionalLong seed) {

  /** Nothing allowed or declared; one of a million lookups finds something by chance. */
  public static final DenyOptions DEFAULT =
      new DenyOptions(1e-6, List.of(), List.of(), false, OptionalLong.empty());

  private static final double LOWEST_RATE = 0x1p-32;

  /**
   * Checks the options and copies the lists.
   *
   * @throws IllegalArgumentException if the rate is out of range
   */
  public DenyOptions {
    if (!(rate >= LOWEST_RATE && rate < 1)) {
      throw new IllegalArgumentException("rate = " + rate + " is not between 2^-32 and 1");
    }
    allow = List.copyOf(allow);
    universe = List.copyOf(universe);
  }

  /**
   * The same with another rate.
   *
   * @param falseRate the probability per lookup that an item is found by chance, 2^-32 … 1
   * @return changed options
   */
  public DenyOptions withRate(double falseRate) {
    return new DenyOptions(falseRate, allow, universe, strict, seed);
  }

  /**
   * The same with lists of what is allowed.
   *
   * @param lists in the forms of deny lists; all of their rules allow
   * @return changed options
   */
  public DenyOptions withAllow(List<Path> lists) {
    return new DenyOptions(rate, lists, universe, strict, seed);
  }

  /**
   * The same with items that are not found by chance.
   *
   * @param files names, URLs, addresses or digests, one per line; regular files
   * @return changed options
   */
  public DenyOptions withUniverse(List<Path> files) {
    return new DenyOptions(rate, allow, files, strict, seed);
  }

  /**
   * The same, refusing files with broken lines.
   *
   * @return changed options
   */
  public DenyOptions strictly() {
    return new DenyOptions(rate, allow, universe, true, seed);
  }

  /**
   * The same with a fixed seed, so that the same rules make the same file.
   *
   * @param fixed any number; whoever knows it before the rules are fixed can choose some that deny
   *     items of others
   * @return changed options
   */
  public DenyOptions withSeed(long fixed) {
    return new DenyOptions(rate, allow, universe, strict, OptionalLong.of(fixed));
  }
}
