package io.bloomery.weighted;

/**
 * Which bit of a troublesome key a {@link RetouchedBloomFilter} clears: the four algorithms of
 * Donnet, Baynat and Friedman 2006, "Retouched Bloom Filters: Allowing Networked Applications to
 * Trade Off Selected False Positives Against False Negatives", sec. 5. Of bits that are equally
 * good the one at the lowest position is cleared.
 */
public enum Clearing {

  /** Any of the key's bits, drawn from its hash. */
  RANDOM,

  /** The bit that fewest members use: fewest lost for this key. */
  MIN_FN,

  /** The bit that most of the troublesome keys still to be removed use. */
  MAX_FP,

  /** The bit with the fewest members per troublesome key: fewest lost for all of them. */
  RATIO
}
