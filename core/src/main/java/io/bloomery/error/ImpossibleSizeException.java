package io.bloomery.error;

import java.io.Serial;
import java.io.Serializable;

/**
 * Arguments that are valid, but for which a kind of filter has no size: more keys than it holds, a
 * rate that it does not reach, a budget below its smallest filter. The planner leaves such a kind
 * out; any other exception in sizing is an error, which it does not catch.
 */
public final class ImpossibleSizeException extends ArgumentException {

  @Serial private static final long serialVersionUID = 1L;

  /**
   * A sentence of arguments, numbers, and the text between them.
   *
   * @param parts each an {@link ArgumentException.Argument}, a number, or anything else as text
   */
  public ImpossibleSizeException(Serializable... parts) {
    super(parts);
  }
}
