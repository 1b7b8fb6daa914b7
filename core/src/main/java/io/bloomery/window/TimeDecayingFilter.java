package io.bloomery.window;

import io.bloomery.AddableFilter;
import io.bloomery.CardinalityFilter;
import io.bloomery.FilterKind;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.probe.Modulus;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import io.bloomery.theory.Estimates;
import io.bloomery.window.TimeDecayingShape.Decay;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;

/**
 * How often was x seen recently? Each add adds 1 to the weight of a key, which fades with time: by
 * half in each {@linkplain Decay#EXPONENTIAL half-life}, or {@linkplain Decay#LINEAR by 1 in each
 * period}. The answer is never below the key's true weight; it is higher with the probability of a
 * false positive.
 *
 * <p>A weight that has faded below 10⁻⁹ counts as zero, so that {@code mightContain} answers "was
 * it seen within the last 30 half-lives?"
 *
 * <p>Threads: needs a lock around every call, including queries, which {@link
 * io.bloomery.Filters#locked(AddableFilter)} provides.
 *
 * <p>Cheng, Xiang, Iyengar and Yu 2005, "Time-decaying Bloom Filters for data streams with skewed
 * distributions". Deviation: cells decay when they are touched, from the time that they hold; the
 * cells of a key lie in different slices, so that they differ.
 */
public final class TimeDecayingFilter extends ShapedFilter<TimeDecayingShape>
    implements AddableFilter, CardinalityFilter {

  public static final FilterKind<TimeDecayingFilter> KIND =
      Kind.of(37, "time-decaying", TimeDecayingFilter.class)
          .question("how often was x seen lately? weights that fade with time")
          .codec(TimeDecayingFilter::encode, TimeDecayingFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("time-decaying", TimeDecayingShape.class)
                          .meets(Need.WINDOW, Need.COUNTS)
                          .onlyFor(Need.WINDOW)
                          .onlyFor(Need.COUNTS)
                          .forKeys(TimeDecayingShape::forKeys)
                          .searchBudget()
                          .reads(shape -> 2 * shape.hashesPerKey())
                          .why("Weights that fade with time: how often a key was seen lately")
                          .oneWriter()
                          .needsMore("forgets keys as time passes, in its file too")
                          .orderMatters()
                          .creates(TimeDecayingFilter::create)));

  /** Weights below this are zero. */
  private static final double LEAST = 1e-9;

  private final Decay decay;
  private final long period;
  private final Ticks ticks;
  private final Words weights;
  private final Words times;
  private final Modulus slice;

  private TimeDecayingFilter(
      TimeDecayingShape shape, Hasher hasher, Ticks ticks, Words weights, Words times) {
    super(shape, hasher);
    this.decay = shape.decay();
    this.period = shape.period();
    this.ticks = ticks;
    this.weights = weights;
    this.times = times;
    this.slice = new Modulus(shape.cells() / shape.hashesPerKey());
  }

  /**
   * The smallest filter whose weights halve in an hour.
   *
   * @param expectedKeys distinct keys with a remaining weight
   * @param falsePositiveRate the share of keys whose weight is too high, above 0, below 1
   * @return an empty filter
   */
  public static TimeDecayingFilter create(long expectedKeys, double falsePositiveRate) {
    return create(TimeDecayingShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * The smallest filter whose weights halve in a given time.
   *
   * @param halfLife how long a weight takes to halve, a millisecond or more
   * @param expectedKeys distinct keys with a remaining weight
   * @param falsePositiveRate the share of keys whose weight is too high, above 0, below 1
   * @return an empty filter
   */
  public static TimeDecayingFilter create(
      Duration halfLife, long expectedKeys, double falsePositiveRate) {
    return create(
        TimeDecayingShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate)
            .withHalfLife(halfLife));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape cells, hashes per key and how weights fade
   * @return an empty filter
   */
  public static TimeDecayingFilter create(TimeDecayingShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape cells, hashes per key and how weights fade
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static TimeDecayingFilter create(TimeDecayingShape shape, Hasher hasher) {
    return create(shape, hasher, InstantSource.system());
  }

  /**
   * A filter of a given shape, hasher and clock.
   *
   * @param shape cells, hashes per key and how weights fade
   * @param hasher turns keys into hashes
   * @param clock provides the time; if it goes back, it is treated as stopped
   * @return an empty filter
   */
  public static TimeDecayingFilter create(
      TimeDecayingShape shape, Hasher hasher, InstantSource clock) {
    return new TimeDecayingFilter(
        shape,
        hasher,
        Ticks.start(true, clock),
        Words.allocate(shape.cells(), false),
        Words.allocate(shape.cells(), false));
  }

  private Frame encode() {
    return Frame.of(hasher())
        .put(shape())
        .put("latest", ticks.latest())
        .section(weights)
        .section(times);
  }

  private static TimeDecayingFilter decode(Frame frame) throws IOException {
    TimeDecayingShape shape = frame.shape(TimeDecayingShape.class);
    return new TimeDecayingFilter(
        shape,
        frame.hasher(),
        Ticks.decode(true, frame),
        frame.section(0, shape.cells()),
        frame.section(1, shape.cells()));
  }

  @Override
  public FilterKind<TimeDecayingFilter> kind() {
    return KIND;
  }

  /**
   * The weight of a key now.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @return at least the remaining weight of its adds; 0 if it was certainly not seen recently
   */
  public double weightHash(long hash) {
    long now = ticks.now();
    double least = Double.POSITIVE_INFINITY;
    int hashesPerKey = shape().hashesPerKey();
    for (int i = 0; i < hashesPerKey; i++) {
      least = Math.min(least, weightAt(cell(hash, i), now));
    }
    return least;
  }

  /**
   * The weight of a text key now.
   *
   * @param key the key
   * @return at least the remaining weight of its adds
   */
  public double weight(CharSequence key) {
    return weightHash(hasher().hash(key));
  }

  /**
   * The weight of a number now.
   *
   * @param key the key
   * @return at least the remaining weight of its adds
   */
  public double weight(long key) {
    return weightHash(hasher().hash(key));
  }

  /**
   * The weight of a character now.
   *
   * @param key the key, which counts as text
   * @return at least the remaining weight of its adds
   */
  public double weight(char key) {
    return weightHash(hasher().hash(key));
  }

  @Override
  public boolean mightContainHash(long hash) {
    return weightHash(hash) > 0;
  }

  /**
   * {@inheritDoc}
   *
   * @return {@code true}: certainly not seen recently; {@code false}: probably seen before
   */
  @Override
  public boolean addHash(long hash) {
    return addHash(hash, 1);
  }

  /**
   * Adds to the weight of a key.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @param weight what to add, 10⁻⁹…10¹⁵
   * @return {@code true}: certainly not seen recently; {@code false}: probably seen before
   */
  public boolean addHash(long hash, double weight) {
    long[] values = weights.writable();
    long[] stamps = times.writable();
    Arguments.inRange("weight", weight, LEAST, 1e15);
    long now = ticks.now();
    ticks.publish(now);
    boolean absent = false;
    int hashesPerKey = shape().hashesPerKey();
    for (int i = 0; i < hashesPerKey; i++) {
      long cell = cell(hash, i);
      double before = weightAt(cell, now);
      absent |= before == 0;
      values[Words.BASE + (int) cell] = Double.doubleToRawLongBits(before + weight);
      stamps[Words.BASE + (int) cell] = now;
    }
    return absent;
  }

  /** The remaining weight of a cell; 0 if the cell is NaN. */
  private double weightAt(long cell, long now) {
    double value = Double.longBitsToDouble(weights.get(cell));
    long then = times.get(cell);
    double left =
        decay == Decay.EXPONENTIAL
            ? value * Math.exp((then - now) * (Math.log(2) / period))
            : value - (now / period - then / period);
    return left >= LEAST && left < Double.POSITIVE_INFINITY ? left : 0;
  }

  private long cell(long hash, int i) {
    return i * slice.divisor() + slice.of(Mix.stream(hash, i));
  }

  /** {@inheritDoc} Here: the product over the slices of the shares of cells that have a weight. */
  @Override
  public double falsePositiveRate() {
    double rate = 1;
    for (long used : usedCells()) {
      rate *= (double) used / slice.divisor();
    }
    return rate;
  }

  /** {@inheritDoc} Here: of cells that have a weight. */
  @Override
  public double fillRatio() {
    return (double) Arrays.stream(usedCells()).sum() / shape().cells();
  }

  /** {@inheritDoc} Here: of keys that have a weight. */
  @Override
  public double cardinality() {
    return Estimates.partitionedCardinality(slice.divisor(), usedCells());
  }

  /** How many cells of each slice have a weight. */
  private long[] usedCells() {
    long now = ticks.now();
    long[] used = new long[shape().hashesPerKey()];
    for (long cell = 0; cell < shape().cells(); cell++) {
      used[(int) (cell / slice.divisor())] += weightAt(cell, now) > 0 ? 1 : 0;
    }
    return used;
  }

  /**
   * An independent heap copy.
   *
   * @return a filter with the same weights
   */
  public TimeDecayingFilter copy() {
    return new TimeDecayingFilter(shape(), hasher(), ticks.copy(), weights.copy(), times.copy());
  }

  /**
   * A copy with another clock, for a filter that was opened from a file.
   *
   * @param clock provides the time from now on
   * @return a filter with the same weights
   */
  public TimeDecayingFilter copy(InstantSource clock) {
    return new TimeDecayingFilter(
        shape(), hasher(), ticks.withClock(clock), weights.copy(), times.copy());
  }
}
