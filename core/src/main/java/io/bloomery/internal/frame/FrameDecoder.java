package io.bloomery.internal.frame;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Rebuilds a filter from a frame: fields first, then words, so that everything is checked. */
@FunctionalInterface
public interface FrameDecoder<F> {

  /**
   * The filter, or null for a frame that {@link Frame#isOnlyVerified is only verified}; a field
   * outside its range throws a {@link io.bloomery.FilterFormatException}.
   */
  @Nullable F decode(Frame frame) throws IOException;
}
