package io.bloomery.secure;

/**
 * A message of another party that no honest party sends: of a wrong length, not in the group, or
 * with a proof that does not verify. Nothing was computed from it, and no secret is in the text.
 */
public final class MessageException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param problem what is wrong with the message
   */
  public MessageException(String problem) {
    super(problem);
  }

  /** Fails unless something is true of a message. */
  static void require(boolean sound, String problem) {
    if (!sound) {
      throw new MessageException(problem);
    }
  }

  /** Fails unless a message has some length. */
  static void requireLength(String name, byte[] message, int bytes) {
    require(
        message.length == bytes, name + " has " + message.length + " bytes; it must have " + bytes);
  }

  /**
   * A client asked what it may not ask: a word that is not on its list, more words than its budget
   * has, or because it was never enrolled. The message does not say which word.
   */
  public static final class QueryRefusedException extends RuntimeException {

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
}
