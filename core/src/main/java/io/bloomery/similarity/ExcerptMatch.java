package io.bloomery.similarity;

import java.util.List;

/**
 * A place at which a digest may hold an excerpt.
 *
 * @param position where the excerpt begins in its payload, in bytes
 * @param alignment how many bytes of the excerpt stand before its first whole block
 * @param offset the index of that block in the payload: position + alignment is offset times the
 *     bytes of a block
 * @param hosts the hosts whose payloads may hold the excerpt at this place, in ascending order of
 *     their UTF-8 bytes; empty for payloads without a host
 */
public record ExcerptMatch(long position, int alignment, int offset, List<String> hosts) {

  /** Copies the list. */
  public ExcerptMatch {
    hosts = List.copyOf(hosts);
  }
}
