package io.bloomery.sync;

import java.io.IOException;
import java.util.Objects;

/**
 * A reconciliation failed. Nothing has changed on this side: its set is unchanged, and nothing that
 * was received is used.
 */
public final class ReconciliationException extends IOException {

  private static final long serialVersionUID = 1L;

  /** What went wrong. */
  public enum Reason {
    /** The peer's bytes are not those of the protocol, or contradict each other. */
    MALFORMED(1),
    /** The stream ended before the reconciliation did. */
    TRUNCATED(2),
    /** The peer uses another version of the protocol, or insists on another method. */
    UNSUITABLE(3),
    /** The peer sends, declares or asks for more than this side accepts. */
    LIMIT(4),
    /** Both sides are done, but their sets differ: one of them sent something wrong. */
    MISMATCH(5),
    /** Two keys of a set have the same hash under this run's seed; another run succeeds. */
    COLLISION(6),
    /** The peer refused; its message says why. */
    REFUSED(7);

    private final int wireId;

    Reason(int wireId) {
      this.wireId = wireId;
    }

    int wireId() {
      return wireId;
    }
  }

  /** What went wrong. */
  private final Reason reason;

  /**
   * Creates the exception.
   *
   * @param reason what went wrong
   * @param message what was expected and what was found
   */
  public ReconciliationException(Reason reason, String message) {
    super(message);
    this.reason = Objects.requireNonNull(reason, "reason");
  }

  /**
   * What went wrong.
   *
   * @return one of a few reasons
   */
  public Reason reason() {
    return reason;
  }
}
