package io.bloomery.internal.numeric;

import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import java.util.Arrays;

/**
 * The layout of the layers of a {@code Ribbon}: everything follows from the number of keys, the
 * columns and the share of narrow segments, in whole numbers.
 *
 * <p>A layer of k keys has about 31/32 of k slots, in equal chunks of about 2^16 that are solved
 * separately. Keys that find no room, expected {@link #bumped}, go to the next layer; the last
 * layer has room for all, with a {@link #margin}. Words: the segments of all layers, then the
 * thresholds of all layers but the last, 2 bits for each bucket of 128 slots.
 */
public final class RibbonLayout {

  /** The most bits of a value. */
  public static final int MAX_COLUMNS = Integer.SIZE;

  /** The denominator of the share of narrow segments. */
  public static final int SHARES = 1 << 16;

  /** Slots whose bits of one column lie in one word. */
  public static final int SEGMENT = Long.SIZE;

  /** Slots of one bucket. */
  public static final int BUCKET = 128;

  private static final int CHUNK_LOG = 16;
  private static final int LAST_KEYS = 1536;
  private static final int MOST_LAYERS =
      8; // each has at most a tenth of the keys of the one before

  /**
   * One layer.
   *
   * @param keys what it is planned for
   * @param chunks how many chunks
   * @param chunkSlots slots of each chunk
   * @param narrow segments with one column less; they come first
   * @param firstWord its first word
   * @param thresholds the first word of its thresholds
   */
  public record Layer(
      long keys, int chunks, int chunkSlots, int narrow, int firstWord, int thresholds) {

    /** Slots where an equation of a chunk may start. */
    public int starts() {
      return RibbonLayout.starts(chunkSlots);
    }

    public int chunkSegments() {
      return chunkSlots / SEGMENT;
    }

    /** All segments. */
    public int segments() {
      return chunks * chunkSegments();
    }

    /** The words of all segments before one, given the columns of a wide segment. */
    public int wordsBefore(int segment, int columns) {
      return segment * (columns - 1) + Math.max(0, segment - narrow);
    }

    /** How many of all starts are in narrow segments. */
    public long narrowStarts() {
      int rest = Math.min(narrow % chunkSegments() * SEGMENT, starts());
      return (long) (narrow / chunkSegments()) * starts() + rest;
    }

    private Layer withThresholds(int at) {
      return new Layer(keys, chunks, chunkSlots, narrow, firstWord, at);
    }
  }

  private final long keys;
  private final int columns;
  private final int narrowShare;
  private final Layer[] layers;
  private final long words;

  /**
   * A layout.
   *
   * @param keys distinct keys, 0 … 2^31-1
   * @param columns bits of a value in the wide segments, 1…32
   * @param narrowShare share of starts in segments with one column less, 0…65535 of 65536
   * @throws IllegalArgumentException if an argument is outside its range or there are too many
   *     words
   */
  public RibbonLayout(long keys, int columns, int narrowShare) {
    this.keys = Arguments.inRange("keys", keys, 0, Integer.MAX_VALUE);
    this.columns = Arguments.inRange("columns", columns, 1, MAX_COLUMNS);
    this.narrowShare = Arguments.inRange("narrowShare", narrowShare, 0, SHARES - 1);
    Layer[] plan = new Layer[MOST_LAYERS];
    int count = 0;
    long end = 0;
    long left = keys;
    while (left > LAST_KEYS) {
      Layer layer = bumping(left, end);
      plan[count++] = layer;
      end += size(layer);
      left = bumped(layer);
    }
    if (keys > 0) {
      Layer layer = last(count == 0 ? left : left + margin(keys), end);
      plan[count++] = layer;
      end += size(layer);
    }
    this.layers = Arrays.copyOf(plan, count);
    for (int i = 0; i < count; i++) {
      layers[i] = layers[i].withThresholds((int) Math.min(end, Integer.MAX_VALUE));
      end += i < count - 1 ? Words.wordsFor(layers[i].segments()) : 0;
    }
    this.words = Sizing.requireAtMost("words", end, 0, Words.MAX_WORDS);
  }

  /** The words of the segments of a layer. */
  private long size(Layer layer) {
    return (long) layer.segments() * columns - layer.narrow();
  }

  private Layer bumping(long k, long firstWord) {
    long slots = k - k / 32;
    long chunks = Math.max(1, (slots + (1L << (CHUNK_LOG - 1))) >>> CHUNK_LOG);
    long chunkSlots = Math.max(1, (slots / chunks + BUCKET / 2) / BUCKET) * BUCKET;
    return layer(k, (int) chunks, (int) chunkSlots, firstWord);
  }

  private Layer last(long k, long firstWord) {
    long slots = k + k / 16;
    return layer(k, 1, (int) Words.wordsFor(slots) * SEGMENT, firstWord);
  }

  private Layer layer(long k, int chunks, int chunkSlots, long firstWord) {
    int starts = starts(chunkSlots);
    long narrowStarts = (long) chunks * starts * narrowShare / SHARES;
    long narrow = narrowStarts / starts * (chunkSlots / SEGMENT) + narrowStarts % starts / SEGMENT;
    return new Layer(k, chunks, chunkSlots, (int) narrow, (int) firstWord, 0);
  }

  private static int starts(int chunkSlots) {
    return chunkSlots - SEGMENT + 1;
  }

  /**
   * The expected number of keys that a layer leaves to the next: those beyond its slots, plus the
   * number of its empty slots, which was measured for 1,600 to 3 million keys.
   */
  private static long bumped(Layer layer) {
    long slots = (long) layer.chunks() * layer.chunkSlots();
    return layer.keys() - slots + slots / 512 + 24L * layer.chunks();
  }

  /** Five standard deviations of the number of keys that reach the last layer. */
  private static long margin(long keys) {
    return (long) Math.sqrt((double) keys);
  }

  /** Different keys. */
  public long keys() {
    return keys;
  }

  /** Bits of a value in the wide segments. */
  public int columns() {
    return columns;
  }

  /** Share of starts in segments with one column less, of 65536. */
  public int narrowShare() {
    return narrowShare;
  }

  /** All words. */
  public long words() {
    return words;
  }

  /**
   * The expected probability that a hash of no key matches its fingerprint. Exact except that keys
   * may be bumped more or less often in narrow segments, which changes it by less than 1 %.
   */
  public double matchRate() {
    double narrow = 0;
    double reach = 1;
    for (int i = 0; i < layers.length; i++) {
      Layer layer = layers[i];
      double bumped = i == layers.length - 1 ? 0 : (double) bumped(layer) / layer.keys();
      double starts = (double) layer.chunks() * layer.starts();
      narrow += reach * (1 - bumped) * layer.narrowStarts() / starts;
      reach *= bumped;
    }
    return layers.length == 0 ? 0 : Math.scalb(1 + narrow, -columns);
  }

  /** The layers; all but the last have thresholds. */
  public Layer[] layers() {
    return layers.clone();
  }
}
