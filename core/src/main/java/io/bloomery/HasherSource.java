package io.bloomery;

import io.bloomery.hash.Hasher;
import org.jspecify.annotations.Nullable;

/**
 * Finds the hasher of a stored filter by its header: for filters whose key is derived from a secret
 * and a nonce in their file. {@link io.bloomery.secure.KeyedFilters} is one.
 */
@FunctionalInterface
public interface HasherSource {

  /**
   * The hasher with which a filter was made.
   *
   * @param header the checked header of its frame
   * @return the hasher; null if there is none for it, which opens filters without a secret key
   */
  @Nullable Hasher hasher(FrameHeader header);
}
