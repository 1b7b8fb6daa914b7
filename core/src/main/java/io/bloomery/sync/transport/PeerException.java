package io.bloomery.sync.transport;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A process of a group cannot be reached, has ended, stayed silent for too long, or sent something
 * that is not part of the protocol. The message names the process. Nothing that the collective
 * operation was to change may be relied on; close the {@link Transport}.
 */
public final class PeerException extends IOException {

  private static final long serialVersionUID = 1L;

  /** The number of the process. */
  private final int rank;

  /** What it did. */
  private final String problem;

  /**
   * Creates the exception.
   *
   * @param rank the number of the process
   * @param problem what it did
   */
  public PeerException(int rank, String problem) {
    this(rank, problem, null);
  }

  /**
   * Creates the exception.
   *
   * @param rank the number of the process
   * @param problem what it did
   * @param cause the error of the connection or of the message, or null
   */
  public PeerException(int rank, String problem, @Nullable Throwable cause) {
    super("process " + rank + " " + problem, cause);
    this.rank = rank;
    this.problem = problem;
  }

  /**
   * Which process failed.
   *
   * @return its number in the group
   */
  public int rank() {
    return rank;
  }

  /**
   * What the process did.
   *
   * @return the message without the process
   */
  public String problem() {
    return problem;
  }
}
