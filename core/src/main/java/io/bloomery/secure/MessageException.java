package io.bloomery.secure;

/**
 * A message of another party is invalid: it has the wrong length, is not in the group, or has a
 * proof that does not verify. No honest party sends it. Nothing was computed from it, and the text
 * contains no secret.
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

  /** Throws unless a condition on a message holds. */
  static void require(boolean sound, String problem) {
    if (!sound) {
      throw new MessageException(problem);
    }
  }

  /** Throws unless a message has the given length. */
  static void requireLength(String name, byte[] message, int bytes) {
    require(
        message.length == bytes, name + " has " + message.length + " bytes; it must have " + bytes);
  }

  /**
   * A client's query is not allowed: the word is not on its list, the words exceed its budget, or
   * it was never enrolled. The message does not reveal the word.
   */
  public static final class QueryRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param reason which client, and why it is refused
     */
    public QueryRefusedException(String reason) {
      super(reason);
    }
  }
}
