package io.bloomery.similarity;

import io.bloomery.internal.probe.Mix;

/**
 * The keys of a digest, 64 bits each, from the hash of a block's content. A key for {@code
 * (content, index)} is an output of the mixing stream of the content's hash, which replaces a hash
 * of both and needs no second pass over the content.
 */
final class DigestKeys {

  private DigestKeys() {}

  /** The key of a content alone. */
  static long content(long content) {
    return Mix.stream(content, 0);
  }

  /** The key of a content at an index, 0 or more. */
  static long at(long content, int index) {
    return Mix.stream(content, index + 1);
  }

  /** The key of a content at an index in a payload of a host. */
  static long of(long key, long host) {
    return Mix.mix(key + host);
  }

  /** The hash of the concatenation of two contents; their order matters. */
  static long joined(long left, long right) {
    return Mix.mix(Mix.stream(left, 1) + right);
  }

  /**
   * Replaces the hashes of contents by those of pairs, the first of which begins at {@code from},
   * and returns their number. A last one without a partner is left out.
   */
  static int pair(long[] contents, int count, int from) {
    int pairs = (count - from) / 2;
    for (int i = 0; i < pairs; i++) {
      contents[i] = joined(contents[2 * i + from], contents[2 * i + from + 1]);
    }
    return pairs;
  }
}
