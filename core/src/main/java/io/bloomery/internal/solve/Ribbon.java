package io.bloomery.internal.solve;

import io.bloomery.internal.bits.KeyHashes;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.numeric.RibbonLayout;
import io.bloomery.internal.probe.Mix;
import org.jspecify.annotations.Nullable;

/**
 * A static function from hashes to values of 1…32 bits, in little more memory than the values take:
 * it stores no hash and returns some value for every hash. Bumped ribbon retrieval of width 64
 * (Dillinger, Hübschle-Schneider, Sanders and Walzer, "Fast Succinct Retrieval and Approximate
 * Membership using Ribbon", 2022): layers with more keys than slots; each leaves out the keys for
 * which it has no room, which it records with 2 bits for 128 slots.
 *
 * <p>Either for given values, read with {@link #get}, or as a filter whose values are fingerprints
 * of the hashes, queried with {@link #matches}. Immutable; any number of threads may read.
 */
public final class Ribbon {

  /** Attempts at the last layer before everything is rebuilt. */
  static final int TRIALS = 64;

  /** How often everything is built. */
  static final int ROUNDS = 4;

  /** Highest number of a trial, as a file may name it. */
  public static final int MAX_TRIAL = TRIALS * ROUNDS - 1;

  /** Different thresholds. */
  static final int CODES = 4;

  /** From this size, 8 MB, reading ahead pays off. */
  private static final int MANY_WORDS = 1 << 20;

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

  // Layer 0 if keys may be bumped from it, for queries.
  private final boolean bumping;
  private final long salt;
  private final int chunks;
  private final int starts;
  private final int chunkSegments;
  private final int narrow;
  private final int thresholds;

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
    this.bumping = layers.length > 1;
    this.salt = salts[0];
    this.chunks = bumping ? layers[0].chunks() : 0;
    this.starts = bumping ? layers[0].starts() : 0;
    this.chunkSegments = bumping ? layers[0].chunkSegments() : 0;
    this.narrow = bumping ? layers[0].narrow() : 0;
    this.thresholds = bumping ? layers[0].thresholds() : 0;
  }

  /**
   * Builds a ribbon of values; the arrays stay as they are.
   *
   * @param hashes the keys' hashes, in any order, equal ones any number of times
   * @param values the value of each, of which the lowest {@code columns} bits count, or null for
   *     fingerprints
   * @param columns bits of a value, 1…32
   * @param narrowShare share of keys with one bit less, of 65536; 0 if values are given
   * @param seed the seed of all random choices
   * @param threads how many threads work
   * @return the ribbon: the same for the same hashes in any order and for any number of threads
   * @throws IllegalArgumentException if equal hashes have different values
   * @throws io.bloomery.ConstructionException if no trial succeeds
   */
  public static Ribbon build(
      long[] hashes, int[] values, int columns, int narrowShare, long seed, int threads) {
    KeyPieces keys = KeyPieces.of(KeyHashes.of(hashes), values);
    return new RibbonBuild(keys, seed, threads, (phase, done, total) -> {})
        .build(columns, narrowShare);
  }

  /** Builds a ribbon of fingerprints; the hashes are left empty. */
  public static Ribbon build(
      KeyHashes hashes,
      int columns,
      int narrowShare,
      long seed,
      int threads,
      SolveProgress progress) {
    return new RibbonBuild(KeyPieces.of(hashes, null), seed, threads, progress)
        .build(columns, narrowShare);
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

  public RibbonLayout layout() {
    return layout;
  }

  public long seed() {
    return seed;
  }

  /** The number of the trial that succeeded. */
  public int trial() {
    return trial;
  }

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
      int start = start(key, layer.chunks(), layer.starts());
      int segment = segment(key, start, layer.chunks(), layer.chunkSegments());
      if (!isBumped(layer.thresholds(), segment, start)) {
        return read(layer, segment, start, key);
      }
    }
    if (last < 0) {
      return 0;
    }
    key = lastKey(key);
    int start = start(key, 1, layers[last].starts());
    return read(layers[last], start >>> 6, start, key);
  }

  /** Whether the fingerprint of a hash equals the stored one; false if there are no keys. */
  public boolean matches(long hash) {
    if (!bumping) {
      return matchesLater(hash, 0);
    }
    long key = Mix.mix(hash ^ salt);
    int start = start(key, chunks, starts);
    int segment = segment(key, start, chunks, chunkSegments);
    return isBumped(thresholds, segment, start)
        ? matchesLater(key, 1)
        : agrees(0, narrow, segment, start, key);
  }

  /** From layer {@code i} on, for the key of the layer before. */
  private boolean matchesLater(long before, int i) {
    long key = before;
    int last = layers.length - 1;
    for (int j = i; j < last; j++) {
      RibbonLayout.Layer layer = layers[j];
      key = Mix.mix(key ^ salts[j]);
      int start = start(key, layer.chunks(), layer.starts());
      int segment = segment(key, start, layer.chunks(), layer.chunkSegments());
      if (!isBumped(layer.thresholds(), segment, start)) {
        return agrees(layer.firstWord(), layer.narrow(), segment, start, key);
      }
    }
    if (last < 0) {
      return false;
    }
    RibbonLayout.Layer layer = layers[last];
    key = lastKey(key);
    int start = start(key, 1, layer.starts());
    return agrees(layer.firstWord(), layer.narrow(), start >>> 6, start, key);
  }

  /**
   * Queries many hashes, as {@code HashedFilter.mightContainHashes} does. If the words are many, a
   * first pass only reads what most keys need: it is short, so that many cache misses overlap.
   */
  public int matches(long[] hashes, int from, int to, long[] hits) {
    boolean touches = bumping && words.heap() != null && words.length() >= MANY_WORDS;
    int total = 0;
    for (int first = from, at = 0; first < to; first += Long.SIZE, at++) {
      int end = Math.min(first + Long.SIZE, to);
      if (touches) {
        hits[at] = touch(hashes, first, end);
      }
      long answers = 0;
      for (int i = first; i < end; i++) {
        answers |= (matches(hashes[i]) ? 1L : 0L) << (i - first);
      }
      hits[at] = answers;
      total += Long.bitCount(answers);
    }
    return total;
  }

  @SuppressWarnings("NullAway") // called for words on the heap only
  private long touch(long[] hashes, int from, int to) {
    long[] heap = words.heap();
    long read = 0;
    for (int i = from; i < to; i++) {
      long key = Mix.mix(hashes[i] ^ salt);
      int start = start(key, chunks, starts);
      int segment = segment(key, start, chunks, chunkSegments);
      int at = Words.BASE + segment * narrowColumns + Math.max(0, segment - narrow);
      read |= heap[at] ^ heap[at + narrowColumns];
    }
    return read;
  }

  /**
   * The probability that a hash that the ribbon was not built with matches: exact for what is
   * stored, if its mixed form and its fingerprint are uniform.
   */
  public double matchRate() {
    double narrowReach = 0;
    double reach = 1;
    for (int i = 0; i < layers.length; i++) {
      RibbonLayout.Layer layer = layers[i];
      long narrowStay = 0;
      long stay = 0;
      for (int segment = 0; segment < layer.segments(); segment++) {
        int staying = startsOf(layer, segment, i == layers.length - 1);
        stay += staying;
        narrowStay += segment < layer.narrow() ? staying : 0;
      }
      double starts = (double) layer.chunks() * layer.starts();
      narrowReach += reach * narrowStay / starts;
      reach *= 1 - stay / starts;
    }
    return layers.length == 0 ? 0 : Math.scalb(1 + narrowReach, -layout.columns());
  }

  /** How many keys that were not bumped can start in a segment. */
  private int startsOf(RibbonLayout.Layer layer, int segment, boolean last) {
    boolean isEnd = (segment + 1) % layer.chunkSegments() == 0;
    int starts = isEnd ? 1 : Banding.SEGMENT;
    if (last) {
      return starts;
    }
    long codes = word(words.heap(), layer.thresholds() + (segment >>> 6));
    int threshold = threshold((int) (codes >>> (segment & 62)) & 3);
    int first = (segment & 1) * Banding.SEGMENT;
    return Math.max(0, first + starts - Math.max(first, threshold));
  }

  private long lastKey(long before) {
    int last = layers.length - 1;
    return Mix.mix(Mix.mix(before ^ salts[last]) ^ salts[last + 1]);
  }

  /** Where in its chunk the equation of a key starts. */
  static int start(long key, int chunks, int starts) {
    return (int) Mix.reduce(key * chunks, starts);
  }

  /** The segment of that start among all of its layer. */
  private static int segment(long key, int start, int chunks, int chunkSegments) {
    return (int) Mix.reduce(key, chunks) * chunkSegments + (start >>> 6);
  }

  private boolean isBumped(int thresholdsAt, int segment, int start) {
    long codes = word(words.heap(), thresholdsAt + (segment >>> 6));
    return (start & (RibbonLayout.BUCKET - 1)) < threshold((int) (codes >>> (segment & 62)) & 3);
  }

  /** Whether a key's fingerprint is stored, four columns at a time. */
  private boolean agrees(int firstWord, int narrowSegments, int segment, int start, long key) {
    long[] heap = words.heap();
    long row = coefficients(key);
    long near = row << start;
    long far = row >>> 1 >>> ~start;
    int wide = segment - narrowSegments;
    int width = narrowColumns + 1 + (wide >> 31);
    int at = firstWord + segment * narrowColumns + Math.max(0, wide);
    int gap = gap(width, start);
    int expected = fingerprint(key);
    int column = 0;
    for (; column + 4 <= width; column += 4) {
      if (((four(heap, at + column, gap, near, far) ^ expected >>> column) & 0xF) != 0) {
        return false;
      }
    }
    for (; column < width; column++) {
      if (((parity(heap, at + column, gap, near, far) ^ expected >>> column) & 1) != 0) {
        return false;
      }
    }
    return true;
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
    int gap = gap(width, start);
    int value = 0;
    int column = 0;
    for (; column + 4 <= width; column += 4) {
      value |= four(heap, at + column, gap, near, far) << column;
    }
    for (; column < width; column++) {
      value |= (parity(heap, at + column, gap, near, far) & 1) << column;
    }
    return value;
  }

  /**
   * How far the next segment's word of a column is. Coefficients that start at a segment's first
   * slot need none, and there may be none.
   */
  private static int gap(int width, int start) {
    return width & (-(start & (Banding.SEGMENT - 1)) >> 31);
  }

  /** The parities of four columns. */
  private int four(long @Nullable [] heap, int at, int gap, long near, long far) {
    return (parity(heap, at, gap, near, far) & 1)
        | (parity(heap, at + 1, gap, near, far) & 1) << 1
        | (parity(heap, at + 2, gap, near, far) & 1) << 2
        | (parity(heap, at + 3, gap, near, far) & 1) << 3;
  }

  /** A number as odd as the coefficients that meet a 1 in a column. */
  private int parity(long @Nullable [] heap, int at, int gap, long near, long far) {
    return Long.bitCount((word(heap, at) & near) ^ (word(heap, at + gap) & far));
  }

  private long word(long @Nullable [] heap, int i) {
    return heap != null ? heap[Words.BASE + i] : words.get(i);
  }
}
