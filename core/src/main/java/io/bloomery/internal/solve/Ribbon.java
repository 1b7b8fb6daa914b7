package io.bloomery.internal.solve;

import io.bloomery.internal.bits.Words;
import io.bloomery.internal.probe.Mix;

/**
 * A frozen function from hashes to values of 1…32 bits, in little more memory than the values take:
 * it stores no hash and answers something for every hash. Bumped ribbon retrieval of width 64
 * (Dillinger, Hübschle-Schneider, Sanders and Walzer, "Fast Succinct Retrieval and Approximate
 * Membership using Ribbon", 2022): layers with more keys than slots, each of which leaves out the
 * keys for which it has no room and says so with 2 bits for 128 slots.
 *
 * <p>Either for given values, read with {@link #get}, or as a filter whose values are fingerprints
 * of the hashes, asked with {@link #matches}. Immutable; any number of threads may read.
 */
public final class Ribbon {

  /** How often the last layer is tried before everything is built anew. */
  static final int TRIALS = 64;

  /** How often everything is built. */
  static final int ROUNDS = 4;

  /** Highest number of a trial, as a file may name it. */
  public static final int MAX_TRIAL = TRIALS * ROUNDS - 1;

  /** Different thresholds. */
  static final int CODES = 4;

  private static final int THRESHOLDS = 128 << 24 | 40 << 16 | 16 << 8;
  private static final long COEFFICIENTS = 0xC28F82822B650BEDL;
  private static final long FINGERPRINT = 0x9FB21C651E98DF25L;

  private final RibbonLayout layout;
  private final long seed;
  private final int trial;
  private final Words words;

  private final RibbonLayout.Layer[] layers;
  private final long[] salts;
  private final int narrowColumns;

  /**
   * A ribbon whose words are known.
   *
   * @param trial 0…{@link #MAX_TRIAL}
   * @param words as many as the layout has
   */
  public Ribbon(RibbonLayout layout, long seed, int trial, Words words) {
    this.layout = layout;
    this.seed = seed;
    this.trial = trial;
    this.words = words;
    this.layers = layout.layers();
    this.salts = new long[layers.length + 1];
    for (int i = 0; i < layers.length; i++) {
      salts[i] = salt(seed, trial / TRIALS, i);
    }
    salts[layers.length] = lastSalt(seed, trial);
    this.narrowColumns = layout.columns() - 1;
  }

  /**
   * Builds a ribbon; the arrays stay as they are.
   *
   * @param hashes the keys' hashes, in any order, equal ones any number of times
   * @param values the value of each, of which the lowest {@code columns} bits count, or null for
   *     fingerprints
   * @param columns bits of a value, 1…32
   * @param narrowShare share of keys with one bit less, of 65536; 0 if values are given
   * @param seed decides all random choices
   * @param threads how many threads work
   * @return the ribbon: the same for the same hashes in any order and for any number of threads
   * @throws IllegalArgumentException if equal hashes have different values
   * @throws io.bloomery.ConstructionException if no trial succeeds
   */
  public static Ribbon build(
      long[] hashes, int[] values, int columns, int narrowShare, long seed, int threads) {
    return new RibbonBuild(hashes, values, seed, threads).build(columns, narrowShare);
  }

  static long salt(long seed, int round, int layer) {
    return Mix.stream(seed, 16 * round + layer + 1);
  }

  static long lastSalt(long seed, int trial) {
    return Mix.stream(~seed, trial + 1);
  }

  static long coefficients(long key) {
    return (key * COEFFICIENTS) | 1;
  }

  static int fingerprint(long key) {
    return (int) ((key * FINGERPRINT) >>> 32);
  }

  /** Keys that start further left than this in their bucket were bumped. */
  static int threshold(int code) {
    return THRESHOLDS >>> (8 * code) & 0xFF;
  }

  /** The layout. */
  public RibbonLayout layout() {
    return layout;
  }

  /** The seed. */
  public long seed() {
    return seed;
  }

  /** The number of the trial that succeeded. */
  public int trial() {
    return trial;
  }

  /** The words. */
  public Words words() {
    return words;
  }

  /** The value of a hash that the ribbon was built with; any value for another. */
  public int get(long hash) {
    long key = hash;
    int last = layers.length - 1;
    for (int i = 0; i < last; i++) {
      RibbonLayout.Layer layer = layers[i];
      key = Mix.mix(key ^ salts[i]);
      int start = start(layer, key);
      int segment = segment(layer, key, start);
      if (!isBumped(layer, segment, start)) {
        return read(layer, segment, start, key);
      }
    }
    if (last < 0) {
      return 0;
    }
    key = Mix.mix(Mix.mix(key ^ salts[last]) ^ salts[last + 1]);
    int start = start(layers[last], key);
    return read(layers[last], segment(layers[last], key, start), start, key);
  }

  /** Whether the fingerprint of a hash is what is stored for it; never if there are no keys. */
  public boolean matches(long hash) {
    long key = hash;
    int last = layers.length - 1;
    for (int i = 0; i < last; i++) {
      RibbonLayout.Layer layer = layers[i];
      key = Mix.mix(key ^ salts[i]);
      int start = start(layer, key);
      int segment = segment(layer, key, start);
      if (!isBumped(layer, segment, start)) {
        return agrees(layer, segment, start, key);
      }
    }
    if (last < 0) {
      return false;
    }
    key = Mix.mix(Mix.mix(key ^ salts[last]) ^ salts[last + 1]);
    int start = start(layers[last], key);
    return agrees(layers[last], segment(layers[last], key, start), start, key);
  }

  /** Where in its chunk the equation of a key starts. */
  private static int start(RibbonLayout.Layer layer, long key) {
    return (int) Mix.reduce(key * layer.chunks(), layer.starts());
  }

  private static int segment(RibbonLayout.Layer layer, long key, int start) {
    return (int) Mix.reduce(key, layer.chunks()) * layer.chunkSegments() + (start >>> 6);
  }

  private boolean isBumped(RibbonLayout.Layer layer, int segment, int start) {
    long codes = word(words.heap(), layer.thresholds() + (segment >>> 6));
    return (start & (RibbonLayout.BUCKET - 1)) < threshold((int) (codes >>> (segment & 62)) & 3);
  }

  private boolean agrees(RibbonLayout.Layer layer, int segment, int start, long key) {
    int difference = read(layer, segment, start, key) ^ fingerprint(key);
    int width = narrowColumns + (segment < layer.narrow() ? 0 : 1);
    return (difference & -1L >>> -width) == 0 || width == 0;
  }

  /** The parities of a key's coefficients with the columns. */
  private int read(RibbonLayout.Layer layer, int segment, int start, long key) {
    long[] heap = words.heap();
    long row = coefficients(key);
    long near = row << start;
    long far = row >>> 1 >>> ~start;
    int wide = segment - layer.narrow();
    int width = narrowColumns + 1 + (wide >> 31);
    int at = layer.firstWord() + segment * narrowColumns + Math.max(0, wide);
    // With nothing beyond the first segment there may be no second.
    int then = at + (width & (-(start & 63) >> 31));
    int value = 0;
    for (int column = 0; column < width; column++) {
      long bits = (word(heap, at + column) & near) ^ (word(heap, then + column) & far);
      value |= (Long.bitCount(bits) & 1) << column;
    }
    return value;
  }

  private long word(long[] heap, int i) {
    return heap != null ? heap[Words.BASE + i] : words.get(i);
  }
}
