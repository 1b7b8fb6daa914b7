package io.bloomery.sync;

import java.util.List;

/**
 * What one side knows after a reconciliation. Both sides have the same keys once each has added
 * what it lacks, if the result is {@linkplain #exact exact}.
 *
 * @param keysHere distinct keys of this side before
 * @param keysThere distinct keys of the peer before, as it said
 * @param onlyHere keys of this side that the peer lacked and now has; in no particular order
 * @param onlyThere keys of the peer that this side lacks, received; add them to your set
 * @param bytesSent all bytes of messages to the peer
 * @param bytesReceived all bytes of messages from the peer
 * @param rounds messages of the initiator that were answered
 * @param method the method that was used, for an approximate one before the exact rest
 * @param exact true: both sides compared a 128-bit hash of the united set and it is equal; false:
 *     an approximate method was accepted, and both may still lack keys
 */
public record ReconciliationResult(
    long keysHere,
    long keysThere,
    List<byte[]> onlyHere,
    List<byte[]> onlyThere,
    long bytesSent,
    long bytesReceived,
    int rounds,
    ReconciliationMethod method,
    boolean exact) {

  /** Copies the lists. */
  public ReconciliationResult {
    onlyHere = List.copyOf(onlyHere);
    onlyThere = List.copyOf(onlyThere);
  }

  /**
   * All bytes of both directions.
   *
   * @return sent and received
   */
  public long bytes() {
    return bytesSent + bytesReceived;
  }

  @Override
  public String toString() {
    return "%s%s: %d only here, %d only there, %d bytes sent, %d received, %d rounds"
        .formatted(
            method,
            exact ? "" : " (approximate)",
            onlyHere.size(),
            onlyThere.size(),
            bytesSent,
            bytesReceived,
            rounds);
  }
}
