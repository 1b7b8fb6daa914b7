package io.bloomery.secure;

/**
 * A client asked what it may not ask: a word that is not on its list, more words than its budget
 * has, or because it was never enrolled. The message does not say which word.
 */
public final class QueryRefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param reason who asked, and why it is refused
   */
  public QueryRefusedException(String reason) {
    super(reason);
  }
}
