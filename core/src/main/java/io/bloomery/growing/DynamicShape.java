package io.bloomery.growing;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;

/**
 * The shape of a dynamic Bloom filter: as many layers of equal size as its keys need, each a
 * standard Bloom filter of bits or counters. The number of layers is part of a filter's state; its
 * memory is that of one layer until it {@linkplain #grownTo grows}.
 *
 * <p>Every layer adds its own rate, so the overall rate grows with the number of layers: {@code 1 -
 * (1 - f(c))^⌊n/c⌋ · (1 - f(n mod c))} for n keys and c keys per layer.
 *
 * @param layerCells m, cells of a layer, 2 … {@link Shape#MAX_BITS}
 * @param hashesPerKey k, hashes per key, 1 … {@link Shape#MAX_HASHES_PER_KEY} and at most {@code
 *     layerCells}
 * @param layerKeys c, keys per layer, 1 … {@link Shape#MAX_KEYS}: a layer is full when as many
 *     cells are in use as c keys use on average
 * @param counterBits the width of a cell: 1 for bits, without deletes, or 2 … 16
 */
public record DynamicShape(
    @FieldName("row cells") long layerCells,
    @FieldName("probes") int hashesPerKey,
    @FieldName("row keys") long layerKeys,
    @FieldName("counter bits") int counterBits)
    implements Shape {

  /** The most layers. */
  public static final int MAX_LAYERS = 4096;

  /** The width of a cell unless another is given. */
  public static final int COUNTER_BITS = 4;

  /** Headroom of a layer, in standard deviations above the mean number of cells its keys use. */
  private static final double DEVIATIONS = 6;

  public DynamicShape {
    requireWidth(counterBits);
    Arguments.inRange("layerCells", layerCells, 2, mostCells(counterBits));
    Arguments.inRange(
        "hashesPerKey", hashesPerKey, 1, (int) Math.min(MAX_HASHES_PER_KEY, layerCells));
    Arguments.inRange("layerKeys", layerKeys, 1, MAX_KEYS);
  }

  private static long mostCells(int counterBits) {
    return MAX_BITS / Long.SIZE * (Long.SIZE / counterBits);
  }

  private static void requireWidth(int counterBits) {
    Arguments.inRange("counterBits", counterBits, 1, 16);
  }

  /**
   * The smallest layers of 4-bit counters for a number of keys and a rate.
   *
   * @param expectedKeys distinct keys that the first layer holds, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate of a full layer, in (0, 1) and at least {@code expectedKeys ·
   *     2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static DynamicShape forKeys(long expectedKeys, double falsePositiveRate) {
    return forKeys(expectedKeys, falsePositiveRate, COUNTER_BITS);
  }

  /**
   * The smallest layers for a number of keys and a rate. A layer is sized for slightly more keys
   * than expected, so that the expected keys fit even if they use six standard deviations more
   * cells than on average: 5 % more at 1,000 keys, 0.2 % at a million.
   *
   * @param expectedKeys distinct keys that the first layer holds, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate of a full layer, in (0, 1) and at least {@code expectedKeys ·
   *     2^-57}
   * @param counterBits the width of a cell, 1 … 16
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static DynamicShape forKeys(long expectedKeys, double falsePositiveRate, int counterBits) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    requireWidth(counterBits);
    long keys = expectedKeys;
    while (true) {
      BloomShape layer = BloomShape.forKeys(keys, Math.max(falsePositiveRate, keys * 0x1p-57));
      long needed = keysWithRoomFor(expectedKeys, layer.bits(), layer.hashesPerKey());
      if (needed <= keys) {
        Sizing.requireAtMost("layerCells", layer.bits(), 2, mostCells(counterBits));
        return new DynamicShape(layer.bits(), layer.hashesPerKey(), keys, counterBits);
      }
      keys = needed;
    }
  }

  /**
   * The best layers of 4-bit counters for a number of keys within a memory budget.
   *
   * @param expectedKeys distinct keys that the first layer holds, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget of a layer, 256 … {@link Shape#MAX_BITS}
   * @return the shape with the lowest exact rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static DynamicShape forBudget(long expectedKeys, long bits) {
    return forBudget(expectedKeys, bits, COUNTER_BITS);
  }

  /**
   * The best layers for a number of keys within a memory budget.
   *
   * @param expectedKeys distinct keys that the first layer holds, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget of a layer, 64 cells … {@link Shape#MAX_BITS}
   * @param counterBits the width of a cell, 1 … 16
   * @return the shape with the lowest exact rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static DynamicShape forBudget(long expectedKeys, long bits, int counterBits) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    requireWidth(counterBits);
    long cells = Sizing.requireBudget(bits, 64L * counterBits) / 64 * (64 / counterBits);
    BloomShape layer = BloomShape.forBudget(expectedKeys, cells);
    long keys = keysWithRoomFor(expectedKeys, layer.bits(), layer.hashesPerKey());
    return new DynamicShape(
        layer.bits(), layer.hashesPerKey(), Math.max(expectedKeys, keys), counterBits);
  }

  /**
   * The smallest layer capacity at which a number of keys fit: when the last of them is added, the
   * layer must not be full yet. A layer with all cells in use never qualifies, since it claims
   * every key.
   */
  private static long keysWithRoomFor(long keys, long cells, int hashesPerKey) {
    double fill = 1 - BloomMath.zeroBitProbability(cells, keys - 1, hashesPerKey);
    double deviation = BloomMath.fillStandardDeviation(cells, keys - 1, hashesPerKey);
    double likely = Math.ceil(cells * (fill + DEVIATIONS * deviation));
    double used = Math.min(cells - 1.0, Math.min((keys - 1.0) * hashesPerKey, likely));
    double free = Math.log1p(-used / cells) / Math.log1p(-1.0 / cells);
    return (long) Math.min(MAX_KEYS, Math.floor(free / hashesPerKey) + 1);
  }

  @Override
  public Shape grownTo(long keys) {
    Arguments.inRange("keys", keys, 1, maxKeys());
    Load load = load(keys);
    long layers = load.full + (load.newest > 0 ? 1L : 0L);
    return layers <= 1 ? this : new GrownShape(this, layers * sizeInBits());
  }

  /** {@inheritDoc} Here: of the most layers. */
  @Override
  public long maxKeys() {
    return MAX_LAYERS * layerKeys;
  }

  /**
   * How many cells of a layer are in use when it is full: the mean for {@code layerKeys} keys.
   *
   * @return {@code m · (1 - (1 - 1/m)^(k·c))}, rounded up
   */
  public long fullCells() {
    double used = -Math.expm1((double) hashesPerKey * layerKeys * Math.log1p(-1.0 / layerCells));
    return (long) Math.max(1, Math.ceil(layerCells * used));
  }

  /** {@inheritDoc} Here: of one layer. A word holds 64 / {@code counterBits} cells. */
  @Override
  public long sizeInBits() {
    int perWord = Long.SIZE / counterBits;
    return (layerCells + perWord - 1) / perWord * Long.SIZE;
  }

  /**
   * {@inheritDoc} Layers are added for keys beyond the capacity of the current ones. A key that is
   * a false positive of a full layer when it is added changes nothing, so layer i takes {@code c /
   * (1 - f)^i} keys until it is full, with the rate f of a full layer.
   */
  @Override
  public double falsePositiveRate(long keys) {
    Load load = load(Sizing.requireLoad(keys));
    double newest = BloomMath.exactRate(layerCells, load.newest, hashesPerKey);
    return 0 - Math.expm1(load.logUnclaimed + Math.log1p(-newest));
  }

  /**
   * The state of a filter after a number of keys.
   *
   * @param full how many layers are full
   * @param logUnclaimed the logarithm of the share of keys that the full layers do not claim
   * @param newest how many keys the layer after them holds
   */
  private record Load(int full, double logUnclaimed, long newest) {}

  private Load load(long keys) {
    double left = keys;
    double logRest = Math.log1p(-BloomMath.exactRate(layerCells, layerKeys, hashesPerKey));
    int full = 0;
    while (full < MAX_LAYERS && left * Math.exp(full * logRest) >= layerKeys) {
      left -= layerKeys / Math.exp(full * logRest);
      full++;
    }
    return new Load(full, full * logRest, (long) (left * Math.exp(full * logRest)));
  }
}
