package io.bloomery.window;

import io.bloomery.AddableFilter;
import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.SizedBuilder;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.probe.Modulus;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;

/**
 * How often was x seen lately? Each add gives a key the weight 1, which fades with time: by half in
 * each {@linkplain Decay#EXPONENTIAL half-life}, or {@linkplain Decay#LINEAR by 1 in each period}.
 * The answer is never below the key's true weight, and with the probability of a false positive
 * above it.
 *
 * <p>A weight that has faded below 10⁻⁹ counts as zero, so that {@code mightContain} is "was it
 * seen within the last 30 half-lives?"
 *
 * <p>Threads: needs a lock around every call, queries too; {@link
 * io.bloomery.Filters#locked(AddableFilter)} gives one.
 *
 * <p>Cheng, Xiang, Iyengar and Yu 2005, "Time-decaying Bloom Filters for data streams with skewed
 * distributions". Deviation: cells decay when they are touched, from the time that they hold; the
 * cells of a key lie in different slices, so that they differ.
 */
public final class TimeDecayingFilter implements AddableFilter, Storable {

  /** How files name this kind. */
  public static final FilterKind<TimeDecayingFilter> KIND =
      new FilterKind<>(
          37,
          "time-decaying",
          "how often was x seen lately? weights that fade with time",
          TimeDecayingFilter.class,
          TimeDecayingFilter::encode,
          TimeDecayingFilter::decode,
          () -> FilterRecipe.none("forgets keys as time passes, in its file too"));

  /** Weights below this are zero. */
  static final double LEAST = 1e-9;

  private static final long MAX_PERIOD = 1L << 42;

  /** How weights fade. */
  public enum Decay {
    /** By half in each period, whatever the weight. */
    EXPONENTIAL(1),

    /** By 1 in each period of the clock, down to 0. */
    LINEAR(2);

    private final int wireId;

    Decay(int wireId) {
      this.wireId = wireId;
    }

    /**
     * The number that stands for this in files.
     *
     * @return a number that never changes
     */
    public int wireId() {
      return wireId;
    }
  }

  private final Hasher hasher;
  private final TimeDecayingShape shape;
  private final Decay decay;
  private final long period;
  private final Ticks ticks;
  private final Words weights;
  private final Words times;
  private final Modulus slice;

  private TimeDecayingFilter(
      Hasher hasher,
      TimeDecayingShape shape,
      Decay decay,
      long period,
      Ticks ticks,
      Words weights,
      Words times) {
    this.hasher = hasher;
    this.shape = shape;
    this.decay = decay;
    this.period = period;
    this.ticks = ticks;
    this.weights = weights;
    this.times = times;
    this.slice = new Modulus(shape.cells() / shape.probes());
  }

  /**
   * The smallest filter whose weights halve in a time.
   *
   * @param halfLife how long a weight takes to halve, a millisecond or more
   * @param expectedKeys distinct keys that have not faded
   * @param falsePositiveRate the share of keys whose weight is too high, above 0, below 1
   * @return an empty filter
   */
  public static TimeDecayingFilter create(
      Duration halfLife, long expectedKeys, double falsePositiveRate) {
    return builder()
        .halfLife(halfLife)
        .expectedKeys(expectedKeys)
        .falsePositiveRate(falsePositiveRate)
        .build();
  }

  /**
   * All options.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  private Frame encode() {
    return Frame.of(hasher)
        .put("cells", shape.cells())
        .put("probes", shape.probes())
        .put("decay", decay.wireId())
        .put("period", period)
        .put("latest", ticks.latest())
        .section(weights)
        .section(times);
  }

  private static TimeDecayingFilter decode(Frame frame) throws IOException {
    TimeDecayingShape shape;
    try {
      shape =
          new TimeDecayingShape(
              frame.number("cells", 2, Long.MAX_VALUE), (int) frame.number("probes", 1, 255));
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    Decay decay = frame.number("decay", 1, 2) == 1 ? Decay.EXPONENTIAL : Decay.LINEAR;
    long period = frame.number("period", 1, MAX_PERIOD);
    Ticks ticks = new Ticks(InstantSource.system(), frame.number("latest", 0, Ticks.MAX));
    return new TimeDecayingFilter(
        frame.hasher(),
        shape,
        decay,
        period,
        ticks,
        frame.section(0, shape.cells()),
        frame.section(1, shape.cells()));
  }

  @Override
  public FilterKind<TimeDecayingFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * The number of cells and how many a key has.
   *
   * @return the shape, with its rate formula
   */
  public TimeDecayingShape shape() {
    return shape;
  }

  /**
   * How weights fade.
   *
   * @return exponentially or linearly
   */
  public Decay decay() {
    return decay;
  }

  /**
   * The weight of a key now.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @return at least the sum of what is left of its adds; 0 if it was certainly not seen lately
   */
  public double weightHash(long hash) {
    long now = ticks.now();
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < shape.probes(); i++) {
      least = Math.min(least, weightAt(cell(hash, i), now));
    }
    return least;
  }

  /**
   * The weight of a text key now.
   *
   * @param key the key
   * @return at least the sum of what is left of its adds
   */
  public double weight(CharSequence key) {
    return weightHash(hasher.hash(key));
  }

  /**
   * The weight of a number now.
   *
   * @param key the key
   * @return at least the sum of what is left of its adds
   */
  public double weight(long key) {
    return weightHash(hasher.hash(key));
  }

  @Override
  public boolean mightContainHash(long hash) {
    return weightHash(hash) > 0;
  }

  /**
   * {@inheritDoc}
   *
   * @return {@code true}: certainly not seen lately; {@code false}: probably seen before
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
   * @return {@code true}: certainly not seen lately; {@code false}: probably seen before
   */
  public boolean addHash(long hash, double weight) {
    long[] values = weights.writable();
    long[] stamps = times.writable();
    Arguments.inRange("weight", weight, LEAST, 1e15);
    long now = ticks.now();
    ticks.publish(now);
    boolean absent = false;
    for (int i = 0; i < shape.probes(); i++) {
      long cell = cell(hash, i);
      double before = weightAt(cell, now);
      absent |= before == 0;
      values[Words.BASE + (int) cell] = Double.doubleToRawLongBits(before + weight);
      stamps[Words.BASE + (int) cell] = now;
    }
    return absent;
  }

  /** What is left of a cell; a cell that is no number has nothing. */
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
    long now = ticks.now();
    double rate = 1;
    for (int i = 0; i < shape.probes(); i++) {
      long weighty = 0;
      for (long cell = i * slice.divisor(); cell < (i + 1) * slice.divisor(); cell++) {
        weighty += weightAt(cell, now) > 0 ? 1 : 0;
      }
      rate *= (double) weighty / slice.divisor();
    }
    return rate;
  }

  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  /**
   * An independent heap copy.
   *
   * @return a filter with the same weights
   */
  public TimeDecayingFilter copy() {
    return new TimeDecayingFilter(
        hasher, shape, decay, period, ticks.copy(), weights.copy(), times.copy());
  }

  /**
   * A copy whose time is told by another clock, for a filter that was opened from a file.
   *
   * @param clock tells the time from now on
   * @return a filter with the same weights
   */
  public TimeDecayingFilter copy(InstantSource clock) {
    Objects.requireNonNull(clock, "clock");
    return new TimeDecayingFilter(
        hasher, shape, decay, period, ticks.withClock(clock), weights.copy(), times.copy());
  }

  @Override
  public String toString() {
    return "TimeDecayingFilter[" + shape + ", " + decay + " " + period + " ms, " + hasher + "]";
  }

  /** Options of a filter: a half-life or a linear period, with a rate or a shape. */
  public static final class Builder extends SizedBuilder<Builder> {
    private Decay decay;
    private long period;
    private InstantSource clock = InstantSource.system();
    private TimeDecayingShape shape;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * Weights halve in this time.
     *
     * @param halfLife a millisecond to 2^42
     * @return this
     */
    public Builder halfLife(Duration halfLife) {
      Objects.requireNonNull(halfLife, "halfLife");
      this.period = Arguments.inRange("halfLife in ms", halfLife.toMillis(), 1, MAX_PERIOD);
      this.decay = Decay.EXPONENTIAL;
      return this;
    }

    /**
     * Weights lose 1 in this time, whenever the clock passes a multiple of it.
     *
     * @param period a millisecond to 2^42
     * @return this
     */
    public Builder linear(Duration period) {
      Objects.requireNonNull(period, "period");
      this.period = Arguments.inRange("period in ms", period.toMillis(), 1, MAX_PERIOD);
      this.decay = Decay.LINEAR;
      return this;
    }

    /**
     * What tells the time. A clock that goes back is taken to stand still.
     *
     * @param clock {@link InstantSource#system()} if never called
     * @return this
     */
    public Builder clock(InstantSource clock) {
      this.clock = Objects.requireNonNull(clock, "clock");
      return this;
    }

    /**
     * The whole shape, instead of keys and a rate.
     *
     * @param shape the shape
     * @return this
     */
    public Builder shape(TimeDecayingShape shape) {
      this.shape = Objects.requireNonNull(shape, "shape");
      return this;
    }

    /**
     * Makes the filter.
     *
     * @return an empty filter
     */
    public TimeDecayingFilter build() {
      if (decay == null) {
        throw new IllegalArgumentException("halfLife or linear must be given");
      }
      if ((shape == null) == (falsePositiveRate == 0)) {
        throw new IllegalArgumentException(
            "exactly one of shape and falsePositiveRate must be given");
      }
      TimeDecayingShape chosen =
          shape == null ? TimeDecayingShape.forKeys(expectedKeys, falsePositiveRate) : shape;
      return new TimeDecayingFilter(
          hasher,
          chosen,
          decay,
          period,
          new Ticks(clock, 0),
          Words.allocate(chosen.cells(), false),
          Words.allocate(chosen.cells(), false));
    }
  }
}
