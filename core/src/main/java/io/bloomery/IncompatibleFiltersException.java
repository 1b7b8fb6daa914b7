package io.bloomery;

/** Two filters cannot be combined; the message names what differs. */
public final class IncompatibleFiltersException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param difference what differs, with both values
   */
  public IncompatibleFiltersException(String difference) {
    super(difference);
  }
}
