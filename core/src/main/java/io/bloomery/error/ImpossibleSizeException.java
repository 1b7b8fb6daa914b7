package io.bloomery.error;

import java.io.Serial;
import java.io.Serializable;

/**
 * The arguments are valid, but a kind of filter has no size for them: more keys than it can hold, a
 * rate it cannot reach, or a budget below its smallest filter. The planner leaves such a kind out;
 * any other exception during sizing is a bug, which it does not catch.
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
