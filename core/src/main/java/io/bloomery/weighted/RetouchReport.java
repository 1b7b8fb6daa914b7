package io.bloomery.weighted;

/**
 * What a selective clearing of a {@link RetouchedBloomFilter} did.
 *
 * @param removed distinct troublesome keys that were reported present and no longer are
 * @param bitsCleared bits that were set and no longer are
 * @param members distinct members that were named, or counted
 * @param membersLost how many of those were reported present and no longer are; the expected number
 *     if they were counted
 * @param rateBefore the expected false-positive rate before, for a random key
 * @param rateAfter the expected false-positive rate after, for a random key that was not named
 */
public record RetouchReport(
    long removed,
    long bitsCleared,
    long members,
    long membersLost,
    double rateBefore,
    double rateAfter) {

  /**
   * The share of false positives that went with the troublesome keys, which are not counted.
   *
   * @return 0 … 1; 0 if there were none
   */
  public double rateDecrease() {
    return rateBefore == 0 ? 0 : 1 - rateAfter / rateBefore;
  }

  /**
   * The share of members that were lost.
   *
   * @return 0 … 1; 0 if no members were named
   */
  public double lostShare() {
    return members == 0 ? 0 : (double) membersLost / members;
  }
}
